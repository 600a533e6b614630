/** The jobs of alerts: due runs, and manual runs that requests wait for. */
import { defineJob } from '../../core/jobs/defineJob.ts';
import type { ListStore } from '../lists/index.ts';
import { giveUpDue, runDue } from './dueRun.ts';
import { takeDueRuns } from './dueRunStore.ts';
import type { AlertServices } from './manage.ts';
import { type DuePayload, type ManualRunPayload, RUN_PREFIX } from './runTypes.ts';

const MINUTE_MS = 60_000;
/** Pauses while another run of the alert is going on. */
const BACKOFF = { backoffMs: 2_000, backoffMaxMs: 60_000 };

/** A due run, done once, whatever the number of workers. */
export const runAlertJob = defineJob<DuePayload, AlertServices & { lists: Pick<ListStore, 'removeOutlived'> }>({
  name: 'run_alert',
  prefix: RUN_PREFIX,
  maxAttempts: 20,
  deadlineMs: () => 60 * MINUTE_MS,
  keptDays: 7,
  retriable: false,
  concurrency: 4,
  backoff: BACKOFF,
  work: (services) => ({
    handler: ({ payload }, context) => runDue(services, payload, context),
    giveBack: (tx, { payload }) => giveUpDue(services, tx, payload),
    takeDue: takeDueRuns,
    // Lists have no job of their own: those that were deleted, with an alert or alone, go for good here.
    upkeep: { everyMs: 60 * MINUTE_MS, run: () => services.lists.removeOutlived() },
  }),
});

/** A manual run, done by its own request. If that process crashes, a worker ends the run as failed, and the client repeats the request. */
export const runAlertNowJob = defineJob<ManualRunPayload, Pick<AlertServices, 'runs'>>({
  name: 'run_alert_now',
  prefix: RUN_PREFIX,
  maxAttempts: 1,
  deadlineMs: () => MINUTE_MS,
  keptDays: 1,
  retriable: false,
  concurrency: 0,
  work: ({ runs }) => ({
    handler: async () => {
      throw new Error('A run by hand is run by its request alone');
    },
    giveBack: (tx, { payload }) => runs.giveUp(tx, payload, 'interrupted'),
  }),
});
