/** The groups of a selection with their statistics, whole and then without what is hidden. */

import { ApiError } from '../../core/domain/errors.ts';
import { type FieldName, fieldOf } from '../../core/domain/record/fields.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import { boundOf } from '../../core/filter/size.ts';
import { FILTER_NAMES, type FilterName, filterOf } from '../../core/filter/table.ts';
import { daysOf } from '../../core/filter/time.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import { allOf, type Clause } from '../../core/query/clauses.ts';
import { type Grouping, type GroupKey, groupLabel, isDate, liesInOneGroup } from '../../core/query/dimensions.ts';
import {
  type Aggregate,
  type Facet,
  facetAggregations,
  facetPath,
  type Group,
  GroupsCut,
  groupsOf,
  inner,
} from '../../core/query/facets.ts';
import type { Interval } from '../../core/query/intervals.ts';
import {
  contributorAggregations,
  type Reckoning,
  reckoningAggregations,
  type Statistics,
  statisticsOf,
} from '../../core/query/statistics.ts';
import type { Actor } from '../../core/search/actor.ts';
import { unconfirmedAggregations, unconfirmedIn } from '../../core/search/evidence.ts';
import { heldClause } from '../../core/search/held.ts';
import type { Selection } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import { type Metric, metricName } from './analysis.ts';
import { axisOf } from './axis.ts';
import { type Cell, MINIMUM_GROUP_SIZE, type Table, WHOLE } from './table.ts';
import type { VisibilityPool } from './visibilityPool.ts';

export interface AnalyticsServices {
  aggregations: AggregationStore;
  holdings: HoldingStore;
  visibilities: VisibilityPool;
  places: Environment['places'];
  now: () => Date;
}

/** Groups of one answer before any is hidden. */
export const GROUPS_MAX = 10_000;

export interface Asked {
  selection: Selection;
  dimensions: readonly FieldName[];
  /** of the dates among them */
  interval: Interval;
  metrics: readonly Metric[];
}

export interface MeasuredGroup {
  keys: GroupKey[];
  count: number;
  /** null where too few records state a value */
  metrics: Record<string, number | null>;
}

export interface Totals {
  count: number;
  metrics: Record<string, number | null>;
}

export interface Measured {
  groups: MeasuredGroup[];
  totals: Totals | null;
  /** true where groups were hidden */
  suppressed: boolean;
  /** null also where too few records match to be told anything about */
  unconfirmed: Unconfirmed | null;
  /** what the keys of a group are called, made for those that an answer has room for */
  labelsOf(keys: readonly GroupKey[]): string[];
}

/** The only groups of a dimension of which a filter names some. */
function namedBy({ filters }: Selection, dimension: FieldName): string[] | undefined {
  const path = facetPath(dimension);
  const values = FILTER_NAMES.filter((name) => filterOf(name).must && filterOf(name).fields[0] === path).map((name) => filters[name]);
  const named = values.filter((value) => Array.isArray(value)).flat();
  return named.length ? [...new Set(named.map(String))] : undefined;
}

/** The days in which meetings have to lie. */
function meetingDays({ filters, context }: Selection): NonNullable<Facet['days']> {
  const range = filters.dateRange ? daysOf(filters.dateRange, context.today) : null;
  const [from, to] = [filters.meetingDateFrom?.firstDay, filters.meetingDateTo?.lastDay];
  const latest = [from, range?.gte].filter((day) => day !== undefined).sort();
  const earliest = [to, range?.lte].filter((day) => day !== undefined).sort();
  return { gte: latest.at(-1), lte: earliest[0] };
}

function facetOf(dimension: FieldName, { selection, interval }: Asked): Facet {
  const { facet } = fieldOf(dimension);
  return {
    dimension,
    ...(isDate(dimension) ? { interval } : { only: namedBy(selection, dimension) }),
    ...(facet === 'day' ? { days: meetingDays(selection) } : {}),
    roles: selection.context.roles,
    withGovernment: selection.filters.includeGovernmentDecisions === true,
  };
}

/** What records a pool may not be told about by padding: on metered plans those that it does not hold. */
async function heldBy({ holdings }: AnalyticsServices, { principal }: Actor, isNeeded: boolean): Promise<Clause | undefined> {
  return principal.plan.recordCredit && isNeeded ? heldClause(holdings, principal) : undefined;
}

/** What is counted of one combination of groups; null is the sum over a dimension. */
interface Found {
  keys: [GroupKey | undefined, GroupKey | undefined];
  count: number;
  inside: Aggregate[];
}

const keyOf = ({ dimension }: Grouping, key: string | null): GroupKey =>
  key !== null && fieldOf(dimension).facet === 'place' ? Number(key) : key;

