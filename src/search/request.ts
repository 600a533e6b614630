/** From a request's parameters to what is searched: parse, resolve, check the licence. Pure but for its arguments. */

import { requireEntitled } from '../domain/entitlement.ts';
import { ApiError } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { type Principal, type Scope, scopeOf } from '../domain/principal.ts';
import type { Representation } from '../domain/project.ts';
import { compileFilters } from '../filter/compile.ts';
import {
  type ControlName,
  type ControlValues,
  type Direction,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  SCAN_CEILING_RECORDS,
  SORTS,
  type SortField,
} from '../filter/controls.ts';
import type { CompileContext } from '../filter/entry.ts';
import { CANONICAL, parseParameters, type RawParameters } from '../filter/parse.ts';
import { type Resolved, resolveFilters, type Warning } from '../filter/resolve.ts';

/** Filters that are ready to run for one principal. */
export interface Selection extends Resolved {
  query: Record<string, unknown>;
  scope: Scope;
  context: CompileContext;
  /** latest meeting day that may be served: today, or an earlier `meetingDateTo` */
  meetingCap: string;
}

export interface Environment {
  places: Places;
  /** today by the service clock */
  today: string;
}

/** Throws an ApiError where parameters contradict each other. */
type Check = () => unknown;

/** The result of `main`. Throws what the first that fails throws, with the problems of all. */
function together<T>(main: () => T, checks: readonly Check[]): T {
  const errors: ApiError[] = [];
  const tried = <R>(work: () => R): R | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const result = tried(main);
  for (const check of checks) tried(check);
  const [first] = errors;
  if (!first) return result as T;
  if (errors.length === 1) throw first;
  const problems = errors.map(({ param, code, message }) => ({ param, code, message }));
  throw new ApiError(first.code, first.message, { param: first.param ?? '', details: { ...first.details, problems } });
}

/**
 * @param checks of the controls, told together with contradictions of the filters
 * @throws ApiError for every unusable parameter, and `geographic_access_denied`
 */
export function select(
  raw: RawParameters,
  controls: readonly ControlName[],
  principal: Principal,
  { places, today }: Environment,
  checks: (controls: ControlValues) => Check[] = () => [],
): { selection: Selection; controls: ControlValues } {
  const parsed = parseParameters(raw, controls, places);
  const { states, counties, cities } = parsed.filters;
  requireEntitled(
    principal,
    { ...(states ? { stateIds: states } : {}), ...(counties ? { countyIds: counties } : {}), ...(cities ? { cityIds: cities } : {}) },
    places,
  );
  const resolved = together(() => resolveFilters(parsed.filters), checks(parsed.controls));
  const scope = scopeOf(principal);
  const context = { roles: resolved.roles, today };
  const to = resolved.filters.meetingDateTo?.lastDay;
  return {
    selection: {
      ...resolved,
      scope,
      context,
      query: compileFilters(resolved.filters, scope, context),
      meetingCap: to !== undefined && to < today ? to : today,
    },
    controls: parsed.controls,
  };
}

export interface SearchRequest {
  selection: Selection;
  representation: Representation;
  sort: { field: SortField; direction: Direction };
  limit: number;
  offset: number;
  deliveryMode: 'all' | 'new';
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
}

const SEARCH_CONTROLS: readonly ControlName[] = [
  'sort',
  'order',
  'limit',
  'offset',
  'page',
  'representation',
  'format',
  'maxCredits',
  'include',
  'contactOptions',
  'deliveryMode',
];

const refuse = (param: string, message: string, details?: Record<string, unknown>) =>
  new ApiError('invalid_request', message, { param, ...(details ? { details } : {}) });

function orderOf({ sort = 'meetingDate', order }: ControlValues): SearchRequest['sort'] {
  const { field, direction } = SORTS[sort] ?? { field: 'meetingDate' as const };
  if (direction && order && direction !== order)
    throw refuse('order', `order=${order} contradicts sort=${sort}, which means ${direction}; send one of the two`);
  return { field, direction: direction ?? order ?? 'desc' };
}

