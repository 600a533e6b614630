/** Events, endpoints and attempts to send (src/docs/webhooks.md). Pure. */

export interface StoredEvent {
  id: string;
  type: string;
  subjectId: string;
  alertId: string | null;
  details: object | null;
  at: Date;
}

export interface StoredWebhook {
  id: string;
  url: string;
  /** types of events that it gets; a `ping` is sent regardless of these */
  types: string[];
  description: string | null;
  status: 'active' | 'disabled';
  createdBy: number;
  createdAt: Date;
  lastDeliveredAt: Date | null;
  /** the first failure since the last 2xx */
  failingSince: Date | null;
}

export interface WebhookAttempt {
  messageId: string;
  type: string;
  status: 'delivered' | 'failed';
  httpStatus: number | null;
  error: string | null;
  at: Date;
  nextAttemptAt: Date | null;
}

/** The outcome of an attempt; `error` is null only for a 2xx. */
export interface SendOutcome {
  httpStatus: number | null;
  error: string | null;
}

export interface SendWebhookPayload {
  webhookId: string;
  eventId: string;
}
