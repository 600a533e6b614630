/** Reserves credits, and look-ups of the contact allowance, when a job is accepted; refuses the job if there are too few. */
import { throwIfAboveMax } from '../domain/credits.ts';
import type { EnrichmentAllowance } from '../domain/plans.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import type { Payer } from './ledger.ts';
import { CannotReserve, reserveCredits } from './reservations.ts';

/** Why a job was refused; nothing was queued or reserved. */
export type RefusedAcceptance = { outcome: 'insufficient' | 'exhausted'; balance: number } | { outcome: 'no_allowance'; used: number };

/** The allowance does not suffice; thrown inside the transaction of acceptance, which it rolls back. */
class NoAllowance extends Error {
  /** look-ups already counted against the allowance */
  readonly used: number;

  constructor(used: number) {
    super(`${used} look-ups are used of the allowance`);
    this.used = used;
  }
}

/** Reads why the transaction of an acceptance was rolled back. @throws the error itself if it is not a refusal */
export function toRefusedAcceptance(error: unknown): RefusedAcceptance {
  if (error instanceof NoAllowance) return { outcome: 'no_allowance', used: error.used };
  if (error instanceof CannotReserve) return { outcome: error.outcome, balance: error.balance };
  throw error;
}

/** Look-ups that a job may make, and the credits that they may cost. */
export interface ReservedLookups {
  credits: number;
  attempts: number;
  allowance: EnrichmentAllowance;
}

/**
 * Reserves the most that a job can deliver, in the transaction that queues it.
 * @throws an error that `toRefusedAcceptance` reads; ApiError `invalid_request` when it is more than the payer allows
 */
export async function reserveForRecords(
  tx: Queryable,
  payer: Omit<Payer, 'claim'>,
  { jobId, credits, contacts }: { jobId: string; credits: number; contacts?: ReservedLookups | undefined },
): Promise<void> {
  throwIfAboveMax(credits + (contacts?.credits ?? 0), payer.maxCredits);
  await reserveCredits(tx, payer, { jobId, subject: 'records', credits });
  if (contacts) await reserveForContacts(tx, payer, { jobId, ...contacts });
}

/**
 * Reserves for look-ups only. Locks the pool before the allowance, as every settlement does.
 * @throws as `reserveForRecords`
 */
export async function reserveForContacts(
  tx: Queryable,
  payer: Omit<Payer, 'claim'>,
  { jobId, credits, attempts, allowance }: { jobId: string } & ReservedLookups,
): Promise<void> {
  throwIfAboveMax(credits, payer.maxCredits);
  await reserveCredits(tx, payer, { jobId, subject: 'contacts', credits });
  const [held] = await tx.query<{ fits: boolean; used: number }>('select fits, used from hold_attempts($1, $2, $3, $4, $5)', [
    ...[payer.teamId, allowance.period === 'lifetime', allowance.limit, jobId, attempts],
  ]);
  if (!held?.fits) throw new NoAllowance(held?.used ?? 0);
}
