/** The outbox: mails, stored in the transaction of their event and each sent by a job, and what recipients have unsubscribed from. */
import { randomBytes } from 'node:crypto';
import type { JobStore } from '../jobs/store.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import { isMailAddress, type MailStatus, type NewMail, type StoredMail } from './mail.ts';
import { sendMailJob } from './sendMails.ts';
import { makeTopic, parseTopic } from './topics.ts';

const TOKEN_BYTES = 16;
/** How long ended mails are kept, so that a repeated event is not mailed again. */
const ENDED_KEPT_DAYS = 90;
const REMOVED_AT_ONCE = 5_000;

/** SQL: whether the recipient of subscription `s` wants none of its mails; for a digest, whether all its alerts are stopped. */
const STOPPED = `(s.unsubscribed_at is not null or s.topic like 'alert:%' and not exists (
  select from unnest(string_to_array(substr(s.topic, 7), ',')) as named (id)
  where not exists (select from mail_subscription one
    where one.topic = 'alert:' || named.id and one.recipient = s.recipient and one.unsubscribed_at is not null)))`;

/** SQL: the alerts of subscription `s` whose mails its recipient has stopped. */
const STOPPED_ALERTS = `array(select named.id from unnest(string_to_array(substr(s.topic, 7), ',')) as named (id)
  where s.topic like 'alert:%' and exists (select from mail_subscription one
    where one.topic = 'alert:' || named.id and one.recipient = s.recipient and one.unsubscribed_at is not null))`;

const COLUMNS = `m.id, m.event, s.topic, s.recipient, m.content, m.status, s.token, ${STOPPED} as unsubscribed, ${STOPPED_ALERTS} as "stoppedAlerts",
  m.created_at as "createdAt", m.ended_at as "endedAt"`;
const MAILS = 'mail m join mail_subscription s on s.token = m.subscription';

/** What a recipient can stop and resume by the links of a mail. */
export interface Subscription {
  recipient: string;
  topic: string;
  stopped: boolean;
  /** the alerts of a digest, by id; empty for other mails */
  alerts: { id: string; stopped: boolean }[];
}

export class OutboxStore {
  readonly #jobs: JobStore;

  constructor(jobs: JobStore) {
    this.#jobs = jobs;
  }

  /**
   * Writes a mail and queues its sending when `tx` commits.
   * @returns false if the recipient has a mail about the event already, or unsubscribed from the topic
   * @throws RangeError for an invalid address
   */
  async put(tx: Queryable, { event, topic, recipient, content }: NewMail): Promise<boolean> {
    if (!isMailAddress(recipient)) throw new RangeError('The recipient of a mail has to be one bare address');
    const [subscription] = await tx.query<{ token: string; unsubscribed: boolean }>(
      `insert into mail_subscription (token, topic, recipient) values ($1, $2, $3)
       on conflict (topic, recipient) do update set topic = excluded.topic
       returning token, unsubscribed_at is not null as unsubscribed`,
      [randomBytes(TOKEN_BYTES).toString('base64url'), topic, recipient.toLowerCase()],
    );
    if (!subscription || subscription.unsubscribed) return false;
    const [mail] = await tx.query<{ id: string }>(
      'insert into mail (event, subscription, content) values ($1, $2, $3::jsonb) on conflict do nothing returning id',
      [event, subscription.token, JSON.stringify(content)],
    );
    if (!mail) return false;
    await this.#jobs.enqueue(tx, sendMailJob, { payload: { mailId: mail.id } });
    return true;
  }

  async find(id: string, tx: Queryable = this.#jobs.database): Promise<StoredMail | undefined> {
    const [mail] = await tx.query<StoredMail>(`select ${COLUMNS} from ${MAILS} where m.id = $1`, [id]);
    return mail;
  }

