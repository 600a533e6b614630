/** Decides which counted groups are shown, and hides those that would reveal few records. */
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import { boundOf } from '../../core/filter/size.ts';
import { type FilterName, filterOf } from '../../core/filter/table.ts';
import { type FacetName, type GroupKey, groupLabel } from '../../core/query/dimensions.ts';
import type { Facet } from '../../core/query/facets.ts';
import { countContributors, countUnheld, readStatistic } from '../../core/query/statistics.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { Environment } from '../../core/search/services.ts';
import { makeAxis } from './axis.ts';
import type { Combination } from './combinations.ts';
import { type TableLayout, WHOLE } from './levelTables.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import { type Metric, nameMetric } from './request.ts';
import type { VisibilityPool } from './visibilityPool.ts';

export interface MeasuredGroup {
  keys: GroupKey[];
  count: number;
  /** null when too few records state a value */
  metrics: Record<string, number | null>;
}

export interface Totals {
  count: number;
  metrics: Record<string, number | null>;
}

export interface MeasuredGroups {
  groups: MeasuredGroup[];
  totals: Totals | null;
  /** whether any group is hidden */
  suppressed: boolean;
  /** null also when too few records match to report it */
  unconfirmed: Unconfirmed | null;
  /** makes the labels of a group's keys, only for groups that fit into the answer */
  labelsOf(keys: readonly GroupKey[]): string[];
}

/** Numbers the groups of each dimension. */
export function numberGroups(
  found: readonly Pick<Combination, 'keys'>[],
  facets: readonly Facet[],
  places: Environment['places'],
): TableLayout {
  const numbers = [new Map<GroupKey, number>(), new Map<GroupKey, number>()] as const;
  const numberOf = (key: GroupKey | undefined, i: 0 | 1) => {
    if (key === undefined) return null;
    const number = numbers[i].get(key) ?? numbers[i].size;
    numbers[i].set(key, number);
    return number;
  };
  const at = found.map(({ keys: [first, second] }) => [numberOf(first, 0), numberOf(second, 1)] as const);
  const axis = (i: 0 | 1) => (facets[i] ? makeAxis(facets[i], [...numbers[i].keys()], places) : WHOLE);
  return { axes: [axis(0), axis(1)], at };
}

export interface HidingServices {
  places: Environment['places'];
  visibilities: VisibilityPool;
}

/** Makes the labels of a group's keys. The label of a key is made once, since many groups share it. */
function makeLabels(facets: readonly Facet[], places: Environment['places']): MeasuredGroups['labelsOf'] {
  const made = facets.map(() => new Map<GroupKey, string>());
  return (keys) =>
    facets.map((facet, i) => {
      const [key, known] = [keys[i] ?? null, made[i]];
      const label = known?.get(key) ?? groupLabel(facet, key, places);
      known?.set(key, label);
      return label;
    });
}

/** Removes everything that may not be shown. */
export async function hideSmallGroups(
  { places, visibilities }: HidingServices,
  found: readonly Combination[],
  facets: readonly Facet[],
  { metrics: askedMetrics, isMetered, signal }: { metrics: readonly Metric[]; isMetered: boolean; signal: AbortSignal | undefined },
): Promise<Omit<MeasuredGroups, 'unconfirmed'>> {
  const { axes, at } = numberGroups(found, facets, places);
  const fields = [...new Set(askedMetrics.flatMap(({ field }) => field ?? []))];
  const visible = await visibilities.decide(
    {
      axes,
      at,
      counts: found.map(({ count }) => count),
      statistics: fields.map((field) => found.map((one) => listContributors(one, field, isMetered))),
    },
    signal,
  );
  const read = askedMetrics.map((metric) => ({
    name: nameMetric(metric),
    metric,
    shown: metric.field && visible.statistics[fields.indexOf(metric.field)],
  }));
  const metrics = (one: Combination, cell: number) => {
    const values: Totals['metrics'] = {};
    for (const { name, metric, shown } of read) values[name] = readMetric(metric, one, shown?.[cell] === true);
    return values;
  };
  const isGroup = (one: Combination) => facets.length > 0 && facets.every((_, i) => one.keys[i] !== undefined);
  const groups = found.flatMap((one, cell) => {
    if (!isGroup(one) || !visible.counts[cell]) return [];
    const keys = one.keys.slice(0, facets.length) as GroupKey[];
    return [{ keys, count: one.count, metrics: metrics(one, cell) }];
  });
  const [whole] = found as [Combination];
  return {
    groups,
    totals: whole.count < MINIMUM_GROUP_SIZE ? null : { count: whole.count, metrics: metrics(whole, 0) },
    suppressed: groups.length < found.filter(isGroup).length || (whole.count > 0 && whole.count < MINIMUM_GROUP_SIZE),
    labelsOf: makeLabels(facets, places),
  };
}

/** Whether a filter has no dimension with groups. */
const isOfNoDimension = (name: string) => boundOf(name) !== undefined || filterOf(name as FilterName).confirmedByName === true;

/**
 * Omits the number of unconfirmed matches when it would reveal few records, or the size of a group that another answer about the selection
 * hides: records that do not confirm a filter on a dimension are in its group without a value. On metered plans it would also reveal how
 * many records contribute to a statistic.
 */
export function hideUnconfirmed(unconfirmed: Unconfirmed | null, total: number, { principal }: Actor): Unconfirmed | null {
  if (!unconfirmed || total < MINIMUM_GROUP_SIZE) return null;
  const { filters, records } = unconfirmed;
  const rest = total - (records ?? 0);
  const isFew = (records ?? 0) < MINIMUM_GROUP_SIZE || (rest > 0 && rest < MINIMUM_GROUP_SIZE);
  return isFew || !filters.every(isOfNoDimension) || principal.plan.recordCredit > 0 ? { filters, records: null } : unconfirmed;
}

/** The numbers on which a group's statistics rest: its contributors, and on metered plans also those that the pool does not hold. */
function listContributors({ inside }: Combination, field: FacetName, isMetered: boolean): number[] {
  const sum = (read: typeof countContributors) => inside.reduce((total, one) => total + read(one, field), 0);
  return isMetered ? [sum(countContributors), sum(countUnheld)] : [sum(countContributors)];
}

/** Digits in which a sum of decimal fractions equals the exact one. */
const DIGITS = 15;

function readMetric({ op, field }: Metric, { count, inside: [only] }: Combination, isShown: boolean): number | null {
  if (!field) return count;
  if (!isShown || !only || !countContributors(only, field)) return null;
  const found = readStatistic(only, field, op);
  return op === 'count' ? found : Number(found.toPrecision(DIGITS));
}
