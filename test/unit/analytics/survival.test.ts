/** Kaplan-Meier against published figures, by hand, and its properties; and the curve that answers show. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeQuantile, type DayCount, estimateSurvival, findDayWhenUndecided } from '../../../src/core/query/survival.ts';
import { describeDays, selectCurvePoints } from '../../../src/features/analytics/survivalCurve.ts';
import { pluck } from '../../support/lists.ts';

/** Lengths as textbooks print them: `6+` is censored. */
const read = (text: string): DayCount[] =>
  text
    .split(' ')
    .map((one) => ({ days: Number.parseInt(one, 10), decided: Number(!one.endsWith('+')), censored: Number(one.endsWith('+')) }));

/** Weeks in remission of the leukemia patients of Freireich and others (Blood 21, 1963), as printed by Cox (1972). */
const TREATED = '6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+';
const PLACEBO = '1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23';

const sharesOf = (counts: readonly DayCount[]) =>
  estimateSurvival(counts).map(({ days, undecidedShare }) => [days, Number(undecidedShare.toFixed(4))]);

const day = fc.integer({ min: 0, max: 40 });
const counts = fc.array(fc.record({ days: day, decided: fc.integer({ min: 0, max: 4 }), censored: fc.integer({ min: 0, max: 4 }) }), {
  maxLength: 40,
});

/** The estimate by another definition: each censored case passes its weight to the cases observed longer (Efron 1967). */
function redistributed(all: readonly DayCount[]): (day: number) => number {
  const cases = all
    .flatMap(({ days, decided, censored }) => [
      ...Array.from({ length: decided }, () => ({ days, isDecided: true })),
      ...Array.from({ length: censored }, () => ({ days, isDecided: false })),
    ])
    .sort((a, b) => a.days - b.days || Number(b.isDecided) - Number(a.isDecided));
  const weights = cases.map(() => 1 / cases.length);
  cases.forEach(({ isDecided }, i) => {
    const later = cases.length - i - 1;
    if (isDecided || !later) return;
    for (let j = i + 1; j < cases.length; j++) weights[j] = (weights[j] ?? 0) + (weights[i] ?? 0) / later;
    weights[i] = 0;
  });
  return (until) => 1 - cases.reduce((sum, { days, isDecided }, i) => sum + (isDecided && days <= until ? (weights[i] ?? 0) : 0), 0);
}

describe('Days to decision', () => {
  it('are the published shares of the 6-MP trial', () => {
    assert.deepEqual(sharesOf(read(TREATED)), [
      [6, 0.8571],
      [7, 0.8067],
      [10, 0.7529],
      [13, 0.6902],
      [16, 0.6275],
      [22, 0.5378],
      [23, 0.4482],
    ]);
    const [treated, placebo] = [TREATED, PLACEBO].map((text) => estimateSurvival(read(text)));
    assert.deepEqual(
      [0.75, 0.5, 0.25].map((share) => findDayWhenUndecided(treated ?? [], share)),
      [13, 23, null],
    );
    assert.deepEqual(
      [0.75, 0.5, 0.25].map((share) => findDayWhenUndecided(placebo ?? [], share)),
      [4, 8, 12],
    );
  });

  it('are by hand: what is censored on a day of decisions is at risk of them', () => {
    assert.deepEqual(sharesOf(read('5 5+ 8 8 9+')), [
      [5, 0.8],
      [8, 0.2667],
    ]);
    assert.deepEqual(sharesOf(read('0 0+')), [[0, 0.5]]);
    assert.deepEqual([estimateSurvival([]), estimateSurvival(read('3+ 4+'))], [[], []]);
  });

  it('reach a quartile in spite of rounding: ten cases, one a day', () => {
    const steps = estimateSurvival(read('1 2 3 4 5 6 7 8 9 10'));
    assert.deepEqual(
      [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1].map((share) => findDayWhenUndecided(steps, share)),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.equal(findDayWhenUndecided(steps, 0), 10);
  });

  it('are the redistribution of censored weight, whatever the counts', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const expected = redistributed(all);
        for (const { days, undecidedShare } of estimateSurvival(all)) assert.ok(Math.abs(undecidedShare - expected(days)) < 1e-9);
      }),
    );
  });

  it('fall from 1 to no less than 0, do not depend on order or grouping, and are plain shares if nothing is censored', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const steps = estimateSurvival(all);
        const apart = all.flatMap(({ days, decided, censored }) => [
          ...Array.from({ length: censored }, () => ({ days, decided: 0, censored: 1 })),
          ...Array.from({ length: decided }, () => ({ days, decided: 1, censored: 0 })),
        ]);
        assert.deepEqual(estimateSurvival(apart.reverse()), steps);
        const shares = [1, ...steps.map(({ undecidedShare }) => undecidedShare)];
        assert.ok(shares.every((share, i) => share >= 0 && (i === 0 || share < (shares[i - 1] ?? 0))));
        const decided = all.map((one) => ({ ...one, censored: 0 }));
        const total = decided.reduce((sum, one) => sum + one.decided, 0);
        for (const { days, undecidedShare } of estimateSurvival(decided)) {
          const left = decided.reduce((sum, one) => sum + (one.days > days ? one.decided : 0), 0);
          assert.ok(Math.abs(undecidedShare - left / total) < 1e-9);
        }
      }),
    );
  });

  it('have quantiles of what is counted', () => {
    const hearings = new Map([
      [1, 5],
      [4, 1],
      [2, 2],
    ]);
    assert.deepEqual(
      [0.25, 0.5, 0.75, 1].map((share) => computeQuantile(hearings, share)),
      [1, 1, 2, 4],
    );
    assert.equal(computeQuantile(new Map(), 0.5), null);
  });
});

