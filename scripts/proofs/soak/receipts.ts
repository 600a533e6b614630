/** Records what a pool was delivered and which events it should get, and compares that with the ledger and its webhook at the end. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { revisionHash } from '../../../src/core/domain/record/revisionHash.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import type { JsonBody } from '../../lib/apiClient.ts';
import type { Receiver } from '../../lib/webhookReceiver.ts';

/** Long enough for the second attempt of a message, 5 seconds after the first. */
const EVENTS_MS = 60_000;
const POLL_MS = 250;

export class Receipts {
  readonly #shown = new Map<string, { id: number; revision: string }>();
  readonly #expected: { type: string; id: string }[] = [];
  /** failed jobs, which are no wrong answers while a server is away */
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

  /** Revisions that were delivered without a charge, in words. */
  async findUnpaid(database: Database, teamId: number): Promise<string[]> {
    const rows = await database.query<{ id: number; revision: string }>(
      'select project_id::float8 as id, revision from proof_charge where team_id = $1',
      [teamId],
    );
    const paid = new Set(rows.map(({ id, revision }) => `${id} ${revision}`));
    const superseded = await database.query<{ hash: string }>(
      'select unnest(superseded_hashes)::text as hash from delivery where team_id = $1',
      [teamId],
    );
    const free = new Set(superseded.map(({ hash }) => hash));
    return [...this.#shown]
      .filter(([key, { id, revision }]) => !paid.has(key) && !free.has(revisionHash(id, revision)))
      .map(([, { id, revision }]) => `${id} was shown as ${revision} and not charged`);
  }

  /** Events that the receiver did not get, or got with an invalid signature, in words. */
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

/** Whether a message is signed as Standard Webhooks specifies. */
function isSigned(headers: Record<string, string>, body: string, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}
