/** Webhook endpoints of a team, visible to their creators and to owners of the team (src/docs/webhooks.md). */

import { ApiError } from '../../core/domain/errors.ts';
import { newId } from '../../core/domain/ids.ts';
import type { Role } from '../../core/domain/principal.ts';
import { lockKey } from '../../core/identity/lockKey.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Claim } from '../../core/ledger/ledger.ts';
import type { KeepForRepeat } from '../../core/search/idempotentRequests.ts';
import { readPage } from '../../core/store/postgres/pages.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { EventDeclaration } from '../feature.ts';
import { mayReceive } from './events.ts';
import type { SecretBox } from './secretBox.ts';
import { makeWebhookSecret, OLD_SECRET_HOURS } from './signature.ts';
import type { StoredWebhook, WebhookAttempt } from './types.ts';

const WEBHOOKS_MAX = 10;
const ATTEMPTS_SHOWN = 100;

/** A user of a team, whether they are an owner, and the key of the request. */
export interface Manager {
  teamId: number;
  userId: number;
  role: Role;
  keyId: string;
}

export type NewWebhook = Pick<StoredWebhook, 'url' | 'types' | 'description'>;
export type WebhookChanges = Partial<Pick<StoredWebhook, 'types' | 'description' | 'status'>>;

/** An endpoint and the state of its messages, for operators. */
export interface WatchedWebhook extends StoredWebhook {
  teamId: number;
  waiting: number;
  failed: number;
}

/** The state of a requested message. */
export interface QueuedMessage {
  messageId: string;
  type: WebhookAttempt['type'];
  status: 'waiting' | 'sending';
  nextAttemptAt: Date;
}

const COLUMNS = `w.id, w.url, w.types, w.description, w.status, w.created_by as "createdBy", w.created_at as "createdAt",
  w.last_delivered_at as "lastDeliveredAt", w.failing_since as "failingSince"`;

/** SQL: endpoints of team $1 that user $2 manages; $3 is true for an owner of the team. */
const MANAGED = 'w.team_id = $1 and ($3 or w.created_by = $2)';
const managerOf = ({ teamId, userId, role }: Manager) => [teamId, userId, role === 'owner'];

export class WebhookStore {
  readonly #database: Database;
  readonly #idempotency: IdempotencyStore;
  readonly #box: SecretBox;

  constructor(database: Database, idempotency: IdempotencyStore, box: SecretBox) {
    this.#database = database;
    this.#idempotency = idempotency;
    this.#box = box;
  }

