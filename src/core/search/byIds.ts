/**
 * Selections that name projects by ids and filter among them. Which of the ids match is content of their records. Where records cost credits,
 * such a selection is therefore priced, bounded and reserved by the ids alone, and counts only what the pool holds (src/docs/credits.md).
 */
import { throwIfAboveMax } from '../domain/credits.ts';
import { compileFilters } from '../filter/compile.ts';
import { type FilterName, type FilterValues, filterOf, namesIn } from '../filter/table.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import { allOf, type Clause } from '../query/clauses.ts';
import type { CountObserver } from '../store/callWatch.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { Actor } from './actor.ts';
import { exhaustedError, insufficientError, type QuoteBase } from './delivery.ts';
import { paidClause } from './held.ts';
import { type Price, type Pricing, priceWithUnconfirmed } from './price.ts';
import type { Selection } from './select.ts';
import { withholdDelivered } from './withhold.ts';

type ByIds = Pick<Selection, 'filters' | 'scope' | 'context' | 'query' | 'isNarrowed'>;

/** Whether a filter selects by what a record says. That a record is a government item is said without charge. */
function readsContent(name: FilterName, filters: FilterValues): boolean {
  const { must, mustNot, meaning, countedAlone } = filterOf(name);
  if (countedAlone || name === 'includeGovernmentDecisions' || !(must || mustNot)) return false;
  return !meaning || meaning(filters[name]) !== undefined;
}

/** The selection by which this one is priced: that of its ids alone if it filters among ids and its records cost credits, otherwise itself. */
export function pricedSelection<T extends ByIds>(selection: T, { recordCredit }: { recordCredit: number }): T {
  const { filters, scope, context, isNarrowed } = selection;
  const { projectIds, includeGovernmentDecisions } = filters;
  if (!recordCredit || !projectIds) return selection;
  if (!isNarrowed && !namesIn(filters).some((name) => readsContent(name, filters))) return selection;
  const ids = { projectIds, ...(includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions }) };
  return { ...selection, filters: ids, query: compileFilters(ids, scope, context) };
}

/** Whether the selection filters among ids of records that cost credits; if so, the request is reported as a count of a single record. */
export function noteByIds({ counted }: { counted?: CountObserver | undefined }, { principal }: Pick<Actor, 'principal'>, selection: ByIds) {
  const isByIds = pricedSelection(selection, principal.plan) !== selection;
  if (isByIds) counted?.(principal.teamId, 1);
  return isByIds;
}

/** The price of the ids alone, and how many of them `deliveryMode=new` leaves out. */
export interface IdsPrice extends Price {
  excluded: number;
}

/**
 * Prices the ids of a selection that filters among them.
 * @returns undefined for any other selection
 * @throws ApiError
 */
export async function priceIds(
  services: Pricing & { counted?: CountObserver | undefined },
  actor: Pick<Actor, 'principal' | 'signal'>,
  selection: Selection,
  deliveryMode: 'all' | 'new' = 'all',
): Promise<IdsPrice | undefined> {
  const { principal, signal } = actor;
  if (!noteByIds(services, actor, selection)) return undefined;
  const ids = pricedSelection(selection, principal.plan);
  const wanted = { query: ids.query, order: async () => [], max: 0 };
  const withheld = deliveryMode === 'new' ? await withholdDelivered(services, actor, wanted) : null;
  const { price } = await priceWithUnconfirmed(services, principal, { query: ids.query, selection: ids, withheld }, signal);
  return { ...price, excluded: withheld?.excluded ?? 0 };
}

/**
 * Refuses a page by ids that might cost more than the request allows or the balance pays for, whatever matches: which of both happened would
 * say whether a record matches. For the same reason the page of a trial is refused, where it is otherwise cut.
 * @param recordsMax most records that the request delivers
 * @throws ApiError `invalid_request`, `insufficient_credits` with its quote, `credits_exhausted`
 */
export function throwUnlessIdsPaid(
  { creditsRequired, creditsRemaining, creditRate }: IdsPrice,
  { maxCredits }: Pick<Actor, 'maxCredits'>,
  recordsMax: number,
  quote: QuoteBase,
): void {
  const cost = Math.min(creditsRequired, recordsMax * creditRate);
  const balance = creditsRemaining ?? 0;
  throwIfAboveMax(cost, maxCredits);
  if (cost <= balance) return;
  if (!balance) throw exhaustedError('answer', ' Records you hold unchanged stay free.');
  throw insufficientError({ cost, balance, affordable: Math.floor(balance / creditRate) }, quote, creditRate);
}

/** The ids of the matches that the pool has paid for in their current revision. @throws ApiError */
export async function readPaidIds(
  services: { holdings: HoldingStore; store: ProjectStore },
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { filters, query }: Pick<Selection, 'filters' | 'query'>,
): Promise<number[]> {
  const paid = await paidClause(services, principal, query, signal);
  return services.store.ids(allOf([query, paid]), filters.projectIds?.length ?? 0, signal);
}

/** Sorts records with these ids first. */
export const SORT_FIRST = { _score: 'desc' } as const;
export const preferIds = (query: Clause, ids: readonly number[]): Clause => ({
  bool: { filter: [query], should: [{ constant_score: { filter: { terms: { id: ids } } } }] },
});
