import { createHash, randomUUID } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { CLAIM_LOST, type CommittedOutcome, type IdempotencyStore } from '../ledger/idempotency.ts';
import { sqlState } from '../store/postgres/pool.ts';
import type { Actor } from './actor.ts';

interface Repeatable<T> {
  /** does the work; the claim of the actor's cause has to be settled in the transaction that charges */
  run: (actor: Actor) => Promise<T>;
  /** repeats the answer from the committed outcome, without charge */
  replay: (outcome: CommittedOutcome) => Promise<T>;
}

/**
 * Runs a request once for its Idempotency-Key, and every time without one. A job has no key: records that it delivered in an earlier
 * attempt are not billed again.
 * @param request text that is equal for equal requests
 * @throws ApiError `idempotency_in_flight` with Retry-After, `idempotency_key_reuse`
 */
export async function runOnce<T>(
  { idempotency }: { idempotency: IdempotencyStore },
  actor: Actor,
  request: string,
  { run, replay }: Repeatable<T>,
): Promise<T> {
  const { cause } = actor;
  if (cause.kind === 'job' || cause.idempotencyKey === undefined) return run(actor);
  const { teamId } = actor.principal;
  const claim = { route: cause.route, key: cause.idempotencyKey, owner: randomUUID() };
  const answer = await idempotency.claim(teamId, claim, createHash('sha256').update(request).digest('hex'));
  if (answer.state === 'replay') return replay(answer.outcome);
  if (answer.state === 'in_flight') throw keyInFlightError(answer.retryAfter);
  if (answer.state === 'reuse')
    throw new ApiError('idempotency_key_reuse', 'This Idempotency-Key was used for another request; use a new key', {
      param: 'Idempotency-Key',
    });
  try {
    return await run({ ...actor, cause: { ...cause, claim } });
  } catch (error) {
    await idempotency.release(teamId, claim).catch(() => undefined); // if Postgres cannot be reached, the claim ends with its lease
    throw sqlState(error) === CLAIM_LOST ? keyInFlightError(1) : error;
  }
}

export const keyInFlightError = (retryAfterSeconds: number) =>
  new ApiError('idempotency_in_flight', 'A request with this Idempotency-Key is being processed; repeat it shortly', {
    param: 'Idempotency-Key',
    headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
  });
