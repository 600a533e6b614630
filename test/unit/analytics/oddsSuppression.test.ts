/**
 * What odds hide. An attacker with a linear program holds all answers of odds and of aggregates about one selection against each other.
 * `ODDS_CORPORA=1000 npm test -- test/unit/analytics/oddsSuppression.test.ts` looks at so many selections.
 */
import assert from 'node:assert/strict';
import {
  DECIDED_OUTCOMES,
  FINISHED_OUTCOMES,
  GIVEN_UP_OUTCOMES,
  OUTCOMES,
  type ProjectOutcome,
} from '../../../src/core/domain/process/tokens.ts';
import type { FacetName, GroupKey } from '../../../src/core/query/dimensions.ts';
import type { Facet } from '../../../src/core/query/facets.ts';
import { makeAxis } from '../../../src/features/analytics/axis.ts';
import { findPairsToHide } from '../../../src/features/analytics/exposedPairs.ts';
import { MINIMUM_GROUP_SIZE } from '../../../src/features/analytics/minimumGroup.ts';
import {
  makeGroupTable,
  makeOutcomeTable,
  makeShownPairs,
  type OutcomeCounts,
  selectShownRows,
} from '../../../src/features/analytics/oddsTable.ts';
import { decideVisibility } from '../../../src/features/analytics/visibility.ts';
import { allAnswers, attack, type Found, type Shown } from '../../support/attacker.ts';
import { places } from '../../support/index.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Random } from '../../support/random.ts';

const CORPORA = lengthOf('ODDS_CORPORA');
const SEED = Number(process.env.ANALYTICS_SEED ?? 1);
/** Seeds of selections that reveal a number if pairs of groups are not held against the answers about each dimension; others rarely do. */
const RARE_SEEDS = [204, 994];
const TIMEOUT_MS = 60_000 + 5_000 * CORPORA;

type OutcomeKey = ProjectOutcome | null;
const OUTCOME_KEYS: readonly OutcomeKey[] = [...OUTCOMES, null];

/** One project: its county and body, and its outcome. */
interface Case {
  keys: readonly [GroupKey, GroupKey];
  outcome: OutcomeKey;
}

const facet = (dimension: FacetName): Facet => ({ dimension, roles: ['primary'], withGovernment: false, today: '2026-11-20' });
const DIMENSIONS = [facet('county'), facet('decisionBody')] as const;
const OUTCOME = facet('outcome');
/** Three counties of one state, two of another. */
const COUNTIES = [8013, 8031, 8059, 48453, 48113];
const BODIES = ['city_council', 'planning_commission', 'board_of_adjustment'];

/** Mostly decided, some given up, or none. */
function randomCases(random: Random): Case[] {
  const counties = COUNTIES.slice(0, random.integer(1, COUNTIES.length));
  const bodies = BODIES.slice(0, random.integer(1, BODIES.length));
  const skew = random.integer(1, 3);
  const open = random.pick([0.05, 0.3]);
  const cases = Array.from({ length: random.integer(10, 220) }, (): Case => {
    const outcome = random.chance(open)
      ? random.pick(['pending', 'stalled', 'soft_denial', null] as const)
      : random.pick(['approved', 'approved', 'approved', 'denied', 'withdrawn'] as const);
    const at = <T>(all: readonly T[]) => all[Math.floor(all.length * random.next() ** skew)] as T;
    return { keys: [at(counties), at(bodies)], outcome };
  });
  const absent: readonly OutcomeKey[] = random.pick([[], [], GIVEN_UP_OUTCOMES, ['withdrawn', 'stalled'] as const]);
  return cases.filter(({ outcome }) => !absent.includes(outcome));
}

const tally = <T>(all: readonly T[]) => new Map([...Map.groupBy(all, (one) => one)].map(([one, same]) => [one, same.length]));

