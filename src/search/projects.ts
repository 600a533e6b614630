/** Searching, counting and reading projects: the path from a parsed request to billed, public records. */
import { ApiError } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { type Principal, scopeOf } from '../domain/principal.ts';
import type { Representation } from '../domain/project.ts';
import type { PublicRecord } from '../domain/representation.ts';
import { serviceToday } from '../domain/serviceClock.ts';
import { compileFilters } from '../filter/compile.ts';
import { SCAN_CEILING_RECORDS } from '../filter/controls.ts';
import type { RawParameters } from '../filter/parse.ts';
import { ROLES_OF } from '../filter/use.ts';
import { allOf, terms } from '../query/clauses.ts';
import { sortClauses } from '../query/sort.ts';
import type { HoldingStore } from '../store/holdings.ts';
import type { Ledger } from '../store/ledger.ts';
import type { ProjectPage, ProjectStore } from '../store/projects.ts';
import { deliver, type QuoteBase } from './delivery.ts';
import { evidencePaths, evidenceWarning, publicRecords, unconfirmedFilters } from './page.ts';
import { price } from './price.ts';
import { type Environment, parseCount, parseSearch, type Selection } from './request.ts';

export interface ProjectServices {
  store: ProjectStore;
  ledger: Ledger;
  holdings: HoldingStore;
  places: Places;
  publicUrl: string;
  now: () => Date;
}

/** Who asks, and what a charge is noted with. */
export interface Caller {
  principal: Principal;
  requestId: string;
  /** method and path pattern */
  route: string;
  signal?: AbortSignal;
}

export interface Answer<T> {
  data: T;
  meta: Record<string, unknown>;
}

const environment = ({ places, now }: ProjectServices): Environment => ({ places, today: serviceToday(now()) });

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

/** One page of `GET /projects/search`. @throws ApiError */
export async function searchProjects(services: ProjectServices, caller: Caller, raw: RawParameters): Promise<Answer<PublicRecord[]>> {
  const { principal, signal } = caller;
  const request = parseSearch(raw, principal, environment(services));
  const { selection, representation, limit, offset } = request;
  const capped = selection.filters.meetingDateTo !== undefined && selection.meetingCap < selection.context.today;
  const withheld = request.deliveryMode === 'new' ? await withhold(services, caller, selection.query) : null;
  const page = await services.store.page({
    query: withheld?.query ?? selection.query,
    sort: sortClauses(request.sort, capped ? selection.meetingCap : null),
    from: offset,
    size: limit,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: SCAN_CEILING_RECORDS,
    signal,
  });
  const delivery = await deliver(
    services,
    caller,
    page.hits.map((hit) => hit.project),
    quoteOf(services.publicUrl, selection, page),
  );
  const hits = page.hits.slice(0, delivery.deliveries.length);
  const end = offset + hits.length;
  return {
    data: publicRecords(hits, delivery, selection, { publicUrl: services.publicUrl, principal, representation }),
    meta: {
      representation,
      limit,
      offset,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      pageCount: hits.length,
      hasMore: end < page.total && end < SCAN_CEILING_RECORDS,
      total: end,
      matchCount: page.total,
      matchCountIsExact: page.totalIsExact,
      matchCountBasis: 'candidate_scan',
      delivery: { ...delivery.meta, mode: request.deliveryMode, ...(withheld ? { excludedPreviouslyDelivered: withheld.excluded } : {}) },
      ...(delivery.trialTruncation ? { trialTruncation: delivery.trialTruncation } : {}),
      warnings: [...request.warnings, ...evidenceWarning(unconfirmedFilters(hits, selection))],
      appliedDefaults: request.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** Exact size and price of a whole match set, free of charge and at any balance. @throws ApiError */
export async function countProjects(
  services: ProjectServices,
  { principal, signal }: Caller,
  raw: RawParameters,
): Promise<Answer<Record<string, unknown>>> {
  const selection = parseCount(raw, principal, environment(services));
  return {
    data: { ...(await price(services, principal, selection.query, signal)) },
    meta: {
      creditsUsed: 0,
      warnings: selection.warnings,
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** One record by its id, or by the id of a record that was merged into it. @throws ApiError `resource_not_found` */
export async function readProject(
  services: ProjectServices,
  caller: Caller,
  id: number,
  representation: Representation,
): Promise<Answer<PublicRecord>> {
  const { principal, signal } = caller;
  const { today } = environment(services);
  const context = { roles: ROLES_OF.primary_or_secondary, today };
  const filters = { projectIds: [id], includeGovernmentDecisions: true };
  const page = await services.store.page({
    query: compileFilters(filters, scopeOf(principal), context),
    sort: [{ id: 'desc' }],
    size: 1,
    representation,
    count: false,
    signal,
  });
  if (!page.hits.length) throw new ApiError('resource_not_found', `There is no project ${id}, or this key may not see it`, { param: 'id' });
  const delivery = await deliver(
    services,
    caller,
    page.hits.map((hit) => hit.project),
    { matchCount: 1, matchCountIsExact: true, countUrl: `${services.publicUrl}/v1/projects/count?projectIds=${id}` },
  );
  const selection = { filters: {}, roles: context.roles, meetingCap: today };
  const [record] = publicRecords(page.hits, delivery, selection, { publicUrl: services.publicUrl, principal, representation });
  return {
    data: record as PublicRecord,
    meta: {
      representation,
      creditsUsed: delivery.creditsUsed,
      creditsRemaining: delivery.creditsRemaining,
      delivery: delivery.meta,
      warnings: [],
    },
  };
}