  /** Newest first. */
  list(status: MailStatus | undefined, limit: number): Promise<StoredMail[]> {
    return this.#jobs.database.query(
      `select ${COLUMNS} from ${MAILS} where ($1::text is null or m.status = $1) order by m.id desc limit $2`,
      [status ?? null, limit],
    );
  }

  /** Ends a mail, in the transaction that ends its job, and deletes its content. */
  async end(tx: Queryable, id: string, status: Exclude<MailStatus, 'queued'>): Promise<void> {
    await tx.query('update mail set status = $2, content = null, ended_at = now() where id = $1 and ended_at is null', [id, status]);
  }

  /** The subscription of a token; undefined if no mail has it. @throws ApiError `service_unavailable` */
  async findSubscription(token: string): Promise<Subscription | undefined> {
    const { database } = this.#jobs;
    const sql = `select s.recipient, s.topic, ${STOPPED} as stopped from mail_subscription s where s.token = $1`;
    const [found] = await database.query<Omit<Subscription, 'alerts'>>(sql, [token]);
    if (!found) return undefined;
    const ids = parseTopic(found.topic);
    if (!ids.length) return { ...found, alerts: [] };
    const stopped = new Set((await this.listStoppedTopics(database, found.recipient)).flatMap(parseTopic));
    return { ...found, alerts: ids.map((id) => ({ id, stopped: stopped.has(id) })) };
  }

  /**
   * Stops the mails of one topic to one recipient, including those not sent yet; for a digest, the mails of each of its alerts.
   * @param alertId stops the mails of this alert of a digest only
   * @returns false if no mail has the token, or the digest does not contain the alert
   * @throws ApiError `service_unavailable`
   */
  async stop(token: string, alertId?: string): Promise<boolean> {
    return this.#change(token, alertId, async (tx, { recipient }, ids) => {
      if (ids.length) await stopAlerts(tx, recipient, ids);
      else await tx.query('update mail_subscription set unsubscribed_at = coalesce(unsubscribed_at, now()) where token = $1', [token]);
    });
  }

  /** Resumes stopped mails; parameters and result are those of `stop`. */
  async resume(token: string, alertId?: string): Promise<boolean> {
    return this.#change(token, alertId, async (tx, { recipient }, ids) => {
      if (ids.length) await this.resumeAlerts(tx, recipient, ids);
      else await tx.query('update mail_subscription set unsubscribed_at = null where token = $1', [token]);
    });
  }

  /** Resumes a recipient's mails about some alerts; other alerts of the same digest stay stopped. */
  async resumeAlerts(tx: Queryable, recipient: string, ids: readonly string[]): Promise<void> {
    const topics = ids.map((id) => makeTopic([{ id }]));
    await tx.query('update mail_subscription set unsubscribed_at = null where recipient = $1 and topic = any ($2)', [
      recipient.toLowerCase(),
      topics,
    ]);
  }

  #change(
    token: string,
    alertId: string | undefined,
    work: (tx: Queryable, subscription: { recipient: string; topic: string }, alertIds: string[]) => Promise<void>,
  ): Promise<boolean> {
    const changed = this.#jobs.database.transaction(async (tx) => {
      const sql = 'select recipient, topic from mail_subscription where token = $1 for update';
      const [found] = await tx.query<{ recipient: string; topic: string }>(sql, [token]);
      const named = found ? parseTopic(found.topic) : [];
      if (!found || (alertId !== undefined && !named.includes(alertId))) return false;
      await work(tx, found, alertId === undefined ? named : [alertId]);
      return true;
    });
    return changed;
  }

  async listStoppedTopics(tx: Queryable, recipient: string): Promise<string[]> {
    const sql = 'select topic from mail_subscription where recipient = $1 and unsubscribed_at is not null';
    return (await tx.query<{ topic: string }>(sql, [recipient.toLowerCase()])).map(({ topic }) => topic);
  }

  /** Deletes mails that ended long ago. */
  async removeExpired(): Promise<void> {
    await this.#jobs.database.query(
      `delete from mail where id in (select id from mail where ended_at < now() - make_interval(days => $1) limit $2)`,
      [ENDED_KEPT_DAYS, REMOVED_AT_ONCE],
    );
  }
}

async function stopAlerts(tx: Queryable, recipient: string, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort())
    await tx.query(
      `insert into mail_subscription (token, topic, recipient, unsubscribed_at) values ($1, $2, $3, now())
       on conflict (topic, recipient) do update set unsubscribed_at = coalesce(mail_subscription.unsubscribed_at, now())`,
      [randomBytes(TOKEN_BYTES).toString('base64url'), makeTopic([{ id }]), recipient],
    );
}
