import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../domain/canonicalJson.ts';
import { ApiError } from '../domain/errors.ts';
import { CLAIM_LOST, type CommittedOutcome, type IdempotencyStore } from '../ledger/idempotencyStore.ts';
import { type Queryable, sqlState } from '../store/postgres/pool.ts';
import { type Actor, claimOf } from './actor.ts';

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

/** Commits what a repetition needs, in the transaction that does the work; nothing for a request without a key. */
export type KeepForRepeat<K> = (tx: Queryable, kept: K) => Promise<void>;

/** A free request that is repeated from what its work kept: run once for its Idempotency-Key. @param sent of the request @throws as `runOnce` */
export function runFreeOnce<T, K>(
  { idempotency, now }: { idempotency: IdempotencyStore; now: () => Date },
  actor: Actor,
  sent: unknown,
  { run, replay }: { run: (keep: KeepForRepeat<K>) => Promise<T>; replay: (kept: K) => Promise<T> },
): Promise<T> {
  const { teamId, userId } = actor.principal;
  return runOnce({ idempotency }, actor, canonicalJson([userId, sent]), {
    run: (claiming) => run((tx, kept) => idempotency.keep(tx, teamId, claimOf(claiming), kept, { at: now() })),
    replay: ({ kept }) => replay(kept as K),
  });
}

/** The same where a repetition is answered with what was answered first. */
export const answerOnce = <K>(
  services: Parameters<typeof runFreeOnce>[0],
  actor: Actor,
  sent: unknown,
  run: (keep: KeepForRepeat<K>) => Promise<K>,
): Promise<K> => runFreeOnce<K, K>(services, actor, sent, { run, replay: async (kept) => kept });

export const keyInFlightError = (retryAfterSeconds: number) =>
  new ApiError('idempotency_in_flight', 'A request with this Idempotency-Key is being processed; repeat it shortly', {
    param: 'Idempotency-Key',
    headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
  });
