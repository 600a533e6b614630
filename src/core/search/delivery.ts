/** How a page was delivered, from what the ledger answered; the rules are in src/docs/credits.md. Pure. */
import { deliveryOf, UNKNOWN_DELIVERY } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import type { Delivery, FetchedProject } from '../domain/record/represent.ts';
import type { Holding } from '../ledger/holdings.ts';
import type { CommittedOutcome } from '../ledger/idempotencyStore.ts';
import type { PageOutcome } from '../ledger/pageOutcome.ts';

export interface PageDelivery {
  /** an entry for each delivered record; fewer than requested on a truncated trial page */
  deliveries: Delivery[];
  creditsUsed: number;
  /** null when the ledger cannot be read */
  creditsRemaining: number | null;
  trialTruncation?: { policy: 'trial_truncate'; requested: number; delivered: number; creditsRemaining: number };
  meta: {
    notPreviouslyExported: number;
    previouslyExported: number;
    updatedSinceExport: number;
    billed: number;
    notRebilled: number;
    ledgerApplied: boolean;
    /** of a repeated page: ids of records that changed since it was delivered and are left out, since the pool has not paid for that */
    changedSince?: number[];
  };
}

/** What a refusal says about the match set of the page. */
export interface QuoteBase {
  matchCount: number;
  matchCountIsExact: boolean;
  /** URL of the free count that prices exactly the page; null where it is a part of what a count prices */
  countUrl: string | null;
  /** first record of the page, on a route that takes an offset; the request is repeated from there with the affordable limit */
  offset?: number;
  /** what the request calls the number of its records, if not `limit` */
  limitName?: string;
}

/** A page, or the beginning of a page, that was delivered now. */
export function makeFirstDelivery(records: readonly FetchedProject[], outcome: PageOutcome): PageDelivery {
  let made: { at: number | undefined; delivery: Delivery } | undefined;
  const deliveries = records.slice(0, outcome.served).map(({ contentRevision }, i) => {
    const [revision = null, last, billed] = [outcome.knownRevisions[i], outcome.lastDeliveries[i], (outcome.costs[i] ?? 0) > 0];
    const at = last?.getTime();
    const isUnchanged = revision === contentRevision && !billed;
    if (isUnchanged && made && made.at === at) return made.delivery; // as of most records that were delivered together
    const delivery = deliveryOf({ revision, lastDelivered: last?.toISOString() ?? null }, contentRevision, billed);
    if (isUnchanged) made = { at, delivery };
    return delivery;
  });
  return {
    deliveries,
    creditsUsed: outcome.cost,
    creditsRemaining: outcome.balance,
    ...describeTruncation(records.length, outcome.served, outcome.balance),
    meta: summarizeDeliveries(deliveries, true),
  };
}

/** Records of a page that was delivered before, in their current version. @param changedSince ids of those that are left out */
export function makeRepeatedDelivery(
  records: readonly FetchedProject[],
  { ids, revisions = [], requested = ids.length, at }: CommittedOutcome,
  balance: number,
  changedSince: number[] = [],
): PageDelivery {
  const revisionOf = new Map(ids.map((id, i) => [id, revisions[i] ?? null]));
  const lastDelivered = new Date(at).toISOString();
  const deliveries = records.map(({ id, contentRevision }) =>
    deliveryOf({ revision: revisionOf.get(id) ?? null, lastDelivered }, contentRevision, false),
  );
  return {
    deliveries,
    creditsUsed: 0,
    creditsRemaining: balance,
    ...describeTruncation(requested, ids.length, balance),
    meta: { ...summarizeDeliveries(deliveries, true), ...(changedSince.length ? { changedSince } : {}) },
  };
}

/**
 * How the pool stands to a record that is written to a file, before the file is paid for.
 * @param rate credits for a new or changed record
 */
export function expectedDelivery(holding: Holding | undefined, { contentRevision }: FetchedProject, rate: number): Delivery {
  const { revision = null, lastAt, paid = false } = holding ?? {};
  return deliveryOf({ revision, lastDelivered: lastAt?.toISOString() ?? null }, contentRevision, rate > 0 && !paid);
}

/** A page of free records whose delivery could not be recorded. */
export function makeUnrecordedDelivery(count: number): PageDelivery {
  return {
    deliveries: Array.from({ length: count }, () => UNKNOWN_DELIVERY),
    creditsUsed: 0,
    creditsRemaining: null,
    meta: summarizeDeliveries([], false),
  };
}

/** Marks a trial's page that was cut to what its credits pay for. */
function describeTruncation(requested: number, deliveredCount: number, creditsRemaining: number): Pick<PageDelivery, 'trialTruncation'> {
  if (deliveredCount >= requested) return {};
  return { trialTruncation: { policy: 'trial_truncate', requested, delivered: deliveredCount, creditsRemaining } };
}

function summarizeDeliveries(deliveries: readonly Delivery[], ledgerApplied: boolean): PageDelivery['meta'] {
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

/** The summary of an answer that delivers no record. */
export const NO_DELIVERY = summarizeDeliveries([], true);

export const exhaustedError = (what: 'answer' | 'document', remedy = '') =>
  new ApiError('credits_exhausted', `No credits are left, and this ${what} would bill; nothing was delivered or charged.${remedy}`);

interface ReservationQuote extends Pick<QuoteBase, 'matchCount' | 'matchCountIsExact' | 'countUrl'> {
  creditRate: number;
  creditsRequired: number;
  affordableRecordCount: number;
}

/**
 * The refusal of a job whose reservation the balance does not cover. It has a quote only if the balance pays for something.
 * @param what such as 'The export costs'
 * @param remedy a sentence
 */
export function unreservedError(
  { outcome, balance }: { outcome: 'insufficient' | 'exhausted'; balance: number },
  what: string,
  remedy: string,
  { matchCount, matchCountIsExact, creditRate, creditsRequired, affordableRecordCount, countUrl }: ReservationQuote,
): ApiError {
  const message = `${what} ${creditsRequired} credits and ${balance} are left; nothing was queued or reserved. ${remedy}`;
  if (outcome === 'exhausted') return new ApiError('credits_exhausted', message);
  const asked = { matchCount, matchCountIsExact, creditRate, creditsRequired };
  return new ApiError('insufficient_credits', message, {
    details: { quote: { ...asked, creditsRemaining: balance, affordableRecordCount, countUrl } },
  });
}

/** The refusal of a page that the balance does not cover. @param creditRate credits a record */
export function insufficientError(
  { cost, balance, affordable }: Pick<PageOutcome, 'cost' | 'balance' | 'affordable'>,
  { matchCount, matchCountIsExact, countUrl, offset, limitName = 'limit' }: QuoteBase,
  creditRate: number,
): ApiError {
  const inPlace = offset === undefined ? '' : ` and offset=${offset}`;
  return new ApiError(
    'insufficient_credits',
    `The page costs ${cost} credits and ${balance} are left; nothing was delivered or charged. Repeat it with ${limitName}=${affordable}${inPlace}.`,
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
        [limitName]: affordable,
        ...(offset === undefined ? {} : { offset }),
      },
    },
  );
}