/** The rows that odds read of an answer of Elasticsearch. @param by positions of the dimensions */
function rowsOf(cases: readonly Case[], by: readonly (0 | 1)[]): OutcomeCounts[] {
  const row = (some: readonly Case[], keys: OutcomeCounts['keys']): OutcomeCounts => ({
    keys,
    count: some.length,
    outcomes: tally(some.map(({ outcome }) => outcome)),
    decided: some.filter(({ outcome }) => DECIDED_OUTCOMES.some((one) => one === outcome)).length,
    contributors: { days: { all: 0, unheld: 0 }, hearings: { all: 0, unheld: 0 } },
    earliest: null,
  });
  const grouped = (positions: readonly (number | undefined)[]) =>
    [...Map.groupBy(cases, ({ keys }) => positions.map((i) => (i === undefined ? '' : keys[by[i] as 0 | 1])).join('|')).values()].map(
      (some) => {
        const [{ keys }] = some as [Case];
        return row(some, positions.map((i) => (i === undefined ? undefined : keys[by[i] as 0 | 1])) as unknown as OutcomeCounts['keys']);
      },
    );
  const whole = row(cases, [undefined, undefined]);
  if (!by.length) return [whole];
  if (by.length === 1) return [whole, ...grouped([0, undefined])];
  return [whole, ...grouped([0, undefined]), ...grouped([undefined, 1]), ...grouped([0, 1])];
}

interface Fact {
  of: (one: Case) => boolean;
  sum: number | null;
  /** whether it is the sum of joined outcomes */
  isJoined?: boolean;
}

/** The facts shown by one answer of odds, with their cases; null for a hidden one. */
function oddsFacts(cases: readonly Case[], by: readonly (0 | 1)[]): Fact[] {
  const facets = by.map((i) => DIMENSIONS[i]);
  const rows = rowsOf(cases, by);
  const groups = rows.slice(1).filter(({ keys }) => by.every((_, i) => keys[i] !== undefined));
  const shownRows = [rows[0] as OutcomeCounts, ...groups];
  const byGroups = decideVisibility(makeGroupTable(rows, facets, places));
  const hidden = groups.flatMap((group, i) => (byGroups.counts[rows.indexOf(group)] ? [] : [i]));
  const table = makeOutcomeTable(shownRows, facets, OUTCOME, places, hidden);
  const visible = decideVisibility(table.weighed);
  const isShown = shownRows.map((row) => byGroups.statistics[0]?.[rows.indexOf(row)] === true);
  const allShown = selectShownRows(shownRows, isShown, table, visible);
  for (const pair of findPairsToHide(makeShownPairs(shownRows, allShown, table))) allShown[pair + 1] = undefined;
  return shownRows.flatMap((row, i) => {
    const isIn = ({ keys }: Case) => by.every((dimension, j) => row.keys[j] === undefined || row.keys[j] === keys[dimension]);
    const shown = allShown[i];
    const fact = (outcomes: readonly OutcomeKey[], sum: number | null | undefined): Fact => ({
      of: (one) => isIn(one) && outcomes.includes(one.outcome),
      sum: sum ?? null,
    });
    const counted = (share: number | null | undefined) => (shown && share != null ? Math.round(share * shown.n) : null);
    const other = counted(shown?.other);
    const joined = FINISHED_OUTCOMES.filter((outcome) => shown?.outcomes[outcome] === null);
    return [
      fact(FINISHED_OUTCOMES, shown?.n),
      fact(DECIDED_OUTCOMES, shown?.decided),
      fact(['pending'], shown?.undecided),
      fact(GIVEN_UP_OUTCOMES, shown?.givenUp),
      { ...fact(joined, other), isJoined: other !== null },
      ...FINISHED_OUTCOMES.map((outcome) => fact([outcome], counted(shown?.outcomes[outcome]))),
    ];
  });
}

