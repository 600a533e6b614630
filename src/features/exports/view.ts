/** An export as answers show it. Pure. */
import type { ApiError } from '../../core/domain/errors.ts';
import { toJobError } from '../../core/jobs/kind.ts';
import { fileUnavailableError } from '../../core/ledger/fileDeliveries.ts';
import { statusOf } from './status.ts';
import type { StoredExport } from './types.ts';

export type Export = ReturnType<typeof exportView>;

export const exportUnavailable = (stored: StoredExport): ApiError => fileUnavailableError('The file of this export is not there', stored);

/** @param publicUrl root of the service, without a trailing slash */
export function exportView(stored: StoredExport, publicUrl: string) {
  const { id, progress, matchCount, rowCount } = stored;
  const pollUrl = `${publicUrl}/v1/exports/${id}`;
  const status = statusOf(stored);
  return {
    id,
    exportJobId: id,
    status,
    source: { ...stored.source, projectIds: stored.source.projectIds && [...stored.source.projectIds] },
    createdAt: stored.createdAt.toISOString(),
    startedAt: stored.startedAt?.toISOString() ?? null,
    readyAt: stored.readyAt?.toISOString() ?? null,
    expiresAt: stored.expiresAt?.toISOString() ?? null,
    progress: {
      processed: rowCount ?? progress.processed ?? 0,
      total: rowCount ?? progress.total ?? matchCount,
    },
    matchCount,
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
    error: stored.lostAt ? toJobError(exportUnavailable(stored)) : stored.error,
  };
}
