/** The jobs that hold runs of alerts: of those that fell due, and of those that requests wait for. */
import { defineJob } from '../../core/jobs/registry.ts';
import { giveUpDue, runDue } from './dueRun.ts';
import { takeDueRuns } from './dueRunStore.ts';
import type { AlertServices } from './manage.ts';
import { type DuePayload, type ManualRunPayload, RUN_PREFIX } from './runTypes.ts';

const MINUTE_MS = 60_000;
/** Another run of the alert is waited for. */
const BACKOFF = { backoffMs: 2_000, backoffMaxMs: 60_000 };

/** A run that fell due: done once, whatever the number of workers. */
export const runAlertJob = defineJob<DuePayload, AlertServices>({
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
  }),
});

/** A run by hand, which its request runs. Where the process of that dies, a worker ends the run as failed, and the request is repeated. */
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
