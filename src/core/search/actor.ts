/** Who asks for work and why, and what the ledger records about it: the same for a request and for a job. */
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
  /** the claim on the idempotency key, while the request runs */
  claim?: Claim;
}

interface JobActorCause {
  kind: 'job';
  jobId: string;
  /** number of the attempt, from 1 */
  attempt: number;
}

export interface Actor {
  principal: Principal;
  cause: RequestCause | JobActorCause;
  /** most credits that the request may cost; undefined for no bound, and for a job, which has its reservation */
  maxCredits?: number | undefined;
  /** settles when the rate limit admits or refuses the request, if it may still be open; before that, nothing may be charged or written */
  admitted?: Promise<void> | undefined;
  /** as of `Payer` */
  standing?: Payer['standing'];
  /** aborts at the deadline, and with `CLIENT_GONE` when the client of a request disconnects */
  signal?: AbortSignal;
}

export const CLIENT_GONE = new Error('The client hung up');

/** The claim on an idempotency key; undefined for a job. */
export const claimOf = ({ cause }: Pick<Actor, 'cause'>): Claim | undefined => (cause.kind === 'request' ? cause.claim : undefined);

function makeLedgerCause({ principal: { keyId, userId }, cause }: Actor): Cause {
  if (cause.kind === 'job') return { keyId, userId, jobId: cause.jobId };
  const { requestId, route, idempotencyKey } = cause;
  return { requestId, route, keyId, userId, ...(idempotencyKey ? { idempotencyKey } : {}) };
}

/**
 * The payer of a charge.
 * @param keep data needed to repeat the answer, apart from its records; committed with the charge when an idempotency key is claimed
 */
export function payerOf(actor: Actor, keep?: unknown): Payer {
  const claim = claimOf(actor);
  const { principal } = actor;
  return {
    teamId: principal.teamId,
    grant: grantOf(principal),
    cause: makeLedgerCause(actor),
    claim: claim && keep !== undefined ? { ...claim, keep } : claim,
    maxCredits: actor.maxCredits,
    standing: actor.standing,
  };
}

/** Throws when the client has disconnected, so that nothing is charged. @throws ApiError `service_unavailable` */
export function throwIfClientGone({ signal }: Pick<Actor, 'signal'>): void {
  if (signal?.reason === CLIENT_GONE)
    throw new ApiError('service_unavailable', 'The client hung up before the delivery; nothing was charged.');
}
