/** What odds say of one group: shares, intervals, days, curve and words, against each other and against brute force over random histories. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeOdds } from '../../../src/core/domain/oddsText.ts';
import { FINISHED_OUTCOMES, OUTCOMES, type ProjectOutcome } from '../../../src/core/domain/process/tokens.ts';
import { computeInterval, computeShares } from '../../../src/core/domain/shares.ts';
import type { Facet } from '../../../src/core/query/facets.ts';
import { estimateSurvival } from '../../../src/core/query/survival.ts';
import { MINIMUM_GROUP_SIZE } from '../../../src/features/analytics/minimumGroup.ts';
import { makeOutcomeTable, type OutcomeCounts, selectShownRows, showOutcomes } from '../../../src/features/analytics/oddsTable.ts';
import { describeDays } from '../../../src/features/analytics/survivalCurve.ts';
import { decideVisibility } from '../../../src/features/analytics/visibility.ts';
import { places } from '../../support/index.ts';

type OutcomeKey = ProjectOutcome | null;
/** A case: what became of it, and the day of that or until which it was seen undecided; null if no hearing is known. */
interface History {
  outcome: OutcomeKey;
  days: number | null;
}

const outcome = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<OutcomeKey>('approved', 'denied') },
  { weight: 2, arbitrary: fc.constantFrom<OutcomeKey>(...OUTCOMES, null) },
);
/** Ties in some histories, long waits in others. */
const histories = fc
  .constantFrom(3, 40, 2_000)
  .chain((most) =>
    fc.array(fc.record({ outcome, days: fc.option(fc.integer({ min: 0, max: most }), { freq: 8 }) }), { minLength: 5, maxLength: 400 }),
  );

const isVote = ({ outcome: one }: History) => one === 'approved' || one === 'denied';
const count = (all: readonly History[], one: OutcomeKey) => all.filter((history) => history.outcome === one).length;

function countsOf(all: readonly History[]): OutcomeCounts {
  const counts = new Map([...OUTCOMES, null].flatMap((one) => (count(all, one) ? [[one, count(all, one)] as const] : [])));
  const none = { all: 0, unheld: 0 };
  return {
    keys: [undefined, undefined],
    count: all.length,
    outcomes: counts,
    decided: count(all, 'approved') + count(all, 'denied') + count(all, 'withdrawn'),
    contributors: { days: none, hearings: none },
    earliest: '2019-03-05',
  };
}

const OUTCOME: Facet = { dimension: 'outcome', roles: ['primary'], withGovernment: false, today: '2026-11-20' };

function showMetered(counts: OutcomeCounts) {
  const table = makeOutcomeTable([counts], [], OUTCOME, places, []);
  return selectShownRows([counts], [true], table, decideVisibility(table.weighed))[0];
}

/** The share without a vote after a day, case by case. */
function undecidedAfter(all: readonly History[], day: number): number {
  const known = all.filter(({ outcome: one, days }) => one !== null && days !== null) as (History & { days: number })[];
  const votes = [...new Set(known.filter(isVote).map(({ days }) => days))].filter((days) => days <= day);
  return votes.reduce((share, at) => {
    const atRisk = known.filter(({ days }) => days >= at).length;
    return (share * (atRisk - known.filter((one) => isVote(one) && one.days === at).length)) / atRisk;
  }, 1);
}

const stepsOf = (all: readonly History[]) =>
  estimateSurvival(
    all.flatMap((one) =>
      one.outcome === null || one.days === null ? [] : { days: one.days, decided: Number(isVote(one)), censored: Number(!isVote(one)) },
    ),
  ).map((step) => ({ ...step, unheld: step.decided }));

const round = (share: number) => Math.round(share * 10_000) / 10_000;

