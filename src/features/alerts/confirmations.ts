/**
 * Asks addresses outside a team to confirm that its alerts may mail to them: once each, within limits for the team and the mailbox
 * (src/docs/alerts.md).
 */

import { randomBytes } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import { type NewMail, normalizeMailbox } from '../../core/mail/mail.ts';
import type { OutboxStore } from '../../core/mail/outbox.ts';
import { lockInDatabase } from '../../core/store/postgres/locks.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';

/** Most addresses that a team may ask in 24 hours and that have not confirmed. */
const UNCONFIRMED_PER_TEAM_MAX = 20;
/** Most requests for confirmation to one mailbox in 24 hours, by all teams together. */
const QUESTIONS_PER_MAILBOX_MAX = 3;

const TOKEN_BYTES = 16;
const LAST_DAY = `created_at > service_now() - interval '24 hours'`;

/** An address, and the mail that asks it to confirm. */
export interface Question {
  address: string;
  mail(token: string): NewMail;
}

/**
 * Asks the addresses that the team has not asked yet, when `tx` commits. The caller has locked the team's row.
 * @throws ApiError `forbidden` when a limit of the team or of a mailbox is exceeded; then none is asked
 */
export async function askToConfirm(tx: Queryable, outbox: OutboxStore, teamId: number, questions: readonly Question[]): Promise<void> {
  const sql = 'select address from mail_confirmation where team_id = $1 and address = any ($2)';
  const known = await tx.query<{ address: string }>(sql, [teamId, questions.map(({ address }) => address)]);
  const asked = new Set(known.map(({ address }) => address));
  const fresh = questions.filter(({ address }) => !asked.has(address));
  if (!fresh.length) return;
  await refuseBeyondTeamLimit(tx, teamId, fresh.length);
  await refuseBeyondMailboxLimit(tx, fresh);
  for (const { address, mail } of fresh) {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await tx.query(
      'insert into mail_confirmation (token, team_id, address, canonical, created_at) values ($1, $2, $3, $4, service_now())',
      [token, teamId, address, normalizeMailbox(address)],
    );
    await outbox.put(tx, mail(token));
  }
}

async function refuseBeyondTeamLimit(tx: Queryable, teamId: number, fresh: number): Promise<void> {
  const sql = `select count(*)::integer as n from mail_confirmation where team_id = $1 and confirmed_at is null and ${LAST_DAY}`;
  const unconfirmed = (await tx.query<{ n: number }>(sql, [teamId]))[0]?.n ?? 0;
  if (unconfirmed + fresh <= UNCONFIRMED_PER_TEAM_MAX) return;
  throw new ApiError(
    'forbidden',
    `A team may ask ${UNCONFIRMED_PER_TEAM_MAX} new addresses in 24 hours; ${unconfirmed} that it asked have not confirmed, and ${fresh} more were sent. Send fewer, or wait`,
    { param: 'notify.emailTo', details: { maxUnconfirmedAddresses: UNCONFIRMED_PER_TEAM_MAX, unconfirmedAddresses: unconfirmed } },
  );
}

async function refuseBeyondMailboxLimit(tx: Queryable, fresh: readonly Question[]): Promise<void> {
  const sent = Map.groupBy(fresh, ({ address }) => normalizeMailbox(address));
  const mailboxes = [...sent.keys()].sort();
  // Serialises teams that ask the same mailbox; mailboxes are locked in order, to avoid deadlocks.
  for (const mailbox of mailboxes) await lockInDatabase(tx, `confirmation ${mailbox}`);
  const rows = await tx.query<{ canonical: string; n: number }>(
    `select canonical, count(*)::integer as n from mail_confirmation where canonical = any ($1) and ${LAST_DAY} group by canonical`,
    [mailboxes],
  );
  const asked = new Map(rows.map(({ canonical, n }) => [canonical, n]));
  for (const [mailbox, questions] of sent) {
    if ((asked.get(mailbox) ?? 0) + questions.length <= QUESTIONS_PER_MAILBOX_MAX) continue;
    throw new ApiError(
      'forbidden',
      `An address of notify.emailTo is asked ${QUESTIONS_PER_MAILBOX_MAX} times in 24 hours at most, with all of its spellings, and has been asked as often. Leave ${questions[0]?.address} out, or wait`,
      { param: 'notify.emailTo', details: { maxQuestions: QUESTIONS_PER_MAILBOX_MAX } },
    );
  }
}
