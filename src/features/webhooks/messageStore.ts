/** Messages to endpoints: each attempt is a job, taken when it is due within the limits of its endpoint and team. */
import type { NewJob } from '../../core/jobs/store.ts';
import { tryLockInSchema } from '../../core/store/postgres/locks.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { EventDeclaration } from '../feature.ts';
import { removeOutlivedEvents } from './eventLog.ts';
import { mayReceive } from './events.ts';
import { judgeFailures, scheduleNextAttempt } from './retries.ts';
import type { SecretBox } from './secretBox.ts';
import { dropWaiting } from './store.ts';
import type { SendOutcome, SendWebhookPayload, StoredEvent } from './types.ts';

/** Most messages to one endpoint at a time, so that a slow one does not delay the others. */
const AT_ONCE_EACH = 4;
/** Most messages of one team at a time, by all processes, so that receivers that hang delay only their own team. */
const AT_ONCE_TEAM = 8;
const QUEUED_AT_ONCE = 200;

/** A message, ready to be sent. */
export interface Sendable {
  url: string;
  event: StoredEvent;
  /** the current secret first; without secrets that this process cannot decrypt */
  secrets: string[];
}

/** An endpoint that keeps failing, and whether it has been disabled for that. */
export interface Trouble {
  webhookId: string;
  teamId: number;
  createdBy: number;
  url: string;
  failingSince: Date;
  disabled: boolean;
}

export class WebhookMessageStore {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #events: readonly EventDeclaration[];

  /** @param events all that features declare */
  constructor(database: Database, box: SecretBox, events: readonly EventDeclaration[]) {
    this.#database = database;
    this.#box = box;
    this.#events = events;
  }

  /**
   * Takes the messages that are due, in one process at a time. The next time is a column of the message, since messages are dropped,
   * recovered and counted by the thousand, and the choice of the next one depends on what its endpoint and team have in flight.
   */
  async takeDue(tx: Queryable): Promise<NewJob<SendWebhookPayload>[]> {
    if (!(await tryLockInSchema(tx, 'webhook messages of '))) return [];
    const due = await tx.query<SendWebhookPayload & { teamId: number }>(
      `with busy as (
         select webhook_id, count(*) as n from webhook_message where status = 'sending' group by 1
       ), due as (
         select m.webhook_id, m.event_id, w.team_id,
           row_number() over (partition by w.team_id order by m.of_endpoint, m.next_attempt_at, m.event_id)
             + coalesce((select sum(n) from busy join webhook o on o.id = busy.webhook_id where o.team_id = w.team_id), 0) as of_team
         from (select distinct webhook_id from webhook_message where status = 'waiting' and next_attempt_at <= service_now()) as waiting
         join webhook w on w.id = waiting.webhook_id left join busy on busy.webhook_id = w.id, lateral (
           select o.webhook_id, o.event_id, o.next_attempt_at,
             row_number() over (order by o.next_attempt_at) + coalesce(busy.n, 0) as of_endpoint from webhook_message o
           where o.webhook_id = w.id and o.status = 'waiting' and o.next_attempt_at <= service_now()
           order by o.next_attempt_at limit greatest($1 - coalesce(busy.n, 0), 0)
         ) as m
       ), chosen as (select * from due where of_team <= $2 order by of_team limit $3)
       update webhook_message m set status = 'sending' from chosen
       where m.webhook_id = chosen.webhook_id and m.event_id = chosen.event_id and m.status = 'waiting'
       returning m.webhook_id as "webhookId", m.event_id as "eventId", chosen.team_id as "teamId"`,
      [AT_ONCE_EACH, AT_ONCE_TEAM, QUEUED_AT_ONCE],
    );
    return due.map(({ teamId, ...payload }) => ({ payload, teamId }));
  }

