/** The outcomes of groups as tables, which decide what odds may show in addition to what aggregates show of the same selection. Pure. */
import type { Places } from '../../core/domain/places.ts';
import { DECIDED_OUTCOMES, FINISHED_OUTCOMES, GIVEN_UP_OUTCOMES, OUTCOMES, type ProjectOutcome } from '../../core/domain/process/tokens.ts';
import { readContributors, readEarliest, readOutcomes } from '../../core/query/decisions.ts';
import type { GroupKey } from '../../core/query/dimensions.ts';
import { type Facet, innerAggregate, readGroups } from '../../core/query/facets.ts';
import { makeAxis } from './axis.ts';
import type { Combination } from './combinations.ts';
import { numberGroups } from './hideGroups.ts';
import { type Axis, makeLayeredAxis, WHOLE } from './levelTables.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import { computeInterval, computeShares, type ShareInterval } from './shares.ts';
import type { Visibility, Weighed, WeighedSum } from './visibility.ts';

/** The name of the aggregation that counts outcomes like `POST /analytics/aggregate`, by the evidence of all generations. */
export const STATED = 'stated';

/** null for an unknown outcome */
type OutcomeKey = ProjectOutcome | null;
const OUTCOME_KEYS: readonly OutcomeKey[] = [...OUTCOMES, null];

/** The number of records with each outcome, in a group or a sum over one. */
export interface OutcomeCounts {
  keys: Combination['keys'];
  count: number;
  /** by the current generation */
  current: ReadonlyMap<OutcomeKey, number>;
  /** by the evidence of all generations */
  stated: ReadonlyMap<GroupKey, number>;
  /** numbers of records on which days and hearings rest */
  contributors: Record<'days' | 'hearings', { all: number; unheld: number }>;
  /** day of the earliest first hearing of what is decided or given up */
  earliest: string | null;
}

const sumOver = <T>(all: readonly T[], amount: (one: T) => number) => all.reduce((sum, one) => sum + amount(one), 0);

/** Reads the outcomes of a group. @param facet of outcomes */
export function readOutcomeCounts({ keys, count, inside }: Combination, facet: Facet): OutcomeCounts {
  const told = OUTCOMES.map((outcome): [OutcomeKey, number] => [outcome, sumOver(inside, (one) => readOutcomes(one).get(outcome) ?? 0)]);
  const stated = new Map<GroupKey, number>();
  for (const group of inside.flatMap((one) => readGroups(facet, innerAggregate(one, STATED))))
    stated.set(group.key, (stated.get(group.key) ?? 0) + group.count);
  const contributors = (statistic: 'days' | 'hearings') => ({
    all: sumOver(inside, (one) => readContributors(one, statistic).all),
    unheld: sumOver(inside, (one) => readContributors(one, statistic).unheld),
  });
  return {
    keys,
    count,
    current: new Map([...told, [null, count - sumOver(told, ([, records]) => records)]]),
    stated,
    contributors: { days: contributors('days'), hearings: contributors('hearings') },
    earliest: inside.flatMap((one) => readEarliest(one) ?? []).sort()[0] ?? null,
  };
}

const countOf = ({ current }: OutcomeCounts, outcomes: readonly OutcomeKey[]) => sumOver(outcomes, (outcome) => current.get(outcome) ?? 0);

const countFinished = (one: OutcomeCounts): number => countOf(one, FINISHED_OUTCOMES);
const countDecided = (one: OutcomeCounts): number => countOf(one, DECIDED_OUTCOMES);

/** Whether enough records of a group are decided. */
export const hasEnoughDecided = (one: OutcomeCounts): boolean => countDecided(one) >= MINIMUM_GROUP_SIZE;

/**
 * The table by the dimensions alone. Its statistics are the records that are decided or given up, and those on which days and hearings rest.
 * @param rows the whole, every group, and every sum over one of two dimensions
 */
export function makeGroupTable(rows: readonly OutcomeCounts[], facets: readonly Facet[], places: Places): Weighed {
  return {
    ...numberGroups(rows, facets, places),
    counts: rows.map(({ count }) => count),
    statistics: [
      rows.map((row) => [countFinished(row), row.count - countFinished(row), countDecided(row)]),
      rows.map(({ contributors: { days } }) => [days.all, days.unheld]),
      rows.map(({ contributors: { hearings } }) => [hearings.all, hearings.unheld]),
    ],
  };
}

