/** CSV exports: accepted, built by a job, downloaded. */
import { withdrawFiles } from '../../core/billedJobs/fileJobs.ts';
import { exportFilesOf } from '../../core/store/files/exportFiles.ts';
import { alertStore } from '../alerts/index.ts';
import { contactFinder, enrichmentStore, findsContacts } from '../contacts/index.ts';
import type { Feature, Platform } from '../feature.ts';
import { listStore } from '../lists/index.ts';
import { EXPORT_EVENTS } from './events.ts';
import { EXPORTS } from './exportKind.ts';
import { exportJob } from './job.ts';
import { exportRoutes } from './routes.ts';
import { ExportStore } from './store.ts';

export { parseCsvSearch } from './request.ts';
export { accepted, nothingMatched, replyOf, SUBMIT_ERRORS } from './routes.ts';
export { type SubmitServices, submitCsvSearch } from './submit.ts';

/** The services of every route that may queue an export. */
export const exportServices = (platform: Platform) => {
  const { config, jobs, idempotency, charged, once } = platform;
  return {
    ...platform,
    exports: new ExportStore(jobs, idempotency, once(enrichmentStore), charged),
    files: exportFilesOf(config),
    exportRowsMax: config.exportRowsMax,
    teamExportBytes: config.teamExportBytes,
    lists: once(listStore),
    alerts: once(alertStore),
    findsContacts: findsContacts(platform),
  };
};

export const csvExports: Feature = {
  routes: ({ once }) => exportRoutes(once(exportServices)),
  jobs: ({ once }) => [exportJob.with({ ...once(exportServices), enrichments: once(enrichmentStore), finder: once(contactFinder) })],
  events: EXPORT_EVENTS,
  ...withdrawFiles(EXPORTS, { closed: 'exports', hidden: 'expiredExports' }),
};
