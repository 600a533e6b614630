/** The job that builds the files of a snapshot, and the deletion of files that are no longer needed. */
import { removeOutlivedFiles } from '../../core/billedJobs/fileJobs.ts';
import { defineJob } from '../../core/jobs/defineJob.ts';
import { isSnapshotFile } from '../../core/store/files/exportFiles.ts';
import { buildSnapshot } from './build.ts';
import type { BuildServices } from './building.ts';
import type { SnapshotPayload } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time per record, generous for all attempts together. */
const RECORD_MS = 5;
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

/** Half-written files are deleted by the upkeep of exports. */
const removeOutlived = async ({ snapshots, files, now }: BuildServices) =>
  removeOutlivedFiles(await files(), snapshots, isSnapshotFile, new Date(now().getTime() - NAMELESS_MS));
