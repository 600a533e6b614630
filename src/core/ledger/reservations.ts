/**
 * Credits that a job has set aside. They leave the balance when the job is accepted, and come back with its end, whichever it is:
 *
 * - `reserve` in the transaction that queues the job, so that neither is there without the other; a refusal rolls both back.
 * - At the end, in the transaction that settles the job: `settle_delivery` for records, which gives the reservation back, delivers and charges
 *   what is new by then; `payFromReservation` where a page is delivered that is shown too. Another subject does the same with
 *   `release_reservation`, a charge of its own by `enter_credits`, and `lapse_credits` for the rest, under the lock that `release_reservation`
 *   takes.
 * - `giveBack` in the transaction that fails the job: a kind's `giveBack` in src/core/jobs/registry.ts.
 *
 * What is given back when another grant is in force than it came from lapses (functions/lapse_credits.sql). `audit` counts open reservations.
 */
import type { Job } from '../jobs/store.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import type { Cause, Payer } from './ledger.ts';

type Subject = 'records' | 'contacts';

/** The balance does not pay; thrown inside the transaction of acceptance, which it rolls back. */
export class CannotReserve extends Error {
  readonly outcome: 'insufficient' | 'exhausted';
  readonly balance: number;

  constructor(outcome: 'insufficient' | 'exhausted', balance: number) {
    super(`The balance of ${balance} does not pay for the reservation`);
    this.outcome = outcome;
    this.balance = balance;
  }
}

/** The cause of what a job enters into the ledger. */
export const causeOf = ({ id, userId, cause }: Job): Cause => ({ ...cause, ...(userId === null ? {} : { userId }), jobId: id });

/** @param credits 0 reserves nothing @throws CannotReserve */
export async function reserve(
  tx: Queryable,
  { teamId, grant, cause }: Omit<Payer, 'claim'>,
  { jobId, subject, credits }: { jobId: string; subject: Subject; credits: number },
): Promise<void> {
  const [row] = await tx.query<{ outcome: 'reserved' | 'insufficient' | 'exhausted'; balance: number }>(
    'select outcome, balance from reserve_credits($1, $2, $3, $4, $5, $6, $7::jsonb)',
    [teamId, grant.grantedFor, grant.credits, jobId, subject, credits, JSON.stringify({ ...cause, jobId })],
  );
  if (!row) throw new Error('reserve_credits answered without a row');
  if (row.outcome !== 'reserved') throw new CannotReserve(row.outcome, row.balance);
}

/** The whole reservation of a job, back into its pool. @returns its credits; 0 where it has none */
export async function giveBack(tx: Queryable, jobId: string, subject: Subject, cause: Cause): Promise<number> {
  const [row] = await tx.query<{ credits: number }>('select give_back_reservation($1, $2, $3::jsonb) as credits', [
    jobId,
    subject,
    JSON.stringify(cause),
  ]);
  return row?.credits ?? 0;
}

/**
 * Puts what a job reserved for records back into its pool, from where `deliver` charges; what it leaves of a month before lapses. The pool
 * stays locked.
 * @param deliver charges in `tx`, and returns the credits
 */
export async function payFromReservation(
  tx: Queryable,
  jobId: string,
  { teamId, grant, cause }: Omit<Payer, 'claim'>,
  deliver: () => Promise<number>,
): Promise<{ reserved: number; charged: number }> {
  await tx.query('select open_pool($1, service_now(), $2, $3)', [teamId, grant.grantedFor, grant.credits]);
  const of = JSON.stringify({ ...cause, jobId });
  const [held] = await tx.query<{ credits: number | null; grantedFor: string | null }>(
    `select credits, granted_for as "grantedFor" from release_reservation($1, 'records', $2::jsonb)`,
    [jobId, of],
  );
  const reserved = held?.credits ?? 0;
  const charged = await deliver();
  await tx.query('select lapse_credits($1, $2, $3, $4::jsonb)', [teamId, held?.grantedFor ?? null, reserved - charged, of]);
  // A delivery of nothing new does not wait for the disk; the end of a job does.
  await tx.query(`select set_config('synchronous_commit', 'on', true)`);
  return { reserved, charged };
}