function limitWarning({ limit = LIMIT_DEFAULT }: ControlValues): Warning[] {
  if (limit <= LIMIT_MAX) return [];
  return [
    {
      code: 'limit_clamped_to_page_size',
      message: `limit ${limit} is above the largest page; ${LIMIT_MAX} applies`,
      params: { requested: limit, applied: LIMIT_MAX },
    },
  ];
}

/** Under `deliveryMode=new` every page is the first of what is left, so that no offset lies too far. */
function pageOf(controls: ControlValues): { limit: number; offset: number } {
  const limit = Math.min(controls.limit ?? LIMIT_DEFAULT, LIMIT_MAX);
  const offset = controls.offset ?? ((controls.page ?? 1) - 1) * limit;
  if (offset + limit > SCAN_CEILING_RECORDS && controls.deliveryMode !== 'new')
    throw refuse(
      controls.offset === undefined && controls.page !== undefined ? 'page' : 'offset',
      `offset + limit reaches ${offset + limit}; a search reaches ${SCAN_CEILING_RECORDS}. Use GET /projects/sync to read every record`,
      { candidateScanCeiling: SCAN_CEILING_RECORDS, alternative: '/projects/sync' },
    );
  return { limit, offset };
}

/** Refusals around `include=contacts` (specification "Contact toggle on synchronous routes"). */
function checkContacts(controls: ControlValues, { plan }: Principal): void {
  if (controls.contactOptions && controls.include !== 'contacts')
    throw refuse('contactOptions', 'contactOptions needs include=contacts beside it');
  if (controls.include !== 'contacts') return;
  if (controls.representation === 'compact')
    throw new ApiError('enrichment_incompatible_representation', 'compact carries no contact fields; use representation=standard or full', {
      param: 'representation',
      details: { supported: ['standard', 'full'] },
    });
  const { cachedOnly, ...ofCsv } = controls.contactOptions ?? {};
  if (controls.format === 'csv') {
    if (cachedOnly !== undefined)
      throw refuse('contactOptions', 'cachedOnly is for JSON; a CSV takes minConfidence, maxProjects and companyOnly');
    return;
  }
  if (cachedOnly !== true) throw plan.paid ? needsJob() : needsPaidPlan();
  const [first] = Object.keys(ofCsv);
  if (first) throw refuse('contactOptions', `${first} is for format=csv; JSON takes cachedOnly alone`);
}

const needsJob = () =>
  new ApiError(
    'enrichment_requires_async',
    'A synchronous read never looks contacts up; send contactOptions={"cachedOnly":true} or use a listed endpoint',
    { param: 'include', details: { endpoints: ASYNC_CONTACTS } },
  );

/** A live trial reads back what its own lookups found (specification "POST /enrichments" 3 and 6). */
const needsPaidPlan = () =>
  new ApiError(
    'enrichment_requires_paid_plan',
    'Looking contacts up needs a paid plan; send contactOptions={"cachedOnly":true} to read those that were found',
    { param: 'include' },
  );

const ASYNC_CONTACTS = ['POST /projects/ai-search/jobs', 'GET /projects/search?format=csv&include=contacts', 'POST /enrichments'];

const asksForCsv = (raw: RawParameters) => (raw.get('format') ?? []).some((value) => String(value).trim().toLowerCase() === 'csv');

/** A CSV holds every match: what chooses a page is ignored, whatever it says (specification "CSV"). */
const withoutPage = (raw: RawParameters): RawParameters =>
  new Map([...raw].filter(([name]) => !['limit', 'offset', 'page'].includes(CANONICAL.get(name) ?? '')));

function checkFormat({ format, maxCredits }: ControlValues): void {
  if (maxCredits !== undefined && format !== 'csv')
    throw refuse('maxCredits', 'maxCredits is for format=csv; leave it out of a JSON search');
}

/** Parses what `GET /projects/{id}` takes beside the id. @throws ApiError */
export function parseRead(raw: RawParameters, principal: Principal, { places }: Pick<Environment, 'places'>): Representation {
  const { controls } = parseParameters(raw, ['representation', 'include', 'contactOptions'], places);
  checkContacts(controls, principal);
  return controls.representation ?? 'standard';
}

