/**
 * What analytics hides. An attacker with a linear program holds all answers about one selection against each other.
 * `ANALYTICS_CORPORA=10000 npm test -- test/unit/analytics/suppression.test.ts` looks at so many selections of each kind.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suppressCells } from '../../../src/features/analytics/hiddenCells.ts';
import { type Axis, makeLayeredAxis, type Table, WHOLE } from '../../../src/features/analytics/levelTables.ts';
import { MINIMUM_GROUP_SIZE } from '../../../src/features/analytics/minimumGroup.ts';
import { decideVisibility } from '../../../src/features/analytics/visibility.ts';
import { allAnswers, attack, type Found, type Known, type Placed, randomAxis, randomRecords, tableOf } from '../../support/attacker.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Random } from '../../support/random.ts';

/** An axis of groups without coarser levels. */
const flatAxis = (groups: number): Axis => makeLayeredAxis(groups, []);

const CORPORA = lengthOf('ANALYTICS_CORPORA');
const TIMEOUT_MS = 30_000 + 100 * CORPORA;
const SEED = Number(process.env.ANALYTICS_SEED ?? 1);

const records = (cells: readonly (readonly [number, number, number])[]): Placed[] =>
  cells.flatMap(([a, b, count]) => Array.from({ length: count }, () => ({ at: [a, b] as const, weights: [1] })));

/** The counts of a table of one dimension that are shown, in the order of its groups. */
function shownOf(axis: Axis, counts: readonly number[]): (number | null)[] {
  const table = tableOf([axis, WHOLE], records(counts.map((count, group) => [group, 0, count])));
  const suppression = suppressCells(table);
  return counts.map((count, group) => (suppression.shows(table, [group, null]) ? count : null));
}

/** The rule for one dimension, as it is written: groups that are hidden. */
function hiddenByRule(counts: readonly number[]): Set<number> {
  const total = counts.reduce((a, b) => a + b, 0);
  const present = counts.flatMap((count, group) => (count ? [group] : []));
  if (total < MINIMUM_GROUP_SIZE) return new Set(present);
  const hidden = new Set(present.filter((group) => (counts[group] as number) < MINIMUM_GROUP_SIZE));
  for (;;) {
    const sum = [...hidden].reduce((a, group) => a + (counts[group] as number), 0);
    const left = present.filter((group) => !hidden.has(group));
    if (!hidden.size || !left.length || (sum >= MINIMUM_GROUP_SIZE && hidden.size > 1)) return hidden;
    const next = Math.min(...left.map((group) => counts[group] as number));
    for (const group of left) if (counts[group] === next) hidden.add(group);
  }
}

interface Case {
  seed: number;
  random: Random;
  axes: [Axis, Axis];
}

/** @param levels whether groups lie in groups of other answers, as counties do in states */
function cases(levels: boolean): Case[] {
  return Array.from({ length: CORPORA }, (_, i) => {
    const seed = SEED + i;
    const random = new Random(seed);
    const sizes = [random.integer(1, 6), random.integer(1, 6)];
    const axes = sizes.map((size) => (levels ? randomAxis(random, size) : flatAxis(size))) as [Axis, Axis];
    return { seed, random, axes };
  });
}

/** The same groups numbered from 0 on, as they appear. */
const groupNumbers = (groups: readonly number[]) => groups.map((group) => [...new Set(groups)].indexOf(group));

const EPSILON = 1e-6;
const isKnown = ({ least, most }: Found) => most - least < EPSILON;
const isBounded = ({ cell, most }: Found) => cell.sum < MINIMUM_GROUP_SIZE && most < MINIMUM_GROUP_SIZE - EPSILON;

/** An attacker cannot tell hidden groups from empty ones. */
const attacked = (known: Known) => (known.shown.length ? attack(known, new Set()) : []);
const described = (seed: number, found: readonly Found[]) =>
  found.map(({ cell, ...rest }) => ({ seed, of: cell.of.join(' '), sum: cell.sum, ...rest }));

