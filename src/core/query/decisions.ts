/** Aggregations of the days until decisions, and how their answers are read. They rest on what the current generation states. Pure. */
import { daysBetween } from '../domain/process/hearings.ts';
import { DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES, type ProjectOutcome } from '../domain/process/tokens.ts';
import { anyOf, type Clause, range } from './clauses.ts';
import { type Aggregate, type Aggregations, facetPath, innerAggregate, outcomeClauses } from './facets.ts';
import type { DayCount } from './survival.ts';

const OUTCOME = 'derived.outcome';
export const FIRST_HEARING = 'derived.firstHearing';
const DAYS_TO_DECISION = 'derived.daysToDecision';
const DAYS_IN_PROCESS = 'derived.daysInProcess';
const HEARINGS = 'derived.hearingCount';

const clauseOf = (outcomes: readonly ProjectOutcome[], today: string, field = OUTCOME): Clause =>
  anyOf(outcomes.flatMap((outcome) => outcomeClauses(field, outcome, today)));

/** Outcomes that a vote decides. */
const VOTED = ['approved', 'denied'] as const;

/** Records that state the days until their decision, and those that state their hearings. */
const contributions = (today: string): Aggregations => ({
  days: { value_count: { field: DAYS_TO_DECISION } },
  hearings: { filter: clauseOf(VOTED, today), aggs: { stating: { value_count: { field: HEARINGS } } } },
});

/**
 * How many records of a group are decided, by the evidence that filters match, and how many contribute to its days and hearings.
 * @param held matches the records that the pool holds; undefined on plans whose records are free
 */
export const decisionAggregations = (today: string, held: Clause | undefined): Aggregations => ({
  decided: { filter: clauseOf(DECIDED_OUTCOMES, today, facetPath('outcome')) },
  ...contributions(today),
  ...(held ? { unheld: { filter: { bool: { must_not: held } }, aggs: contributions(today) } } : {}),
});

/** The earliest first hearing of a group's records. */
export const EARLIEST: Aggregations = { first: { min: { field: FIRST_HEARING, format: 'yyyy-MM-dd' } } };

/** The day; undefined where no record states one. @param answer to `EARLIEST` */
export const readEarliest = (answer: Aggregate): string | undefined =>
  innerAggregate(answer, 'first').value_as_string as string | undefined;

/** @param answer to `decisionAggregations` */
export const countDecided = (answer: Aggregate): number => innerAggregate(answer, 'decided').doc_count ?? 0;

const readNumber = (answer: Aggregate): number => Number(answer.value ?? 0);

/** The records on which a statistic rests, and how many of them the pool does not hold. @param answer to `decisionAggregations` */
export function readContributors(answer: Aggregate, statistic: 'days' | 'hearings'): { all: number; unheld: number } {
  const count = (from: Aggregate) =>
    readNumber(statistic === 'days' ? innerAggregate(from, 'days') : innerAggregate(innerAggregate(from, 'hearings'), 'stating'));
  return { all: count(answer), unheld: count(answer.unheld ? innerAggregate(answer, 'unheld') : answer) };
}

const dailyHistogram = (field: string): Clause => ({ histogram: { field, interval: 1, min_doc_count: 1 } });

/**
 * Days and hearings until the decisions of a group, counted by their number. Withdrawn and given up records are seen undecided until their
 * last hearing, pending ones until today.
 */
export const dayAggregations = (today: string): Aggregations => ({
  voted: { filter: clauseOf(VOTED, today), aggs: { days: dailyHistogram(DAYS_TO_DECISION), hearings: dailyHistogram(HEARINGS) } },
  left: { filter: clauseOf(['withdrawn', ...GIVEN_UP_OUTCOMES], today), aggs: { days: dailyHistogram(DAYS_IN_PROCESS) } },
  pending: {
    filter: { bool: { filter: [clauseOf(['pending'], today), range(FIRST_HEARING, { lte: today })] } },
    aggs: { first: { date_histogram: { field: FIRST_HEARING, fixed_interval: '1d', format: 'yyyy-MM-dd', min_doc_count: 1 } } },
  },
});

const readCounts = (histogram: Aggregate): [number, number][] =>
  (histogram.buckets ?? []).map(({ key, doc_count: count = 0 }) => [Math.round(Number(key)), count]);

/** Days until the decisions of a group, or until it was last seen undecided. @param answer to `dayAggregations` */
export function readDayCounts(answer: Aggregate, today: string): DayCount[] {
  const decided = readCounts(innerAggregate(innerAggregate(answer, 'voted'), 'days')).map(([days, count]) => ({
    days,
    decided: count,
    censored: 0,
  }));
  const left = readCounts(innerAggregate(innerAggregate(answer, 'left'), 'days')).map(([days, count]) => ({
    days,
    decided: 0,
    censored: count,
  }));
  const pending = (innerAggregate(innerAggregate(answer, 'pending'), 'first').buckets ?? []).map(
    ({ key_as_string: first = today, doc_count: count = 0 }) => ({
      days: daysBetween(first, today),
      decided: 0,
      censored: count,
    }),
  );
  return [...decided, ...left, ...pending];
}

/** Voted records of a group by their number of hearings. @param answer to `dayAggregations` */
export const readHearingCounts = (answer: Aggregate): Map<number, number> =>
  new Map(readCounts(innerAggregate(innerAggregate(answer, 'voted'), 'hearings')));
