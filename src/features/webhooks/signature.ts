/** The secrets of endpoints and the signatures made with them (src/docs/webhooks.md). */
import { createHmac, randomBytes } from 'node:crypto';

/** How long messages are also signed with a replaced secret. */
export const OLD_SECRET_HOURS = 24;

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, shown to its owner once: `whsec_` and 256 bits in base64. */
export const makeWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** `webhook-signature` of one secret: HMAC-SHA256 over id, time and body (Standard Webhooks 1.0). @param seconds Unix time of the attempt */
export function signMessage(secret: string, messageId: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64')}`;
}
