/**
 * What one page of a walk looks for: what comes next, or, on a new day, what that day's date windows let in and drop behind the walk. Such
 * records have not changed, so that the order of changes alone would never come to them (decisions §3: a walk misses nothing). Pure.
 */
import { range } from '../../query/clauses.ts';
import type { TimeAndId } from '../../store/elastic/projects.ts';
import type { Position } from './cursor.ts';

/** The filters of a walk as they are on a day, `YYYY-MM-DD`. */
type QueryOn = (day: string) => Record<string, unknown>;

export interface Leg {
  query: Record<string, unknown>;
  /** finds what is told as gone; absent for everything that `query` does not find */
  gone?: Record<string, unknown>;
  after: TimeAndId | null;
  left: TimeAndId | null;
  /** milliseconds since 1970, up to which the whole page will most likely be found */
  until?: number | undefined;
}

/** How many pages' worth of changes, and milliseconds, are looked through first. */
const PAGES_AHEAD = 4;
const MS_AHEAD = 10;

const ORIGIN: TimeAndId = [0, 0];

/** The position with which a page begins today. A clock behind that of the last page's process does not turn the day back. */
export function onDay(position: Position, today: string, queryOn: QueryOn): Position {
  if (position.turn || today <= position.day) return position;
  const same = JSON.stringify(queryOn(today)) === JSON.stringify(queryOn(position.day));
  if (same || !position.after) return { ...position, day: today };
  return { ...position, turn: { to: today, after: null, left: null } };
}

/** The position once everything of a turn was told. */
export const turned = (position: Position): Position => (position.turn ? { ...position, day: position.turn.to, turn: null } : position);

export function legOf({ after, left, pace, day, turn }: Omit<Position, 'unlisted'>, queryOn: QueryOn): Leg {
  if (!turn || !after) {
    const until = after && pace !== null ? after[0] + PAGES_AHEAD * pace + MS_AHEAD : undefined;
    return { query: queryOn(day), after, left, until };
  }
  const behind = range('lastUpdated', { lte: new Date(after[0]).toISOString() });
  const only = (one: string, other: string) => ({ bool: { filter: [queryOn(one), behind], must_not: [queryOn(other)] } });
  return { query: only(turn.to, day), gone: only(day, turn.to), after: turn.after, left: turn.left ?? ORIGIN };
}
