/** Webhooks: their types, signatures, retries, and when they are disabled (src/docs/webhooks.md). Pure. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export const WEBHOOKS_MAX = 10;
export const ATTEMPTS_SHOWN = 100;

/** How long messages are also signed with a replaced secret. */
export const OLD_SECRET_HOURS = 24;
export const URL_CHARACTERS_MAX = 2_000;
export const DESCRIPTION_CHARACTERS_MAX = 500;

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The retry schedule of Standard Webhooks 1.0: the pauses after the first, second and later attempts. */
export const RETRY_PAUSES_MS: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** When a message is retried after this number of failures; null when it is given up. A ping is sent only once. */
export function nextAttemptAfter(type: string, failures: number, at: Date): Date | null {
  const pause = type === 'ping' ? undefined : RETRY_PAUSES_MS[failures - 1];
  return pause === undefined ? null : new Date(at.getTime() + pause);
}

/** Failures over at least this time count as trouble rather than a short outage. */
const TROUBLE_MS = 12 * HOUR_MS;
const DISABLED_MS = 72 * HOUR_MS;

/** What a failure means for its endpoint: the owner gets a mail on the first day, and after three days it is disabled. */
export function troubleOf(failingSince: Date, at: Date): 'none' | 'trouble' | 'disabled' {
  const lasted = at.getTime() - failingSince.getTime();
  if (lasted >= DISABLED_MS) return 'disabled';
  return lasted >= TROUBLE_MS ? 'trouble' : 'none';
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, shown to its owner once: `whsec_` and 256 bits in base64. */
export const newWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** `webhook-signature` of one secret: HMAC-SHA256 over id, time and body (Standard Webhooks 1.0). @param seconds Unix time of the attempt */
export function signatureOf(secret: string, messageId: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64')}`;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Encrypts the stored secrets of endpoints: AES-256-GCM with a key derived from the service's secret, bound to the endpoint. */
export class SecretBox {
  readonly #key: Buffer;

  /** @param serviceSecret KEY_PEPPER */
  constructor(serviceSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', serviceSecret, '', 'secrets of webhooks', 32));
  }

  seal(webhookId: string, secret: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv).setAAD(Buffer.from(webhookId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]);
  }

  /** Decrypts a secret; null when it was encrypted with another secret of the service. */
  open(webhookId: string, sealed: Buffer): string | null {
    const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(webhookId)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}
