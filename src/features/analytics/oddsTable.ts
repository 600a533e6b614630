/** The outcomes of groups as tables, which decide what odds may show in addition to what aggregates show of the same selection. Pure. */
import type { Places } from '../../core/domain/places.ts';
import { DECIDED_OUTCOMES, FINISHED_OUTCOMES, GIVEN_UP_OUTCOMES, OUTCOMES, type ProjectOutcome } from '../../core/domain/process/tokens.ts';
import { computeInterval, computeShares, type ShareInterval } from '../../core/domain/shares.ts';
import { countDecided, readContributors, readEarliest } from '../../core/query/decisions.ts';
import type { GroupKey } from '../../core/query/dimensions.ts';
import { type Facet, innerAggregate, readGroups } from '../../core/query/facets.ts';
import { makeAxis } from './axis.ts';
import type { Combination } from './combinations.ts';
import { ALL_SUM, type CountedSets, type ShownPair } from './exposedPairs.ts';
import { numberGroups } from './hideGroups.ts';
import { type Axis, makeLayeredAxis, WHOLE } from './levelTables.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import type { Visibility, Weighed, WeighedSum } from './visibility.ts';

/** The name of the aggregation that counts outcomes like `POST /analytics/aggregate`. */
export const BY_OUTCOME = 'by outcome';

/** null for an unknown outcome */
type OutcomeKey = ProjectOutcome | null;
const OUTCOME_KEYS: readonly OutcomeKey[] = [...OUTCOMES, null];

/** The number of records with each outcome, in a group or a sum over one, by the evidence that filters match. */
export interface OutcomeCounts {
  keys: Combination['keys'];
  count: number;
  /** a record has several only by what several earlier generations stated of it */
  outcomes: ReadonlyMap<OutcomeKey, number>;
  /** records that are approved, denied or withdrawn, each once */
  decided: number;
  /** numbers of records on which days and hearings rest */
  contributors: Record<'days' | 'hearings', { all: number; unheld: number }>;
  /** day of the earliest first hearing of what is decided or given up */
  earliest: string | null;
}

const sumOver = <T>(all: readonly T[], amount: (one: T) => number) => all.reduce((sum, one) => sum + amount(one), 0);

/** Reads the outcomes of a group. @param facet of outcomes */
export function readOutcomeCounts({ keys, count, inside }: Combination, facet: Facet): OutcomeCounts {
  const groups = inside.flatMap((one) => readGroups(facet, innerAggregate(one, BY_OUTCOME)));
  const outcomes = new Map<OutcomeKey, number>();
  for (const group of groups) {
    const outcome = group.key as OutcomeKey;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + group.count);
  }
  const finished = groups.filter(({ key }) => FINISHED_OUTCOMES.some((outcome) => outcome === key));
  const contributors = (statistic: 'days' | 'hearings') => ({
    all: sumOver(inside, (one) => readContributors(one, statistic).all),
    unheld: sumOver(inside, (one) => readContributors(one, statistic).unheld),
  });
  return {
    keys,
    count,
    outcomes,
    decided: sumOver(inside, countDecided),
    contributors: { days: contributors('days'), hearings: contributors('hearings') },
    earliest: finished.flatMap((group) => readEarliest(group.inside) ?? []).sort()[0] ?? null,
  };
}

const countOf = ({ outcomes: counts }: OutcomeCounts, outcomes: readonly OutcomeKey[]) =>
  sumOver(outcomes, (outcome) => counts.get(outcome) ?? 0);

const countFinished = (one: OutcomeCounts): number => countOf(one, FINISHED_OUTCOMES);

export const hasEnoughDecided = ({ decided }: OutcomeCounts): boolean => decided >= MINIMUM_GROUP_SIZE;

/**
 * The table by the dimensions alone. Its statistics are the records that are decided or given up, and those on which days and hearings rest.
 * @param rows the whole, every group, and every sum over one of two dimensions
 */
