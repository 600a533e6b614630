/** Why a record is new to an alert, and which records are too old to be news. */
import { daysAfter } from '../../core/domain/process/hearings.ts';
import { type Clause, range, terms } from '../../core/query/clauses.ts';
import type { AlertPosition } from './position.ts';

export const NEW_BECAUSE = ['new_case', 'changed', 'newly_read', 'entered_window'] as const;
export type NewBecause = (typeof NEW_BECAUSE)[number];

/** Matches records whose last hearing is more than `days` before `today`, and that name no meeting since. */
export function makeLongHeardClause(today: string, days: number): Clause {
  const since = daysAfter(today, -days);
  // Keys of meetings begin with their day.
  const later = [range('derived.bodyMeetings', { gte: since }), range('derived.nextHearing', { gte: since })];
  return { bool: { filter: [range('derived.meetingDate', { lt: since })], must_not: later } };
}

/**
 * Matches the records that a run would deliver as newly read.
 * @param longHeard as `makeLongHeardClause` makes it
 * @param deliveredIds records that the alert delivered before, in any revision
 */
export function makeNewlyReadClause(longHeard: Clause, { until }: Pick<AlertPosition, 'until'>, deliveredIds: readonly number[]): Clause {
  const changedSince = until === null ? [] : [range('lastUpdated', { gt: new Date(until).toISOString() })];
  return { bool: { filter: [longHeard, ...changedSince], must_not: deliveredIds.length ? [terms('id', deliveredIds)] : [] } };
}

/**
 * Why a record is new to an alert that never delivered it. One that did not change since the last run entered by a new day, by its date alone,
 * or by another record of its family: it was read before, however long ago it was heard.
 */
export function explainNew(
  { lastUpdated }: { lastUpdated: string },
  { until }: Pick<AlertPosition, 'until'>,
  isLongHeard: boolean,
): Exclude<NewBecause, 'changed'> {
  if (until !== null && Date.parse(lastUpdated) <= until) return 'entered_window';
  return isLongHeard ? 'newly_read' : 'new_case';
}
