/** An export as answers show it. */
import { FILE_STATUSES, statusOf, viewError, viewProgress } from '../../core/billedJobs/fileViews.ts';
import { EXPORTS } from './exportKind.ts';
import type { StoredExport } from './types.ts';

/** An export cannot be cancelled. */
export const EXPORT_STATUSES = FILE_STATUSES.filter((status) => status !== 'cancelled');
type ExportStatus = (typeof EXPORT_STATUSES)[number];

export type Export = ReturnType<typeof exportView>;

/** @param publicUrl root of the service, without a trailing slash */
export function exportView(stored: StoredExport, publicUrl: string) {
  const { id, rowCount } = stored;
  const pollUrl = `${publicUrl}/v1/exports/${id}`;
  return {
    id,
    exportJobId: id,
    status: statusOf(stored) as ExportStatus,
    source: { ...stored.source, projectIds: stored.source.projectIds && [...stored.source.projectIds] },
    ...viewProgress(stored, rowCount),
    truncated: stored.truncated,
    rowCount,
    sizeBytes: stored.sizeBytes,
    sha256: stored.sha256,
    creditsReserved: stored.creditsReserved,
    creditsCharged: stored.creditsCharged,
    creditsRefunded: stored.creditsRefunded,
    contactCreditsReserved: stored.contactCreditsReserved,
    contactCreditsCharged: stored.contactCreditsCharged,
    pollUrl,
    downloadUrl: `${pollUrl}/download`,
    webExportsUrl: `${publicUrl}/exports`,
    error: viewError(EXPORTS, stored),
  };
}