describe('Suppression', () => {
  it('hides groups under 5, and of a sum never less than 5 nor one group alone', () => {
    const of = (...counts: number[]) => shownOf(flatAxis(counts.length), counts);
    assert.deepEqual(of(5, 9, 20), [5, 9, 20]);
    assert.deepEqual(of(4, 9, 20), [null, null, 20]);
    assert.deepEqual(of(4, 9, 9, 20), [null, null, null, 20]);
    assert.deepEqual(of(4, 1, 9, 20), [null, null, 9, 20]);
    assert.deepEqual(of(3, 1, 9, 20), [null, null, null, 20]);
    assert.deepEqual(of(4, 0, 0), [null, null, null]);
    assert.deepEqual(of(2, 2), [null, null]);
    assert.deepEqual(of(7, 0), [7, null]);
  });

  it('is for one dimension the rule, group by group', function () {
    this.timeout(TIMEOUT_MS);
    const random = new Random(SEED);
    for (let i = 0; i < 20 * CORPORA; i++) {
      const counts = Array.from({ length: random.integer(1, 9) }, () => Math.floor(25 * random.next() ** random.integer(1, 4)));
      const hidden = hiddenByRule(counts);
      assert.deepEqual(
        shownOf(flatAxis(counts.length), counts),
        counts.map((count, group) => (count && !hidden.has(group) ? count : null)),
        counts.join(),
      );
    }
  });

  it('goes over rows and columns until nothing changes', () => {
    const cells = [
      [3, 10, 20],
      [11, 12, 30],
      [21, 31, 40],
    ].flatMap((row, a) => row.map((count, b) => [a, b, count] as const));
    const table = tableOf([flatAxis(3), flatAxis(3)], records(cells));
    const suppression = suppressCells(table);
    assert.deepEqual(
      cells.filter(([a, b]) => !suppression.shows(table, [a, b])).map(([, , count]) => count),
      [3, 10, 11, 12],
    );
  });

  it('hides with a county of a state another county of it, since the state is answered, too', () => {
    const counties = makeLayeredAxis(5, [[0, 0, 0, 1, 1]]);
    assert.deepEqual(shownOf(counties, [3, 30, 40, 7, 8]), [null, null, 40, 7, 8]);
    assert.deepEqual(shownOf(counties, [6, 30, 40, 3, 2]), [6, 30, 40, null, null]);
  });

  it('hides more where rows and columns together give away what neither does', () => {
    // Two circles of hidden cells, joined by one cell that is on neither: the sums of one side less those of the other are that cell.
    const hidden = [
      [0, 0, 1],
      [0, 1, 4],
      [1, 0, 4],
      [1, 1, 1],
      [1, 2, 3],
      [2, 2, 2],
      [2, 3, 4],
      [3, 2, 4],
      [3, 3, 1],
    ] as const;
    const shown = [0, 1, 2, 3].flatMap((a) =>
      [0, 1, 2, 3].filter((b) => !hidden.some(([x, y]) => x === a && y === b)).map((b) => [a, b, 20 + a + 4 * b] as const),
    );
    const table = tableOf([flatAxis(4), flatAxis(4)], records([...hidden, ...shown]));
    const suppression = suppressCells(table);
    const more = shown.filter(([a, b]) => !suppression.shows(table, [a, b]));
    assert.ok(more.length > 0 && more.length <= 4, JSON.stringify(more));
    assert.deepEqual(described(0, attacked(allAnswers([flatAxis(4), flatAxis(4)], records([...hidden, ...shown]), 0)).filter(isKnown)), []);
  });

  for (const [kind, levels] of Object.entries({ 'flat groups': false, 'groups of groups': true }))
    it(`gives no hidden cell away to a linear program over all answers about a selection: ${kind} (${CORPORA} corpora)`, function () {
      this.timeout(TIMEOUT_MS);
      let hidden = 0;
      for (const { seed, random, axes } of cases(levels)) {
        const found = attacked(
          allAnswers(
            axes,
            randomRecords(random, axes, () => [1]),
            0,
          ),
        );
        hidden += found.length;
        assert.deepEqual(
          described(
            seed,
            found.filter((one) => isKnown(one) || isBounded(one)),
          ),
          [],
        );
      }
      assert.ok(hidden > CORPORA, `only ${hidden} cells were hidden`);
    });

  it(`gives none away to one who knows what cannot be, such as a county in another state (${CORPORA} corpora)`, function () {
    this.timeout(TIMEOUT_MS);
    let hidden = 0;
    for (const { seed, random } of cases(false)) {
      const stateOf = groupNumbers(Array.from({ length: random.integer(2, 8) }, () => random.integer(0, 2)));
      const states = Math.max(...stateOf) + 1;
      const counties = makeLayeredAxis(stateOf.length, [stateOf]);
      const placed = randomRecords(random, [WHOLE, counties], () => [1]).map(({ at: [, county], weights }) => ({
        at: [stateOf[county] as number, county] as const,
        weights,
      }));
      const known = allAnswers([flatAxis(states), counties], placed, 0);
      if (!known.shown.length) continue;
      const elsewhere = stateOf.flatMap((own, county) =>
        Array.from({ length: states }, (_, state) => state)
          .filter((state) => state !== own)
          .map((state) => `${state}|${county}`),
      );
      const found = attack(known, new Set(elsewhere));
      hidden += found.length;
      assert.deepEqual(
        described(
          seed,
          found.filter((one) => isKnown(one) || isBounded(one)),
        ),
        [],
      );
    }
    assert.ok(hidden > CORPORA, `only ${hidden} cells were hidden`);
  });

  it(`gives no statistic of fewer than 5 contributors away, nor of fewer than 5 that a pool does not hold (${CORPORA} corpora)`, function () {
    this.timeout(TIMEOUT_MS);
    const CONTRIBUTORS = 1;
    const UNHELD = 2;
    const only = (table: Table, ...which: number[]): Table => ({
      ...table,
      cells: table.cells.map((cell) => ({ ...cell, weights: which.map((i) => cell.weights[i] ?? 0) })),
    });
    const decide = (table: Table) => {
      const statistics = suppressCells(only(table, CONTRIBUTORS, UNHELD), suppressCells(only(table, 0)).hiddenAt);
      return (at: Table['cells'][number]['at']) => statistics.shows(table, at);
    };
    for (const { seed, random, axes } of cases(true)) {
      const [stating, unheld] = [random.pick([0.3, 0.6, 0.9]), random.pick([0.2, 0.5, 0.9])];
      const placed = randomRecords(random, axes, () => {
        const states = Number(random.chance(stating));
        return [1, states, states * Number(random.chance(unheld))];
      });
      for (const weight of [CONTRIBUTORS, UNHELD]) {
        const found = attacked(allAnswers(axes, placed, weight, decide));
        assert.deepEqual(described(seed, found.filter(isBounded)), []);
      }
    }
  });

  it('decides as ever, since answers of before and after another decision could be held against each other', () => {
    const random = new Random(1);
    const decisions = createHash('sha256');
    for (let i = 0; i < 500; i++) {
      const axes = [randomAxis(random, random.integer(1, 12)), randomAxis(random, random.integer(1, 12))] as const;
      const placed = randomRecords(random, axes, () => [1, Number(random.chance(0.8)), Number(random.chance(0.4))]);
      const { cells } = tableOf(axes, placed);
      const weighed = {
        axes,
        at: cells.map(({ at }) => at),
        counts: cells.map(({ weights }) => weights[0] ?? 0),
        statistics: [cells.map(({ weights }) => weights.slice(1))],
      };
      decisions.update(JSON.stringify(decideVisibility(weighed)));
    }
    assert.equal(decisions.digest('hex').slice(0, 16), 'd8773623991e8741');
  });

  it('decides 10,000 groups in seconds, also on a busy machine', () => {
    const random = new Random(SEED);
    const states = Array.from({ length: 640 }, (_, i) => i % 50);
    const years = Array.from({ length: 24 }, (_, i) => Math.floor(i / 12));
    const placed = Array.from({ length: 28_000 }, () => ({
      at: [Math.floor(640 * random.next() ** 3), random.integer(0, 23)] as const,
      weights: [1],
    }));
    const table = tableOf([makeLayeredAxis(640, [states]), makeLayeredAxis(24, [years])], placed);
    assert.ok(table.cells.length > 10_000);
    const started = performance.now();
    suppressCells(table);
    assert.ok(performance.now() - started < 10_000, `${table.cells.length} cells took ${performance.now() - started} ms`);
  });
});
