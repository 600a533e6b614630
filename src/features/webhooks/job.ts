/** The job that sends a message to an endpoint: one attempt each; a message arrives at least once, or its schedule runs out. */
import { defineJob } from '../../core/jobs/defineJob.ts';
import { noteOutcome, type SendServices, sendMessage } from './sendMessage.ts';
import type { SendWebhookPayload } from './types.ts';

const MINUTE_MS = 60_000;
/** At every sweep of the worker. */
const LOOK_EVERY_MS = 0;
const GIVEN_UP = { httpStatus: null, error: 'internal_error' };

export const sendWebhookJob = defineJob<SendWebhookPayload, SendServices>({
  name: 'send_webhook',
  prefix: 'whs',
  // For workers that crash; a receiver that fails is retried by another job.
  maxAttempts: 20,
  deadlineMs: () => 30 * MINUTE_MS,
  keptDays: 1,
  retriable: false,
  // Receivers are slow, and waiting for them costs little.
  concurrency: 32,
  work: (services) => ({
    handler: ({ payload }, context) => sendMessage(services, payload, context),
    giveBack: (tx, { payload }) => noteOutcome(services, tx, payload, GIVEN_UP),
    upkeep: { everyMs: LOOK_EVERY_MS, run: () => services.messages.removeOutlived() },
    takeDue: (tx) => services.messages.takeDue(tx),
  }),
});
