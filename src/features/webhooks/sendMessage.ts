/** Sends one message to its endpoint and records the outcome; mails about an endpoint that keeps failing. */

import type { JobContext } from '../../core/jobs/defineJob.ts';
import { isMailAddress, type NewMail } from '../../core/mail/mail.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { Platform } from '../feature.ts';
import type { Sendable, Trouble, WebhookMessageStore } from './messageStore.ts';
import type { WebhookSender } from './postMessage.ts';
import { signMessage } from './signature.ts';
import type { SendOutcome, SendWebhookPayload } from './types.ts';
import { writeEventBody } from './view.ts';

export interface SendServices extends Pick<Platform, 'accounts' | 'outbox' | 'publicUrl' | 'events' | 'now'> {
  messages: WebhookMessageStore;
  sender: WebhookSender;
}

/** Makes one attempt. May run again after a crash; the message then arrives twice, with the same `webhook-id`. */
export async function sendMessage(
  services: SendServices,
  payload: SendWebhookPayload,
  { settle, signal }: Pick<JobContext, 'settle' | 'signal'>,
): Promise<void> {
  const message = await services.messages.find(payload);
  const outcome = message && (await post(services, message, signal));
  await settle(async (tx) => {
    if (outcome) await noteOutcome(services, tx, payload, outcome);
    else await services.messages.drop(tx, payload);
    return { status: 'completed' };
  });
}

async function post(
  { sender, publicUrl, events, now }: SendServices,
  { url, event, secrets }: Sendable,
  stopping: AbortSignal,
): Promise<SendOutcome> {
  // Encrypted with another KEY_PEPPER; a message must not be sent without a signature.
  if (!secrets.length) return { httpStatus: null, error: 'secret_unreadable' };
  const body = writeEventBody(event, events, publicUrl);
  const seconds = Math.floor(now().getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'LandUseWebhooks/1',
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => signMessage(secret, event.id, seconds, body)).join(' '),
  };
  return sender.post(url, headers, body, stopping);
}

/** Records an attempt, and mails about an endpoint in trouble, in one transaction. */
export async function noteOutcome(
  { messages, accounts, outbox }: Pick<SendServices, 'messages' | 'accounts' | 'outbox'>,
  tx: Queryable,
  payload: SendWebhookPayload,
  outcome: SendOutcome,
): Promise<void> {
  const trouble = await messages.recordAttempt(tx, payload, outcome);
  if (!trouble) return;
  for (const recipient of await accounts.listOwnerAddresses(tx, trouble.teamId, trouble.createdBy))
    if (isMailAddress(recipient)) await outbox.put(tx, troubleMail(recipient, trouble));
}

/** The mail about an endpoint in trouble: once for each trouble, and once when the endpoint is disabled. */
function troubleMail(recipient: string, { webhookId, url, failingSince, disabled }: Trouble): NewMail {
  const since = failingSince.toISOString();
  const { host } = new URL(url);
  return {
    event: `webhook-${disabled ? 'disabled' : 'trouble'}:${webhookId}:${since}`,
    topic: `webhook:${webhookId}`,
    recipient,
    content: {
      subject: disabled ? `The webhook to ${host} is disabled` : `The webhook to ${host} keeps failing`,
      paragraphs: [
        `Messages to the webhook ${webhookId} have failed since ${since}; none was answered with a status of 200 to 299.`,
        disabled
          ? 'It gets no more messages. Set its status to active again when it works, and recover what it missed: events are kept for 30 days.'
          : 'They are tried again, ever more rarely. After 72 hours without a success the webhook is disabled.',
      ],
      link: null,
      reason: 'You made this webhook, or you are an owner of its team.',
    },
  };
}
