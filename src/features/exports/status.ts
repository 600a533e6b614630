/** The status of an export, as clients see it. Pure. */
import type { StoredExport } from './types.ts';

type ExportStatus = 'queued' | 'building' | 'ready' | 'failed' | 'expired';

export const FILE_KEPT_DAYS = 7;

export function statusOf({ jobStatus, startedAt, lostAt, expired }: StoredExport): ExportStatus {
  if (jobStatus === 'failed' || lostAt) return 'failed';
  if (jobStatus === 'ready') return expired ? 'expired' : 'ready';
  return startedAt ? 'building' : 'queued';
}
