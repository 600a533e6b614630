/** From a request's parameters to what is searched: parse, resolve, check the licence. Pure but for its arguments. */

import { denialOf } from '../domain/entitlement.ts';
import { ApiError, type Refusal, refusalOf } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { type Principal, type Scope, scopeOf } from '../domain/principal.ts';
import type { Representation } from '../domain/record/statement.ts';
import { compileFilters } from '../filter/compile.ts';
import {
  CACHED_CONTACTS,
  type ControlName,
  type Controls,
  type ControlValues,
  type Direction,
  EVERY_RECORD,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  pickControls,
  SORTS,
  type SortField,
} from '../filter/controls.ts';
import type { CompileContext } from '../filter/entry.ts';
import { meaningOf } from '../filter/meaning.ts';
import { CANONICAL, missingCompanions, type RawParameters, type Reading, readParameters } from '../filter/parse.ts';
import { type Resolved, resolveFilters, type Warning } from '../filter/resolve.ts';
import { FILTER_NAMES } from '../filter/table.ts';
import { contactProblems, countProblems, formatProblems, orderProblems, pageOf, pageProblems } from './contradictions.ts';

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

/** Places outside the licence; of a list that cannot be read whole the places that can. */
export function denialProblems({ filters, sent }: Reading, principal: Principal, places: Places): Refusal[] {
  const { states: stateIds = [], counties: countyIds = [], cities: cityIds = [] } = filters;
  const denial = denialOf(principal, { stateIds, countyIds, cityIds }, places);
  if (!denial) return [];
  const { code, message, param, details } = denial;
  return [{ param: sent.get(param ?? '') ?? param, code, message, answer: code, ...(details ? { details } : {}) }];
}

/**
 * @param controls those that the route takes
 * @param contradictions what is wrong although each parameter can be read, besides what holds for filters on every route
 * @throws ApiError with everything that is wrong with the request
 */
function select(
  raw: RawParameters,
  controls: Controls,
  principal: Principal,
  { places, today }: Environment,
  contradictions: (reading: Reading) => Refusal[],
): { selection: Selection; controls: ControlValues } {
  const reading = readParameters(raw, controls, places);
  const problems = [
    ...reading.problems,
    ...missingCompanions(reading),
    ...contradictions(reading),
    ...denialProblems(reading, principal, places),
  ];
  if (problems.length) throw refusalOf(problems);
  const resolved = resolveFilters(reading.filters);
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
    controls: reading.controls,
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

/** Controls of `GET /projects/search`. */
export const SEARCH_CONTROLS = pickControls(
  ...(['sort', 'order', 'limit', 'offset', 'page', 'representation', 'format', 'maxCredits', 'include'] as const),
  'contactOptions',
  'deliveryMode',
);

function orderOf({ sort = 'meetingDate', order }: ControlValues): SearchRequest['sort'] {
  const { field, direction } = SORTS[sort] ?? { field: 'meetingDate' as const };
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

const asksForCsv = (raw: RawParameters) => (raw.get('format') ?? []).some((value) => String(value).trim().toLowerCase() === 'csv');

/** The parameters without those that are taken and ignored, whatever they say. */
const without = (ignored: readonly ControlName[], raw: RawParameters): RawParameters =>
  new Map([...raw].filter(([name]) => !ignored.some((one) => one === CANONICAL.get(name))));

/** A CSV holds every match (specification "CSV"). */
const IGNORED_BY_CSV = ['limit', 'offset', 'page'] as const;

/** Controls of `GET /projects/{id}`. */
export const READ_CONTROLS = { ...pickControls('representation', 'include'), ...CACHED_CONTACTS };

/** Parses what `GET /projects/{id}` takes beside the id. @throws ApiError */
export function parseRead(raw: RawParameters, principal: Principal, { places }: Pick<Environment, 'places'>): Representation {
  const reading = readParameters(raw, READ_CONTROLS, places);
  const problems = [...reading.problems, ...contactProblems(reading, principal)];
  if (problems.length) throw refusalOf(problems);
  return reading.controls.representation ?? 'standard';
}

/** Parses `GET /projects/search`. @throws ApiError */
export function parseSearch(raw: RawParameters, principal: Principal, environment: Environment): SearchRequest {
  const csv = asksForCsv(raw);
  const taken = csv ? without(IGNORED_BY_CSV, raw) : raw;
  const { selection, controls } = select(taken, SEARCH_CONTROLS, principal, environment, (reading) => [
    ...formatProblems(reading),
    ...contactProblems(reading, principal),
    ...orderProblems(reading),
    ...pageProblems(reading),
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

/** What shapes a page and not the set, so that a search becomes its count by changing the path. */
export const IGNORED_BY_COUNT = ['limit', 'offset', 'page', 'sort', 'order', 'representation'] as const;

/** `deliveryMode` chooses the set, so that it counts here too: a refused search under `new` could not be priced without it. */
export const COUNT_CONTROLS = pickControls('deliveryMode');

/** Parses `GET /projects/count`. @throws ApiError */
export function parseCount(
  raw: RawParameters,
  principal: Principal,
  environment: Environment,
): { selection: Selection; deliveryMode: 'all' | 'new' } {
  const taken = without(IGNORED_BY_COUNT, raw);
  const { selection, controls } = select(taken, COUNT_CONTROLS, principal, environment, (reading) => countProblems(reading, FILTER_NAMES));
  return { selection, deliveryMode: controls.deliveryMode ?? 'all' };
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
  /** what a cursor is bound to: what the filters of the walk mean */
  meaning: Record<string, unknown>;
  /** what cursors of version 4 were bound to before: how the filters of the walk are written */
  spelling: Record<string, unknown>;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
}

/** Controls of `GET /projects/sync`. */
export const SYNC_CONTROLS = { ...pickControls('limit', 'representation', 'include', 'cursor'), ...CACHED_CONTACTS, ...EVERY_RECORD };

/** Parses `GET /projects/sync`. @throws ApiError */
export function parseSync(raw: RawParameters, principal: Principal, environment: Environment): SyncRequest {
  const { selection, controls } = select(raw, SYNC_CONTROLS, principal, environment, (reading) => contactProblems(reading, principal));
  const warnings = [...selection.warnings, ...limitWarning(controls)];
  const { limit } = pageOf(controls);
  const representation = controls.representation ?? 'standard';
  const { lastUpdatedFrom, ...walked } = selection.filters;
  const { lastUpdatedFrom: _, ...spelling } = selection.appliedFilters;
  return {
    selection,
    representation,
    limit,
    cursor: controls.cursor,
    queryOn: (today) => compileFilters(walked, selection.scope, { ...selection.context, today }),
    from: lastUpdatedFrom?.start,
    meaning: meaningOf(walked),
    spelling,
    warnings,
    appliedDefaults: {
      ...selection.appliedDefaults,
      ...(controls.representation ? {} : { representation }),
      ...(controls.limit === undefined ? { limit } : {}),
    },
  };
}
