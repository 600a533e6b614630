/** The outbox: mails written with their events, sent by a job each, and what recipients have unsubscribed from. */
import { randomBytes } from 'node:crypto';
import { isMailAddress, type MailContent, type NewMail, SEND_MAIL_KIND } from '../../domain/mail.ts';
import type { JobStore } from './jobs.ts';
import { type Queryable, readable } from './pool.ts';

const TOKEN_BYTES = 16;
/** An event may come again for so long and is still not told twice. */
const ENDED_KEPT_DAYS = 90;
const REMOVED_AT_ONCE = 5_000;

export type MailStatus = 'queued' | 'sent' | 'unsubscribed' | 'refused';

export interface StoredMail {
  id: string;
  event: string;
  topic: string;
  recipient: string;
  /** null once the mail has ended */
  content: MailContent | null;
  status: MailStatus;
  /** of the links by which its recipient unsubscribes */
  token: string;
  unsubscribed: boolean;
  createdAt: Date;
  endedAt: Date | null;
}

const COLUMNS = `m.id, m.event, s.topic, s.recipient, m.content, m.status, s.token, s.unsubscribed_at is not null as unsubscribed,
  m.created_at as "createdAt", m.ended_at as "endedAt"`;
const MAILS = 'mail m join mail_subscription s on s.token = m.subscription';

export class OutboxStore {
  readonly #jobs: JobStore;

  constructor(jobs: JobStore) {
    this.#jobs = jobs;
  }

  /**
   * Writes a mail and queues its sending when `tx` commits.
   * @returns false where the event was told to the recipient before, or they unsubscribed from the topic
   * @throws RangeError for an address that is none
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
    await this.#jobs.enqueue(tx, SEND_MAIL_KIND, { payload: { mailId: mail.id } });
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

  /** Ends a mail, in the transaction that ends its job, and forgets what it said. */
  async end(tx: Queryable, id: string, status: Exclude<MailStatus, 'queued'>): Promise<void> {
    await tx.query('update mail set status = $2, content = null, ended_at = now() where id = $1 and ended_at is null', [id, status]);
  }

  /** True where the token stands in some mail. @throws ApiError `service_unavailable` */
  async knows(token: string): Promise<boolean> {
    return (await readable(this.#jobs.database.query('select from mail_subscription where token = $1', [token]))).length > 0;
  }

  /** Stops the mails of one topic to one recipient, those that wait included. @returns false where no mail has the token @throws ApiError `service_unavailable` */
  async unsubscribe(token: string): Promise<boolean> {
    const stopped = this.#jobs.database.query(
      'update mail_subscription set unsubscribed_at = coalesce(unsubscribed_at, now()) where token = $1 returning 1',
      [token],
    );
    return (await readable(stopped)).length > 0;
  }

  /** Topics that a recipient wants no more mails of. */
  async stoppedTopics(tx: Queryable, recipient: string): Promise<string[]> {
    const sql = 'select topic from mail_subscription where recipient = $1 and unsubscribed_at is not null';
    return (await tx.query<{ topic: string }>(sql, [recipient.toLowerCase()])).map(({ topic }) => topic);
  }

  /** Deletes mails that ended long ago. */
  async removeOutlived(): Promise<void> {
    await this.#jobs.database.query(
      `delete from mail where id in (select id from mail where ended_at < now() - make_interval(days => $1) limit $2)`,
      [ENDED_KEPT_DAYS, REMOVED_AT_ONCE],
    );
  }
}
