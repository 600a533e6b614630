/** The job that builds the CSV of an export, and the deletion of expired files. */
import { removeOutlivedFiles } from '../../core/billedJobs/fileJobs.ts';
import { defineJob } from '../../core/jobs/defineJob.ts';
import { isExportFile } from '../../core/store/files/exportFiles.ts';
import { buildExport, type ExportCsvServices } from './build.ts';
import type { ExportPayload } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than a slow provider takes for one look-up. */
const LOOK_UP_MS = 10_000;
/** Longer than any attempt writes: an unfinished file that is older is abandoned. */
const ABANDONED_MS = DAY_MS;
/** Older than the file of any ready export: an older file to which no export refers is deleted. */
const NAMELESS_MS = 8 * DAY_MS;

export const exportJob = defineJob<ExportPayload, ExportCsvServices>({
  name: 'csv_export',
  prefix: 'exp',
  maxAttempts: 5,
  deadlineMs: ({ contacts }) => 30 * MINUTE_MS + (contacts?.projectIds.length ?? 0) * LOOK_UP_MS,
  // How long an export is listed; its file is kept for 7 days.
  keptDays: 37,
  retriable: false,
  // A build reads its pages one by one, so two builds use two searches at a time. A team with no running build may start one in addition.
  concurrency: 2,
  work: (services) => ({
    handler: (job, context) => buildExport(services, job, context),
    giveBack: (tx, job) => services.exports.giveBack(tx, job),
    upkeep: { everyMs: MINUTE_MS, run: () => removeExpiredFiles(services) },
  }),
});

async function removeExpiredFiles({ exports, files: open, now, log }: ExportCsvServices): Promise<void> {
  const files = await open();
  await removeOutlivedFiles(files, exports, isExportFile, new Date(now().getTime() - NAMELESS_MS));
  const removed = await files.removeAbandoned(new Date(now().getTime() - ABANDONED_MS));
  if (removed) log.info({ removed }, 'Half-written files of exports were removed');
}
