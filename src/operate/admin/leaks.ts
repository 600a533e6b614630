/**
 * Revokes a leaked key and stops what was created with it; notifies the team's owners, and shows the operator what the key was used for.
 */

import type { ApiKey, LeakedKeys } from '../../core/identity/keys.ts';
import { type KeyUse, readLastDayUse } from '../../core/identity/keyUse.ts';
import { isMailAddress, type NewMail } from '../../core/mail/mail.ts';
import { textTable } from '../../terminal/textTable.ts';
import { makeOutbox } from './mail.ts';
import type { Admin } from './runCommand.ts';

const TOPIC = 'keys';

const nameKey = ({ prefix, lastFour, name }: ApiKey) => `${prefix}…${lastFour}${name ? ` (${name})` : ''}`;

/** The origin of a URL, without path and query, which may contain customers' secrets. */
const readOrigin = ({ url }: { url: string }) => new URL(url).origin;

const writeList = (heading: string, names: readonly string[]) => (names.length ? [[heading, ...names].join('\n')] : []);

function writeStopped({ others, feeds, webhooks, recipients }: LeakedKeys): string[] {
  return [
    ...writeList(
      'Revoked with it, since it was replaced by one of these, replaced one, or one was minted with it:',
      others.map((key) => `API key ${nameKey(key)}, made ${key.createdAt.toISOString()}`),
    ),
    ...writeList(
      'Feeds that were made with these keys and are gone:',
      feeds.map(({ id, alertName }) => `${id} of ${alertName === null ? 'hearings' : `the alert ${alertName}`}`),
    ),
    ...writeList(
      'Webhooks that were made with these keys, or whose secret was, and are disabled:',
      webhooks.map((webhook) => `${webhook.id} to ${readOrigin(webhook)}`),
    ),
    ...writeList(
      'Addresses outside your team that were added to alerts with these keys and get no more mails of them:',
      recipients.map(({ address, alertName }) => `${address} of the alert ${alertName}`),
    ),
  ];
}

function writeLeakMail(leaked: LeakedKeys, { receipts }: KeyUse, recipient: string): NewMail {
  const spent = receipts.reduce((sum, { credits }) => sum + credits, 0);
  return {
    event: `leaked key ${leaked.key.id}`,
    topic: TOPIC,
    recipient,
    content: {
      subject: 'An API key of your team was leaked and has been revoked',
      paragraphs: [
        `Somebody else has the API key ${nameKey(leaked.key)}. We have revoked it; programs that use it are refused from now on.`,
        ...writeStopped(leaked),
        `In the 24 hours before, credits spent with it: ${spent}. GET /account/ledger shows every receipt with its key.`,
        'Make a new key for your programs, and keep it where only they can read it. Your other keys go on working. What you still need of the above, make again.',
      ],
      link: null,
      reason: 'You are an owner of the team that the key belonged to.',
    },
  };
}

/** Email addresses of a team's owners with open accounts. */
const listOwners = async ({ accounts }: Admin, teamId: number): Promise<string[]> =>
  (await accounts.users(teamId)).flatMap(({ role, email, closedAt }) =>
    role === 'owner' && email && isMailAddress(email) && !closedAt ? [email] : [],
  );

interface Outcome {
  leaked: LeakedKeys;
  lastDay: KeyUse;
  /** number of mails queued */
  mailed: number;
}

/** Revokes a key. Each owner gets one mail for a key, queued in the same transaction. */
async function revoke(admin: Admin, id: string): Promise<Outcome> {
  const outbox = makeOutbox(admin);
  let outcome: Outcome | undefined;
  const { TEAM_SUBSCRIBERS } = await import('../../features.ts');
  await admin.keys.revokeLeaked(id, TEAM_SUBSCRIBERS, async (tx, leaked) => {
    const { teamId } = leaked.key;
    const keyIds = [leaked.key, ...leaked.others].map((key) => key.id);
    const lastDay = await readLastDayUse(admin.database, teamId, keyIds);
    let mailed = 0;
    for (const recipient of await listOwners(admin, teamId))
      if (await outbox.put(tx, writeLeakMail(leaked, lastDay, recipient))) mailed += 1;
    outcome = { leaked, lastDay, mailed };
  });
  if (!outcome) throw new Error('Nothing was revoked');
  return outcome;
}

const datesAsText = <T extends { first: Date; last: Date }>({ first, last, ...rest }: T) => ({
  ...rest,
  first: first.toISOString(),
  last: last.toISOString(),
});

/** Revokes a leaked key and prints the result. Nothing is rotated: the customer creates a new key. */
export async function revokeLeaked(admin: Admin, id: string): Promise<void> {
  const { leaked, lastDay, mailed } = await revoke(admin, id);
  const { key, others, feeds, recipients } = leaked;
  const webhooks = leaked.webhooks.map((webhook) => ({ id: webhook.id, host: readOrigin(webhook) }));
  admin.print({ key, others, feeds, webhooks, recipients, mailed, lastDay }, [
    `Key ${key.id} is ${key.state} and marked as leaked. Mails to owners queued: ${mailed}.`,
    ...writeStopped(leaked).flatMap((paragraph) => ['', paragraph]),
    '',
    'Receipts of the last 24 hours, of all of these keys (pages of free plans leave none):',
    ...textTable(lastDay.receipts.map(datesAsText), 'None.'),
    '',
    'Jobs of the last 24 hours:',
    ...textTable(lastDay.jobs.map(datesAsText), 'None.'),
    '',
    `Records that its team was delivered in the last 24 hours, by any key: ${lastDay.recordsOfTeam}.`,
  ]);
}
