/**
 * Credits that a job reserves. They leave the balance when the job is accepted, and return when it ends, whether it succeeds or fails:
 * - `reserveCredits` in the transaction that queues the job, so that both exist or neither.
 * - `payFromReservation` in the transaction that settles a job of records: it returns the reservation, then the job delivers and charges what
 *   is new, files by fileDeliveries.ts. For other subjects: `release_reservation`, a charge by `enter_credits`, and
 * `lapse_credits` for the rest, under the lock that `release_reservation` takes.
 * - `returnReservation` in the transaction that fails the job: a kind's `giveBack` in src/core/jobs/defineJob.ts.
 * What is returned lapses when its grant is no longer the current one (functions/lapse_credits.sql). `auditLedger` counts open reservations.
 */
import type { Job } from '../jobs/store.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import type { Cause, Payer } from './ledger.ts';

type Subject = 'records' | 'contacts';

/** The balance is too low; thrown inside the transaction of acceptance, which it rolls back. */
export class CannotReserve extends Error {
  readonly outcome: 'insufficient' | 'exhausted';
  readonly balance: number;

  constructor(outcome: 'insufficient' | 'exhausted', balance: number) {
    super(`The balance of ${balance} does not pay for the reservation`);
    this.outcome = outcome;
    this.balance = balance;
  }
}

/** The cause of a job's ledger entries. */
export const causeOfJob = ({ id, userId, cause }: Job): Cause => ({ ...cause, ...(userId === null ? {} : { userId }), jobId: id });

/**
 * Reserves credits for a job.
 * @param credits 0 reserves nothing
 * @throws CannotReserve
 */
export async function reserveCredits(
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

/** Returns a job's whole reservation to its pool. @returns its credits; 0 without a reservation */
export async function returnReservation(tx: Queryable, jobId: string, subject: Subject, cause: Cause): Promise<number> {
  const [row] = await tx.query<{ credits: number }>('select give_back_reservation($1, $2, $3::jsonb) as credits', [
    jobId,
    subject,
    JSON.stringify(cause),
  ]);
  return row?.credits ?? 0;
}

/**
 * Returns a job's reservation for records to its pool, then charges with `deliverPage`; what is left from an earlier month lapses. The pool
 * stays locked until `tx` ends.
 * @param deliver charges in `tx`, and returns the credits charged
 */
export async function payFromReservation(
  tx: Queryable,
  jobId: string,
  { teamId, grant, cause }: Omit<Payer, 'claim'>,
  deliver: () => Promise<number>,
): Promise<{ reserved: number; charged: number }> {
  await tx.query('select open_pool($1, $2, $3)', [teamId, grant.grantedFor, grant.credits]);
  const of = JSON.stringify({ ...cause, jobId });
  const [held] = await tx.query<{ credits: number | null; grantedFor: string | null }>(
    `select credits, granted_for as "grantedFor" from release_reservation($1, 'records', $2::jsonb)`,
    [jobId, of],
  );
  const reserved = held?.credits ?? 0;
  const charged = await deliver();
  // The delivery is paid from the grant of the reservation, even if another grant is current by now: a lost file is refunded to that grant only.
  if (held?.grantedFor) await tx.query('update export_delivery set granted_for = $2 where export_id = $1', [jobId, held.grantedFor]);
  await tx.query('select lapse_credits($1, $2, $3, $4::jsonb)', [teamId, held?.grantedFor ?? null, reserved - charged, of]);
  // A delivery without new records is committed asynchronously, but the end of a job must be durable.
  await tx.query(`select set_config('synchronous_commit', 'on', true)`);
  return { reserved, charged };
}
