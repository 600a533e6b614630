/** What is done about a leaked key besides stopping it: its team's owners hear of it, and the operator sees what it was used for. */
import { isMailAddress } from '../domain/mail.ts';
import type { ApiKey } from '../store/postgres/keys.ts';
import { type KeyUse, lastDayOf } from '../store/postgres/keyUse.ts';
import { textTable } from '../terminal/table.ts';
import type { Admin } from './command.ts';
import { withOutbox } from './mail.ts';

const TOPIC = 'keys';

const nameOf = ({ prefix, lastFour, name }: ApiKey) => `${prefix}…${lastFour}${name ? ` (${name})` : ''}`;

function contentOf(key: ApiKey, { receipts }: KeyUse) {
  const spent = receipts.reduce((sum, { credits }) => sum + credits, 0);
  return {
    subject: 'An API key of your team was leaked and has been revoked',
    paragraphs: [
      `Somebody else has the API key ${nameOf(key)}. We have revoked it; programs that use it are refused from now on.`,
      `In the 24 hours before, credits that it spent: ${spent}. GET /account/ledger shows every receipt with its key.`,
      'Make a new key for your programs, and keep it where only they can read it. Your other keys go on working.',
    ],
    link: null,
    reason: 'You are an owner of the team that the key belonged to.',
  };
}

const inWords = <T extends { first: Date; last: Date }>({ first, last, ...rest }: T) => ({
  ...rest,
  first: first.toISOString(),
  last: last.toISOString(),
});

/** Mails each owner once for a key. @returns how many mails were queued now */
async function mailOwners(admin: Admin, key: ApiKey, use: KeyUse): Promise<number> {
  const owners = (await admin.accounts.users(key.teamId)).filter(
    ({ role, email, closedAt }) => role === 'owner' && email && isMailAddress(email) && !closedAt,
  );
  let queued = 0;
  await withOutbox(admin, async (outbox, jobs) => {
    if (!owners.length) return;
    await jobs.queue.start(['send_mail']);
    await admin.database.transaction(async (tx) => {
      for (const { email } of owners) {
        const mail = { event: `leaked key ${key.id}`, topic: TOPIC, recipient: email as string, content: contentOf(key, use) };
        if (await outbox.put(tx, mail)) queued += 1;
      }
    });
  });
  return queued;
}

/** Prints what became of a leaked key. Nothing is rotated: the customer makes a new key. */
export async function reportLeak(admin: Admin, key: ApiKey): Promise<void> {
  const use = await lastDayOf(admin.database, key);
  const mailed = await mailOwners(admin, key, use);
  admin.print({ key, mailed, lastDay: use }, [
    `Key ${key.id} is ${key.state} and marked as leaked. Mails to owners queued: ${mailed}.`,
    '',
    'Receipts of the last 24 hours (pages of free plans leave none):',
    ...textTable(use.receipts.map(inWords), 'None.'),
    '',
    'Jobs of the last 24 hours:',
    ...textTable(use.jobs.map(inWords), 'None.'),
    '',
    `Records that its team was delivered in the last 24 hours, by any key: ${use.recordsOfTeam}.`,
  ]);
}
