/** One page of a search: from a parsed request to billed, public records. */
import type { ServedRecord } from '../domain/record/rendered.ts';
import type { Warning } from '../domain/warnings.ts';
import { SCAN_CEILING_RECORDS } from '../filter/controls.ts';
import type { CommittedOutcome } from '../ledger/idempotencyStore.ts';
import { sortClauses } from '../query/sort.ts';
import { untilAborted } from '../store/elastic/client.ts';
import type { ProjectPage } from '../store/elastic/projects.ts';
import type { Actor } from './actor.ts';
import { type IdsPrice, preferIds, pricedSelection, priceIds, readPaidIds, SORT_FIRST, throwUnlessIdsPaid } from './byIds.ts';
import { withStanding } from './charge.ts';
import { countParameters, countUrlOf, isCounted } from './countUrl.ts';
import type { QuoteBase } from './delivery.ts';
import { readGovernmentWarning, SEND_THE_FLAG } from './governmentWarning.ts';
import { runOnce } from './idempotentRequests.ts';
import type { SearchRequest } from './searchRequest.ts';
import { fetchDeliveredHits, type ServedPage, serveAgain, servePage } from './servePage.ts';
import type { OperationAnswer, ProjectServices } from './services.ts';
import { countSuggestions, type Suggestion } from './suggestions.ts';
import { evidencePaths } from './unconfirmedFilters.ts';
import { type Withheld, withholdDelivered } from './withhold.ts';

/** `GET /projects/search`, and the results of a list. @throws ApiError */
export function searchProjects(services: ProjectServices, actor: Actor, request: SearchRequest): Promise<OperationAnswer<ServedRecord[]>> {
  return runOnce(services, actor, request.same, {
    run: (claiming) => serveNewPage(services, withStanding(services, claiming), request),
    replay: (outcome) => serveReplayedPage(services, actor, request, outcome),
  });
}

async function serveNewPage(services: ProjectServices, actor: Actor, request: SearchRequest): Promise<OperationAnswer<ServedRecord[]>> {
  const { selection, representation, offset, limit, withContacts, withDerived } = request;
  const ids = await priceIds(services, actor, selection, request.deliveryMode);
  if (ids) throwUnlessIdsPaid(ids, actor, limit, makeQuote(services, request, ids, limit));
  const order = async () => sortClauses(request.sort, await readOrderCap(services, request, actor.signal));
  const withheld =
    request.deliveryMode === 'new' ? await withholdDelivered(services, actor, { query: selection.query, order, max: limit }) : null;
  const paid = ids || isPartOfIds(request, actor) ? await readPaidIds(services, actor, selection) : undefined;
  const [page, leftOut] = await Promise.all([
    fetchPage(services, actor, request, {
      withheld,
      order,
      first: isPartOfIds(request, actor) ? paid : undefined,
      from: offset,
      size: limit,
    }),
    readGovernmentWarning(services.store, selection, SEND_THE_FLAG, actor),
  ]);
  const quoteOf = () =>
    makeQuote(services, request, ids ?? { matchCount: page.total, matchCountIsExact: page.totalIsExact }, ids ? limit : page.hits.length);
  const served = await servePage(services, actor, {
    hits: page.hits,
    selection,
    representation,
    withContacts,
    withDerived,
    quoteOf,
    mayWithholdPeople: true,
  });
  if (ids) {
    const before = withheld ? 0 : (paid?.length ?? 0);
    return makeAnswer(request, served, {
      ...describeMatchesOfIds(ids, served, before),
      leftOut,
      excluded: countExcluded(withheld && ids, 0),
    });
  }
  const { total, totalIsExact } = page;
  const suggestions = total || withheld ? undefined : await countSuggestions(services, actor, selection);
  return makeAnswer(request, served, { total, totalIsExact, leftOut, excluded: countExcluded(withheld, 0), suggestions });
}

/**
 * Whether the page may show some of the ids of a selection and not others. Where records cost credits, those that are paid for then come
 * first: which of the others has its place before them would be said without charge.
 */
const isPartOfIds = ({ selection, offset, limit }: SearchRequest, { principal: { plan } }: Pick<Actor, 'principal'>) =>
  plan.recordCredit > 0 && selection.filters.projectIds !== undefined && (offset > 0 || limit < selection.filters.projectIds.length);

/** What a page by ids says of its matches: those that the pool holds after it. @param paid matches that it held before */
const describeMatchesOfIds = ({ matchCount: idsCount }: Pick<IdsPrice, 'matchCount'>, { records, delivery }: ServedPage, paid: number) => ({
  total: Math.max(paid + delivery.billed, records.length),
  totalIsExact: true,
  idsCount,
});

const countExcluded = (withheld: { excluded: number } | null, ofThisPage: number): MatchSet['excluded'] =>
  withheld ? { excludedPreviouslyDelivered: withheld.excluded - ofThisPage } : {};

/**
 * Repeats a committed page: its records in the same order, without charge. It includes the current size of the
 * match set, so that a client can continue from a repeated page.
 */