/** The facts shown by aggregations over up to two of county, body and outcome, at every level. */
function aggregateFacts(cases: readonly Case[]): Fact[] {
  const values = [
    { keys: COUNTIES as GroupKey[], facet: DIMENSIONS[0], of: ({ keys }: Case) => keys[0] },
    { keys: BODIES as GroupKey[], facet: DIMENSIONS[1], of: ({ keys }: Case) => keys[1] },
    { keys: OUTCOME_KEYS as GroupKey[], facet: OUTCOME, of: ({ outcome }: Case) => outcome },
  ];
  return (
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const
  ).flatMap(([i, j]) => {
    const [a, b] = [values[i], values[j]] as [(typeof values)[0], (typeof values)[0]];
    const axes = [makeAxis(a.facet, a.keys, places), makeAxis(b.facet, b.keys, places)] as const;
    const at = (one: Case) => [a.keys.indexOf(a.of(one)), b.keys.indexOf(b.of(one))] as const;
    const { shown, hidden } = allAnswers(
      axes,
      cases.map((one) => ({ at: at(one), weights: [1] })),
      0,
    );
    const fact = ({ of }: Shown, sum: number | null): Fact => ({ of: (one) => of.includes(at(one).join('|')), sum });
    return [...shown.map((one) => fact(one, one.sum)), ...hidden.map((one) => fact(one, null))];
  });
}

/** Every kind of case that there could be. */
const KINDS: readonly Case[] = COUNTIES.flatMap((county) =>
  BODIES.flatMap((body) => OUTCOME_KEYS.map((outcome): Case => ({ keys: [county, body], outcome }))),
);

/** What the attacker can tell of each hidden number. */
function attacked(cases: readonly Case[], facts: readonly Fact[]): Found[] {
  const known = facts.map(({ of, sum }) => ({
    of: KINDS.flatMap((kind, i) => (of(kind) ? [String(i)] : [])),
    sum: sum ?? cases.filter(of).length,
    isShown: sum !== null,
    cases: cases.flatMap((one, i) => (of(one) ? [i] : [])).join(),
  }));
  const shownCases = new Set(known.flatMap(({ isShown, cases: same }) => (isShown ? [same] : [])));
  for (const { of, sum } of facts) if (sum !== null) assert.equal(cases.filter(of).length, sum, 'an answer is wrong');
  return attack(
    { shown: known.filter(({ isShown }) => isShown), hidden: known.filter((one) => one.sum > 0 && !shownCases.has(one.cases)) },
    new Set(),
  );
}

const EPSILON = 1e-6;
/** Whether an attacker knows that a number counts fewer than five records. */
const isExposed = ({ cell, most }: Found) => cell.sum < MINIMUM_GROUP_SIZE && most < MINIMUM_GROUP_SIZE - EPSILON;

describe('Suppression of odds', () => {
  const describeFound = (seed: number, { cell, least, most }: Found) => {
    const kinds = cell.of.map((i) => KINDS[Number(i)] as Case);
    return {
      seed,
      groups: [...new Set(kinds.map(({ keys }) => keys.join(' ')))],
      outcomes: [...new Set(kinds.map(({ outcome }) => outcome))],
      sum: cell.sum,
      least,
      most,
    };
  };

  it(`gives no number of fewer than five away, nor with aggregates of the same selection (${CORPORA} corpora)`, function () {
    this.timeout(TIMEOUT_MS);
    let [hidden, shown, joined] = [0, 0, 0];
    for (const seed of [...RARE_SEEDS, ...Array.from({ length: CORPORA }, (_, i) => SEED + i)]) {
      const cases = randomCases(new Random(seed));
      const odds = ([[], [0], [1], [0, 1]] as const).flatMap((by) => oddsFacts(cases, by));
      const found = attacked(cases, [...aggregateFacts(cases), ...odds]);
      hidden += found.length;
      shown += odds.filter(({ sum }) => sum).length;
      joined += odds.filter(({ isJoined }) => isJoined).length;
      assert.deepEqual(
        found.filter(isExposed).map((one) => describeFound(seed, one)),
        [],
      );
    }
    assert.ok(Math.min(hidden, shown, joined) > CORPORA, `${hidden} numbers were hidden, ${shown} shown, ${joined} of joined outcomes`);
  });
});