/**
 * Aggregations for two dimensions, the first outside, and how their answer is read. What projects lie in one group of is best outside: the sums
 * over it are then those of its groups. Else the groups of the inner dimension are also counted by themselves.
 */
function plan(facets: readonly Facet[], reckoning: Reckoning) {
  const [first, second] = facets;
  const each = reckoningAggregations(reckoning);
  if (!first) return { aggs: each, read: () => [] };
  if (!second) return { aggs: { ...each, ...facetAggregations(first, each) }, read: (answer: Aggregate) => readOne(first, answer) };
  const swapped = !liesInOneGroup(first.dimension) && liesInOneGroup(second.dimension);
  const [outer, within] = swapped ? [second, first] : [first, second];
  const alone = liesInOneGroup(outer.dimension)
    ? {}
    : { alone: { filter: { match_all: {} }, aggs: facetAggregations(within, contributorAggregations(reckoning)) } };
  return {
    aggs: { ...each, ...facetAggregations(outer, { ...each, ...facetAggregations(within, each) }), ...alone },
    read: (answer: Aggregate) =>
      readTwo(outer, within, answer).map((found) => (swapped ? { ...found, keys: found.keys.toReversed() as Found['keys'] } : found)),
  };
}

const readOne = (facet: Facet, answer: Aggregate): Found[] =>
  groupsOf(facet, answer).map(({ key, count, inside }) => ({ keys: [keyOf(facet, key), undefined], count, inside: [inside] }));

function readTwo(outer: Facet, within: Facet, answer: Aggregate): Found[] {
  const rows = groupsOf(outer, answer).map((row) => ({ ...row, groups: groupsOf(within, row.inside) }));
  const columns = answer.alone
    ? groupsOf(within, inner(answer, 'alone')).map((group) => ({ ...group, inside: [group.inside] }))
    : summed(rows.flatMap(({ groups }) => groups));
  return [
    ...rows.map(({ key, count, inside }): Found => ({ keys: [keyOf(outer, key), undefined], count, inside: [inside] })),
    ...columns.map(({ key, count, inside }): Found => ({ keys: [undefined, keyOf(within, key)], count, inside })),
    ...rows.flatMap((row) =>
      row.groups.map(({ key, count, inside }): Found => ({ keys: [keyOf(outer, row.key), keyOf(within, key)], count, inside: [inside] })),
    ),
  ];
}

function summed(groups: readonly Group[]) {
  return [...Map.groupBy(groups, ({ key }) => key)].map(([key, same]) => ({
    key,
    count: same.reduce((sum, { count }) => sum + count, 0),
    inside: same.map(({ inside }) => inside),
  }));
}

function tooMany(groups: number | undefined): ApiError {
  const count = groups === undefined ? `more than ${GROUPS_MAX}` : String(groups);
  return new ApiError(
    'invalid_request',
    `This makes ${count} groups; at most ${GROUPS_MAX} are counted. Narrow the filters, or group by less.`,
    {
      param: 'groupBy',
      details: { ...(groups === undefined ? {} : { groups }), maxGroups: GROUPS_MAX },
    },
  );
}

/** @throws ApiError `invalid_request` where there are too many groups */
function read(facets: readonly Facet[], reading: (answer: Aggregate) => Found[], answer: Aggregate): Found[] {
  const found = reading(answer);
  const groups = found.filter(({ keys }) => facets.every((_, i) => keys[i] !== undefined)).length;
  if (facets.length && groups > GROUPS_MAX) throw tooMany(groups);
  return found;
}

/** The groups of a selection. @throws ApiError */
export async function measure(services: AnalyticsServices, actor: Actor, asked: Asked): Promise<Measured> {
  const { selection, dimensions, metrics } = asked;
  const fields = [...new Set(metrics.flatMap(({ field }) => field ?? []))];
  const fieldsOf = (isOne: (op: Metric['op']) => boolean) =>
    fields.filter((field) => metrics.some((one) => one.field === field && isOne(one.op)));
  const medians = fieldsOf((op) => op === 'median');
  const summed = fieldsOf((op) => op !== 'median' && op !== 'count');
  const byIds = selection.filters.projectIds !== undefined;
  const held = await heldBy(services, actor, byIds || fields.length > 0);
  const query = held && byIds ? allOf([selection.query, held]) : selection.query;
  const facets = dimensions.map((dimension) => facetOf(dimension, asked));
  const { aggs, read: reading } = plan(facets, { fields, summed, medians, held, today: selection.context.today });
  try {
    const { total, answer } = await services.aggregations.aggregate(
      query,
      { ...aggs, ...unconfirmedAggregations(selection) },
      actor.signal,
    );
    const whole: Found = { keys: [undefined, undefined], count: total, inside: [answer] };
    const found = [whole, ...read(facets, reading, answer)];
    const measured = await shown(services, found, facets, { asked, isMetered: held !== undefined, signal: actor.signal });
    return { ...measured, unconfirmed: shownUnconfirmed(unconfirmedIn(answer), total, actor) };
  } catch (error) {
    if (error instanceof GroupsCut) throw tooMany(undefined);
    throw error;
  }
}

