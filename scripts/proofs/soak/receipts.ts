/** What a pool was shown and which events it should get: at the end both are compared with the ledger and with what its webhook got. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import type { JsonBody } from '../../lib/apiClient.ts';
import type { Receiver } from '../../lib/webhookReceiver.ts';

/** A message whose sender was killed is sent again after 5 seconds, and after 5 minutes where that failed, too. */
const EVENTS_MS = 60_000;
const POLL_MS = 250;

interface ExpectedEvent {
  type: string;
  id: string;
}

export class Receipts {
  readonly #shown = new Map<string, { id: number; revision: string }>();
  readonly #expected: ExpectedEvent[] = [];
  /** jobs that ended as failed, which is no wrong answer while a server is away */
  readonly failed: { at: number; what: string }[] = [];

  noteDelivered(records: readonly JsonBody[]): void {
    for (const { id, contentRevision } of records)
      if (contentRevision) this.#shown.set(`${id} ${contentRevision}`, { id, revision: contentRevision });
  }

  expectEvent(type: string, id: string): void {
    this.#expected.push({ type, id });
  }

  noteFailedJob(what: string, error: unknown): void {
    this.failed.push({ at: Date.now(), what: `${what} failed: ${JSON.stringify(error)}` });
  }

  get shown(): number {
    return this.#shown.size;
  }

  get expected(): number {
    return this.#expected.length;
  }

  /** Revisions that the pool was shown and not charged for, in words. */
  async findUnpaid(database: Database, teamId: number): Promise<string[]> {
    const rows = await database.query<{ id: number; revision: string }>(
      'select project_id::float8 as id, revision from proof_charge where team_id = $1',
      [teamId],
    );
    const paid = new Set(rows.map(({ id, revision }) => `${id} ${revision}`));
    return [...this.#shown]
      .filter(([key]) => !paid.has(key))
      .map(([, { id, revision }]) => `${id} was shown as ${revision} and not charged`);
  }

  /** Events that the receiver never got, or got with a signature that is not good, in words. */
  async findMissedEvents(receiver: Receiver, secret: string): Promise<string[]> {
    const until = Date.now() + EVENTS_MS;
    for (;;) {
      const got = new Set(receiver.got.map(({ body }) => eventOf(body)));
      const missing = this.#expected.filter(({ type, id }) => !got.has(`${type} ${id}`));
      if (!missing.length || Date.now() > until) {
        const forged = receiver.got.filter(({ headers, body }) => !isSigned(headers, body, secret));
        return [...missing.map(({ type, id }) => `${type} of ${id} never came`), ...forged.map(({ id }) => `${id} has a bad signature`)];
      }
      await sleep(POLL_MS);
    }
  }
}

const eventOf = (body: string): string => {
  const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
  return `${type} ${data.id}`;
};

/** As Standard Webhooks says it. */
function isSigned(headers: Record<string, string>, body: string, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}
