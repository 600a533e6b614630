/** Exports as a kind of billed job: their table, who sees them, and how messages name their files. */
import type { FileKind } from '../../core/billedJobs/fileJobs.ts';
import { maySeeExport } from './events.ts';

export const FILE_KEPT_DAYS = 7;

export const EXPORTS: FileKind = {
  noun: 'export',
  table: 'export',
  keptAs: 'exportId',
  columns: `x.source, x.cells_too_long as "longCells", x.row_count as "rowCount", x.sha256, x.file_name as "fileName",
    x.contact_credits_reserved as "contactCreditsReserved", x.contact_credits_charged as "contactCreditsCharged"`,
  isVisible: `j.team_id = $1 and ${maySeeExport('$2')}`,
  readerValues: ({ teamId, userId }) => [teamId, userId],
  isKept: 'x.file_name is not null and x.expires_at > service_now()',
  // A file whose people are not recorded may have any.
  hasPeople: 'not exists (select from export_person p where p.export_id = x.id and not p.hashes && $1::bigint[])',
  files: 'export files',
  isMissing: 'The file of this export is not there',
  gone: `The file of this export is not kept any more (for ${FILE_KEPT_DAYS} days, or until a person in it must not be shown); queue it again.`,
};