function checkShares(all: readonly History[], shown: ReturnType<typeof showOutcomes>, isMetered: boolean): void {
  const parts = [...FINISHED_OUTCOMES.map((one) => ({ one, share: shown.outcomes[one] })), { one: 'other' as const, share: shown.other }];
  assert.equal(
    shown.n,
    FINISHED_OUTCOMES.reduce((sum, one) => sum + count(all, one), 0),
  );
  assert.equal(
    parts.reduce((sum, { share }) => sum + Math.round((share ?? 0) * 10_000), 0),
    10_000,
  );
  const joined = FINISHED_OUTCOMES.filter((one) => shown.outcomes[one] === null);
  for (const { one, share } of parts) {
    const interval = shown.intervals[one];
    assert.equal(interval === null, share === null);
    if (share === null || !interval) continue;
    const exact = one === 'other' ? joined.reduce((sum, each) => sum + count(all, each), 0) : count(all, one);
    assert.ok(Math.abs(share - exact / shown.n) < 1e-4 && interval[0] <= share && share <= interval[1], `${one} ${share} ${interval}`);
    assert.ok(!isMetered || exact === 0 || exact >= MINIMUM_GROUP_SIZE, `${exact} are told`);
  }
  const small = FINISHED_OUTCOMES.some((one) => count(all, one) > 0 && count(all, one) < MINIMUM_GROUP_SIZE);
  assert.equal(shown.other !== null, isMetered && small);
  assert.ok(small || joined.length === 0);
  for (const [sum, outcomes] of [
    [shown.decided, ['approved', 'denied', 'withdrawn']],
    [shown.givenUp, ['stalled', 'soft_denial']],
  ] as const)
    assert.ok(sum === null ? isMetered : sum === outcomes.reduce((total, one) => total + count(all, one), 0));
}

/** @returns the days and the curve */
function checkDays(all: readonly History[], isMetered: boolean): ReturnType<typeof describeDays> {
  const steps = stepsOf(all);
  const days = describeDays(steps, isMetered);
  const { curve, daysToDecision } = days;
  assert.ok(curve.length > 0 && curve.length <= 100);
  let [before, share] = [-1, 1];
  for (const point of curve) {
    assert.ok(Math.abs(point.undecidedShare - undecidedAfter(all, point.days)) < 5.001e-5, `${point.undecidedShare} on day ${point.days}`);
    assert.ok(point.days > before && point.undecidedShare <= share);
    const between = steps.reduce((sum, step) => sum + (step.days > before && step.days <= point.days ? step.decided : 0), 0);
    assert.ok(!isMetered || between >= MINIMUM_GROUP_SIZE, `${between} decisions up to day ${point.days}`);
    [before, share] = [point.days, point.undecidedShare];
  }
  assert.equal(curve.at(-1)?.days, steps.at(-1)?.days);
  for (const [name, left] of [
    ['p25', 0.75],
    ['p50', 0.5],
    ['p75', 0.25],
  ] as const) {
    const day = daysToDecision[name];
    assert.equal(day, curve.find(({ undecidedShare }) => undecidedShare <= left)?.days ?? null);
    const exact = steps.find(({ undecidedShare }) => round(undecidedShare) <= left)?.days ?? null;
    assert.ok(
      isMetered ? (exact === null) === (day === null) && (day ?? 0) >= (exact ?? 0) : day === exact,
      `${name}: ${day}, not ${exact}`,
    );
  }
  return days;
}

function checkText(text: string, shown: ReturnType<typeof showOutcomes>, days: ReturnType<typeof describeDays> | null): void {
  const [, n, approved, low, high] =
    /^Of ([\d,]+) decided.*?(?:, (\d+) % were approved: between (\d+) and (\d+) % |, the share approved)/.exec(text) ?? [];
  assert.equal(Number(n?.replaceAll(',', '')), shown.n);
  assert.equal(text.includes('decided or given up'), shown.givenUp !== 0);
  const share = shown.outcomes.approved;
  assert.deepEqual(
    [approved, low, high].map((one) => one && Number(one)),
    share === null
      ? [undefined, undefined, undefined]
      : [share, ...(shown.intervals.approved ?? [])].map((one) =>
          one === 0 || one === 1 ? 100 * one : Math.min(99, Math.max(1, Math.round(100 * one))),
        ),
  );
  const said = [...text.matchAll(/by day (\d+)/g)].map(([, day]) => Number(day));
  const { p50 = null, p75 = null } = days?.daysToDecision ?? {};
  assert.deepEqual(
    said,
    [p50, p75].filter((day) => day !== null),
  );
}

