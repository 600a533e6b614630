/** From a request's parameters to a selection: parse, resolve, check the licence. Problems are collected as values. Pure. */
import { denyPlaces } from '../domain/entitlement.ts';
import { type RequestRefusal, refusalOf } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { type Principal, type Scope, scopeOf } from '../domain/principal.ts';
import type { Warning } from '../domain/warnings.ts';
import { compileFilters, compileTogether } from '../filter/compile.ts';
import type { ControlName, Controls, ControlValues } from '../filter/controls.ts';
import type { CompileContext } from '../filter/entry.ts';
import { CANONICAL } from '../filter/names.ts';
import { findMissingCompanions, type ParameterReading, type RawParameters, readParameters } from '../filter/parse.ts';
import { type Resolved, resolveFilters } from '../filter/resolve.ts';
import { type FilterValues, filterOf, namesIn } from '../filter/table.ts';
import { ROLES_OF } from '../filter/use.ts';
import { type RestrictionStore, toListsText } from '../store/postgres/restrictions.ts';
import type { Environment } from './services.ts';

/** Filters that are ready to be searched for one principal. */
export interface Selection extends Resolved {
  /** the filters before any of them replaced others, and without defaults */
  sent: FilterValues;
  query: Record<string, unknown>;
  scope: Scope;
  context: CompileContext;
  /** latest meeting day that may be served, `YYYY-MM-DD`: today, or an earlier `meetingDateTo` */
  meetingCap: string;
  /** whether its records are selected by more than its filters, such as the requirement of an alert, or a filter of a list that the request sends too */
  isNarrowed?: boolean;
}

/**
 * The selection of a record that was requested by its id, without filters.
 * @param today by the service clock, `YYYY-MM-DD`
 */
export function selectUnfiltered(today: string): Pick<Selection, 'filters' | 'roles' | 'context' | 'meetingCap'> {
  const roles = ROLES_OF.primary_or_secondary;
  return { filters: {}, roles, context: { roles, today }, meetingCap: today };
}

/**
 * The selection that filters make for a principal.
 * @param filters without problems
 * @param today by the service clock, `YYYY-MM-DD`
 * @param read warnings of the reading of the filters
 */
export function selectionOf(
  filters: FilterValues,
  principal: Pick<Principal, 'licence'>,
  today: string,
  read: readonly Warning[] = [],
): Selection {
  const resolved = resolveFilters(filters);
  const scope = scopeOf(principal);
  const context = { roles: resolved.roles, today };
  const to = resolved.filters.meetingDateTo?.lastDay;
  return {
    ...resolved,
    warnings: [...read, ...resolved.warnings],
    sent: filters,
    scope,
    context,
    query: compileFilters(resolved.filters, scope, context),
    meetingCap: to !== undefined && to < today ? to : today,
  };
}

export interface ServedRestrictions {
  restrictions: Pick<RestrictionStore, 'readServedLists'>;
}

/** The selection by the restrictions of today's release, whatever is served while it is read. @throws ApiError `service_unavailable` */
export async function pinRestrictions(selection: Selection, { restrictions }: ServedRestrictions): Promise<Selection> {
  if (selection.filters.underRestriction === undefined) return selection;
  return selectByRestrictions(selection, toListsText(await restrictions.readServedLists()));
}

/** The selection by some lists of restrictions. @param restrictionLists as text; undefined for those that are served */
export function selectByRestrictions(selection: Selection, restrictionLists: string | undefined): Selection {
  if (restrictionLists === undefined) return selection;
  const context = { ...selection.context, restrictionLists };
  return { ...selection, context, query: compileFilters(selection.filters, selection.scope, context) };
}

const LISTS_AFTER = '~';

/** The day of a selection. Other restrictions select other records, so that of one that selects by them the day has their lists, too. */
export const dayOfSelection = ({ today, restrictionLists }: Pick<CompileContext, 'today' | 'restrictionLists'>): string =>
  restrictionLists === undefined ? today : `${today}${LISTS_AFTER}${restrictionLists}`;

