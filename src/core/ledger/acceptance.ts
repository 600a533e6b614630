/** What a job holds from its acceptance on, credits and look-ups of the contact allowance, and how it is refused where there are too few. */
import { throwIfAboveMax } from '../domain/credits.ts';
import type { EnrichmentAllowance } from '../domain/plans.ts';
import type { Queryable } from '../store/postgres/pool.ts';
import type { Payer } from './ledger.ts';
import { CannotReserve, reserve } from './reservations.ts';

/** Nothing was queued or held. */
export type RefusedAcceptance = { outcome: 'insufficient' | 'exhausted'; balance: number } | { outcome: 'no_allowance'; used: number };

/** The allowance does not do; thrown inside the transaction of acceptance, which it rolls back. */
class NoAllowance extends Error {
  /** look-ups that count already */
  readonly used: number;

  constructor(used: number) {
    super(`${used} look-ups are used of the allowance`);
    this.used = used;
  }
}

/** Why the transaction of an acceptance was rolled back. @throws the error where it is no refusal */
export function refusedAcceptance(error: unknown): RefusedAcceptance {
  if (error instanceof NoAllowance) return { outcome: 'no_allowance', used: error.used };
  if (error instanceof CannotReserve) return { outcome: error.outcome, balance: error.balance };
  throw error;
}

/** Look-ups that a job may make, and what they may cost. */
export interface HeldContacts {
  credits: number;
  attempts: number;
  allowance: EnrichmentAllowance;
}

/**
 * Holds what a job delivers at most, in the transaction that queues it.
 * @throws an error that `refusedAcceptance` reads; ApiError `invalid_request` where it is more than the payer allows
 */
export async function holdRecords(
  tx: Queryable,
  payer: Omit<Payer, 'claim'>,
  { jobId, credits, contacts }: { jobId: string; credits: number; contacts?: HeldContacts | undefined },
): Promise<void> {
  throwIfAboveMax(credits + (contacts?.credits ?? 0), payer.maxCredits);
  await reserve(tx, payer, { jobId, subject: 'records', credits });
  if (contacts) await holdContacts(tx, payer, { jobId, ...contacts });
}

/** The same of look-ups alone. The pool is locked before the allowance, as in every settlement. */
export async function holdContacts(
  tx: Queryable,
  payer: Omit<Payer, 'claim'>,
  { jobId, credits, attempts, allowance }: { jobId: string } & HeldContacts,
): Promise<void> {
  throwIfAboveMax(credits, payer.maxCredits);
  await reserve(tx, payer, { jobId, subject: 'contacts', credits });
  const [held] = await tx.query<{ fits: boolean; used: number }>('select fits, used from hold_attempts($1, $2, $3, $4, $5)', [
    ...[payer.teamId, allowance.period === 'lifetime', allowance.limit, jobId, attempts],
  ]);
  if (!held?.fits) throw new NoAllowance(held?.used ?? 0);
}
