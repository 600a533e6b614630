/** The criteria of an alert: stored filters, parsed in the same way as those of a search. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { pickControls } from '../../core/filter/controls.ts';
import { type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { mendStored } from '../../core/filter/stored.ts';
import { pricedSelection } from '../../core/search/byIds.ts';
import { orderProblems } from '../../core/search/searchRequest.ts';
import { denialProblems, type Selection, selectionOf } from '../../core/search/select.ts';

const ORDER = pickControls('sort', 'order');
const FILTERS = 'filters.';

/** Replaces a date window that searches no longer accept by the next larger one, for alerts that were stored with it. */
const asRun = (filters: unknown): unknown =>
  typeof filters === 'object' && filters !== null && 'dateRange' in filters && filters.dateRange === 'last_1_month'
    ? { ...filters, dateRange: 'last_3_months' }
    : filters;

/** Parses the criteria of a body. */
export const readCriteria = (filters: unknown, places: Places): ParameterReading =>
  parseFilterObject(asRun(filters), FILTERS, places, ORDER);

export const readStoredCriteria = ({ filters }: { filters: object }, places: Places): ParameterReading =>
  readCriteria(mendStored(filters, places), places);

/**
 * All problems of criteria, including those of licence and geography; problems name their place in the body.
 * @param reading from `readCriteria` or `readStoredCriteria`
 */
export function findCriteriaProblems(
  reading: ParameterReading,
  principal: Pick<Principal, 'licence' | 'plan'>,
  places: Places,
): RequestRefusal[] {
  const denied = denialProblems(reading, principal, places);
  return [
    ...reading.problems,
    ...orderProblems(reading).map((problem) => ({ ...problem, param: `${FILTERS}${problem.param}` })),
    ...denied,
    ...(denied.length || reading.problems.length ? [] : findGeographyProblems(reading, principal, places)),
  ];
}

/** On a plan that is not nationwide, an alert has to name places, and no more of them than the plan allows. Stored ones that were divided since stay within it. */
function findGeographyProblems({ filters }: ParameterReading, { plan }: Pick<Principal, 'plan'>, places: Places): RequestRefusal[] {
  if (plan.geography === 'nationwide') return [];
  const states = filters.states?.length ?? 0;
  const localities = places.countUndivided(filters.counties ?? []) + (filters.cities?.length ?? 0);
  const refuse = (
    code: 'alert_geography_required' | 'alert_geography_too_broad',
    message: string,
    details?: Record<string, unknown>,
  ): RequestRefusal[] => [{ param: 'filters', code, message, answer: code, ...(details ? { details } : {}) }];
  if (states + localities === 0)
    return refuse('alert_geography_required', `An alert on the ${plan.label} plan names states, counties or cities among its filters`);
  const { maxAlertStates: maxStates, maxAlertLocalities: maxLocalities } = plan;
  if (states <= (maxStates ?? states) && localities <= (maxLocalities ?? localities)) return [];
  const message = `The alert names ${states} states and ${localities} counties and cities; the ${plan.label} plan allows ${maxStates ?? 'any number'} and ${maxLocalities ?? 'any number'}`;
  return refuse('alert_geography_too_broad', message, { maxStates, maxLocalities });
}

/** The selection of criteria. @param reading from `readCriteria` or `readStoredCriteria`, without problems */
export const selectByCriteria = (
  { filters, warnings }: ParameterReading,
  principal: Pick<Principal, 'licence'>,
  today: string,
): Selection => selectionOf(filters, principal, today, warnings);

/** Whether an alert filters among ids of records that cost credits, by its filters or its requirement. */
export const filtersIds = (
  { specificRequirement }: { specificRequirement: string | null },
  selection: Selection,
  { plan }: Pick<Principal, 'plan'>,
): boolean => {
  const asked = { ...selection, isNarrowed: specificRequirement !== null };
  return pricedSelection(asked, plan) !== asked;
};
