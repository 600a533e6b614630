/** The groups of a selection with their statistics, computed completely and then without what is hidden. */

import { FILTER_NAMES, filterOf } from '../../core/filter/table.ts';
import { daysOf } from '../../core/filter/time.ts';
import { allOf, type Clause } from '../../core/query/clauses.ts';
import { type FacetName, facetOf, isDate } from '../../core/query/dimensions.ts';
import { type Facet, facetPath, GroupsCut } from '../../core/query/facets.ts';
import type { Interval } from '../../core/query/intervals.ts';
import { contributorAggregations, statisticsAggregations } from '../../core/query/statistics.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeHeldClause } from '../../core/search/held.ts';
import type { Selection } from '../../core/search/select.ts';
import type { ProjectServices } from '../../core/search/services.ts';
import { readUnconfirmed, unconfirmedAggregations } from '../../core/search/unconfirmedFilters.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import { type Combination, planCombinations, readCombinations, tooManyGroupsError } from './combinations.ts';
import { type HidingServices, hideSmallGroups, hideUnconfirmed, type MeasuredGroups } from './hideGroups.ts';
import type { Metric } from './request.ts';

export interface AnalyticsServices extends HidingServices, Pick<ProjectServices, 'holdings' | 'store' | 'now'> {
  aggregations: AggregationStore;
}

export interface Grouped {
  selection: Selection;
  dimensions: readonly FacetName[];
  /** the interval of date dimensions */
  interval: Interval;
}

interface MeasureRequest extends Grouped {
  metrics: readonly Metric[];
  /** false if the answer shows no statistics of all groups together, which take as long as those of the groups */
  showsTotals?: boolean;
  /** the field of the body that names the dimensions */
  param?: string;
}

/** The only groups of a dimension when a filter names some of them. */
function findNamedGroups({ filters }: Selection, dimension: FacetName): string[] | undefined {
  const path = facetPath(dimension);
  const values = FILTER_NAMES.filter((name) => filterOf(name).must && filterOf(name).fields[0] === path).map((name) => filters[name]);
  const named = values.filter((value) => Array.isArray(value)).flat();
  return named.length ? [...new Set(named.map(String))] : undefined;
}

/** The range of days of the selection's meetings. */
function readMeetingDays({ filters, context }: Selection): NonNullable<Facet['days']> {
  const range = filters.dateRange ? daysOf(filters.dateRange, context.today) : null;
  const [from, to] = [filters.meetingDateFrom?.firstDay, filters.meetingDateTo?.lastDay];
  const latest = [from, range?.gte].filter((day) => day !== undefined).sort();
  const earliest = [to, range?.lte].filter((day) => day !== undefined).sort();
  return { gte: latest.at(-1), lte: earliest[0] };
}

export function makeGrouping(dimension: FacetName, { selection, interval }: Omit<Grouped, 'dimensions'>): Facet {
  const { kind } = facetOf(dimension);
  return {
    dimension,
    ...(isDate(dimension) ? { interval } : { only: findNamedGroups(selection, dimension) }),
    ...(kind === 'day' ? { days: readMeetingDays(selection) } : {}),
    roles: selection.context.roles,
    today: selection.context.today,
    withGovernment: selection.filters.includeGovernmentDecisions === true,
  };
}

/** On metered plans, matches the records that the pool holds. Statistics are protected without them: a group could be padded with known records. */
export async function makeMeteredClause(
  services: AnalyticsServices,
  { principal, signal }: Actor,
  query: Clause,
): Promise<Clause | undefined> {
  return principal.plan.recordCredit ? makeHeldClause(services, principal, query, signal) : undefined;
}

/** Computes the groups of a selection. @throws ApiError */
export async function measureGroups(services: AnalyticsServices, actor: Actor, asked: MeasureRequest): Promise<MeasuredGroups> {
  const { selection, dimensions, metrics, param = 'groupBy' } = asked;
  const fields = [...new Set(metrics.flatMap(({ field }) => field ?? []))];
  const fieldsOf = (isOne: (op: Metric['op']) => boolean) =>
    fields.filter((field) => metrics.some((one) => one.field === field && isOne(one.op)));
  const medians = fieldsOf((op) => op === 'median');
  const summed = fieldsOf((op) => op !== 'median' && op !== 'count');
  const byIds = selection.filters.projectIds !== undefined;
  const held = byIds || fields.length ? await makeMeteredClause(services, actor, selection.query) : undefined;
  const query = held && byIds ? allOf([selection.query, held]) : selection.query;
  const facets = dimensions.map((dimension) => makeGrouping(dimension, asked));
  const reckoning = { fields, summed, medians, held, today: selection.context.today };
  const [each, contributors] = [statisticsAggregations(reckoning), contributorAggregations(reckoning)];
  const ofWhole = asked.showsTotals === false ? contributors : each;
  const { aggs, read: reading } = planCombinations(facets, each, contributors, ofWhole);
  try {
    const { total, answer } = await services.aggregations.aggregate(query, { ...aggs, ...unconfirmedAggregations(selection) }, actor);
    const whole: Combination = { keys: [undefined, undefined], count: total, inside: [answer] };
    const found = [whole, ...readCombinations(facets, reading, answer, param)];
    const measured = await hideSmallGroups(services, found, facets, { metrics, isMetered: held !== undefined, signal: actor.signal });
    const totals = asked.showsTotals === false ? null : measured.totals;
    return { ...measured, totals, unconfirmed: hideUnconfirmed(readUnconfirmed(answer), total, actor) };
  } catch (error) {
    if (error instanceof GroupsCut) throw tooManyGroupsError(undefined, param);
    throw error;
  }
}