describe('The curve', () => {
  const weighed = (text: string, unheld: (i: number) => number = () => 1) =>
    estimateSurvival(read(text)).map((step, i) => ({ ...step, unheld: unheld(i) * step.decided }));

  const days = (text: string, isMetered: boolean, unheld?: (i: number) => number) =>
    pluck(selectCurvePoints(weighed(text, unheld), isMetered), 'days');

  it('has every day of a decision where records are free', () => {
    assert.deepEqual(days('1 2 3 4 5 6 7 8 9 10', false), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(selectCurvePoints(weighed('1 1 1 2 2 2+ 3 3 3'), false), [
      { days: 1, undecidedShare: 0.6667 },
      { days: 2, undecidedShare: 0.4444 },
      { days: 3, undecidedShare: 0 },
    ]);
  });

  it('has five decisions from point to point where records cost credits: the last one and the quartiles as far as they are so far apart', () => {
    assert.deepEqual(days('1 2 3 4 5 6 7 8 9 10', true), [5, 10]);
    assert.deepEqual(days('1 2 3 4 5 6 7 8 9 10 11 12', true), [6, 12]);
    assert.deepEqual(days('1 2 3 4 5', true), [5]);
    assert.deepEqual(days('1 2 3 4', true), []);
    assert.deepEqual(selectCurvePoints(weighed('1 1 1 2 2 2+ 3 3'), true), [{ days: 3, undecidedShare: 0 }]);
    assert.deepEqual(selectCurvePoints(weighed(PLACEBO), true), [
      { days: 4, undecidedShare: 0.6667 },
      { days: 8, undecidedShare: 0.381 },
      { days: 23, undecidedShare: 0 },
    ]);
  });

  it('has as many of records that the pool does not hold, unless it holds all', () => {
    const text = '1 2 3 4 5 6 7 8 9 10';
    assert.deepEqual(
      days(text, true, (i) => i % 2),
      [10],
    );
    assert.deepEqual(
      days('1 2 3 4 5', true, () => 0),
      [5],
    );
  });

  it('has at most a hundred points, the quartiles among them', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => String(i)).join(' ');
    for (const isMetered of [false, true]) {
      const { curve, daysToDecision } = describeDays(weighed(many), isMetered);
      assert.ok(curve.length > 90 && curve.length <= 100, `${curve.length} points`);
      assert.deepEqual(daysToDecision, { p25: 749, p50: 1_499, p75: 2_249, basis: 'kaplan_meier' });
    }
  });
});
