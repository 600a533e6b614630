/** The bodies of `POST /analytics/aggregate`, `/analytics/rankings` and `/analytics/odds`, and their problems. Pure. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import { findNearestName } from '../../core/domain/nearestNames.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { DIMENSIONS, type FacetName, facetOf, isDate, MEASUREMENTS, OPERATIONS, type Operation } from '../../core/query/dimensions.ts';
import { INTERVALS, type Interval } from '../../core/query/intervals.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { denialProblems } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import { isObject } from '../../http/body.ts';
import type { BodyReading } from '../../http/declaration.ts';
import { describePlace } from '../../http/schemaWords.ts';

export const DATASET = 'projects';
export const LIMIT_DEFAULT = 100;
export const LIMIT_MAX = 1_000;
/** Aggregates that one request may ask for. */
export const QUERIES_MAX = 6;
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
export const nameMetric = ({ op, field }: Metric): string => (field ? `${op}_${field}` : op);

type Body = Readonly<Record<string, unknown>>;

function readFilters(body: Body, principal: Principal, { places }: Environment, at = ''): BodyReading<ParameterReading> {
  const reading = parseFilterObject(body.filters ?? {}, `${at}filters.`, places);
  return { problems: [...reading.problems, ...denialProblems(reading, principal, places)], value: reading };
}

const missingFieldRefusal = (steps: readonly string[], op: string): RequestRefusal => ({
  param: steps.join('.'),
  code: 'missing',
  message: `${describePlace(steps)} is missing. ${op} needs one of ${MEASUREMENTS.join(', ')}`,
  answer: 'invalid_request',
});

function findMetricProblems(metric: unknown, ...path: string[]): RequestRefusal[] {
  const { op, field } = (typeof metric === 'object' && metric !== null ? metric : {}) as Body;
  const needsField = OPERATIONS.some((name) => name === op && name !== 'count');
  return needsField && field === undefined ? [missingFieldRefusal([...path, 'field'], String(op))] : [];
}

function findIntervalProblems({ interval }: Body, dimensions: readonly unknown[], at = ''): RequestRefusal[] {
  if (interval === undefined || !INTERVALS.some((name) => name === interval)) return [];
  // With an unknown dimension, which may be a misspelt date, the interval is not refused.
  if (dimensions.some((name) => !DIMENSIONS.some((known) => known === name) || isDate(name as FacetName))) return [];
  const dates = DIMENSIONS.filter(isDate).join(' or ');
  return [contradiction(`${at}interval`, `interval is for a date; group by ${dates}, or leave it out`)];
}

const orderNames = (metrics: readonly unknown[]) => [
  'count',
  'key',
  ...metrics.flatMap((metric) => (isObject(metric) && typeof metric.op === 'string' ? [nameMetric(metric as unknown as Metric)] : [])),
];

function orderProblems({ order, metrics }: Body, at: string): RequestRefusal[] {
  const { by } = (typeof order === 'object' && order !== null ? order : {}) as Body;
  const names = [...new Set(orderNames(Array.isArray(metrics) ? metrics : []))];
  if (typeof by !== 'string' || names.includes(by)) return [];
  const didYouMean = findNearestName(by, names);
  const message = `order.by takes ${names.join(', ')}${didYouMean ? `; did you mean '${didYouMean}'?` : ''}: a metric has to be asked for to order by it`;
  return [
    {
      param: `${at}order.by`,
      code: 'invalid_value',
      message,
      value: by.slice(0, 80),
      ...(didYouMean ? { didYouMean } : {}),
      answer: 'invalid_request',
    },
  ];
}

const joinSteps = (steps: readonly string[]) => steps.map((step) => `${step}.`).join('');

/** @param steps to the query in the body */
function readQuery(query: Body, principal: Principal, environment: Environment, ...steps: string[]): BodyReading<ParameterReading> {
  const at = joinSteps(steps);
  const { problems, value } = readFilters(query, principal, environment, at);
  const metrics = Array.isArray(query.metrics) ? query.metrics : [];
  const problemsOfMetrics = metrics.flatMap((metric, i) => findMetricProblems(metric, ...steps, 'metrics', String(i)));
  const ofInterval = findIntervalProblems(query, Array.isArray(query.groupBy) ? query.groupBy : [], at);
  return { problems: [...problems, ...problemsOfMetrics, ...ofInterval, ...orderProblems(query, at)], value };
}

/** Reads a body, or each of its `queries`. @returns the reading of the filters of each */
function readQueries(
  { queries, ...other }: Body,
  read: (query: Body, ...steps: string[]) => BodyReading<ParameterReading>,
): BodyReading<ParameterReading[]> {
  if (queries === undefined) {
    const { problems, value } = read(other);
    return { problems, value: [value] };
  }
  const misplaced = Object.keys(other).map((name) => contradiction(name, `${name} belongs into each of queries, not beside them`));
  const sent = Array.isArray(queries) ? queries.slice(0, QUERIES_MAX) : [];
  const readings = sent.map((query, i) => read(isObject(query) ? query : {}, 'queries', String(i)));
  return { problems: [...misplaced, ...readings.flatMap(({ problems }) => problems)], value: readings.map(({ value }) => value) };
}

/** Parses the body of an aggregate beyond its schema. */
export const readAggregate = (body: Body, principal: Principal, environment: Environment): BodyReading<ParameterReading[]> =>
  readQueries(body, (query, ...steps) => readQuery(query, principal, environment, ...steps));

/** Parses the body of a ranking beyond its schema. */
export function readRanking(body: Body, principal: Principal, environment: Environment): BodyReading<ParameterReading> {
  const { problems, value } = readFilters(body, principal, environment);
  const ofMetric = findMetricProblems(body.metric, 'metric');
  return { problems: [...problems, ...ofMetric, ...findIntervalProblems(body, [body.dimension])], value };
}

/** Parses the body of odds beyond its schema. */
export const readOdds = (body: Body, principal: Principal, environment: Environment): BodyReading<ParameterReading[]> =>
  readQueries(body, (query, ...steps) => {
    const at = joinSteps(steps);
    const { problems, value } = readFilters(query, principal, environment, at);
    return { problems: [...problems, ...findIntervalProblems(query, Array.isArray(query.by) ? query.by : [], at)], value };
  });
