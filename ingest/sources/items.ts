import type { DraftWithNotes, Reject, SourceRecord } from './types.ts';

export const rejectOf = (ownId: string, rows: number, reason: string): Reject => ({ kind: 'reject', ownId, rows, reason });

/**
 * Makes a record of a draft, or a reject if it has no date or no land use.
 * @param hasDate true for a source whose only date is not that of a meeting
 */
export function itemOf(
  ownId: string,
  rows: number,
  [project, notes]: DraftWithNotes,
  hasDate = Boolean(project.meetingDate),
): SourceRecord | Reject {
  if (!hasDate) return rejectOf(ownId, rows, 'no_date');
  return project.landUses?.length ? { kind: 'record', ownId, rows, project, notes } : rejectOf(ownId, rows, 'unclassified');
}