  /**
   * The message of a job; undefined when it must not be sent any more: the endpoint was deleted or disabled, or its creator may no longer
   * see the event.
   */
  async find({ webhookId, eventId }: SendWebhookPayload): Promise<Sendable | undefined> {
    const [row] = await this.#database.query<StoredEvent & { url: string }>(
      `select w.url, e.id, e.type, e.subject_id as "subjectId", e.alert_id as "alertId", e.details, e.at
       from webhook_message m join webhook w on w.id = m.webhook_id join event e on e.id = m.event_id
       where m.webhook_id = $1 and m.event_id = $2 and m.status = 'sending' and (w.status = 'active' or e.type = 'ping') and ${mayReceive(this.#events)}`,
      [webhookId, eventId],
    );
    if (!row) return undefined;
    const { url, ...event } = row;
    const sealed = await this.#database.query<{ sealed: Buffer }>(
      `select sealed from webhook_secret where webhook_id = $1 and (expires_at is null or expires_at > service_now()) order by id desc`,
      [webhookId],
    );
    return { url, event, secrets: sealed.flatMap((one) => this.#box.open(webhookId, one.sealed) ?? []) };
  }

  /** Ends a message that must not be sent. */
  async drop(tx: Queryable, { webhookId, eventId }: SendWebhookPayload): Promise<void> {
    await tx.query(
      `update webhook_message set status = 'failed', next_attempt_at = null where webhook_id = $1 and event_id = $2 and status = 'sending'`,
      [webhookId, eventId],
    );
  }

  /**
   * Records an attempt and schedules the next one, in the transaction that ends its job.
   * @returns the endpoint's trouble, if it keeps failing
   */
  async recordAttempt(
    tx: Queryable,
    { webhookId, eventId }: SendWebhookPayload,
    { httpStatus, error }: SendOutcome,
  ): Promise<Trouble | undefined> {
    const [webhook] = await tx.query<{ status: string; now: Date }>(
      'select status, service_now() as now from webhook where id = $1 for no key update',
      [webhookId],
    );
    const [message] = await tx.query<{ type: StoredEvent['type']; attempts: number }>(
      `update webhook_message m set attempts = m.attempts + 1 from event e
       where e.id = m.event_id and m.webhook_id = $1 and m.event_id = $2 and m.status = 'sending' returning e.type, m.attempts`,
      [webhookId, eventId],
    );
    // It was deleted meanwhile.
    if (!webhook || !message) return undefined;
    const { now: at, status } = webhook;
    const next = error === null || status === 'disabled' ? null : scheduleNextAttempt(message.type, message.attempts, at);
    const end = error === null ? 'delivered' : next ? 'waiting' : 'failed';
    await tx.query(
      `with attempt as (
         insert into webhook_attempt (webhook_id, event_id, status, http_status, error, at, next_attempt_at) values ($1, $2, $3, $4, $5, $6, $7)
       ) update webhook_message set status = $8, next_attempt_at = $7 where webhook_id = $1 and event_id = $2`,
      [webhookId, eventId, error === null ? 'delivered' : 'failed', httpStatus, error, at, next, end],
    );
    if (error === null) {
      await tx.query('update webhook set last_delivered_at = $2, failing_since = null where id = $1', [webhookId, at]);
      return undefined;
    }
    // A test does not count as a failure of the endpoint.
    return message.type === 'ping' ? undefined : noteFailure(tx, webhookId, at);
  }

  removeOutlived(): Promise<void> {
    return removeOutlivedEvents(this.#database);
  }
}

/** Records a failure of an endpoint, and disables it when it has failed for too long. */
async function noteFailure(tx: Queryable, webhookId: string, at: Date): Promise<Trouble | undefined> {
  const [row] = await tx.query<Omit<Trouble, 'disabled'> & { status: string }>(
    `update webhook set failing_since = coalesce(failing_since, $2) where id = $1
     returning id as "webhookId", team_id as "teamId", created_by as "createdBy", url, failing_since as "failingSince", status`,
    [webhookId, at],
  );
  if (!row || row.status === 'disabled') return undefined;
  const { status: _, ...found } = row;
  const trouble = judgeFailures(found.failingSince, at);
  if (trouble === 'none') return undefined;
  if (trouble === 'trouble') return { ...found, disabled: false };
  await tx.query(`update webhook set status = 'disabled' where id = $1`, [webhookId]);
  await dropWaiting(tx, webhookId);
  return { ...found, disabled: true };
}
