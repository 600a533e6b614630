/** The outcomes of groups as tables, which decide what odds may show in addition to what aggregates show of the same selection. Pure. */
import type { Places } from '../../core/domain/places.ts';
import { DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES, OUTCOMES, type ProjectOutcome } from '../../core/domain/process/tokens.ts';
import { readContributors, readOutcomes } from '../../core/query/decisions.ts';
import type { GroupKey } from '../../core/query/dimensions.ts';
import { type Facet, innerAggregate, readGroups } from '../../core/query/facets.ts';
import { makeAxis } from './axis.ts';
import type { Combination } from './combinations.ts';
import { numberGroups } from './hideGroups.ts';
import { type Axis, makeLayeredAxis, WHOLE } from './levelTables.ts';
import { toFourDecimals } from './survivalCurve.ts';
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
  };
}

const countOf = ({ current }: OutcomeCounts, outcomes: readonly OutcomeKey[]) => sumOver(outcomes, (outcome) => current.get(outcome) ?? 0);

const countDecided = (one: OutcomeCounts): number => countOf(one, DECIDED_OUTCOMES);

/**
 * The table by the dimensions alone. Its statistics are the decided records, and those on which days and hearings rest.
 * @param rows the whole, every group, and every sum over one of two dimensions
 */
export function makeGroupTable(rows: readonly OutcomeCounts[], facets: readonly Facet[], places: Places, isMetered: boolean): Weighed {
  const weights = ({ all, unheld }: { all: number; unheld: number }) => (isMetered ? [all, unheld] : [all]);
  return {
    ...numberGroups(rows, facets, places),
    counts: rows.map(({ count }) => count),
    statistics: [
      rows.map((row) => [countDecided(row), row.count - countDecided(row)]),
      rows.map(({ contributors }) => weights(contributors.days)),
      rows.map(({ contributors }) => weights(contributors.hearings)),
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

/** The sums of outcomes that odds show, each named by one of its outcomes. */
const SUMS = { decided: ['approved', 1], givenUp: ['stalled', 2], open: ['pending', 2] } as const satisfies Record<
  string,
  [ProjectOutcome, number]
>;
const SUM_NAMES = Object.keys(SUMS) as (keyof typeof SUMS)[];

/** The table of outcomes, with the positions of each row's numbers in it. */
export interface OutcomeTable {
  weighed: Weighed;
  /** position of an outcome of a row; undefined if no record has it */
  cellOf(row: number, outcome: OutcomeKey): number | undefined;
}

/**
 * The table of groups by outcome: counts by the evidence of all generations, with those of the current one as a statistic.
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
    { key: `${i}`, at: [positionOf(i), null] as const, count: row.count, current: row.count },
    ...OUTCOME_KEYS.flatMap((outcome, number) => {
      const [count, current] = [row.stated.get(outcome) ?? 0, row.current.get(outcome) ?? 0];
      return count + current > 0 ? [{ key: `${i} ${outcome}`, at: [positionOf(i), number] as const, count, current }] : [];
    }),
  ]);
  const cellNumbers = new Map(cells.map(({ key }, cell) => [key, cell]));
  const sums = rows.flatMap((_, i) =>
    SUM_NAMES.map((name): WeighedSum => {
      const [outcome, level] = SUMS[name];
      return { first: positionOf(i), level, group: second.levels[level]?.[OUTCOME_KEYS.indexOf(outcome)] as number };
    }),
  );
  return {
    weighed: {
      axes: [axis, second],
      ...(crossing ? { crossing } : {}),
      at: cells.map(({ at }) => at),
      counts: cells.map(({ count }) => count),
      statistics: [cells.map(({ current }) => [current])],
      hidden,
      sums,
    },
    cellOf: (row, outcome) => cellNumbers.get(`${row} ${outcome}`),
  };
}

/** The outcomes of a group that may be shown. */
export interface ShownOutcomes {
  decided: number;
  /** null if fewer than 5 records have it, or if other numbers would reveal them */
  undecided: number | null;
  givenUp: number | null;
  /** shares of the decided or given up records */
  outcomes: Record<(typeof SHARED)[number], number | null>;
}

const SHARED = [...DECIDED_OUTCOMES, ...GIVEN_UP_OUTCOMES] as const;

/** @returns undefined if the group is hidden */
export function selectShownOutcomes(
  rows: readonly OutcomeCounts[],
  row: number,
  { cellOf }: OutcomeTable,
  visible: Visibility,
): ShownOutcomes | undefined {
  const one = rows[row] as OutcomeCounts;
  const isShown = (outcome: OutcomeKey) => visible.statistics[0]?.[cellOf(row, outcome) ?? -1] === true;
  const isSumShown = (name: keyof typeof SUMS) => visible.sums[row * SUM_NAMES.length + SUM_NAMES.indexOf(name)] === true;
  /** A count; null if it is hidden. A count of 0 is shown only if all others are, since it would help to compute hidden ones. */
  const shownOf = (outcome: OutcomeKey, beside: readonly OutcomeKey[]) => {
    const count = countOf(one, [outcome]);
    if (count > 0) return isShown(outcome) ? count : null;
    return beside.every((other) => countOf(one, [other]) === 0 || isShown(other)) ? 0 : null;
  };
  const decided = countDecided(one);
  if (!decided || !isSumShown('decided')) return undefined;
  const [givenUp, open] = [countOf(one, GIVEN_UP_OUTCOMES), countOf(one, ['pending', null])];
  const shownGivenUp = givenUp > 0 ? (isSumShown('givenUp') ? givenUp : null) : open === 0 || isSumShown('open') ? 0 : null;
  const isOpenTold = open > 0 ? isSumShown('open') : shownGivenUp !== null;
  const counts = SHARED.map((outcome) =>
    shownGivenUp === null
      ? null
      : shownOf(outcome, DECIDED_OUTCOMES.some((name) => name === outcome) ? DECIDED_OUTCOMES : GIVEN_UP_OUTCOMES),
  );
  const shares = computeShares(counts, decided + givenUp);
  return {
    decided,
    undecided: isOpenTold ? shownOf('pending', ['pending', null]) : null,
    givenUp: shownGivenUp,
    outcomes: Object.fromEntries(SHARED.map((outcome, i) => [outcome, shares[i] ?? null])) as ShownOutcomes['outcomes'],
  };
}

/**
 * Shares to four decimals. If all are shown they add up to exactly 1, by the largest remainder method.
 */
export function computeShares(counts: readonly (number | null)[], whole: number): (number | null)[] {
  if (counts.some((count) => count === null)) return counts.map((count) => (count === null ? null : toFourDecimals(count / whole)));
  const exact = counts.map((count) => ((count ?? 0) * 10_000) / whole);
  const floors = exact.map(Math.floor);
  const left = 10_000 - sumOver(floors, (floor) => floor);
  const raised = new Set(
    exact
      .map((share, i) => ({ i, rest: share - Math.floor(share) }))
      .sort((a, b) => b.rest - a.rest || a.i - b.i)
      .slice(0, left)
      .map(({ i }) => i),
  );
  return floors.map((floor, i) => (floor + Number(raised.has(i))) / 10_000);
}
