/**
 * The one path through which every served record passes on its way to a client: what the pool holds already, what is billed, what is left
 * (specification "Billing rules").
 */
import { deliveryOf, grantOf, UNKNOWN_DELIVERY } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import type { Delivery, FetchedProject } from '../domain/record/represent.ts';
import { revisionHash } from '../domain/record/revision.ts';
import { CLAIM_LOST, type CommittedOutcome } from '../store/postgres/idempotency.ts';
import type { Ledger, PageOutcome, Payer } from '../store/postgres/ledger.ts';
import { sqlState } from '../store/postgres/pool.ts';
import { type Caller, CLIENT_GONE } from './caller.ts';
import { inFlight } from './idempotency.ts';

export interface Billing {
  ledger: Ledger;
}

/** What a refusal says about the match set that the page belongs to. */
export interface QuoteBase {
  matchCount: number;
  matchCountIsExact: boolean;
  /** where the free count of the same set is */
  countUrl: string;
  /** where the page begins, on a route that takes it; sent again with the affordable limit it stays in place */
  offset?: number;
}

/** Looked up only when a page is refused. */
export type QuoteOf = () => QuoteBase | Promise<QuoteBase>;

export interface PageDelivery {
  /** one entry a delivered record; a truncated trial page has fewer than were asked for */
  deliveries: Delivery[];
  creditsUsed: number;
  /** null when the ledger could not be read */
  creditsRemaining: number | null;
  trialTruncation?: { policy: 'trial_truncate'; requested: number; delivered: number; creditsRemaining: number };
  meta: {
    notPreviouslyExported: number;
    previouslyExported: number;
    updatedSinceExport: number;
    billed: number;
    notRebilled: number;
    ledgerApplied: boolean;
  };
}

function payerOf({ principal, requestId, route, idempotencyKey, claim }: Caller): Payer {
  const { teamId, keyId, userId } = principal;
  const cause = { requestId, route, keyId, userId, ...(idempotencyKey ? { idempotencyKey } : {}) };
  return { teamId, grant: grantOf(principal), cause, claim };
}

/** A client that went away before the commit is not charged. */
function refuseForNobody({ signal }: Caller): void {
  if (signal?.reason === CLIENT_GONE)
    throw new ApiError('service_unavailable', 'The client hung up before the delivery; nothing was charged.');
}

/** An outage of the ledger is let through where records cost nothing; a lost claim means that the same request runs elsewhere. */
function mustRefuse(error: unknown, caller: Caller): boolean {
  if (sqlState(error) === CLAIM_LOST) throw inFlight(1);
  return caller.principal.plan.recordCredit > 0 || caller.claim !== undefined || !(error instanceof ApiError);
}

/**
 * Delivers a page to the caller's pool, whole or not at all; only a trial's page is cut to what its credits pay for.
 * @throws ApiError `insufficient_credits` with its quote, `credits_exhausted`, `service_unavailable` when a metered page cannot be charged
 */
export async function deliver(
  { ledger }: Billing,
  caller: Caller,
  records: readonly FetchedProject[],
  quoteOf: QuoteOf,
): Promise<PageDelivery> {
  const { plan } = caller.principal;
  const items = records.map(({ id, contentRevision }) => ({
    id,
    revision: contentRevision,
    revisionHash: revisionHash(id, contentRevision),
  }));
  refuseForNobody(caller);
  let outcome: PageOutcome;
  try {
    const terms = { rate: plan.recordCredit, truncate: plan.shortfall === 'truncate' };
    outcome = await ledger.deliverPage(payerOf(caller), items, terms);
  } catch (error) {
    if (mustRefuse(error, caller)) throw error;
    return withoutLedger(records.length);
  }
  if (outcome.outcome !== 'delivered') throw await refusal(outcome, quoteOf, plan.recordCredit);
  return delivered(records, outcome);
}

/** Records of a page that was delivered before under the same idempotency key: nothing is charged or written. */
export async function redeliver(
  { ledger }: Billing,
  caller: Caller,
  records: readonly FetchedProject[],
  { ids, revisions = [], requested = ids.length, at }: CommittedOutcome,
): Promise<PageDelivery> {
  const revisionOf = new Map(ids.map((id, i) => [id, revisions[i] ?? null]));
  const deliveries = records.map(({ id, contentRevision }) =>
    deliveryOf({ revision: revisionOf.get(id) ?? null, lastDelivered: new Date(at).toISOString() }, contentRevision, false),
  );
  const balance = await ledger.balance(payerOf(caller));
  const truncation = truncationOf(requested, ids.length, balance);
  return { deliveries, creditsUsed: 0, creditsRemaining: balance, ...truncation, meta: summary(deliveries, true) };
}

