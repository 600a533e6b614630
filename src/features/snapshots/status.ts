/** The status of a snapshot, as clients see it. Pure. */
import type { StoredSnapshot } from './types.ts';

export const SNAPSHOT_STATUSES = ['queued', 'building', 'ready', 'failed', 'cancelled', 'expired'] as const;
type SnapshotStatus = (typeof SNAPSHOT_STATUSES)[number];

export const SNAPSHOT_KEPT_HOURS = 72;

export const CANCELLED = 'cancelled';

export function statusOf({ jobStatus, startedAt, lostAt, expired }: StoredSnapshot): SnapshotStatus {
  if (jobStatus === CANCELLED) return 'cancelled';
  if (jobStatus === 'failed' || lostAt) return 'failed';
  if (jobStatus === 'ready') return expired ? 'expired' : 'ready';
  return startedAt ? 'building' : 'queued';
}
