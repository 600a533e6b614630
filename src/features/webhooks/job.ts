/** Sends events to the endpoints of teams: each attempt is a job, each message arrives at least once or runs out its schedule. */

import { defineJob, type JobDefinition } from '../../core/jobs/registry.ts';
import { noteOutcome, type SendServices, sendMessage } from './send.ts';
import { SEND_WEBHOOK_KIND, type SendWebhookPayload } from './types.ts';

/** Receivers are slow, and waiting for them costs little. */
const CONCURRENCY = 32;
/** At every look of the worker at its jobs. */
const LOOK_EVERY_MS = 0;
const GIVEN_UP = { httpStatus: null, error: 'internal_error' };

export function sendWebhooksJob(services: SendServices): JobDefinition<unknown> {
  const { messages } = services;
  return defineJob<SendWebhookPayload>({
    kind: SEND_WEBHOOK_KIND,
    concurrency: CONCURRENCY,
    handler: async ({ payload }, { settle, signal }) => {
      const settling = (work: Parameters<Parameters<typeof sendMessage>[2]>[0]) =>
        settle(async (tx) => {
          await work(tx);
          return { status: 'completed' };
        });
      await sendMessage(services, payload, settling, signal);
      // There is room for the endpoint's next one.
      await messages.layDownDue();
    },
    giveBack: (tx, { payload }) => noteOutcome(services, tx, payload, GIVEN_UP),
    upkeep: {
      everyMs: LOOK_EVERY_MS,
      run: async () => {
        await messages.removeOutlived();
        while (await messages.layDownDue());
      },
    },
  });
}