/** The axis of pairs of groups; their coarser groups are those of one of the two dimensions. */
function makePairAxis(rows: readonly OutcomeCounts[], dimension: 0 | 1, facet: Facet, places: Places): Axis {
  const keys = [...new Set(rows.map((row) => row.keys[dimension] as GroupKey))];
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const { levels } = makeAxis(facet, keys, places);
  return makeLayeredAxis(
    rows.length,
    levels.slice(1).map((level) => rows.map((row) => level[numbers.get(row.keys[dimension] as GroupKey) as number] as number)),
  );
}

/** The first axis of the table of outcomes. */
function makeGroupAxes(
  groups: readonly OutcomeCounts[],
  [first, second]: readonly Facet[],
  places: Places,
): Pick<Weighed, 'crossing'> & { axis: Axis } {
  if (!first) return { axis: WHOLE };
  if (second) return { axis: makePairAxis(groups, 0, first, places), crossing: makePairAxis(groups, 1, second, places) };
  return {
    axis: makeAxis(
      first,
      groups.map(({ keys }) => keys[0] as GroupKey),
      places,
    ),
  };
}

/** The level of the axis of outcomes that has the sum of those decided or given up. */
const FINISHED_LEVEL = 1;

/** The table of outcomes, with the positions of each row's numbers in it. */
export interface OutcomeTable {
  weighed: Weighed;
  /** position of an outcome of a row; undefined if no record has it */
  cellOf(row: number, outcome: OutcomeKey): number | undefined;
}

/**
 * Whether the current generation confirms every record that has an outcome. Then aggregates, which count by the evidence of all generations,
 * show what odds hide of it, so that hiding it protects no other number.
 */
const isConfirmed = (whole: OutcomeCounts, outcome: OutcomeKey) => (whole.current.get(outcome) ?? 0) === (whole.stated.get(outcome) ?? 0);
const isAllConfirmed = (whole: OutcomeCounts) => OUTCOME_KEYS.every((outcome) => isConfirmed(whole, outcome));

/**
 * The table of groups by outcome: counts by the evidence of all generations, with those of the current one as a statistic. A second
 * weight of it has the outcomes alone that the current one does not confirm, since only those protect each other.
 * @param rows the whole, then every group
 * @param hidden numbers, from 0, of the groups that aggregates hide
 */
export function makeOutcomeTable(
  rows: readonly OutcomeCounts[],
  facets: readonly Facet[],
  outcomes: Facet,
  places: Places,
  hidden: readonly number[],
): OutcomeTable {
  const { axis, crossing } = makeGroupAxes(rows.slice(1), facets, places);
  const second = makeAxis(outcomes, OUTCOME_KEYS, places);
  const positionOf = (row: number) => (row === 0 ? null : row - 1);
  const [whole] = rows as [OutcomeCounts];
  const cells = rows.flatMap((row, i) => {
    const ofRow = OUTCOME_KEYS.flatMap((outcome, number) => {
      const [count, current] = [row.stated.get(outcome) ?? 0, row.current.get(outcome) ?? 0];
      const unconfirmed = isConfirmed(whole, outcome) ? 0 : current;
      return count + current > 0 ? [{ key: `${i} ${outcome}`, at: [positionOf(i), number] as const, count, current, unconfirmed }] : [];
    });
    const unconfirmed = sumOver(ofRow, (cell) => cell.unconfirmed);
    return [{ key: `${i}`, at: [positionOf(i), null] as const, count: row.count, current: row.count, unconfirmed }, ...ofRow];
  });
  const isPlain = isAllConfirmed(whole);
  const cellNumbers = new Map(cells.map(({ key }, cell) => [key, cell]));
  const finished = second.levels[FINISHED_LEVEL]?.[OUTCOME_KEYS.indexOf('approved')] as number;
  const sums = rows.map((_, i): WeighedSum => ({ first: positionOf(i), level: FINISHED_LEVEL, group: finished }));
  return {
    weighed: {
      axes: [axis, second],
      ...(crossing ? { crossing } : {}),
      at: cells.map(({ at }) => at),
      counts: cells.map(({ count }) => count),
      statistics: [cells.map(({ current, unconfirmed }) => (isPlain ? [current] : [current, unconfirmed]))],
      hidden,
      sums,
    },
    cellOf: (row, outcome) => cellNumbers.get(`${row} ${outcome}`),
  };
}