/** Records that cost nothing are served even when the delivery history cannot be read (decisions §6). */
function withoutLedger(count: number): PageDelivery {
  return {
    deliveries: Array.from({ length: count }, () => UNKNOWN_DELIVERY),
    creditsUsed: 0,
    creditsRemaining: null,
    meta: summary([], false),
  };
}

/** Flags a page that was cut to what a trial's credits pay for (specification "Billing rules" 7). */
function truncationOf(requested: number, deliveredCount: number, creditsRemaining: number): Pick<PageDelivery, 'trialTruncation'> {
  if (deliveredCount >= requested) return {};
  return { trialTruncation: { policy: 'trial_truncate', requested, delivered: deliveredCount, creditsRemaining } };
}

function delivered(records: readonly FetchedProject[], outcome: PageOutcome): PageDelivery {
  const deliveries = records.slice(0, outcome.served).map(({ contentRevision }, i) => {
    const lastDelivered = outcome.lastDeliveries[i]?.toISOString() ?? null;
    return deliveryOf({ revision: outcome.knownRevisions[i] ?? null, lastDelivered }, contentRevision, (outcome.costs[i] ?? 0) > 0);
  });
  return {
    deliveries,
    creditsUsed: outcome.cost,
    creditsRemaining: outcome.balance,
    ...truncationOf(records.length, outcome.served, outcome.balance),
    meta: summary(deliveries, true),
  };
}

function summary(deliveries: readonly Delivery[], ledgerApplied: boolean): PageDelivery['meta'] {
  const count = (test: (delivery: Delivery) => boolean) => deliveries.filter(test).length;
  return {
    notPreviouslyExported: count((d) => !d.alreadyExported),
    previouslyExported: count((d) => d.alreadyExported),
    updatedSinceExport: count((d) => d.updatedSinceExport === true),
    billed: count((d) => d.billed),
    notRebilled: count((d) => d.alreadyExported && !d.billed),
    ledgerApplied,
  };
}

async function refusal({ outcome, cost, balance, affordable }: PageOutcome, quoteOf: QuoteOf, creditRate: number): Promise<ApiError> {
  if (outcome === 'exhausted')
    return new ApiError(
      'credits_exhausted',
      'No credits are left, and this answer would bill; nothing was delivered or charged. Records you hold unchanged stay free.',
    );
  const { matchCount, matchCountIsExact, countUrl, offset } = await quoteOf();
  const inPlace = offset === undefined ? '' : ` and offset=${offset}`;
  return new ApiError(
    'insufficient_credits',
    `The page costs ${cost} credits and ${balance} are left; nothing was delivered or charged. Repeat it with limit=${affordable}${inPlace}.`,
    {
      details: {
        quote: {
          matchCount,
          matchCountIsExact,
          creditRate,
          creditsRequired: cost,
          creditsRemaining: balance,
          affordableRecordCount: affordable,
          countUrl,
        },
        limit: affordable,
        ...(offset === undefined ? {} : { offset }),
      },
    },
  );
}

/** Meters one document, once in the life of the pool. @throws ApiError `credits_exhausted`, `service_unavailable` */
export async function deliverDocument(
  { ledger }: Billing,
  caller: Caller,
  documentId: number,
): Promise<{ creditsUsed: number; creditsRemaining: number | null }> {
  const { plan } = caller.principal;
  refuseForNobody(caller);
  try {
    const { outcome, cost, balance } = await ledger.deliverDocument(payerOf(caller), documentId, plan.recordCredit);
    if (outcome === 'delivered') return { creditsUsed: cost, creditsRemaining: balance };
  } catch (error) {
    if (mustRefuse(error, caller)) throw error;
    return { creditsUsed: 0, creditsRemaining: null };
  }
  throw new ApiError('credits_exhausted', 'No credits are left, and this document would bill; nothing was delivered or charged.');
}

/** What is left when nothing is charged. */
export async function balanceOnly({ ledger }: Billing, caller: Caller): Promise<{ creditsUsed: number; creditsRemaining: number }> {
  return { creditsUsed: 0, creditsRemaining: await ledger.balance(payerOf(caller)) };
}