export function parseSelectionDay(day: string): Pick<CompileContext, 'today' | 'restrictionLists'> {
  const [today = day, restrictionLists] = day.split(LISTS_AFTER);
  return { today, restrictionLists };
}

/**
 * The records of `outer` that also match further filters; both apply when both set the same filter. Defaults of `outer` stay in force, and
 * the further filters add none. `appliedFilters` has only the further ones, `filters` both.
 */
export function narrowSelection(outer: Selection, further: FilterValues, principal: Pick<Principal, 'licence'>): Selection {
  const { today } = outer.context;
  const { includeGovernmentDecisions = false, taxonomyMatchMode } = outer.filters;
  const defaults: FilterValues = {
    includeGovernmentDecisions: true,
    dateRange: 'all',
    ...(taxonomyMatchMode ? { taxonomyMatchMode } : {}),
  };
  const inner = selectionOf({ ...defaults, ...further }, principal, today);
  const sentOf = <T extends object>(values: T) => Object.fromEntries(Object.entries(values).filter(([name]) => name in further)) as T;
  const byItsMode = further.taxonomyMatchMode ? [{ filters: outer.filters, context: inner.context }] : [];
  return {
    ...inner,
    filters: {
      ...outer.filters,
      ...sentOf(inner.filters),
      includeGovernmentDecisions: includeGovernmentDecisions && further.includeGovernmentDecisions !== false,
    },
    query: compileTogether([outer, inner, ...byItsMode], outer.scope),
    meetingCap: inner.meetingCap < outer.meetingCap ? inner.meetingCap : outer.meetingCap,
    // A filter of `outer` that has another value in `filters` still selects.
    isNarrowed: namesIn(outer.filters).some((name) => name in further && !filterOf(name).countedAlone),
    appliedFilters: sentOf(inner.appliedFilters),
    appliedDefaults: { ...inner.appliedDefaults, ...outer.appliedDefaults },
    warnings: [...outer.warnings, ...inner.warnings],
  };
}

/** Refusals of places outside the licence; of a list with unusable values, its usable ones are checked. */
export function denialProblems(
  { filters, sent }: ParameterReading,
  principal: Pick<Principal, 'licence'>,
  places: Places,
): RequestRefusal[] {
  const { states: stateIds = [], counties: countyIds = [], cities: cityIds = [] } = filters;
  const denial = denyPlaces(principal, { stateIds, countyIds, cityIds }, places);
  if (!denial) return [];
  const { code, message, param, details } = denial;
  return [{ param: sent.get(param ?? '') ?? param, code, message, answer: code, ...(details ? { details } : {}) }];
}

/**
 * Parses parameters, and refuses all problems at once.
 * @param controls those that the route accepts
 * @param contradictions finds further problems of parsed parameters, in addition to those of filters on every route
 * @throws ApiError with every problem of the request
 */
export function parseParameters(
  raw: RawParameters,
  controls: Controls,
  principal: Principal,
  { places }: Pick<Environment, 'places'>,
  contradictions: (reading: ParameterReading) => RequestRefusal[],
): ParameterReading {
  const reading = readParameters(raw, controls, places);
  const problems = [
    ...reading.problems,
    ...findMissingCompanions(reading),
    ...contradictions(reading),
    ...denialProblems(reading, principal, places),
  ];
  if (problems.length) throw refusalOf(problems);
  return reading;
}

/** Parses parameters to a selection. @throws ApiError with every problem of the request */
export function parseSelection(
  raw: RawParameters,
  controls: Controls,
  principal: Principal,
  environment: Environment,
  contradictions: (reading: ParameterReading) => RequestRefusal[],
): { selection: Selection; controls: ControlValues } {
  const reading = parseParameters(raw, controls, principal, environment, contradictions);
  return { selection: selectionOf(reading.filters, principal, environment.today, reading.warnings), controls: reading.controls };
}

/** The parameters without those that the route accepts but ignores. */
export const withoutIgnored = (ignored: readonly ControlName[], raw: RawParameters): RawParameters =>
  new Map([...raw].filter(([name]) => !ignored.some((one) => one === CANONICAL.get(name))));