/** Parses `GET /projects/search`. @throws ApiError */
export function parseSearch(raw: RawParameters, principal: Principal, environment: Environment): SearchRequest {
  const csv = asksForCsv(raw);
  const { selection, controls } = select(csv ? withoutPage(raw) : raw, SEARCH_CONTROLS, principal, environment, (sent) => [
    () => checkFormat(sent),
    () => checkContacts(sent, principal),
    () => orderOf(sent),
    () => pageOf(sent),
  ]);
  const warnings = [...selection.warnings, ...limitWarning(controls)];
  const sort = orderOf(controls);
  const { limit, offset } = pageOf(controls);
  if (csv) throw new ApiError('service_unavailable', 'CSV exports are not available yet; read the pages as JSON', { param: 'format' });
  const representation = controls.representation ?? 'standard';
  const appliedDefaults = {
    ...selection.appliedDefaults,
    ...(controls.representation ? {} : { representation }),
    ...(controls.sort ? {} : { sort: sort.field }),
    ...(controls.order || SORTS[controls.sort ?? '']?.direction ? {} : { order: sort.direction }),
    ...(controls.limit === undefined ? { limit } : {}),
  };
  const deliveryMode = controls.deliveryMode ?? 'all';
  return { selection, representation, sort, limit, offset, deliveryMode, warnings, appliedDefaults };
}

/** What a count takes beside `projectIds`: itself, and what lets government items be found by id. */
const BESIDE_IDS = ['projectIds', 'includeGovernmentDecisions'];

/** Parses the filters of `GET /projects/count`. @throws ApiError */
export function parseCount(raw: RawParameters, principal: Principal, environment: Environment): Selection {
  const { selection } = select(raw, [], principal, environment);
  const others = Object.keys(selection.appliedFilters).filter((name) => !BESIDE_IDS.includes(name));
  if (selection.filters.projectIds && others.length)
    throw refuse(others[0] as string, 'projectIds must be the only filter of a count; use GET /projects/search to combine them', {
      alternative: '/projects/search',
    });
  return selection;
}

export interface SyncRequest {
  selection: Selection;
  representation: Representation;
  limit: number;
  cursor: string | undefined;
  /** what the walk finds on a day, `YYYY-MM-DD`: without `lastUpdatedFrom`, which only says where it begins */
  queryOn: (day: string) => Record<string, unknown>;
  /** `lastUpdatedFrom`, ISO 8601 */
  from: string | undefined;
  /** what a cursor is bound to */
  boundFilters: Record<string, unknown>;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
}

const SYNC_CONTROLS: readonly ControlName[] = ['limit', 'representation', 'include', 'contactOptions', 'deliveryMode', 'cursor'];

function checkMode({ deliveryMode }: ControlValues): void {
  if (deliveryMode === 'new')
    throw refuse('deliveryMode', 'sync takes deliveryMode=all only: a copy needs every change', { supported: ['all'] });
}

/** Parses `GET /projects/sync`. @throws ApiError */
export function parseSync(raw: RawParameters, principal: Principal, environment: Environment): SyncRequest {
  const { selection, controls } = select(raw, SYNC_CONTROLS, principal, environment, (sent) => [
    () => checkMode(sent),
    () => checkContacts(sent, principal),
  ]);
  const warnings = [...selection.warnings, ...limitWarning(controls)];
  const { limit } = pageOf(controls);
  const representation = controls.representation ?? 'standard';
  const { lastUpdatedFrom, ...walked } = selection.filters;
  const { lastUpdatedFrom: _, ...boundFilters } = selection.appliedFilters;
  return {
    selection,
    representation,
    limit,
    cursor: controls.cursor,
    queryOn: (today) => compileFilters(walked, selection.scope, { ...selection.context, today }),
    from: lastUpdatedFrom?.start,
    boundFilters,
    warnings,
    appliedDefaults: {
      ...selection.appliedDefaults,
      ...(controls.representation ? {} : { representation }),
      ...(controls.limit === undefined ? { limit } : {}),
    },
  };
}
