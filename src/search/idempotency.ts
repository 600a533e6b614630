import { createHash, randomUUID } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { CLAIM_LOST, type CommittedOutcome, type IdempotencyStore } from '../store/postgres/idempotency.ts';
import { sqlState } from '../store/postgres/pool.ts';
import type { Caller } from './caller.ts';

export interface Repeatable<T> {
  /** does the work; `caller.claim` has to be settled in the transaction that charges */
  run: (caller: Caller) => Promise<T>;
  /** answers from what was committed, without charge */
  replay: (outcome: CommittedOutcome) => Promise<T>;
}

/**
 * Runs a request once for its Idempotency-Key, and every time where it has none.
 * @param request everything that makes two requests the same, as text
 * @throws ApiError `idempotency_in_flight` with Retry-After, `idempotency_key_reuse`
 */
export async function once<T>(
  { idempotency }: { idempotency: IdempotencyStore },
  caller: Caller,
  request: string,
  { run, replay }: Repeatable<T>,
): Promise<T> {
  const { idempotencyKey, route } = caller;
  if (idempotencyKey === undefined) return run(caller);
  const { teamId } = caller.principal;
  const claim = { route, key: idempotencyKey, owner: randomUUID() };
  const answer = await idempotency.claim(teamId, claim, createHash('sha256').update(request).digest('hex'));
  if (answer.state === 'replay') return replay(answer.outcome);
  if (answer.state === 'in_flight') throw inFlight(answer.retryAfter);
  if (answer.state === 'reuse')
    throw new ApiError('idempotency_key_reuse', 'This Idempotency-Key was used for another request; use a new key', {
      param: 'Idempotency-Key',
    });
  try {
    return await run({ ...caller, claim });
  } catch (error) {
    await idempotency.release(teamId, claim).catch(() => undefined); // the lease frees it where Postgres cannot be reached
    throw sqlState(error) === CLAIM_LOST ? inFlight(1) : error;
  }
}

export const inFlight = (retryAfterSeconds: number) =>
  new ApiError('idempotency_in_flight', 'A request with this Idempotency-Key is being processed; repeat it shortly', {
    param: 'Idempotency-Key',
    headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
  });
