/** Sends the mails of the outbox: each at least once, and always under the same Message-ID. */
import { FinalJobError } from '../jobs/kind.ts';
import { defineJob, type JobDefinition } from '../jobs/registry.ts';
import { messageIdOf, renderMail, SEND_MAIL_KIND, type SendMailPayload, withoutAlerts } from './mail.ts';
import type { OutboxStore } from './outbox.ts';
import { MailRefused, type MailServer } from './server.ts';

/** Each mail has a connection of its own. */
const CONCURRENCY = 4;
const UPKEEP_MS = 3_600_000;
const BACKOFF = { backoffMs: 5_000, backoffMaxMs: 3_600_000 };

export interface SendMailServices {
  outbox: OutboxStore;
  server: MailServer;
  /** address of the sender */
  from: string;
  /** root of the service, without a trailing slash */
  publicUrl: string;
}

/** Page and one-click target by which a recipient stops the mails of a topic. */
export const unsubscribeUrlOf = (publicUrl: string, token: string) => `${publicUrl}/unsubscribe/${token}`;

export function sendMailJob({ outbox, server, from, publicUrl }: SendMailServices): JobDefinition<unknown> {
  const host = new URL(publicUrl).hostname;
  return defineJob<SendMailPayload>({
    ...SEND_MAIL_KIND,
    concurrency: CONCURRENCY,
    backoff: BACKOFF,
    async handler({ payload: { mailId } }, { settle, signal }) {
      const mail = await outbox.find(mailId);
      const content = mail?.content && !mail.unsubscribed ? withoutAlerts(mail.content, mail.notMailed) : undefined;
      if (!mail || !content) {
        await settle(async (tx) => {
          await outbox.end(tx, mailId, 'unsubscribed');
          return { status: 'completed' };
        });
        return;
      }
      const unsubscribeUrl = unsubscribeUrlOf(publicUrl, mail.token);
      const messageId = messageIdOf(mail, host);
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
    upkeep: { everyMs: UPKEEP_MS, run: () => outbox.removeOutlived() },
  });
}
