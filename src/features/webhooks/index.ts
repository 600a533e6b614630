/** Webhooks: events of a team, its endpoints, and the job that sends these the events. */
import type { Feature, Platform } from '../feature.ts';
import { EventLog } from './eventLog.ts';
import { eventRoutes } from './eventRoutes.ts';
import { sendWebhookJob } from './job.ts';
import { WebhookMessageStore } from './messageStore.ts';
import { WEBHOOK_METRICS } from './metrics.ts';
import { WebhookSender } from './postMessage.ts';
import { webhookRoutes } from './routes.ts';
import { SecretBox } from './secretBox.ts';
import { WebhookStore } from './store.ts';
import { WEBHOOK_TEAM_CHANGES } from './teamChanges.ts';

export { recordEvent, recordEvents } from './events.ts';
export { SecretBox } from './secretBox.ts';
export { type WatchedWebhook, WebhookStore } from './store.ts';
export { PING } from './view.ts';

const targets = ({ config }: Platform) => ({ allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts });
const secretBox = ({ config }: Platform) => new SecretBox(config.keyPepper);

export const webhooks: Feature = {
  routes: ({ database, idempotency, now, events, publicUrl, once }) => {
    const webhooks = new WebhookStore(database, idempotency, once(secretBox));
    return [
      ...webhookRoutes({ idempotency, now, events, targets: once(targets), webhooks }),
      ...eventRoutes({ log: new EventLog(database, events), events, publicUrl }),
    ];
  },
  jobs: (platform) => [
    sendWebhookJob.with({
      ...platform,
      messages: new WebhookMessageStore(platform.database, platform.once(secretBox), platform.events),
      sender: new WebhookSender(platform.once(targets)),
    }),
  ],
  metrics: WEBHOOK_METRICS,
  team: WEBHOOK_TEAM_CHANGES,
};
