import { serviceToday } from '../../core/domain/serviceClock.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { type FacetName, type GroupKey, isDate } from '../../core/query/dimensions.ts';
import type { Interval } from '../../core/query/intervals.ts';
import type { Actor } from '../../core/search/actor.ts';
import { selectionOf } from '../../core/search/select.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { listUnsentDefaults, makeMeta, sortGroups } from './aggregate.ts';
import { type AnalyticsServices, measureGroups } from './measure.ts';
import { INTERVAL_DEFAULT, type Metric, nameMetric, RANKS_MAX } from './request.ts';

interface RankingBody {
  filters?: Record<string, unknown>;
  dimension: FacetName;
  interval?: Interval;
  metric: Metric;
  order?: 'asc' | 'desc';
  limit?: number;
}

interface Rank {
  rank: number;
  key: GroupKey;
  label: string;
  count: number;
  value: number;
}

/**
 * `POST /analytics/rankings`: the groups of one dimension ordered by one metric. Groups without a value have no rank, and equal values
 * share one.
 * @throws ApiError
 */
export async function rankGroups(
  services: AnalyticsServices,
  actor: Actor,
  body: RankingBody,
  { filters, warnings }: ParameterReading,
): Promise<OperationAnswer<Rank[]>> {
  const { dimension, metric, interval = INTERVAL_DEFAULT, order = 'desc', limit = RANKS_MAX } = body;
  const selection = selectionOf(filters, actor.principal, serviceToday(services.now()), warnings);
  const asked = { selection, dimensions: [dimension], interval, metrics: [metric], showsTotals: false };
  const measured = await measureGroups(services, actor, asked);
  const name = nameMetric(metric);
  const valued = sortGroups(measured.groups, { by: name, direction: order }).flatMap(({ keys, count, metrics }) => {
    const value = metrics[name] ?? null;
    return value === null ? [] : [{ keys, count, value }];
  });
  const ranked = valued.slice(0, limit).map(({ keys, count, value }): Rank => {
    const [[key = null], [label = '']] = [keys, measured.labelsOf(keys)];
    return { rank: valued.findIndex((other) => other.value === value) + 1, key, label, count, value };
  });
  const defaults = { order, limit, ...(isDate(dimension) ? { interval } : {}) };
  return {
    data: ranked,
    meta: {
      creditsUsed: 0,
      ...makeMeta(selection, [dimension], measured, listUnsentDefaults(defaults, body)),
      truncated: valued.length > limit,
    },
  };
}
