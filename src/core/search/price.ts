/** The price of a whole match set for a pool: exactly what walking every page bills if nothing changes meanwhile. */
import { grantOf } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import type { Unconfirmed } from '../domain/warnings.ts';
import type { HeldView } from '../ledger/heldNumbers.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { allOf, type Clause } from '../query/clauses.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import { countHeld, SENT_WHOLE_MAX } from './countHeld.ts';
import { heldNumbersClause } from './held.ts';
import type { Selection } from './select.ts';
import { countConfirming } from './unconfirmedFilters.ts';
import { countUnconfirmedLeft, type Withheld } from './withhold.ts';

export interface Pricing {
  store: ProjectStore;
  ledger: Ledger;
  holdings: HoldingStore;
}

/** The pool that would pay. */
type Payer = Pick<Principal, 'teamId' | 'plan' | 'monthlyCredits'>;

export interface Price {
  matchCount: number;
  matchCountIsExact: true;
  matchCountBasis: 'exact';
  /** matches that are new to the pool, or have changed since they were delivered */
  billableRecordCount: number;
  creditRate: number;
  creditsRequired: number;
  /** null when the balance cannot be read, on a plan whose records are free */
  creditsRemaining: number | null;
  affordability: { affordable: boolean; maxAffordableRecords: number };
}

export interface ContactsPrice {
  lookUps: number;
  credits: number;
  /** left of the plan's allowance; null for no limit */
  lookUpsRemaining: number | null;
}

/** The price of a match set with its contacts: it is affordable as far as both balances pay for it. */
export interface PriceWithContacts extends Price {
  contacts: { lookUps: number; creditsRequired: number; creditsRemaining: number | null };
}

/**
 * Prices a query's match set.
 * @throws ApiError `search_unavailable`; `service_unavailable` when the ledger of a metered plan cannot be read
 */
export async function priceMatches(
  { store, ledger, holdings }: Pricing,
  principal: Payer,
  query: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Price> {
  return (await priceWithUnconfirmed({ store, ledger, holdings }, principal, { query, selection: UNFILTERED }, signal)).price;
}

interface PricedSet {
  query: Record<string, unknown>;
  selection: Pick<Selection, 'filters' | 'context'>;
  withheld?: Withheld | null;
}

const UNFILTERED: Pick<Selection, 'filters' | 'context'> = { filters: {}, context: { roles: [], today: '' } };

/**
 * Prices a match set, and counts the matches that do not confirm their filters.
 * @param withheld what is left of it under `deliveryMode=new`, all of which is new
 * @throws ApiError as `priceMatches`
 */
export async function priceWithUnconfirmed(
  { store, ledger, holdings }: Pricing,
  principal: Payer,
  { query, selection, withheld }: PricedSet,
  signal?: AbortSignal,
): Promise<{ price: Price; unconfirmed: Unconfirmed | null }> {
  const creditRate = principal.plan.recordCredit;
  const count = (queries: Clause[]) => countConfirming(store, queries, selection, signal);
  if (creditRate === 0 || withheld) {
    const countLeft = async () => {
      if (withheld?.left === undefined) return count([withheld?.query ?? query]);
      return {
        counts: [withheld.left],
        unconfirmed: await countUnconfirmedLeft({ store, holdings }, { principal, signal }, query, selection),
      };
    };
    const [{ counts, unconfirmed }, creditsRemaining] = await Promise.all([countLeft(), readBalance(ledger, principal)]);
    return { price: computePrice({ matchCount: counts[0] ?? 0, unchangedCount: 0, creditRate, creditsRemaining }), unconfirmed };
  }
  const countFor = (held: HeldView) => countWithHeld(store, held, query, count, signal);
  const expected = holdings.guessRevisions(principal.teamId);
  const early = expected && expected.size <= SENT_WHOLE_MAX ? countFor(expected) : undefined;
  early?.catch(() => undefined); // awaited below, unless something else is held by now
  const { held, balance } = await holdings.revisionsAndBalance(principal.teamId, grantOf(principal));
  const { counts, heldCount, unconfirmed } = await (expected?.version === held.version ? (early ?? countFor(held)) : countFor(held));
  const [matchCount = 0] = counts;
  return { price: computePrice({ matchCount, unchangedCount: heldCount, creditRate, creditsRemaining: balance }), unconfirmed };
}

/** Counts the matches, and those that the pool holds unchanged. */
async function countWithHeld<T extends { counts: number[] }>(
  store: ProjectStore,
  held: HeldView,
  query: Clause,
  count: (queries: Clause[]) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T & { heldCount: number }> {
  if (held.size > SENT_WHOLE_MAX) return countHeld(store, held, { query, field: 'derived.revisionHash' }, count, signal);
  if (!held.size) return { ...(await count([query])), heldCount: 0 };
  const found = await count([query, allOf([query, heldNumbersClause('derived.revisionHash', held)])]);
  return { ...found, heldCount: found.counts[1] ?? 0 };
}

/**
 * The price of a match set: `creditRate` for each match that the pool does not hold unchanged. Pure.
 * @param unchangedCount matches whose current revision the pool holds; they are free
 * @param creditsRemaining null when the balance cannot be read
 */
export function computePrice({
  matchCount,
  unchangedCount,
  creditRate,
  creditsRemaining,
}: Pick<Price, 'matchCount' | 'creditRate' | 'creditsRemaining'> & { unchangedCount: number }): Price {
  const billableRecordCount = creditRate > 0 ? matchCount - unchangedCount : 0;
  const creditsRequired = billableRecordCount * creditRate;
  const maxAffordableRecords = affordableRecords(matchCount, creditsRequired, creditsRemaining);
  return {
    matchCount,
    matchCountIsExact: true,
    matchCountBasis: 'exact',
    billableRecordCount,
    creditRate,
    creditsRequired,
    creditsRemaining,
    affordability: { affordable: creditsRequired <= (creditsRemaining ?? 0), maxAffordableRecords },
  };
}

export function addContactsPrice(price: Price, contacts: ContactsPrice): PriceWithContacts {
  const { matchCount, creditsRemaining } = price;
  const { lookUps, credits } = contacts;
  const creditsRequired = price.creditsRequired + credits;
  const maxAffordableRecords = affordableRecords(matchCount, creditsRequired, creditsRemaining, contacts);
  return {
    ...price,
    affordability: { affordable: maxAffordableRecords === matchCount, maxAffordableRecords },
    contacts: { lookUps, creditsRequired: credits, creditsRemaining },
  };
}

/**
 * How many records credits and look-up allowance pay for together, counting free records first. Pure.
 * @param creditsRequired for all of them; at most 1 a record on every plan
 */
export function affordableRecords(
  records: number,
  creditsRequired: number,
  creditsRemaining: number | null,
  { lookUps, lookUpsRemaining }: Pick<ContactsPrice, 'lookUps' | 'lookUpsRemaining'> = NO_LOOK_UPS,
): number {
  const unpaid = creditsRequired - (creditsRemaining ?? 0);
  const beyondAllowance = lookUps - (lookUpsRemaining ?? lookUps);
  return Math.max(0, records - Math.max(0, unpaid, beyondAllowance));
}

const NO_LOOK_UPS = { lookUps: 0, lookUpsRemaining: null };

/** The balance; null if it cannot be read and records are free on the plan. */
async function readBalance(ledger: Ledger, principal: Payer): Promise<number | null> {
  try {
    return await ledger.balance({ teamId: principal.teamId, grant: grantOf(principal) });
  } catch (error) {
    if (principal.plan.recordCredit > 0 || !(error instanceof ApiError)) throw error;
    return null;
  }
}
