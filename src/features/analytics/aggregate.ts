import { serviceToday } from '../../core/domain/serviceClock.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { type FacetName, facetOf, type GroupKey, isDate } from '../../core/query/dimensions.ts';
import type { Interval } from '../../core/query/intervals.ts';
import type { Actor } from '../../core/search/actor.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { MeasuredGroup, MeasuredGroups, Totals } from './hideGroups.ts';
import { type AnalyticsServices, measureGroups } from './measure.ts';
import { DATASET, INTERVAL_DEFAULT, LIMIT_DEFAULT, type Metric, type Order } from './request.ts';

interface AggregateQuery {
  dataset?: string;
  filters?: Record<string, unknown>;
  groupBy?: FacetName[];
  interval?: Interval;
  metrics?: Metric[];
  order?: { by: string; direction?: Order['direction'] };
  limit?: number;
}
interface AggregateBody extends AggregateQuery {
  queries?: AggregateQuery[];
}

/** The figures of each group, and of everything that matches. */
export interface AnalyticsAnswer<Figures> {
  groups: (Figures & { keys: Record<string, GroupKey>; labels: Record<string, string> })[];
  totals: Figures | null;
}

/** Orders keys; the group that states nothing comes last. */
function compareKey(a: GroupKey, b: GroupKey): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : Number(a !== b);
}

export function compareKeys({ keys }: Pick<MeasuredGroup, 'keys'>, b: Pick<MeasuredGroup, 'keys'>): number {
  for (let i = 0; i < keys.length; i++) {
    const order = compareKey(keys[i] ?? null, b.keys[i] ?? null);
    if (order) return order;
  }
  return 0;
}

/** Sorts groups by a metric; groups without a value come last, ties are ordered by key. */
export function sortGroups(groups: readonly MeasuredGroup[], { by, direction }: Order): MeasuredGroup[] {
  const sign = direction === 'asc' ? 1 : -1;
  const value = ({ count, metrics }: MeasuredGroup) => (by === 'count' ? count : (metrics[by] ?? null));
  const compare = (a: MeasuredGroup, b: MeasuredGroup) => {
    if (by === 'key') return sign * compareKeys(a, b);
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  };
  return groups.toSorted((a, b) => compare(a, b) || compareKeys(a, b));
}

/** The fields of `meta` that analytics answers share. */
export function makeMeta(
  selection: Selection,
  dimensions: readonly FacetName[],
  { suppressed, unconfirmed }: Pick<MeasuredGroups, 'suppressed' | 'unconfirmed'>,
  defaults: Record<string, unknown>,
) {
  const byUse = dimensions.some((dimension) => facetOf(dimension).kind === 'use');
  const mode = byUse && !selection.filters.taxonomyMatchMode ? { taxonomyMatchMode: 'primary_or_secondary' } : {};
  return {
    suppressedGroups: suppressed,
    warnings: [...selection.warnings, ...evidenceWarning(unconfirmed)],
    appliedDefaults: { ...selection.appliedDefaults, ...mode, ...defaults },
    appliedFilters: selection.appliedFilters,
  };
}

/** The default values that a request did not set. */
export const listUnsentDefaults = (defaults: Record<string, unknown>, body: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => (body as Record<string, unknown>)[name] === undefined));

type Meta = ReturnType<typeof makeMeta> & { truncated: boolean };

export interface QueryAnswer<Figures> {
  data: AnalyticsAnswer<Figures>;
  meta: Meta;
}

/**
 * Answers a body, or each of its `queries` as if it were asked by itself.
 * @param readings of the filters of each query @param answer with the path of the query in the body
 */
export async function answerQueries<Query extends object, Figures>(
  { queries, ...single }: Query & { queries?: Query[] },
  readings: readonly ParameterReading[],
  answer: (query: Query, reading: ParameterReading, at: string) => Promise<QueryAnswer<Figures>>,
): Promise<OperationAnswer<AnalyticsAnswer<Figures> & { results?: (AnalyticsAnswer<Figures> & { meta: Meta })[] }>> {
  const answers = await Promise.all(
    readings.map((one, i) => answer(queries?.[i] ?? (single as Query), one, queries ? `queries.${i}.` : '')),
  );
  const [first] = answers;
  if (first && !queries) return { data: first.data, meta: { creditsUsed: 0, ...first.meta } };
  const metas = answers.map(({ meta }) => meta);
  return {
    data: { groups: [], totals: null, results: answers.map(({ data, meta }) => ({ ...data, meta })) },
    meta: {
      creditsUsed: 0,
      suppressedGroups: metas.some(({ suppressedGroups }) => suppressedGroups),
      truncated: metas.some(({ truncated }) => truncated),
      warnings: metas.flatMap(({ warnings }) => warnings),
      appliedDefaults: {},
      appliedFilters: {},
    },
  };
}

/**
 * `POST /analytics/aggregate`: free, and never identifies a record. Small groups of each query are hidden as if it were asked by itself.
 * @param readings of the filters of each query
 * @throws ApiError
 */
export const aggregate = (services: AnalyticsServices, actor: Actor, body: AggregateBody, readings: readonly ParameterReading[]) =>
  answerQueries<AggregateQuery, Totals>(body, readings, (query, reading, at) =>
    answerQuery(services, actor, query, reading, `${at}groupBy`),
  );

/** @param param the field of the body that names the dimensions */
async function answerQuery(
  services: AnalyticsServices,
  actor: Actor,
  body: AggregateQuery,
  { filters, warnings }: ParameterReading,
  param: string,
): Promise<QueryAnswer<Totals>> {
  const { groupBy = [], interval = INTERVAL_DEFAULT, metrics = [], limit = LIMIT_DEFAULT } = body;
  const order: Order = { by: 'count', direction: body.order?.by === 'key' ? 'asc' : 'desc', ...body.order };
  const selection = selectionOf(filters, actor.principal, serviceToday(services.now()), warnings);
  const measured = await measureGroups(services, actor, { selection, dimensions: groupBy, interval, metrics, param });
  const named = <T>(values: readonly T[]) => Object.fromEntries(groupBy.map((dimension, i) => [dimension, values[i] as T]));
  const groups = sortGroups(measured.groups, order);
  const shown = groups.slice(0, limit).map(({ keys, ...rest }) => ({ keys: named(keys), labels: named(measured.labelsOf(keys)), ...rest }));
  const defaults = { dataset: DATASET, order, limit, ...(groupBy.some(isDate) ? { interval } : {}) };
  const meta = makeMeta(selection, groupBy, measured, listUnsentDefaults(defaults, body));
  return { data: { groups: shown, totals: measured.totals }, meta: { ...meta, truncated: groups.length > limit } };
}