export function makeGroupTable(rows: readonly OutcomeCounts[], facets: readonly Facet[], places: Places): Weighed {
  return {
    ...numberGroups(rows, facets, places),
    counts: rows.map(({ count }) => count),
    statistics: [
      rows.map((row) => [countFinished(row), Math.max(0, row.count - countFinished(row)), row.decided]),
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
 * The table of groups by outcome.
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
  const cells = rows.flatMap((row, i) => [
    { key: `${i}`, at: [positionOf(i), null] as const, count: row.count },
    ...OUTCOME_KEYS.flatMap((outcome, number) => {
      const count = row.outcomes.get(outcome) ?? 0;
      return count > 0 ? [{ key: `${i} ${outcome}`, at: [positionOf(i), number] as const, count }] : [];
    }),
  ]);
  const cellNumbers = new Map(cells.map(({ key }, cell) => [key, cell]));
  const finished = second.levels[FINISHED_LEVEL]?.[OUTCOME_KEYS.indexOf('approved')] as number;
  const sums = rows.map((_, i): WeighedSum => ({ first: positionOf(i), level: FINISHED_LEVEL, group: finished }));
  return {
    weighed: {
      axes: [axis, second],
      ...(crossing ? { crossing } : {}),
      at: cells.map(({ at }) => at),
      counts: cells.map(({ count }) => count),
      statistics: [],
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
function selectShownOutcomes(
  rows: readonly OutcomeCounts[],
  row: number,
  { cellOf }: OutcomeTable,
  visible: Visibility,
): MeteredOutcomes | undefined {
  const one = rows[row] as OutcomeCounts;
  if (!hasEnoughDecided(one) || !visible.sums[row]) return undefined;
  return showOutcomes(one, {
    isVisible: (outcome) => {
      const cell = cellOf(row, outcome);
      return cell === undefined || visible.counts[cell] === true;
    },
    isAbsent: (outcome) => cellOf(0, outcome) === undefined,
  });
}

type MeteredOutcomes = Omit<ShownOutcomes, 'since'>;

/** Numbers of answers that count outcomes together; and each outcome alone. */
const COUNTED_TOGETHER: readonly (readonly OutcomeKey[])[] = [
  ...OUTCOME_KEYS.map((one) => [one]),
  GIVEN_UP_OUTCOMES,
  DECIDED_OUTCOMES,
  FINISHED_OUTCOMES,
];
const COUNTED_SETS = COUNTED_TOGETHER.map((outcomes) => outcomes.map((outcome) => OUTCOME_KEYS.indexOf(outcome)));

const [OPEN_SUM, FINISHED_SUM, GIVEN_UP_SUM] = [1, 2, 3];

/** The sum that is shown of a pair's outcome and of others that are hidden; null where the outcome itself is shown. */
function findShownSum(shown: MeteredOutcomes | undefined, outcome: OutcomeKey): number | null {
  if (!shown) return ALL_SUM;
  const isGivenUp = GIVEN_UP_OUTCOMES.some((one) => one === outcome);
  if (outcome === 'pending' || outcome === null) return shown.undecided === null ? OPEN_SUM : null;
  if (shown.outcomes[outcome] !== null) return null;
  return isGivenUp && shown.decided !== null ? GIVEN_UP_SUM : FINISHED_SUM;
}

/** What answers tell of pairs of groups, by which those are found that expose a number; no pairs for other groups. */
export function makeShownPairs(
  rows: readonly OutcomeCounts[],
  shown: readonly (MeteredOutcomes | undefined)[],
  { weighed: { crossing } }: OutcomeTable,
): { pairs: ShownPair[]; sets: CountedSets } {
  const pairs = (crossing ? rows.slice(1) : []).map(({ keys, outcomes }, i) => ({
    keys,
    counts: OUTCOME_KEYS.map((outcome) => outcomes.get(outcome) ?? 0),
    sums: OUTCOME_KEYS.map((outcome) => findShownSum(shown[i + 1], outcome)),
    isShown: shown[i + 1] !== undefined,
  }));
  return { pairs, sets: COUNTED_SETS };
}

/** What is shown of the whole and of each group, pairs that expose a number among them. @param isShown whether the other answers of odds and aggregates allow it, row by row */
export function selectShownRows(
  rows: readonly OutcomeCounts[],
  isShown: readonly boolean[],
  table: OutcomeTable,
  visible: Visibility,
): (MeteredOutcomes | undefined)[] {
  return rows.map((_, row) => (isShown[row] ? selectShownOutcomes(rows, row, table, visible) : undefined));
}