describe('Statements of odds', () => {
  for (const isMetered of [false, true])
    it(`about a random history contradict neither it nor each other, on plans ${isMetered ? 'that pay for records' : 'whose records are free'}`, () => {
      let [groups, curves] = [0, 0];
      fc.assert(
        fc.property(histories, (all) => {
          const counts = countsOf(all);
          const isDecided = count(all, 'approved') + count(all, 'denied') + count(all, 'withdrawn') >= MINIMUM_GROUP_SIZE;
          const shown = isMetered ? showMetered(counts) : isDecided ? showOutcomes(counts) : undefined;
          assert.ok(isDecided || !shown);
          if (!shown) return;
          groups += 1;
          checkShares(all, shown, isMetered);
          const votes = all.filter((one) => isVote(one) && one.days !== null).length;
          const days = votes >= MINIMUM_GROUP_SIZE ? checkDays(all, isMetered) : null;
          curves += Number(days !== null);
          const odds = { ...shown, since: isMetered ? null : counts.earliest, daysToDecision: days?.daysToDecision ?? null };
          checkText(describeOdds(odds), shown, days);
        }),
        { numRuns: 300 },
      );
      assert.ok(groups > 50 && curves > 50, `${groups} groups, ${curves} curves`);
    });

  it('are said in words, also where some are hidden or not reached', () => {
    const odds = {
      n: 89,
      givenUp: 0,
      outcomes: { approved: 0.7528 },
      intervals: { approved: [0.6538, 0.8309] },
      since: null,
      daysToDecision: { p50: 61, p75: 133 },
    };
    const share = '75 % were approved: between 65 and 83 % with 95 % confidence.';
    const pursued = 'Of those neither withdrawn nor given up before,';
    for (const [change, words] of [
      [{}, `Of 89 decided, ${share} ${pursued} half are voted on by day 61, three quarters by day 133.`],
      [{ givenUp: 9, since: '2019-03-05', daysToDecision: null }, `Of 89 decided or given up since 2019-03-05, ${share}`],
      [
        { outcomes: { approved: 0.9988 }, intervals: { approved: [0.9954, 0.9999] }, daysToDecision: null },
        'Of 89 decided, 99 % were approved: between 99 and 99 % with 95 % confidence.',
      ],
      [{ n: 1_089, givenUp: null, daysToDecision: null }, `Of 1,089 decided or given up, ${share}`],
      [
        { outcomes: { approved: null }, intervals: { approved: null }, daysToDecision: { p50: 61, p75: null } },
        `Of 89 decided, the share approved is not shown. ${pursued} half are voted on by day 61, three quarters not in the time that is known.`,
      ],
      [
        { daysToDecision: { p50: null, p75: null } },
        `Of 89 decided, ${share} ${pursued} fewer than half are voted on in the time that is known.`,
      ],
    ] as const)
      assert.equal(describeOdds({ ...odds, ...change }), words);
  });
});

describe('Shares', () => {
  it('have four decimals and add up to 1', () => {
    assert.deepEqual(computeShares([1, 1, 1], 3), [0.3334, 0.3333, 0.3333]);
    assert.deepEqual(computeShares([5, 0, 5], 10), [0.5, 0, 0.5]);
  });

  it('have the published intervals of Wilson', () => {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    assert.deepEqual(computeInterval(81, 263, 81 / 263), [0.2553, 0.3662]);
    assert.deepEqual(computeInterval(15, 148, 15 / 148), [0.0624, 0.1605]);
    assert.deepEqual(computeInterval(0, 20, 0), [0, 0.1611]);
    assert.deepEqual(computeInterval(1, 29, 1 / 29), [0.0061, 0.1718]);
    assert.deepEqual(computeInterval(29, 29, 1), [0.883, 1]);
  });
});
