/** Webhooks, their attempts and what is sent to them, as clients see it. Pure. */
import { matchesUrlOf } from '../alerts/index.ts';
import type { QueuedMessage } from './store.ts';
import type { StoredEvent, StoredWebhook, WebhookAttempt } from './types.ts';

export type WebhookView = ReturnType<typeof webhookView>;
export type AttemptView = ReturnType<typeof attemptView>;
export type MessageView = ReturnType<typeof messageView>;

const iso = (date: Date | null) => date?.toISOString() ?? null;

export function webhookView({ id, url, types, description, status, createdBy, createdAt, lastDeliveredAt, failingSince }: StoredWebhook) {
  return {
    ...{ id, url, types, description, status, createdBy },
    createdAt: createdAt.toISOString(),
    lastDeliveredAt: iso(lastDeliveredAt),
    failingSince: iso(failingSince),
  };
}

export function attemptView({ at, nextAttemptAt, ...attempt }: WebhookAttempt) {
  return { ...attempt, at: at.toISOString(), nextAttemptAt: iso(nextAttemptAt) };
}

export const messageView = ({ nextAttemptAt, ...message }: QueuedMessage) => ({ ...message, nextAttemptAt: nextAttemptAt.toISOString() });

/** What an event is about, with the address that has the rest: nothing of a record is ever in it. */
function dataOf({ type, subjectId: id, alertId }: StoredEvent, publicUrl: string): Record<string, string> {
  const at = (path: string) => ({ id, pollUrl: `${publicUrl}/v1${path}` });
  const ofAlert = () => {
    if (alertId === null) throw new Error(`The delivery ${id} is of no alert`);
    return alertId;
  };
  switch (type) {
    case 'alert.delivery.completed':
      return { id, alertId: ofAlert(), matchesUrl: matchesUrlOf(publicUrl, ofAlert(), id) };
    case 'alert.delivery.refused':
    case 'alert.delivery.failed':
      return { ...at(`/alerts/${ofAlert()}/deliveries/${id}`), alertId: ofAlert() };
    case 'alert.paused':
      return at(`/alerts/${id}`);
    case 'ai_search.settled':
      return at(`/projects/ai-search/jobs/${id}`);
    case 'enrichment.settled':
      return at(`/enrichments/${id}`);
    case 'export.ready':
    case 'export.failed':
      return at(`/exports/${id}`);
    case 'ping':
      return { id };
  }
}

/** The body of an event's message, the same at every attempt. */
export const eventBody = (event: StoredEvent, publicUrl: string): string =>
  JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: dataOf(event, publicUrl) });
