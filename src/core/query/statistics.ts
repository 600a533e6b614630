/** Aggregations that reckon with measurements over the projects of a group, and how their answers are read. Pure. */

import type { FieldName } from '../domain/record/fields.ts';
import { type Clause, range } from './clauses.ts';
import { type Aggregate, type Aggregations, inner } from './facets.ts';
import { DAY_MS } from './intervals.ts';

/** Values up to which a median is exact: a digest keeps fewer than 20 times its compression as they are. */
export const EXACT_MEDIAN_MAX = 10_000;
const COMPRESSION = EXACT_MEDIAN_MAX / 20 + 1;

/** What is reckoned with in each group. */
export interface Reckoning {
  /** measurements, and others that are kept as numbers or dates; of `meetingDate` the meetings that have been held */
  fields: readonly FieldName[];
  /** those of which a sum, mean, least, greatest or lag is wanted; of the others only how many state them */
  summed: readonly FieldName[];
  /** `YYYY-MM-DD`, by which a meeting has been held */
  today: string;
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
  /** of meetings: mean days until the load that brought the last change */
  lag: number;
}

/** What the current generation states, as it is served; evidence of earlier ones is no part of a sum. */
export const measurementPath = (field: FieldName) => `derived.${field}`;

/** Meetings in the future tell nothing of how fresh a group is. */
const heldMeetings = ({ today }: Reckoning): Clause => range(measurementPath('meetingDate'), { lte: today });

/** Of dates in milliseconds since 1970. */
const meetingAggregations = (reckoning: Reckoning): Clause => ({
  filter: heldMeetings(reckoning),
  aggs: {
    meetings: { stats: { field: measurementPath('meetingDate') } },
    loads: { avg: { field: 'lastUpdated' } },
  },
});

const countOf =
  (reckoning: Reckoning) =>
  (field: FieldName): [FieldName, Clause] =>
    field === 'meetingDate' ? [field, { filter: heldMeetings(reckoning) }] : [field, { value_count: { field: measurementPath(field) } }];

const unheldOf = (reckoning: Reckoning): Aggregations => {
  const { fields, held } = reckoning;
  if (!held || !fields.length) return {};
  return { unheld: { filter: { bool: { must_not: held } }, aggs: Object.fromEntries(fields.map(countOf(reckoning))) } };
};

export const reckoningAggregations = (reckoning: Reckoning): Aggregations => ({
  ...Object.fromEntries(
    reckoning.fields.map((field) => {
      if (!reckoning.summed.includes(field)) return countOf(reckoning)(field);
      return [field, field === 'meetingDate' ? meetingAggregations(reckoning) : { stats: { field: measurementPath(field) } }];
    }),
  ),
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
  ...Object.fromEntries(reckoning.fields.map(countOf(reckoning))),
  ...unheldOf(reckoning),
});

const number = (value: unknown) => (typeof value === 'number' ? value : 0);

const contributorsOf = (answer: Aggregate, field: FieldName) => {
  const found = inner(answer, field);
  return number(found.count ?? found.value ?? found.doc_count);
};

/** From the answer to either. */
export function statisticsOf(answer: Aggregate, field: FieldName): Statistics {
  const contributors = contributorsOf(answer, field);
  const found = field === 'meetingDate' ? inner(inner(answer, field), 'meetings') : inner(answer, field);
  const [sum, avg, min, max] = [number(found.sum), number(found.avg), number(found.min), number(found.max)];
  return {
    contributors,
    sum,
    avg,
    min,
    max,
    unheld: answer.unheld ? contributorsOf(inner(answer, 'unheld'), field) : contributors,
    median: number(inner(inner(answer, `median ${field}`), 'values')['50.0']),
    lag: (number(inner(inner(answer, field), 'loads').value) - avg) / DAY_MS,
  };
}
