/** Snapshots as a kind of billed job: their table, who sees them, and how messages name their files. */
import type { FileKind } from '../../core/billedJobs/fileJobs.ts';

export const SNAPSHOT_KEPT_HOURS = 72;

export const SNAPSHOTS: FileKind = {
  noun: 'snapshot',
  table: 'snapshot',
  keptAs: 'snapshotId',
  columns: `x.filters, x.representation, (j.payload -> 'withDerived') = 'true' as "withDerived", x.format, x.compression, j.payload ->> 'today' as today,
    j.payload ->> 'geoparquet' as geoparquet,
    x.record_count as "recordCount", x.file_count as "fileCount", x.moment`,
  isVisible: 'x.team_id = $1',
  readerValues: ({ teamId }) => [teamId],
  isKept: 'x.lost_at is null and x.expires_at > service_now()',
  hasPeople: 'exists (select from snapshot_person p where p.snapshot_id = x.id and p.hashes && $1::bigint[])',
  // Long enough for the largest snapshot.
  undoMs: 60_000,
  files: 'snapshots',
  isMissing: 'The files of this snapshot are not there',
  gone: `The files of this snapshot are not kept any more (for ${SNAPSHOT_KEPT_HOURS} hours, until it is deleted, or until a person in it must not be shown); queue it again.`,
};
