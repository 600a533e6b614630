/** One page of a search: from a parsed request to billed, public records. */
import type { PublicRecord } from '../../domain/record/represent.ts';
import { SCAN_CEILING_RECORDS } from '../../filter/controls.ts';
import type { RawParameters } from '../../filter/parse.ts';
import type { Warning } from '../../filter/resolve.ts';
import { sortClauses } from '../../query/sort.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from '../../search/caller.ts';
import { countedBy, countUrlOf } from '../../search/countUrl.ts';
import { deliver, type PageDelivery, type QuoteBase, redeliver } from '../../search/delivery.ts';
import { governmentWarning, SEND_THE_FLAG } from '../../search/governmentWarning.ts';
import { once } from '../../search/idempotency.ts';
import {
  deliveredRecords,
  evidencePaths,
  evidenceWarning,
  meanwhile,
  publicRecords,
  unconfirmedFilters,
  viewOf,
} from '../../search/page.ts';
import { recordsAgain } from '../../search/replay.ts';
import { parseSearch, type SearchRequest } from '../../search/request.ts';
import { untilAborted } from '../../store/elastic/client.ts';
import type { ProjectPage } from '../../store/elastic/projects.ts';
import type { CommittedOutcome } from '../../store/postgres/idempotency.ts';
import { withhold } from './withhold.ts';

/** `GET /projects/search`. @throws ApiError */
export async function searchProjects(services: ProjectServices, caller: Caller, raw: RawParameters): Promise<Answer<PublicRecord[]>> {
  const request = parseSearch(raw, caller.principal, environmentOf(services));
  return once(services, caller, JSON.stringify([...raw].sort()), {
    run: (claimed) => newPage(services, claimed, request),
    replay: (outcome) => replayedPage(services, caller, request, outcome),
  });
}

async function newPage(services: ProjectServices, caller: Caller, request: SearchRequest): Promise<Answer<PublicRecord[]>> {
  const { selection, offset, limit } = request;
  const withheld = request.deliveryMode === 'new' ? await withhold(services, caller, selection.query) : null;
  const query = withheld?.query ?? selection.query;
  const [page, leftOut] = await Promise.all([
    fetchPage(services, caller, request, query, { from: offset, size: limit }),
    governmentWarning(services.store, selection, SEND_THE_FLAG, caller.signal),
  ]);
  const [delivery, records] = await Promise.all([
    deliver(
      services,
      caller,
      page.hits.map((hit) => hit.project),
      () => quoteOf(services, caller, request, { query, page }),
    ),
    meanwhile(() => publicRecords(page.hits, selection, viewOf(services, caller, request))),
  ]);
  return answer(request, { ...page, records, leftOut }, delivery, excludedOf(withheld, 0));
}

const excludedOf = (withheld: { excluded: number } | null, ofThisPage: number) =>
  withheld ? { excludedPreviouslyDelivered: withheld.excluded - ofThisPage } : {};

/**
 * The records of a page that was committed before, as they are now, in the same order and without charge, with the size that their match
 * set has now, so that the walk goes on from a repeated page as from the first.
 */
async function replayedPage(
  services: ProjectServices,
  caller: Caller,
  request: SearchRequest,
  outcome: CommittedOutcome,
): Promise<Answer<PublicRecord[]>> {
  const { selection, deliveryMode } = request;
  const withheld = deliveryMode === 'new' ? await withhold(services, caller, selection.query) : null;
  const [hits, [left = 0], leftOut] = await Promise.all([
    recordsAgain(services, caller, request, outcome.ids),
    services.store.counts([withheld?.query ?? selection.query], caller.signal),
    governmentWarning(services.store, selection, SEND_THE_FLAG, caller.signal),
  ]);
  const matches = withheld ? left + outcome.ids.length : left;
  const total = Math.min(matches, SCAN_CEILING_RECORDS);
  const delivery = await redeliver(
    services,
    caller,
    hits.map((hit) => hit.project),
    outcome,
  );
  const records = publicRecords(hits, selection, viewOf(services, caller, request));
  const found = { hits, records, total, totalIsExact: matches <= total, leftOut };
  return answer(request, found, delivery, excludedOf(withheld, outcome.ids.length));
}

/** The latest meeting day of the order, where it is not what the records were written with. */
async function orderCap(
  { store, now }: ProjectServices,
  { selection, sort }: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { meetingCap, context } = selection;
  if (sort.field !== 'meetingDate') return null;
  return meetingCap < context.today || (await untilAborted(store.anyHearingHasCome(context.today, now()), signal)) ? meetingCap : null;
}

async function fetchPage(
  services: ProjectServices,
  { signal }: Caller,
  request: SearchRequest,
  query: Record<string, unknown>,
  window: { from: number; size: number },
): Promise<ProjectPage> {
  const { selection, sort, representation } = request;
  return services.store.page({
    query,
    sort: sortClauses(sort, await orderCap(services, request, signal)),
    ...window,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: SCAN_CEILING_RECORDS,
    signal,
  });
}

interface FoundPage extends ProjectPage {
  records: readonly PublicRecord[];
  /** tells of records that were asked for by id and left out */
  leftOut: readonly Warning[];
}

function answer(
  request: SearchRequest,
  page: FoundPage,
  delivery: PageDelivery,
  excluded: { excludedPreviouslyDelivered?: number },
): Answer<PublicRecord[]> {
  const { selection, representation, limit, offset } = request;
  const hits = page.hits.slice(0, delivery.deliveries.length);
  const end = offset + hits.length;
  return {
    data: deliveredRecords(page.records, delivery.deliveries),
    meta: {
      representation,
      limit,
      offset,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      pageCount: hits.length,
      hasMore: end < page.total && end + limit <= SCAN_CEILING_RECORDS,
      total: offset + hits.length,
      matchCount: page.total,
      matchCountIsExact: page.totalIsExact,
      matchCountBasis: 'candidate_scan',
      delivery: { ...delivery.meta, mode: request.deliveryMode, ...excluded },
      ...(delivery.trialTruncation ? { trialTruncation: delivery.trialTruncation } : {}),
      warnings: [...request.warnings, ...page.leftOut, ...evidenceWarning(unconfirmedFilters(hits, selection))],
      appliedDefaults: request.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** What a refused page is told about its match set. */
async function quoteOf(
  { store, publicUrl }: ProjectServices,
  { signal }: Caller,
  { selection, deliveryMode, offset }: SearchRequest,
  { query, page }: { query: Record<string, unknown>; page: ProjectPage },
): Promise<QuoteBase> {
  const countUrl = countUrlOf(publicUrl, await countedBy(store, selection, { query, deliveryMode, signal }));
  return { matchCount: page.total, matchCountIsExact: page.totalIsExact, countUrl, offset };
}
