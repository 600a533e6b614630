/** Aggregations that reckon with measurements over the projects of a group, and how their answers are read. Pure. */
import type { FieldName } from '../domain/record/fields.ts';
import type { Clause } from './clauses.ts';
import { type Aggregate, type Aggregations, inner } from './facets.ts';

/** Values up to which a median is exact: a digest keeps fewer than 20 times its compression as they are. */
export const EXACT_MEDIAN_MAX = 10_000;
const COMPRESSION = EXACT_MEDIAN_MAX / 20 + 1;

/** What is reckoned with in each group. */
export interface Reckoning {
  fields: readonly FieldName[];
  medians: readonly FieldName[];
  /** matches the records that the pool holds; undefined where records are free */
  held?: Clause | undefined;
}

/** Of one measurement in one group. */
export interface Statistics {
  /** records that state a value, and those of them that the pool does not hold, where that counts */
  contributors: number;
  unheld: number;
  sum: number;
  avg: number;
  min: number;
  max: number;
  median: number;
}

/** What the current generation states, as it is served; evidence of earlier ones is no part of a sum. */
export const measurementPath = (field: FieldName) => `derived.${field}`;

const unheldOf = ({ fields, held }: Reckoning): Aggregations => {
  if (!held || !fields.length) return {};
  const aggs = Object.fromEntries(fields.map((field) => [field, { value_count: { field: measurementPath(field) } }]));
  return { unheld: { filter: { bool: { must_not: held } }, aggs } };
};

export const reckoningAggregations = (reckoning: Reckoning): Aggregations => ({
  ...Object.fromEntries(reckoning.fields.map((field) => [field, { stats: { field: measurementPath(field) } }])),
  ...Object.fromEntries(
    reckoning.medians.map((field) => [
      `median ${field}`,
      { percentiles: { field: measurementPath(field), percents: [50], tdigest: { compression: COMPRESSION } } },
    ]),
  ),
  ...unheldOf(reckoning),
});

/** How many contribute, and nothing else: for sums over a dimension that no answer shows. */
export const contributorAggregations = (reckoning: Reckoning): Aggregations => ({
  ...Object.fromEntries(reckoning.fields.map((field) => [field, { value_count: { field: measurementPath(field) } }])),
  ...unheldOf(reckoning),
});

const number = (value: unknown) => (typeof value === 'number' ? value : 0);

/** From the answer to either. */
export function statisticsOf(answer: Aggregate, field: FieldName): Statistics {
  const found = inner(answer, field);
  const contributors = number(found.count ?? found.value);
  return {
    contributors,
    unheld: answer.unheld ? number(inner(inner(answer, 'unheld'), field).value) : contributors,
    sum: number(found.sum),
    avg: number(found.avg),
    min: number(found.min),
    max: number(found.max),
    median: number(inner(inner(answer, `median ${field}`), 'values')['50.0']),
  };
}
