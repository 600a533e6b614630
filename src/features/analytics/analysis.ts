/** The bodies of `POST /analytics/aggregate`, `/analytics/rankings` and `/analytics/odds`, and their problems. Pure. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { nearestName } from '../../core/filter/nearest.ts';
import { parseFilters } from '../../core/filter/parse.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import { DIMENSIONS, type FacetName, facetOf, isDate, MEASUREMENTS, OPERATIONS, type Operation } from '../../core/query/dimensions.ts';
import { INTERVALS, type Interval } from '../../core/query/intervals.ts';
import { contradiction } from '../../core/search/problems.ts';
import { denialProblems } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { BodyReading } from '../../http/declaration.ts';
import { placeInWords } from '../../http/schemaWords.ts';

export const DATASET = 'projects';
export const LIMIT_DEFAULT = 100;
export const LIMIT_MAX = 1_000;
export const RANKS_MAX = 100;
/** Most groups of odds in an answer, few since each has a curve. */
export const ODDS_MAX = 100;
/** Dimensions of odds: all except the outcome, which they are about. */
export const ODDS_DIMENSIONS = DIMENSIONS.filter((dimension) => facetOf(dimension).kind !== 'outcome');
export const INTERVAL_DEFAULT: Interval = 'month';

export interface Metric {
  /** `lag`: mean days from a meeting to the load with the record's last change; requests cannot name it */
  op: Operation | 'lag';
  field?: FacetName;
}

export interface Order {
  by: string;
  direction: 'asc' | 'desc';
}

/** The name of a metric, such as `sum_acreage` or `count`. */
export const metricName = ({ op, field }: Metric): string => (field ? `${op}_${field}` : op);

type Body = Readonly<Record<string, unknown>>;

/** The filters of a body. */
function readFilters(body: Body, principal: Principal, { places }: Environment): BodyReading<FilterValues> {
  const reading = parseFilters(body.filters ?? {}, 'filters.', places);
  return { problems: [...reading.problems, ...denialProblems(reading, principal, places)], value: reading.filters };
}

const missingField = (steps: readonly string[], op: string): RequestRefusal => ({
  param: steps.join('.'),
  code: 'missing',
  message: `${placeInWords(steps)} is missing. ${op} needs one of ${MEASUREMENTS.join(', ')}`,
  answer: 'invalid_request',
});

function metricProblems(metric: unknown, ...path: string[]): RequestRefusal[] {
  const { op, field } = (typeof metric === 'object' && metric !== null ? metric : {}) as Body;
  const needsField = OPERATIONS.some((name) => name === op && name !== 'count');
  return needsField && field === undefined ? [missingField([...path, 'field'], String(op))] : [];
}

function intervalProblems({ interval }: Body, dimensions: readonly unknown[]): RequestRefusal[] {
  if (interval === undefined || !INTERVALS.some((name) => name === interval)) return [];
  // With an unknown dimension, which may be a misspelt date, the interval is not refused.
  if (dimensions.some((name) => !DIMENSIONS.some((known) => known === name) || isDate(name as FacetName))) return [];
  const dates = DIMENSIONS.filter(isDate).join(' or ');
  return [contradiction('interval', `interval is for a date; group by ${dates}, or leave it out`)];
}

const orderNames = (metrics: readonly unknown[]) => [
  'count',
  'key',
  ...metrics.flatMap((metric) => (typeof metric === 'object' && metric !== null ? [metricName(metric as Metric)] : [])),
];

function orderProblems({ order, metrics }: Body): RequestRefusal[] {
  const { by } = (typeof order === 'object' && order !== null ? order : {}) as Body;
  const names = [...new Set(orderNames(Array.isArray(metrics) ? metrics : []))];
  if (typeof by !== 'string' || names.includes(by)) return [];
  const didYouMean = nearestName(by, names);
  const message = `order.by takes ${names.join(', ')}${didYouMean ? `; did you mean '${didYouMean}'?` : ''}: a metric has to be asked for to order by it`;
  return [
    {
      param: 'order.by',
      code: 'invalid_value',
      message,
      value: by.slice(0, 80),
      ...(didYouMean ? { didYouMean } : {}),
      answer: 'invalid_request',
    },
  ];
}

/** Parses the body of an aggregate beyond its schema. */
export function readAggregate(body: Body, principal: Principal, environment: Environment): BodyReading<FilterValues> {
  const { problems, value } = readFilters(body, principal, environment);
  const metrics = Array.isArray(body.metrics) ? body.metrics : [];
  const ofMetrics = metrics.flatMap((metric, i) => metricProblems(metric, 'metrics', String(i)));
  const ofInterval = intervalProblems(body, Array.isArray(body.groupBy) ? body.groupBy : []);
  return { problems: [...problems, ...ofMetrics, ...ofInterval, ...orderProblems(body)], value };
}

/** Parses the body of a ranking beyond its schema. */
export function readRanking(body: Body, principal: Principal, environment: Environment): BodyReading<FilterValues> {
  const { problems, value } = readFilters(body, principal, environment);
  const ofMetric = metricProblems(body.metric, 'metric');
  return { problems: [...problems, ...ofMetric, ...intervalProblems(body, [body.dimension])], value };
}

/** Parses the body of odds beyond its schema. */
export function readOdds(body: Body, principal: Principal, environment: Environment): BodyReading<FilterValues> {
  const { problems, value } = readFilters(body, principal, environment);
  return { problems: [...problems, ...intervalProblems(body, Array.isArray(body.by) ? body.by : [])], value };
}
