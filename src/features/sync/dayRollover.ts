/**
 * The rollover to a new day. Date windows end today, so a new day adds and removes records that have not changed, which the order of
 * changes would never reach. A walk serves these first on a new day, and then continues from its position. Pure.
 */
import { startOfServiceDay } from '../../core/domain/serviceClock.ts';
import { range } from '../../core/query/clauses.ts';
import { parseSelectionDay } from '../../core/search/select.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import type { DayRollover, WalkPosition } from './cursor.ts';

/** The query of a walk's filters on a day, as `dayOfSelection` makes it. */
export type QueryOn = (day: string) => Record<string, unknown>;

const dateOf = (day: string) => parseSelectionDay(day).today;

/** The position at which a page begins today. A clock that is behind that of the previous page's process does not set the day back. */
export function startRollover(position: WalkPosition, today: string, queryOn: QueryOn): WalkPosition {
  if (position.rollover || today === position.day || dateOf(today) < dateOf(position.day)) return position;
  const same = JSON.stringify(queryOn(today)) === JSON.stringify(queryOn(position.day));
  if (same || !position.after) return { ...position, day: today };
  return { ...position, rollover: { to: today, after: null, departed: null } };
}

/** When a rollover took records away: as the day began, or now if only restrictions have changed since; null without one. */
export function findTimeLeft({ day, rollover }: Pick<WalkPosition, 'day' | 'rollover'>, now: Date): Date | null {
  if (!rollover) return null;
  const to = dateOf(rollover.to);
  return to === dateOf(day) ? now : startOfServiceDay(to);
}

/** The position after everything added and removed by the new day was served. */
export const finishRollover = <P extends Omit<WalkPosition, 'unlisted'>>(position: P): P =>
  position.rollover ? { ...position, day: position.rollover.to, rollover: null } : position;

/** Queries of the records up to `after` that a new day adds and that it removes. */
export function makeRolloverQueries(
  day: string,
  { to }: Pick<DayRollover, 'to'>,
  after: TimeAndId,
  queryOn: QueryOn,
): Record<'letIn' | 'dropped', Record<string, unknown>> {
  const behind = range('lastUpdated', { lte: new Date(after[0]).toISOString() });
  const only = (one: string, other: string) => ({ bool: { filter: [queryOn(one), behind], must_not: [queryOn(other)] } });
  return { letIn: only(to, day), dropped: only(day, to) };
}
