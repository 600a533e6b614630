/** Odds of groups at the edge of what can be said, where records are free and where they cost credits. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import { postMcp } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { provideService } from '../../support/service.ts';

const dayBefore = (days: number) => new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);

interface Made {
  status: string;
  count: number;
  /** days from the first hearing to the latest one */
  days?: number;
  /** without any hearing */
  isUndated?: boolean;
}

interface Case {
  title: string;
  made: Made[];
  /** null where there is no group */
  free: object | null;
  metered: object | null;
}

const shares = (approved: number | null, denied: number | null, withdrawn: number | null, others: number | null = 0) => ({
  approved,
  denied,
  withdrawn,
  stalled: others,
  soft_denial: others,
});
const onDay = (day: number) => ({ p25: day, p50: day, p75: day, basis: 'kaplan_meier' });

const CASES: readonly Case[] = [
  {
    title: 'Alder five approved on one day',
    made: [{ status: 'approved', count: 5, days: 30 }],
    free: {
      ...{ n: 5, decided: 5, undecided: 0, givenUp: 0, other: null, since: dayBefore(230), outcomes: shares(1, 0, 0) },
      ...{ daysToDecision: onDay(30), curve: [{ days: 30, undecidedShare: 0 }] },
    },
    metered: { n: 5, decided: 5, undecided: 0, givenUp: 0, other: null, since: null, outcomes: shares(1, 0, 0), daysToDecision: onDay(30) },
  },
  {
    title: 'Birch four approved and one denied',
    made: [
      { status: 'approved', count: 4, days: 30 },
      { status: 'denied', count: 1, days: 60 },
    ],
    free: {
      ...{ n: 5, decided: 5, givenUp: 0, other: null, outcomes: shares(0.8, 0.2, 0) },
      ...{
        daysToDecision: onDay(30),
        curve: [
          { days: 30, undecidedShare: 0.2 },
          { days: 60, undecidedShare: 0 },
        ],
      },
    },
    metered: { n: 5, decided: 5, givenUp: 0, other: 1, outcomes: shares(null, null, 0), daysToDecision: onDay(60) },
  },
  {
    title: 'Cedar a few withdrawn among many',
    made: [
      { status: 'approved', count: 30, days: 30 },
      { status: 'denied', count: 10, days: 60 },
      { status: 'withdrawn', count: 2, days: 20 },
    ],
    free: { n: 42, decided: 42, outcomes: shares(0.7143, 0.2381, 0.0476), other: null, undecided: 0 },
    metered: { n: 42, decided: 42, outcomes: shares(0.7143, null, null), other: 0.2857, undecided: 0 },
  },
  {
    title: 'Dogwood decided without a hearing',
    made: [{ status: 'denied', count: 6, isUndated: true }],
    free: { n: 6, outcomes: shares(0, 1, 0), daysToDecision: null, curve: null, since: null, undecided: 0 },
    metered: { n: 6, outcomes: shares(0, 1, 0), daysToDecision: null, curve: null },
  },
  {
    title: 'Elder withdrawn alone',
    made: [{ status: 'withdrawn', count: 7, days: 10 }],
    free: { n: 7, outcomes: shares(0, 0, 1), daysToDecision: null, curve: null, hearingsToDecision: null },
    metered: { n: 7, outcomes: shares(0, 0, 1), daysToDecision: null, curve: null },
  },
  {
    title: 'Fir five decided, two pending',
    made: [
      { status: 'approved', count: 5, days: 30 },
      { status: 'pending', count: 2 },
    ],
    free: { n: 5, undecided: 2, outcomes: shares(1, 0, 0), curve: [{ days: 30, undecidedShare: 0.2857 }] },
    metered: null,
  },
  { title: 'Gum four decided', made: [{ status: 'approved', count: 4, days: 30 }], free: null, metered: null },
  { title: 'Hazel all pending', made: [{ status: 'pending', count: 9 }], free: null, metered: null },
];

describe('Odds at the edge', () => {
  const api = provideService({ today: TODAY });

  before(async () => {
    let id = 0;
    const lines = CASES.flatMap(({ title, made }) =>
      made.flatMap(({ status, count, days = 0, isUndated = false }) =>
        Array.from({ length: count }, () => {
          const latest = status === 'pending' ? 30 : 200;
          const dates = isUndated ? {} : { meetingDate: dayBefore(latest), firstMeetingDate: dayBefore(latest + days) };
          return project(++id, { projectName: title, status, meetingDate: null, ...dates });
        }),
      ),
    );
    await api.index.load(lines);
  });

  for (const plan of ['national', 'api_only'] as const)
    for (const { title, made, ...expected } of CASES)
      it(`of ${title.replace(/^\w+ /, '')}, on plan ${plan}`, async () => {
        const key = await api.key(plan);
        const filters = { projectName: title, dateRange: 'all' };
        const { body } = await api.post('/analytics/odds', { filters }, { key });
        const { groups, totals } = body.data as { groups: Record<string, unknown>[]; totals: Record<string, unknown> | null };
        const odds = plan === 'national' ? expected.free : expected.metered;
        assert.deepEqual([groups.length, body.meta.suppressedGroups], odds ? [1, false] : [0, true]);
        const shown = odds && totals && Object.fromEntries(Object.keys(odds).map((name) => [name, totals[name]]));
        assert.deepEqual(shown, odds);
      });

  it('is said in a sentence by the tool for agents', async () => {
    const call = { name: 'get_odds', arguments: { filters: { projectName: 'Cedar', dateRange: 'all' } } };
    const answer = await postMcp(api.url, await api.key(), { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const { summary } = JSON.parse(((await answer.json()) as Json).result.content[0].text);
    const days = 'Of those neither withdrawn nor given up before, half are voted on by day 30, three quarters by day 30.';
    const share = `Of 42 decided since ${dayBefore(260)}, 71 % were approved: between 56 and 83 % with 95 % confidence.`;
    assert.equal(summary, `${share} ${days}`);
  });
});
