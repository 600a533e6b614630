import type { DraftWithNotes, Reject, SourceRecord } from './types.ts';

export const rejectOf = (ownId: string, rows: readonly object[], reason: string): Reject => ({ kind: 'reject', ownId, rows, reason });

/** The record of a draft. Notes count those for which no hearing or decision, or no land use, is stated. */
export function recordOf(ownId: string, rows: readonly object[], [project, notes]: DraftWithNotes): SourceRecord {
  const lacks = [...(project.meetingDate ? [] : ['no_hearing']), ...(project.landUses?.length ? [] : ['no_land_use'])];
  return { kind: 'record', ownId, rows, project, notes: [...notes, ...lacks] };
}
