/** Aggregations of measurements over the projects of a group, and how their answers are read. Pure. */

import { type Clause, range } from './clauses.ts';
import type { FacetName, Operation } from './dimensions.ts';
import { type Aggregate, type Aggregations, innerAggregate } from './facets.ts';
import { DAY_MS } from './intervals.ts';

/** Up to this number of values a median is exact: a t-digest keeps up to 20 times its compression unmerged. */
export const EXACT_MEDIAN_MAX = 10_000;
const COMPRESSION = EXACT_MEDIAN_MAX / 20 + 1;

/** What is aggregated in each group. */
interface StatisticsRequest {
  /** fields that are indexed as numbers or dates; for `meetingDate` only past meetings count */
  fields: readonly FacetName[];
  /** fields for which a sum, mean, minimum, maximum or lag is computed; the others are only counted */
  summed: readonly FacetName[];
  /** the service's date, `YYYY-MM-DD` */
  today: string;
  medians: readonly FacetName[];
  /** matches the records that the pool holds; undefined on plans whose records are free */
  held?: Clause | undefined;
}

/** The field with the current generation's value, as served. Evidence of earlier generations is never summed. */
export const measurementPath = (field: FacetName) => `derived.${field}`;

/** Meetings up to today; future ones do not show how fresh a group is. */
const heldMeetings = ({ today }: StatisticsRequest): Clause => range(measurementPath('meetingDate'), { lte: today });

/** Statistics of meeting dates, in milliseconds since 1970. */
const meetingAggregations = (reckoning: StatisticsRequest): Clause => ({
  filter: heldMeetings(reckoning),
  aggs: {
    meetings: { stats: { field: measurementPath('meetingDate') } },
    loads: { avg: { field: 'lastUpdated' } },
  },
});

const countOf =
  (reckoning: StatisticsRequest) =>
  (field: FacetName): [FacetName, Clause] =>
    field === 'meetingDate' ? [field, { filter: heldMeetings(reckoning) }] : [field, { value_count: { field: measurementPath(field) } }];

const unheldOf = (reckoning: StatisticsRequest): Aggregations => {
  const { fields, held } = reckoning;
  if (!held || !fields.length) return {};
  return { unheld: { filter: { bool: { must_not: held } }, aggs: Object.fromEntries(fields.map(countOf(reckoning))) } };
};

export const statisticsAggregations = (reckoning: StatisticsRequest): Aggregations => ({
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

/** Only the number of contributing records, for sums over a dimension that the answer does not show. */
export const contributorAggregations = (reckoning: StatisticsRequest): Aggregations => ({
  ...Object.fromEntries(reckoning.fields.map(countOf(reckoning))),
  ...unheldOf(reckoning),
});

const number = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The number of records that state a value. */
export function countContributors(answer: Aggregate, field: FacetName): number {
  const found = innerAggregate(answer, field);
  return number(found.count ?? found.value ?? found.doc_count);
}

/** The number of records that state a value and that the pool does not hold. */
export const countUnheld = (answer: Aggregate, field: FacetName): number =>
  countContributors(answer.unheld ? innerAggregate(answer, 'unheld') : answer, field);

/**
 * A statistic of one measurement in one group; of none, where no record states a value. `count` is the number of records that state one, and `lag`,
 * only for meetings, the mean number of days from the meeting to the load that last changed the record.
 * @param answer to `statisticsAggregations`
 */
export function readStatistic(answer: Aggregate, field: FacetName, op: Operation | 'lag'): number {
  if (op === 'count') return countContributors(answer, field);
  if (op === 'median') return number(innerAggregate(innerAggregate(answer, `median ${field}`), 'values')['50.0']);
  const own = innerAggregate(answer, field);
  const found = field === 'meetingDate' ? innerAggregate(own, 'meetings') : own;
  return op === 'lag' ? (number(innerAggregate(own, 'loads').value) - number(found.avg)) / DAY_MS : number(found[op]);
}
