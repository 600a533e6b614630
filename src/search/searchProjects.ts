/** One page of a search: from a parsed request to billed, public records. */
import type { PublicRecord } from '../domain/representation.ts';
import { SCAN_CEILING_RECORDS } from '../filter/controls.ts';
import type { RawParameters } from '../filter/parse.ts';
import { allOf, terms } from '../query/clauses.ts';
import { sortClauses } from '../query/sort.ts';
import type { CommittedOutcome } from '../store/idempotency.ts';
import type { ProjectHit, ProjectPage } from '../store/projects.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from './caller.ts';
import { deliver, type PageDelivery, type QuoteBase, redeliver } from './delivery.ts';
import { once } from './idempotency.ts';
import { evidencePaths, evidenceWarning, publicRecords, unconfirmedFilters } from './page.ts';
import { parseSearch, type SearchRequest, type Selection } from './request.ts';

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
  const page = await fetchPage(services, caller, request, withheld?.query ?? selection.query, { from: offset, size: limit });
  const delivery = await deliver(
    services,
    caller,
    page.hits.map((hit) => hit.project),
    quoteOf(services.publicUrl, selection, page),
  );
  const hits = page.hits.slice(0, delivery.deliveries.length);
  return answer(services, caller, request, { ...page, hits }, delivery, withheld ? { excludedPreviouslyDelivered: withheld.excluded } : {});
}

/** The records of a page that was committed before, as they are now, in the same order and without charge. */
async function replayedPage(
  services: ProjectServices,
  caller: Caller,
  request: SearchRequest,
  outcome: CommittedOutcome,
): Promise<Answer<PublicRecord[]>> {
  const query = allOf([{ bool: { filter: [terms('id', outcome.ids)] } }]);
  const page = await fetchPage(services, caller, request, query, { from: 0, size: Math.max(1, outcome.ids.length) });
  const place = new Map(outcome.ids.map((id, i) => [id, i]));
  const hits = [...page.hits].sort((a, b) => (place.get(a.project.id) ?? 0) - (place.get(b.project.id) ?? 0));
  const delivery = await redeliver(
    services,
    caller,
    hits.map((hit) => hit.project),
    outcome,
  );
  return answer(services, caller, request, { ...page, hits }, delivery, {});
}

function fetchPage(
  { store }: ProjectServices,
  { signal }: Caller,
  { selection, sort, representation }: SearchRequest,
  query: Record<string, unknown>,
  window: { from: number; size: number },
): Promise<ProjectPage> {
  const capped = selection.meetingCap < selection.context.today;
  return store.page({
    query,
    sort: sortClauses(sort, capped ? selection.meetingCap : null),
    ...window,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: SCAN_CEILING_RECORDS,
    signal,
  });
}

function answer(
  { publicUrl }: ProjectServices,
  { principal }: Caller,
  request: SearchRequest,
  page: { hits: readonly ProjectHit[]; total: number; totalIsExact: boolean },
  delivery: PageDelivery,
  excluded: { excludedPreviouslyDelivered?: number },
): Answer<PublicRecord[]> {
  const { selection, representation, limit, offset } = request;
  const end = offset + page.hits.length;
  return {
    data: publicRecords(page.hits, delivery, selection, { publicUrl, principal, representation }),
    meta: {
      representation,
      limit,
      offset,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      pageCount: page.hits.length,
      hasMore: end < page.total && end < SCAN_CEILING_RECORDS,
      total: end,
      matchCount: page.total,
      matchCountIsExact: page.totalIsExact,
      matchCountBasis: 'candidate_scan',
      delivery: { ...delivery.meta, mode: request.deliveryMode, ...excluded },
      ...(delivery.trialTruncation ? { trialTruncation: delivery.trialTruncation } : {}),
      warnings: [...request.warnings, ...evidenceWarning(unconfirmedFilters(page.hits, selection))],
      appliedDefaults: request.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** `deliveryMode=new`: every record that the pool was ever delivered is left out, changed or not, and counted. */
async function withhold({ holdings, store }: ProjectServices, { principal, signal }: Caller, query: Record<string, unknown>) {
  const { ids } = await holdings.of(principal.teamId);
  if (!ids.length) return { query, excluded: 0 };
  const held = terms('id', ids);
  const [excluded = 0] = await store.counts([allOf([query, held])], signal);
  return { query: { bool: { filter: [query], must_not: [held] } }, excluded };
}

/** What a refused page is told about its match set; the link repeats the filters as they were understood. */
function quoteOf(publicUrl: string, { appliedFilters }: Selection, { total, totalIsExact }: ProjectPage): QuoteBase {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(appliedFilters))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return { matchCount: total, matchCountIsExact: totalIsExact, countUrl: `${publicUrl}/v1/projects/count?${query}` };
}
