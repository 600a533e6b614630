/** Who has something done and why, and what the ledger notes of it: the same for a request and for a job. */
import { grantOf } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import type { Cause, Claim, Payer } from '../ledger/ledger.ts';

interface RequestCause {
  kind: 'request';
  requestId: string;
  /** method and path pattern */
  route: string;
  idempotencyKey?: string | undefined;
  /** the hold on the idempotency key, while the request runs */
  claim?: Claim;
}

interface JobActorCause {
  kind: 'job';
  jobId: string;
  /** which run of the job it is, from 1 */
  attempt: number;
}

export interface Actor {
  principal: Principal;
  cause: RequestCause | JobActorCause;
  /** what the request may cost at most; no bound without it, and none on a job, which has its reservation */
  maxCredits?: number | undefined;
  /** aborts at the deadline, and with `CLIENT_GONE` when the client of a request hangs up */
  signal?: AbortSignal;
}

export const CLIENT_GONE = new Error('The client hung up');

/** The hold on an idempotency key; a job has none. */
export const claimOf = ({ cause }: Pick<Actor, 'cause'>): Claim | undefined => (cause.kind === 'request' ? cause.claim : undefined);

/** What a row of the ledger says about its cause. */
function ledgerCauseOf({ principal: { keyId, userId }, cause }: Actor): Cause {
  if (cause.kind === 'job') return { keyId, userId, jobId: cause.jobId };
  const { requestId, route, idempotencyKey } = cause;
  return { requestId, route, keyId, userId, ...(idempotencyKey ? { idempotencyKey } : {}) };
}

/** @param keep what repeating the answer needs besides its records; committed with the charge where an idempotency key is held */
export function payerOf(actor: Actor, keep?: unknown): Payer {
  const claim = claimOf(actor);
  const { principal } = actor;
  return {
    teamId: principal.teamId,
    grant: grantOf(principal),
    cause: ledgerCauseOf(actor),
    claim: claim && keep !== undefined ? { ...claim, keep } : claim,
    maxCredits: actor.maxCredits,
  };
}

/** A client that went away before the commit is not charged. @throws ApiError `service_unavailable` */
export function throwIfClientGone({ signal }: Pick<Actor, 'signal'>): void {
  if (signal?.reason === CLIENT_GONE)
    throw new ApiError('service_unavailable', 'The client hung up before the delivery; nothing was charged.');
}
