/**
 * The one path by which every record and document is charged: what the pool already holds, what is billed, what is left. The rules are in
 * src/docs/credits.md.
 */
import { ApiError } from '../domain/errors.ts';
import type { FetchedProject } from '../domain/record/represent.ts';
import { toServedItem } from '../domain/record/servedItem.ts';
import { CLAIM_LOST, type CommittedOutcome } from '../ledger/idempotencyStore.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PageOutcome } from '../ledger/pageOutcome.ts';
import { isUnreadable, sqlState } from '../store/postgres/pool.ts';
import { type Actor, claimOf, payerOf, throwIfClientGone } from './actor.ts';
import {
  exhaustedError,
  insufficientError,
  makeFirstDelivery,
  makeRepeatedDelivery,
  makeUnrecordedDelivery,
  type PageDelivery,
  type QuoteBase,
} from './delivery.ts';
import { keyInFlightError } from './idempotentRequests.ts';

export interface Billing {
  ledger: Pick<Ledger, 'deliverPage' | 'deliverDocument' | 'balance'>;
}

/**
 * An actor whose pool's standing is read during the search, which saves a round trip. Without one if the delivery settles an Idempotency-Key or
 * belongs to a job; if it cannot be read, it is undefined.
 * @param id of the record that the request is for; null for pages, and if more than its standing is needed
 */
export function withStanding({ ledger }: { ledger: Pick<Ledger, 'askStanding'> }, actor: Actor, id: number | null = null): Actor {
  if (actor.cause.kind === 'job' || actor.cause.idempotencyKey !== undefined) return actor;
  const standing = ledger.askStanding(payerOf(actor), id)?.catch(ignoreOutage);
  standing?.catch(() => {}); // awaited by the delivery, unless there is none
  return { ...actor, standing };
}

/** Turns an outage of the ledger into undefined; other errors are thrown again. */
function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof ApiError) && !isUnreadable(error)) throw error;
  return undefined;
}

/** Called only when a page is refused. */
export type QuoteOf = () => QuoteBase | Promise<QuoteBase>;

/**
 * Swallows an outage of the ledger for free records whose work is never repeated under the same cause. A lost claim means that the same
 * request runs elsewhere.
 */
function throwUnlessFree(error: unknown, actor: Actor): void {
  if (sqlState(error) === CLAIM_LOST) throw keyInFlightError(1);
  const isRepeated = actor.cause.kind === 'job' || claimOf(actor) !== undefined;
  if (actor.principal.plan.recordCredit > 0 || isRepeated || !(error instanceof ApiError)) throw error;
}

/**
 * Delivers a page to the actor's pool, whole or not at all; only a trial's page is cut to what its credits pay for.
 * @param keep data needed to repeat the answer, apart from its records
 * @throws ApiError `insufficient_credits` with its quote, `credits_exhausted`, `service_unavailable` when a metered page cannot be charged
 */
export async function deliverPage(
  { ledger }: Billing,
  actor: Actor,
  records: readonly FetchedProject[],
  quoteOf: QuoteOf,
  keep?: unknown,
): Promise<PageDelivery> {
  const { plan } = actor.principal;
  const items = records.map(toServedItem);
  await actor.admitted;
  throwIfClientGone(actor);
  let outcome: PageOutcome;
  try {
    const terms = { rate: plan.recordCredit, truncate: plan.shortfall === 'truncate' };
    outcome = await ledger.deliverPage(payerOf(actor, keep), items, terms);
  } catch (error) {
    throwUnlessFree(error, actor);
    return makeUnrecordedDelivery(records.length);
  }
  if (outcome.outcome === 'exhausted') throw exhaustedError('answer', ' Records you hold unchanged stay free.');
  if (outcome.outcome === 'insufficient') throw insufficientError(outcome, await quoteOf(), plan.recordCredit);
  return makeFirstDelivery(records, outcome);
}

/**
 * The delivery of records that were delivered before under the same idempotency key: nothing is charged or written.
 * @param changedSince ids of the delivered records that are left out
 */
export async function repeatDelivery(
  { ledger }: Billing,
  actor: Actor,
  records: readonly FetchedProject[],
  outcome: CommittedOutcome,
  changedSince: number[] = [],
): Promise<PageDelivery> {
  return makeRepeatedDelivery(records, outcome, await ledger.balance(payerOf(actor)), changedSince);
}

/**
 * Charges a document the first time it is delivered to the pool.
 * @throws ApiError `credits_exhausted`, `service_unavailable`
 */
export async function deliverDocument(
  { ledger }: Billing,
  actor: Actor,
  documentId: number,
): Promise<{ creditsUsed: number; creditsRemaining: number | null }> {
  const { plan } = actor.principal;
  await actor.admitted;
  throwIfClientGone(actor);
  try {
    const { outcome, cost, balance } = await ledger.deliverDocument(payerOf(actor), documentId, plan.recordCredit);
    if (outcome === 'delivered') return { creditsUsed: cost, creditsRemaining: balance };
  } catch (error) {
    throwUnlessFree(error, actor);
    return { creditsUsed: 0, creditsRemaining: null };
  }
  throw exhaustedError('document');
}

/** The balance, for an answer that charges nothing. */
export async function readBalance({ ledger }: Billing, actor: Actor): Promise<{ creditsUsed: number; creditsRemaining: number }> {
  return { creditsUsed: 0, creditsRemaining: await ledger.balance(payerOf(actor)) };
}
