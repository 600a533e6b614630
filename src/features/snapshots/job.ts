/** The job that builds the files of a snapshot, and the deletion of files that are no longer needed. */
import { defineJob } from '../../core/jobs/defineJob.ts';
import { isSnapshotFile } from '../../core/store/files/exportFiles.ts';
import { buildSnapshot } from './build.ts';
import type { BuildServices } from './building.ts';
import type { SnapshotPayload } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time per record, generous for all attempts together. */
const RECORD_MS = 5;
const OUTLIVED_AT_ONCE = 1_000;
/** Older than any file of a stored or unfinished snapshot. */
const NAMELESS_MS = 5 * DAY_MS;

export const snapshotJob = defineJob<SnapshotPayload, BuildServices>({
  name: 'snapshot',
  prefix: 'snp',
  maxAttempts: 5,
  deadlineMs: ({ matchCount }) => 30 * MINUTE_MS + matchCount * RECORD_MS,
  // How long a snapshot is listed; its files are kept for 72 hours.
  keptDays: 37,
  retriable: false,
  // Large snapshots are built one after another, so that they do not slow down exports and alerts.
  concurrency: 1,
  work: (services) => ({
    handler: (job, context) => buildSnapshot(services, job, context),
    giveBack: (tx, job) => services.snapshots.giveBack(tx, job),
    upkeep: { everyMs: MINUTE_MS, run: () => removeOutlived(services) },
  }),
});

/** Deletes files of snapshots that expired, failed or were cancelled, and files that no snapshot names. Half-written ones are deleted by the upkeep of exports. */
async function removeOutlived({ snapshots, files: open, now }: BuildServices): Promise<void> {
  const files = await open();
  for (const { id, storedAs } of await snapshots.outlivedFiles(OUTLIVED_AT_ONCE)) {
    await files.delete(storedAs);
    await snapshots.forgetFile(id, storedAs);
  }
  for await (const { name } of files.listOlder(new Date(now().getTime() - NAMELESS_MS))) if (isSnapshotFile(name)) await files.delete(name);
}