  /**
   * Creates an endpoint.
   * @returns its id and secret
   * @throws ApiError `forbidden` when the team has the maximum, `service_unavailable`
   */
  create({ teamId, userId, keyId }: Manager, { url, types, description }: NewWebhook, claim: Claim | undefined) {
    const id = newId('whk');
    const secret = makeWebhookSecret();
    return this.#database.transaction(async (tx) => {
      // Serialises by team, so that the count is correct.
      await tx.query('select from team where id = $1 for no key update', [teamId]);
      await lockKey(tx, keyId);
      await refuseBeyondWebhookLimit(tx, teamId);
      await tx.query(
        `insert into webhook (id, team_id, created_by, url, types, description, made_with, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, service_now())`,
        [id, teamId, userId, url, types, description, keyId],
      );
      await this.#insertSecret(tx, id, secret, keyId);
      await this.#idempotency.keep(tx, teamId, claim, { webhookId: id });
      return { id, secret };
    });
  }

  /** Undefined when there is no such endpoint that the user manages. @throws ApiError `service_unavailable` */
  async find(manager: Manager, id: string): Promise<StoredWebhook | undefined> {
    const sql = `select ${COLUMNS} from webhook w where ${MANAGED} and w.id = $4`;
    const [row] = await this.#database.query<StoredWebhook>(sql, [...managerOf(manager), id]);
    return row;
  }

  /** Endpoints of every team, newest first. @param of null for any */
  listForOperators({ teamId, id }: { teamId: number | null; id: string | null }, limit: number): Promise<WatchedWebhook[]> {
    const count = (statuses: string) =>
      `(select count(*) from webhook_message m where m.webhook_id = w.id and m.status in (${statuses}))::integer`;
    return this.#database.query<WatchedWebhook>(
      `select ${COLUMNS}, w.team_id as "teamId", ${count(`'waiting', 'sending'`)} as waiting, ${count(`'failed'`)} as failed from webhook w
       where ($1::integer is null or w.team_id = $1) and ($2::text is null or w.id = $2) order by w.created_at desc, w.id desc limit $3`,
      [teamId, id, limit],
    );
  }

  /** Newest first. */
  async list(manager: Manager, limit: number, offset: number): Promise<{ webhooks: StoredWebhook[]; total: number }> {
    const collection = { columns: COLUMNS, from: `webhook w where ${MANAGED}`, order: 'w.created_at desc, w.id desc' };
    const { rows, total } = await readPage<StoredWebhook>(this.#database, collection, managerOf(manager), { limit, offset });
    return { webhooks: rows, total };
  }

  /**
   * Changes the given values; activating an endpoint resets its failures.
   * @returns undefined when there is no such endpoint that the user manages
   */
  change(manager: Manager, id: string, { types, description, status }: WebhookChanges): Promise<StoredWebhook | undefined> {
    return this.#database.transaction(async (tx) => {
      await lockKey(tx, manager.keyId);
      const [row] = await tx.query<StoredWebhook>(
        `update webhook w set types = coalesce($5, types), description = case when $6 then $7 else description end,
           failing_since = case when status = 'disabled' and $8 = 'active' then null else failing_since end, status = coalesce($8, status)
         where ${MANAGED} and w.id = $4 returning ${COLUMNS}`,
        [...managerOf(manager), id, types ?? null, description !== undefined, description ?? null, status ?? null],
      );
      if (row?.status === 'disabled') await dropWaiting(tx, id);
      return row;
    });
  }

  /** Deletes an endpoint with its messages and attempts. @returns false when there is none that the user manages */
  async remove(manager: Manager, id: string): Promise<boolean> {
    const sql = `delete from webhook w where ${MANAGED} and w.id = $4 returning w.id`;
    return (await this.#database.query(sql, [...managerOf(manager), id])).length > 0;
  }

  /**
   * Creates a new secret; for a day, messages are also signed with the old one.
   * @returns undefined when there is no such endpoint that the user manages
   */
  rotate(manager: Manager, id: string, claim: Claim | undefined): Promise<string | undefined> {
    const secret = makeWebhookSecret();
    return this.#database.transaction(async (tx) => {
      await lockKey(tx, manager.keyId);
      const [known] = await tx.query(`select from webhook w where ${MANAGED} and w.id = $4 for no key update`, [...managerOf(manager), id]);
      if (!known) return undefined;
      await tx.query('delete from webhook_secret where webhook_id = $1 and expires_at <= service_now()', [id]);
      await tx.query(
        `update webhook_secret set expires_at = service_now() + make_interval(hours => $2) where webhook_id = $1 and expires_at is null`,
        [id, OLD_SECRET_HOURS],
      );
      await this.#insertSecret(tx, id, secret, manager.keyId);
      await this.#idempotency.keep(tx, manager.teamId, claim, { webhookId: id });
      return secret;
    });
  }

  /** The last attempts, newest first. */
  listAttempts(id: string): Promise<WebhookAttempt[]> {
    return this.#database.query<WebhookAttempt>(
      `select t.event_id as "messageId", e.type, t.status, t.http_status as "httpStatus", t.error, t.at, t.next_attempt_at as "nextAttemptAt"
         from webhook_attempt t join event e on e.id = t.event_id where t.webhook_id = $1 order by t.id desc limit $2`,
      [id, ATTEMPTS_SHOWN],
    );
  }

  /** Queues a `ping` to this endpoint only, even if it is disabled. */
  queuePing({ teamId }: Manager, webhookId: string, keep: KeepForRepeat<QueuedMessage>): Promise<QueuedMessage> {
    const id = newId('msg');
    return this.#database.transaction(async (tx) => {
      await tx.query(`insert into event (id, team_id, type, subject_id, webhook_id, at) values ($1, $2, 'ping', $3, $3, service_now())`, [
        id,
        teamId,
        webhookId,
      ]);
      const sql = `insert into webhook_message (webhook_id, event_id, status, next_attempt_at) values ($1, $2, 'waiting', service_now())
        returning next_attempt_at as "nextAttemptAt"`;
      const [row] = await tx.query<{ nextAttemptAt: Date }>(sql, [webhookId, id]);
      if (!row) throw new Error('A message was inserted without a row');
      const queued = { messageId: id, type: 'ping', status: 'waiting', ...row } as const;
      await keep(tx, queued);
      return queued;
    });
  }

  /**
   * Queues a message again in any state; one that is being sent is not changed.
   * @returns undefined when the endpoint never had the message
   */
  replay(webhookId: string, messageId: string, keep: KeepForRepeat<QueuedMessage>): Promise<QueuedMessage | undefined> {
    const sql = `update webhook_message m set attempts = case when m.status = 'sending' then m.attempts else 0 end,
        next_attempt_at = case when m.status = 'sending' then m.next_attempt_at else service_now() end,
        status = case when m.status = 'sending' then 'sending' else 'waiting' end
      from event e where e.id = m.event_id and m.webhook_id = $1 and m.event_id = $2
      returning m.event_id as "messageId", e.type, m.status, m.next_attempt_at as "nextAttemptAt"`;
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.query<QueuedMessage>(sql, [webhookId, messageId]);
      if (row) await keep(tx, row);
      return row;
    });
  }

  /**
   * Queues failed and waiting messages again, and messages for missed events of the endpoint's present types.
   * @param declared events of all features
   * @returns number of messages, of events from `since` (inclusive) to `until` (exclusive)
   */
  recover(
    webhookId: string,
    { since, until }: { since: Date; until: Date },
    declared: readonly EventDeclaration[],
    keep: KeepForRepeat<number>,
  ): Promise<number> {
    const sql = `insert into webhook_message (webhook_id, event_id, status, next_attempt_at)
      select w.id, e.id, 'waiting', service_now() from webhook w join event e on e.team_id = w.team_id
      where w.id = $1 and e.at >= $2 and e.at < $3 and e.type = any (w.types) and ${mayReceive(declared)}
      on conflict (webhook_id, event_id) do update set status = 'waiting', attempts = 0, next_attempt_at = excluded.next_attempt_at
        where webhook_message.status = 'failed' or (webhook_message.status = 'waiting' and webhook_message.next_attempt_at > service_now())
      returning event_id`;
    return this.#database.transaction(async (tx) => {
      const { length } = await tx.query(sql, [webhookId, since, until]);
      await keep(tx, length);
      return length;
    });
  }

  #insertSecret(tx: Queryable, id: string, secret: string, keyId: string): Promise<unknown> {
    const sql = 'insert into webhook_secret (webhook_id, sealed, made_with) values ($1, $2, $3)';
    return tx.query(sql, [id, this.#box.seal(id, secret), keyId]);
  }
}

async function refuseBeyondWebhookLimit(tx: Queryable, teamId: number): Promise<void> {
  const [counted] = await tx.query<{ held: number }>('select count(*)::integer as held from webhook where team_id = $1', [teamId]);
  if ((counted?.held ?? 0) < WEBHOOKS_MAX) return;
  throw new ApiError('forbidden', `The team has ${WEBHOOKS_MAX} webhooks, the most there can be; delete one first`, {
    details: { maxWebhooks: WEBHOOKS_MAX },
  });
}

/** Ends the waiting messages of a disabled endpoint; `recover` queues them again. */
export async function dropWaiting(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query(`update webhook_message set status = 'failed', next_attempt_at = null where webhook_id = $1 and status = 'waiting'`, [
    webhookId,
  ]);
}
