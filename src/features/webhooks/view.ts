/** Webhooks, their attempts and messages, as clients see them. Pure. */
import type { EventDeclaration } from '../feature.ts';
import type { QueuedMessage } from './store.ts';
import type { StoredEvent, StoredWebhook, WebhookAttempt } from './types.ts';

export type WebhookView = ReturnType<typeof viewWebhook>;
export type AttemptView = ReturnType<typeof viewAttempt>;
export type MessageView = ReturnType<typeof viewMessage>;

export function viewWebhook({ id, url, types, description, status, createdBy, createdAt, lastDeliveredAt, failingSince }: StoredWebhook) {
  return {
    id,
    url,
    types,
    description,
    status,
    createdBy,
    createdAt: createdAt.toISOString(),
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
  };
}

export function viewAttempt({ at, nextAttemptAt, ...attempt }: WebhookAttempt) {
  return { ...attempt, at: at.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
}

export const viewMessage = ({ nextAttemptAt, ...message }: QueuedMessage) => ({ ...message, nextAttemptAt: nextAttemptAt.toISOString() });

/** `ping` only has the id of its webhook. */
export const PING: EventDeclaration = {
  type: 'ping',
  summary: '`POST /webhooks/{id}/test` asked for it, also of a disabled webhook',
  example: 'whk_6DgkSdWpLLJ1c43Cx0AQpR',
  data: ({ id }) => ({ id }),
};

/** The message of an event. @param events all that features declare */
export function makeEventMessage(
  { type, subjectId: id, alertId, details, at }: StoredEvent,
  events: readonly EventDeclaration[],
  publicUrl: string,
) {
  const declared = [...events, PING].find((event) => event.type === type);
  if (!declared) throw new Error(`No feature declares the event ${type}`);
  return { type, timestamp: at.toISOString(), data: declared.data({ id, alertId, details }, `${publicUrl}/v1`) };
}

/** The body of an event's message, equal for every attempt. */
export const writeEventBody = (...given: Parameters<typeof makeEventMessage>): string => JSON.stringify(makeEventMessage(...given));