async function serveReplayedPage(
  services: ProjectServices,
  actor: Actor,
  request: SearchRequest,
  outcome: CommittedOutcome,
): Promise<OperationAnswer<ServedRecord[]>> {
  const { selection, representation, deliveryMode, withContacts, withDerived } = request;
  const counted = pricedSelection(selection, actor.principal.plan);
  const withheld =
    deliveryMode === 'new' ? await withholdDelivered(services, actor, { query: counted.query, order: async () => [], max: 0 }) : null;
  const [hits, [left = 0], leftOut] = await Promise.all([
    fetchDeliveredHits(services, actor, request, outcome.ids),
    withheld?.left === undefined ? services.store.counts([withheld?.query ?? counted.query], actor.signal) : [withheld.left],
    readGovernmentWarning(services.store, selection, SEND_THE_FLAG, actor),
  ]);
  const matches = withheld ? left + outcome.ids.length : left;
  const total = Math.min(matches, SCAN_CEILING_RECORDS);
  const served = await serveAgain(services, actor, { hits, selection, representation, withContacts, withDerived }, outcome);
  if (counted !== selection) {
    const paid = withheld ? [] : await readPaidIds(services, actor, selection);
    const matchesShown = describeMatchesOfIds({ matchCount: matches }, served, paid.length);
    return makeAnswer(request, served, { ...matchesShown, leftOut, excluded: countExcluded(withheld, outcome.ids.length) });
  }
  return makeAnswer(request, served, {
    total,
    totalIsExact: matches <= total,
    leftOut,
    excluded: countExcluded(withheld, outcome.ids.length),
  });
}

/** The meeting cap of the sort order; null when it equals the one with which records were written. */
export async function readOrderCap(
  { store, now }: Pick<ProjectServices, 'store' | 'now'>,
  { selection, sort }: Pick<SearchRequest, 'selection' | 'sort'>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { meetingCap, context } = selection;
  if (sort.field !== 'meetingDate') return null;
  return meetingCap < context.today || (await untilAborted(store.anyHearingHasPassed(context.today, now()), signal)) ? meetingCap : null;
}

interface PageWindow {
  withheld: Withheld | null;
  order: () => Promise<Record<string, unknown>[]>;
  /** ids of the records that come first, before the order */
  first: number[] | undefined;
  from: number;
  size: number;
}

async function fetchPage(
  { store }: ProjectServices,
  { signal }: Pick<Actor, 'signal'>,
  { selection, representation }: SearchRequest,
  { withheld, order, first, from, size }: PageWindow,
): Promise<ProjectPage> {
  const query = withheld?.query ?? selection.query;
  const page = await store.page({
    query: first ? preferIds(query, first) : query,
    sort: [...(first ? [SORT_FIRST] : []), ...(await order())],
    from,
    size,
    representation,
    toConfirm: evidencePaths(selection.filters),
    toShow: true,
    count: SCAN_CEILING_RECORDS,
    signal,
  });
  const left = withheld?.left;
  if (left === undefined) return page;
  return { ...page, total: Math.min(left, SCAN_CEILING_RECORDS), totalIsExact: left <= SCAN_CEILING_RECORDS };
}

interface MatchSet extends Pick<ProjectPage, 'total' | 'totalIsExact'> {
  /** for a selection that filters among ids of records that cost credits: how many ids there are, up to which its pages go */
  idsCount?: number;
  /** about records that were requested by id and left out */
  leftOut: readonly Warning[];
  /** under `deliveryMode=new`: number of matches that the pool held before this page */
  excluded: { excludedPreviouslyDelivered?: number };
  /** set when nothing matches */
  suggestions?: Suggestion[] | undefined;
}

function makeAnswer(
  { selection, representation, limit, offset, ...request }: SearchRequest,
  { records, creditsUsed, creditsRemaining, delivery, trialTruncation, warnings }: ServedPage,
  { total, totalIsExact, idsCount, leftOut, excluded, suggestions }: MatchSet,
): OperationAnswer<ServedRecord[]> {
  // Records of a repeated page that are left out have their place in it.
  const end = offset + records.length + (delivery.changedSince?.length ?? 0);
  const isFollowed = idsCount === undefined ? end < total : offset + limit < idsCount;
  return {
    data: records,
    meta: {
      representation,
      limit,
      offset,
      creditsUsed,
      creditsRemaining,
      pageCount: records.length,
      hasMore: isFollowed && end + limit <= SCAN_CEILING_RECORDS,
      total: end,
      matchCount: total,
      matchCountIsExact: totalIsExact,
      matchCountBasis: 'candidate_scan',
      delivery: { ...delivery, mode: request.deliveryMode, ...excluded },
      ...(trialTruncation ? { trialTruncation } : {}),
      ...(suggestions ? { suggestions } : {}),
      warnings: [...request.warnings, ...leftOut, ...warnings],
      appliedDefaults: request.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** What a refused page says about its match set, which a count prices as a whole. @param shown number of matches that the page has */
function makeQuote(
  { publicUrl }: ProjectServices,
  { selection, deliveryMode, offset, priceUrl }: SearchRequest,
  { matchCount, matchCountIsExact }: Pick<QuoteBase, 'matchCount' | 'matchCountIsExact'>,
  shown: number,
): QuoteBase {
  const isWhole = offset === 0 && matchCountIsExact && shown >= matchCount && isCounted(selection);
  const countUrl = isWhole ? (priceUrl ?? countUrlOf(publicUrl, countParameters(selection, deliveryMode))) : null;
  return { matchCount, matchCountIsExact, countUrl, offset };
}
