/** Runs alerts when they are due: each due time once, whatever the number of workers. */

import { defineJob, type JobDefinition } from '../../core/jobs/registry.ts';
import type { AlertServices } from './manage.ts';
import { giveUpDue, runDue } from './run.ts';
import { RUN_ALERT_KIND } from './runStore.ts';

const CONCURRENCY = 4;
/** How late an alert may begin. */
const LOOK_EVERY_MS = 5_000;
/** Another run of the alert is waited for. */
const BACKOFF = { backoffMs: 2_000, backoffMaxMs: 60_000 };

export function runAlertsJob(services: AlertServices): JobDefinition<unknown> {
  return defineJob({
    kind: RUN_ALERT_KIND,
    concurrency: CONCURRENCY,
    backoff: BACKOFF,
    handler: (job, context) =>
      runDue(services, job.payload, {
        signal: context.signal,
        settle: (work) =>
          context.settle(async (tx) => {
            await work(tx);
            return { status: 'completed' };
          }),
      }),
    giveBack: (tx, { payload }) => giveUpDue(services, tx, payload),
    upkeep: {
      everyMs: LOOK_EVERY_MS,
      run: async () => {
        while (await services.runs.layDownDue());
      },
    },
  });
}