/** Numbers the groups of each dimension. */
function numbered(found: readonly Found[], facets: readonly Facet[], places: Environment['places']) {
  const keys = ([0, 1] as const).map((i) => [...new Set(found.map((one) => one.keys[i]).filter((key) => key !== undefined))]);
  const numbers = keys.map((some) => new Map(some.map((key, number) => [key, number])));
  const axes = ([0, 1] as const).map((i) => (facets[i] ? axisOf(facets[i], keys[i] ?? [], places) : WHOLE)) as unknown as Table['axes'];
  const at = (one: Found) => one.keys.map((key, i) => (key === undefined ? null : (numbers[i]?.get(key) ?? null))) as unknown as Cell['at'];
  return { axes, at: found.map(at) };
}

interface Rules {
  asked: Asked;
  isMetered: boolean;
  signal: AbortSignal | undefined;
}

/** Leaves out what may not be shown. */
async function shown(
  { places, visibilities }: AnalyticsServices,
  found: readonly Found[],
  facets: readonly Facet[],
  { asked, isMetered, signal }: Rules,
): Promise<Omit<Measured, 'unconfirmed'>> {
  const { axes, at } = numbered(found, facets, places);
  const fields = [...new Set(asked.metrics.flatMap(({ field }) => field ?? []))];
  const visible = await visibilities.decide(
    {
      axes,
      at,
      counts: found.map(({ count }) => count),
      statistics: fields.map((field) => found.map((one) => contributors(one, field, isMetered))),
    },
    signal,
  );
  const metrics = (one: Found, cell: number) =>
    Object.fromEntries(
      asked.metrics.map((metric) => [
        metricName(metric),
        metricOf(metric, one, (field) => visible.statistics[fields.indexOf(field)]?.[cell] === true),
      ]),
    );
  const isGroup = (one: Found) => facets.length > 0 && facets.every((_, i) => one.keys[i] !== undefined);
  const groups = found.flatMap((one, cell) => {
    if (!isGroup(one) || !visible.counts[cell]) return [];
    const keys = one.keys.slice(0, facets.length) as GroupKey[];
    return [{ keys, count: one.count, metrics: metrics(one, cell) }];
  });
  const [whole] = found as [Found];
  return {
    groups,
    totals: whole.count < MINIMUM_GROUP_SIZE ? null : { count: whole.count, metrics: metrics(whole, 0) },
    suppressed: groups.length < found.filter(isGroup).length || (whole.count > 0 && whole.count < MINIMUM_GROUP_SIZE),
    labelsOf: (keys) => facets.map((facet, i) => groupLabel(facet, keys[i] ?? null, places)),
  };
}

/** Filters that no dimension has groups for. */
const isOfNoDimension = (name: string) => boundOf(name) !== undefined || filterOf(name as FilterName).confirmedByName === true;

/**
 * The number is left out where it would tell of few records, or the size of a group that another answer about the selection hides: records that
 * do not confirm a filter of a dimension are in its group without a value. On metered plans it would tell how many contribute to a statistic.
 */
function shownUnconfirmed(unconfirmed: Unconfirmed | null, total: number, { principal }: Actor): Unconfirmed | null {
  if (!unconfirmed || total < MINIMUM_GROUP_SIZE) return null;
  const { filters, records } = unconfirmed;
  const rest = total - (records ?? 0);
  const isFew = (records ?? 0) < MINIMUM_GROUP_SIZE || (rest > 0 && rest < MINIMUM_GROUP_SIZE);
  return isFew || !filters.every(isOfNoDimension) || principal.plan.recordCredit > 0 ? { filters, records: null } : unconfirmed;
}

/** What statistics of a group rest on: who contributes, and on metered plans those of them that the pool does not hold, each by itself. */
function contributors({ inside }: Found, field: FieldName, isMetered: boolean): number[] {
  const sum = (of: keyof Pick<Statistics, 'contributors' | 'unheld'>) =>
    inside.reduce((total, one) => total + statisticsOf(one, field)[of], 0);
  return isMetered ? [sum('contributors'), sum('unheld')] : [sum('contributors')];
}

/** Digits that a sum of decimal fractions has in common with the exact one. */
const DIGITS = 15;

function metricOf({ op, field }: Metric, { count, inside }: Found, shows: (field: FieldName) => boolean): number | null {
  if (!field) return count;
  const [only] = inside;
  const found = only && statisticsOf(only, field);
  if (!found?.contributors || !shows(field)) return null;
  return op === 'count' ? found.contributors : Number(found[op].toPrecision(DIGITS));
}
