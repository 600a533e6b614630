/**
 * Date windows end today, so that a new day lets in records, and drops others, that have not changed: the order of changes alone would never
 * come to them. A walk serves them first when a new day comes, and then goes on where it was. Pure.
 */
import { range } from '../../core/query/clauses.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { DayRollover, WalkPosition } from './cursor.ts';

/** The filters of a walk as they are on a day, `YYYY-MM-DD`. */
export type QueryOn = (day: string) => Record<string, unknown>;

/** The position with which a page begins today. A clock behind that of the last page's process does not take the day back. */
export function startRollover(position: WalkPosition, today: string, queryOn: QueryOn): WalkPosition {
  if (position.rollover || today <= position.day) return position;
  const same = JSON.stringify(queryOn(today)) === JSON.stringify(queryOn(position.day));
  if (same || !position.after) return { ...position, day: today };
  return { ...position, rollover: { to: today, after: null, departed: null } };
}

/** The position once everything that a new day lets in and drops was served. */
export const finishRollover = <P extends Omit<WalkPosition, 'unlisted'>>(position: P): P =>
  position.rollover ? { ...position, day: position.rollover.to, rollover: null } : position;

/** What a new day lets in, and what it drops, among the records up to `after`. */
export function rolloverQueries(
  day: string,
  { to }: Pick<DayRollover, 'to'>,
  after: TimeAndId,
  queryOn: QueryOn,
): Record<'letIn' | 'dropped', Record<string, unknown>> {
  const behind = range('lastUpdated', { lte: new Date(after[0]).toISOString() });
  const only = (one: string, other: string) => ({ bool: { filter: [queryOn(one), behind], must_not: [queryOn(other)] } });
  return { letIn: only(to, day), dropped: only(day, to) };
}
