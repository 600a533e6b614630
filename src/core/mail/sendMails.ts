/** Sends the mails of the outbox: each at least once, and always under the same Message-ID. */

import { defineJob } from '../jobs/defineJob.ts';
import { FinalJobError } from '../jobs/kind.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import { type MailContent, type MailStatus, makeMessageId, renderMail, type StoredMail, withoutAlerts } from './mail.ts';
import { MailRefused, type MailServer } from './smtp.ts';
import { parseTopic } from './topics.ts';

const DAY_MS = 86_400_000;
const UPKEEP_MS = 3_600_000;
const BACKOFF = { backoffMs: 5_000, backoffMaxMs: 3_600_000 };

/** The part of the outbox that sending needs (outbox.ts). */
interface PendingMails {
  find(id: string): Promise<StoredMail | undefined>;
  end(tx: Queryable, id: string, status: Exclude<MailStatus, 'queued'>): Promise<void>;
  removeExpired(): Promise<void>;
}

/** A feature's knowledge of who may get mails about its objects, such as alerts. */
export interface MailAudience {
  /** @returns those of the objects about which the address gets no more mails */
  findUnwanted(recipient: string, ids: readonly string[], on: Queryable): Promise<string[]>;
}

export interface SendMailServices {
  outbox: PendingMails;
  /** for what audiences look up */
  database: Queryable;
  audiences: readonly MailAudience[];
  server: MailServer;
  /** address of the sender */
  from: string;
  /** root of the service, without a trailing slash */
  publicUrl: string;
}

/** Page and one-click target by which a recipient stops the mails of a topic. */
const makeUnsubscribeUrl = (publicUrl: string, token: string) => `${publicUrl}/unsubscribe/${token}`;

export const sendMailJob = defineJob<{ mailId: string }, SendMailServices>({
  name: 'send_mail',
  prefix: 'mail',
  // Retried for three days with growing pauses, as mail servers do.
  maxAttempts: 100,
  deadlineMs: () => 3 * DAY_MS,
  keptDays: 7,
  retriable: false,
  // Each mail has a connection of its own.
  concurrency: 4,
  backoff: BACKOFF,
  work: ({ outbox, server, from, publicUrl, database, audiences }) => ({
    async handler({ payload: { mailId } }, { settle, signal }) {
      const mail = await outbox.find(mailId);
      const content = mail && (await selectWantedContent(mail, audiences, database));
      if (!mail || !content) {
        await settle(async (tx) => {
          await outbox.end(tx, mailId, 'unsubscribed');
          return { status: 'completed' };
        });
        return;
      }
      const unsubscribeUrl = makeUnsubscribeUrl(publicUrl, mail.token);
      const messageId = makeMessageId(mail, new URL(publicUrl).hostname);
      try {
        await server.send({ ...renderMail(content, unsubscribeUrl), messageId, from, to: mail.recipient, unsubscribeUrl }, signal);
      } catch (error) {
        throw error instanceof MailRefused ? new FinalJobError('mail_refused', error.message) : error;
      }
      await settle(async (tx) => {
        await outbox.end(tx, mailId, 'sent');
        return { status: 'completed' };
      });
    },
    giveBack: (tx, { payload }) => outbox.end(tx, payload.mailId, 'refused'),
    upkeep: { everyMs: UPKEEP_MS, run: () => outbox.removeExpired() },
  }),
});

/** The content of a mail that its recipient still wants; undefined if that is none of it. */
async function selectWantedContent(
  { content, unsubscribed, topic, recipient, stoppedAlerts }: StoredMail,
  audiences: readonly MailAudience[],
  on: Queryable,
): Promise<MailContent | undefined> {
  if (!content || unsubscribed) return undefined;
  const ids = parseTopic(topic);
  const unwanted = await Promise.all(audiences.map((audience) => audience.findUnwanted(recipient, ids, on)));
  return withoutAlerts(content, [...stoppedAlerts, ...unwanted.flat()]);
}