type FinishedOutcome = (typeof FINISHED_OUTCOMES)[number];

/** The outcomes of a group that may be shown. All that is null is null only on plans that pay for records, except `other` and `since`. */
export interface ShownOutcomes {
  /** number of records that are decided or given up */
  n: number;
  decided: number | null;
  undecided: number | null;
  givenUp: number | null;
  /** shares of `n`; null if joined with others in `other` */
  outcomes: Record<FinishedOutcome, number | null>;
  /** share of the joined outcomes; null if none is */
  other: number | null;
  /** of each share that is not null */
  intervals: Record<FinishedOutcome | 'other', ShareInterval | null>;
  /** day of the earliest first hearing of the `n` records */
  since: string | null;
}

/** What may be shown of a group where records cost credits. */
interface Rules {
  /** whether the count of an outcome may be shown */
  isVisible: (outcome: OutcomeKey) => boolean;
  /** whether an outcome is known to have no record in the whole selection */
  isAbsent: (outcome: OutcomeKey) => boolean;
}

/**
 * The outcomes of a group with five decided records. Beside joined outcomes, those without a record in the group are joined, too, since they
 * would help to compute them; unless no group has any.
 */
export function showOutcomes(
  one: OutcomeCounts,
  { isVisible, isAbsent }: Rules = { isVisible: () => true, isAbsent: () => false },
): Omit<ShownOutcomes, 'since'> {
  const has = (outcome: OutcomeKey) => countOf(one, [outcome]) > 0;
  const joined = FINISHED_OUTCOMES.filter((outcome) => has(outcome) && !isVisible(outcome));
  const isShown = (outcome: FinishedOutcome) => isVisible(outcome) && (has(outcome) || joined.length === 0 || isAbsent(outcome));
  const sumOf = (outcomes: readonly FinishedOutcome[], rest: readonly FinishedOutcome[]) =>
    outcomes.every(isShown) || rest.every(isShown) ? countOf(one, outcomes) : null;
  const parts = [...FINISHED_OUTCOMES.filter(isShown), ...(joined.length ? (['other'] as const) : [])];
  const counts = parts.map((part) => countOf(one, part === 'other' ? joined : [part]));
  const n = countFinished(one);
  const shares = computeShares(counts, n);
  const shareOf = (part: FinishedOutcome | 'other') => shares[parts.indexOf(part)] ?? null;
  const intervalOf = (part: FinishedOutcome | 'other') => {
    const [count, share] = [counts[parts.indexOf(part)], shareOf(part)];
    return count === undefined || share === null ? null : computeInterval(count, n, share);
  };
  const showsPending = isVisible('pending') && (has('pending') || isVisible(null));
  return {
    n,
    decided: sumOf(DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES),
    undecided: showsPending ? countOf(one, ['pending']) : null,
    givenUp: sumOf(GIVEN_UP_OUTCOMES, DECIDED_OUTCOMES),
    outcomes: mapOutcomes(FINISHED_OUTCOMES, shareOf),
    other: shareOf('other'),
    intervals: mapOutcomes([...FINISHED_OUTCOMES, 'other'], intervalOf),
  };
}

const mapOutcomes = <K extends string, T>(outcomes: readonly K[], read: (outcome: K) => T) =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, read(outcome)])) as Record<K, T>;

/** The outcomes of a row of the table. @returns undefined if the group is hidden */
export function selectShownOutcomes(
  rows: readonly OutcomeCounts[],
  row: number,
  { cellOf }: OutcomeTable,
  visible: Visibility,
): Omit<ShownOutcomes, 'since'> | undefined {
  const one = rows[row] as OutcomeCounts;
  if (!hasEnoughDecided(one) || !visible.sums[row]) return undefined;
  const [whole] = rows as [OutcomeCounts];
  return showOutcomes(one, {
    isVisible: (outcome) => {
      const cell = cellOf(row, outcome);
      return cell === undefined || visible.statistics[0]?.[cell] === true;
    },
    // Elsewhere it would tell what aggregates hide, which also count earlier statements.
    isAbsent: (outcome) => isAllConfirmed(whole) && cellOf(0, outcome) === undefined,
  });
}
