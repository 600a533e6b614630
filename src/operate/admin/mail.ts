/** `admin mail …`: lists the outbox, and sends a test mail. */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { JobStore } from '../../core/jobs/store.ts';
import { isMailAddress, type MailStatus } from '../../core/mail/mail.ts';
import { OutboxStore } from '../../core/mail/outbox.ts';
import { addCommand, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, perform } from './runCommand.ts';

const LISTED = 50;
const STATUSES: readonly MailStatus[] = ['queued', 'sent', 'unsubscribed', 'refused'];

function parseAddress(text: string): string {
  if (isMailAddress(text)) return text;
  throw new InvalidArgumentError('It has to be one bare address, such as ann@acme.example.');
}

export const makeOutbox = ({ database }: Admin) => new OutboxStore(new JobStore(database));

async function list(admin: Admin, { status, limit }: { status?: MailStatus; limit: number }): Promise<void> {
  const mails = await makeOutbox(admin).list(status, limit);
  // Without the content of mails, and without the token that unsubscribes the recipient.
  const rows = mails.map(({ id, event, topic, recipient, status: at, createdAt, endedAt }) => ({
    mail: id,
    event,
    topic,
    recipient,
    status: at,
    created: createdAt.toISOString(),
    ended: endedAt?.toISOString() ?? null,
  }));
  admin.print(rows, textTable(rows, 'No such mails.'));
}

async function sendTestMail(admin: Admin, recipient: string): Promise<void> {
  const event = `test ${randomUUID()}`;
  const content = {
    subject: 'Land Use Intelligence API: a test',
    paragraphs: ['This mail shows that the service can send mail.'],
    link: null,
    reason: 'An operator of the service asked for it.',
  };
  const queued = await admin.database.transaction((tx) => makeOutbox(admin).put(tx, { event, topic: 'tests', recipient, content }));
  const report = queued ? 'Queued: a worker with SMTP_URL sends it; see mail list.' : 'The recipient has unsubscribed from tests.';
  admin.print({ queued, event }, report);
}

export function addMailCommands(program: Command): void {
  const mail = addCommand(program, 'mail', 'the outbox');
  addCommand(mail, 'list', 'newest first; queued ones wait for a worker with SMTP_URL')
    .addOption(new Option('--status <status>', 'of one status').choices(STATUSES))
    .option('--limit <n>', 'at most so many', wholeNumber(0, 999_999_999), LISTED)
    .action(perform(list));
  addCommand(mail, 'test', 'send a test to an address').argument('<address>', 'its recipient', parseAddress).action(perform(sendTestMail));
}
