/** Odds, in an index of several shards, against brute force over the records that were loaded; what they refuse, and what they hide. */

import assert from 'node:assert/strict';
import type { GroupKey } from '../../../src/core/query/dimensions.ts';
import { project, TODAY, use } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { bodyOf, provideService } from '../../support/service.ts';
import { splitProjects } from '../../support/shards.ts';

const SEED = Number(process.env.ODDS_SEED ?? 11);
const PROJECTS = 900;
const REQUESTS = 24;

const OUTCOMES = ['approved', 'denied', 'withdrawn', 'stalled', 'soft_denial'] as const;
type Outcome = (typeof OUTCOMES)[number] | 'pending' | null;

interface Quartiles {
  p25: number | null;
  p50: number | null;
  p75: number | null;
}
interface Odds {
  n: number;
  decided: number | null;
  undecided: number | null;
  givenUp: number | null;
  outcomes: Record<string, number | null>;
  other: number | null;
  intervals: Record<string, [number, number] | null>;
  since: string | null;
  daysToDecision: (Quartiles & { basis: string }) | null;
  hearingsToDecision: Quartiles | null;
  curve: { days: number; undecidedShare: number }[] | null;
}
interface Answer {
  groups: (Odds & { keys: Record<string, GroupKey>; labels: Record<string, string> })[];
  totals: Odds | null;
}

/** A project as it was made: what it is to become is drawn first, and its line states it. */
interface Made {
  id: number;
  /** by its current statement */
  outcome: Outcome;
  /** that filters match: the current one, or what earlier generations stated */
  known: Outcome[];
  /** null if no hearing is known */
  first: string | null;
  /** days until the decision, or until it was last seen undecided; null if that is not known, or not before tomorrow */
  days: number | null;
  hearings: number | null;
  state: string;
  county: number | null;
  body: string;
  request: string | null;
  types: string[];
  /** of its latest hearing */
  month: string | null;
  line: Record<string, unknown> & { id: number };
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const daysFrom = (first: string, to: string) => (Date.parse(to) - Date.parse(first)) / 86_400_000;

const STATUS: Record<string, string> = {
  approved: 'approved_with_conditions',
  denied: 'denied',
  withdrawn: 'withdrawn',
  stalled: 'continued',
  soft_denial: 'tabled',
  pending: 'pending',
};
/** The state of a county, and of no county. */
const PLACES = [
  { id: 8013, state: 'CO', county: 'Boulder County' },
  { id: 8001, state: 'CO', county: 'Adams County' },
  { id: null, state: 'CO', county: null },
  { id: 48453, state: 'TX', county: 'Travis County' },
  { id: 48113, state: 'TX', county: 'Dallas County' },
  { id: 56021, state: 'WY', county: 'Laramie County' },
] as const;
const USES = { residential: 'garden_apartments', commercial: 'office_building' };

type Dates = Pick<Made, 'first' | 'days'> & { stated: { meetingDate: string | null; firstMeetingDate?: string } };

/** Dates of a project; also those that contradict each other, lie ahead, or are missing. */
function makeDates(random: Random, outcome: Outcome, length: number): Dates {
  const isDecided = outcome === 'approved' || outcome === 'denied';
  const oddity = random.integer(0, 24);
  if (oddity === 0 && (isDecided || outcome === 'withdrawn')) return { first: null, days: null, stated: { meetingDate: null } };
  if (oddity === 1 && outcome === 'pending') {
    const first = dayAfter(TODAY, random.integer(1, 60));
    return { first, days: null, stated: { meetingDate: first, firstMeetingDate: first } };
  }
  const isAhead = oddity === 1 && isDecided;
  const latest = dayAfter(
    TODAY,
    isAhead ? random.integer(1, 60) : outcome === 'pending' ? -random.integer(0, 170) : -random.integer(181, 600),
  );
  const first = dayAfter(latest, -length);
  // What is said to have been decided before it was first heard was decided on the first day that is known.
  if (oddity === 2 && isDecided) return { first, days: 0, stated: { meetingDate: first, firstMeetingDate: latest } };
  return { first, days: outcome === 'pending' ? daysFrom(first, TODAY) : length, stated: { meetingDate: latest, firstMeetingDate: first } };
}

function make(random: Random, id: number): Made {
  const outcome: Outcome = random.chance(0.75)
    ? random.pick(['approved', 'approved', 'approved', 'denied', 'withdrawn'] as const)
    : random.pick(['stalled', 'soft_denial', 'pending', 'pending', null] as const);
  const length = random.integer(0, random.pick([5, 60, 300]));
  const { first, days, stated } = makeDates(random, outcome, length);
  const { id: county, ...place } = random.pick(PLACES);
  const body = random.pick(['city_council', 'city_council', 'planning_commission', 'board_of_adjustment']);
  const request = random.maybe(0.9, () => random.pick(['rezoning', 'variance', 'site_plan']));
  const types = random.pick([['residential'], ['residential', 'commercial'], ['commercial']] as const);
  // Who appeared twice did so on two days.
  const hearings = random.maybe(0.8, () => (stated.meetingDate === stated.firstMeetingDate ? 1 : random.integer(1, 5)));
  const line = {
    ...project(id, { ...place, city: null }),
    propertyType: undefined,
    landUses: types.map((type, i) => use(USES[type], i ? 'secondary' : 'primary')),
    decisionBody: body,
    requestType: request,
    ...stated,
    appearanceCount: hearings,
    ...(outcome ? { status: STATUS[outcome] } : {}),
  };
  return {
    id,
    outcome,
    known: [outcome],
    first,
    days,
    hearings: hearings ?? null,
    state: place.state,
    county,
    body,
    request: request ?? null,
    types: [...types],
    month: stated.meetingDate && `${stated.meetingDate.slice(0, 7)}-01`,
    line,
  };
}

const STATE_IDS: Record<string, number> = { CO: 8, TX: 48, WY: 56 };
/** The groups that a project lies in, by dimension. */
const KEYS_OF: Record<string, (made: Made) => GroupKey[]> = {
  state: ({ state }) => [STATE_IDS[state] as number],
  county: ({ county }) => [county],
  decisionBody: ({ body }) => [body],
  requestType: ({ request }) => [request],
  propertyType: ({ types }) => types,
  meetingDate: ({ month }) => [month],
};

const round = (share: number) => Math.round(share * 10_000) / 10_000;

/** Shares undecided after each day of a decision, record by record. */
function curveOf(made: readonly Made[]): [day: number, share: number, decisions: number][] {
  const isDecision = ({ outcome }: Made) => outcome === 'approved' || outcome === 'denied';
  const counted = made.filter((one): one is Made & { days: number } => one.outcome !== null && one.days !== null);
  let share = 1;
  return [...new Set(counted.filter(isDecision).map(({ days }) => days))]
    .sort((a, b) => a - b)
    .map((day) => {
      const decisions = counted.filter((one) => isDecision(one) && one.days === day).length;
      share *= 1 - decisions / counted.filter(({ days }) => days >= day).length;
      return [day, share, decisions];
    });
}

const quartilesOf = (at: (passed: number) => number | null): Quartiles => ({ p25: at(0.25), p50: at(0.5), p75: at(0.75) });

function checkDurations(odds: Odds, made: readonly Made[], asked: string, isMetered: boolean): void {
  const curve = curveOf(made);
  const decisions = curve.reduce((sum, [, , count]) => sum + count, 0);
  if (odds.daysToDecision) {
    assert.ok(decisions >= 5, asked);
    const reached = <T>(all: readonly T[], shareOf: (one: T) => number, dayOf: (one: T) => number) =>
      quartilesOf((passed) => all.filter((one) => shareOf(one) <= 1 - passed).map(dayOf)[0] ?? null);
    const exact = reached(
      curve,
      ([, share]) => round(share),
      ([day]) => day,
    );
    const published = reached(
      odds.curve ?? [],
      ({ undecidedShare }) => undecidedShare,
      ({ days }) => days,
    );
    assert.deepEqual(odds.daysToDecision, { ...published, basis: 'kaplan_meier' }, asked);
    if (!isMetered) assert.deepEqual(published, exact, asked);
    for (const quartile of ['p25', 'p50', 'p75'] as const) assert.equal(published[quartile] === null, exact[quartile] === null, asked);
    assert.equal(odds.curve?.at(-1)?.days, curve.at(-1)?.[0], asked);
  }
  let before = -1;
  for (const { days, undecidedShare } of odds.curve ?? []) {
    const found = curve.find(([day]) => day === days);
    assert.equal(undecidedShare, round(found?.[1] ?? Number.NaN), asked);
    const between = curve.reduce((sum, [day, , count]) => sum + (day > before && day <= days ? count : 0), 0);
    assert.ok(!isMetered || between >= 5, `${between} decisions up to day ${days}: ${asked}`);
    before = days;
  }
  const hearings = made
    .flatMap((one) => ((one.outcome === 'approved' || one.outcome === 'denied') && one.hearings !== null ? [one.hearings] : []))
    .sort((a, b) => a - b);
  if (odds.hearingsToDecision)
    assert.deepEqual(
      odds.hearingsToDecision,
      quartilesOf((passed) => hearings[Math.ceil(passed * hearings.length) - 1] ?? null),
      asked,
    );
}

function checkShares(odds: Odds, made: readonly Made[], asked: string, isMetered: boolean): void {
  const countOf = (outcome: string) => made.filter(({ known }) => known.some((one) => one === outcome)).length;
  const joined = OUTCOMES.filter((outcome) => odds.outcomes[outcome] === null);
  const parts = [...OUTCOMES, 'other'].map((part) => ({ part, share: part === 'other' ? odds.other : (odds.outcomes[part] ?? null) }));
  for (const { part, share } of parts) {
    const interval = odds.intervals[part] ?? null;
    assert.equal(interval === null, share === null, asked);
    if (share === null || !interval) continue;
    const exact = part === 'other' ? joined.reduce((sum, outcome) => sum + countOf(outcome), 0) : countOf(part);
    assert.ok(Math.abs(share - exact / odds.n) < 1.01e-4, `${part} ${share}: ${asked}`);
    assert.ok(interval[0] <= share && share <= interval[1], `${part} ${share} ${interval}: ${asked}`);
    assert.ok(!isMetered || exact === 0 || exact >= 5, `the share of ${exact} is shown: ${asked}`);
  }
  assert.equal(
    parts.reduce((sum, { share }) => sum + Math.round((share ?? 0) * 10_000), 0),
    10_000,
    asked,
  );
  assert.ok(isMetered || joined.length === 0, asked);
  assert.ok(joined.length !== 1 && (joined.length === 0) === (odds.other === null), asked);
}

function check(odds: Odds, made: readonly Made[], asked: string, isMetered = false): void {
  const count = (...outcomes: Outcome[]) => made.flatMap(({ known }) => known.filter((one) => outcomes.includes(one))).length;
  const finished = made.filter(({ known }) => known.some((outcome) => outcome !== null && outcome !== 'pending'));
  const decided = count('approved', 'denied', 'withdrawn');
  assert.equal(odds.n, decided + count('stalled', 'soft_denial'), asked);
  assert.equal(
    odds.since,
    isMetered
      ? null
      : (pluck(finished, 'first')
          .filter((day) => day !== null)
          .sort()[0] ?? null),
    asked,
  );
  assert.ok(
    made.filter(({ known }) => known.some((one) => one === 'approved' || one === 'denied' || one === 'withdrawn')).length >= 5,
    asked,
  );
  for (const [shown, exact] of [
    [odds.decided, decided],
    [odds.undecided, count('pending')],
    [odds.givenUp, count('stalled', 'soft_denial')],
  ] as const)
    assert.ok(
      shown === null ? isMetered : shown === exact && (!isMetered || shown === 0 || shown >= 5),
      `${shown}, not ${exact}: ${asked}`,
    );
  checkShares(odds, made, asked, isMetered);
  checkDurations(odds, made, asked, isMetered);
}

describe(`Odds (ODDS_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const made = Array.from({ length: PROJECTS }, (_, i) => make(random, i + 1));
  const api = provideService({ today: TODAY });

  before(async () => {
    await api.index.load(made.map(({ line }) => line));
    // The second generation denies some, and the third says nothing of what became of more: these have the outcomes of all before.
    const [denied, silent] = [made.filter((_, i) => i % 80 === 0), made.filter((_, i) => i % 40 === 0)];
    const restate = (some: readonly Made[], status: object) => {
      const without = ({ line: { status: _, ...line } }: Made) => ({ ...line, ...status });
      return api.index.load(made.map((one) => (some.includes(one) ? without(one) : one.line)));
    };
    await restate(denied, { status: 'denied' });
    await restate(silent, {});
    for (const one of denied) one.known = [...new Set([one.outcome, 'denied' as const].filter((outcome) => outcome !== null))];
    for (const one of silent) one.outcome = null;
    await splitProjects(api.index, 4);
  });

  const ask = async (body: object, options: { key?: string } = {}) => {
    const { status, body: answer } = await api.post('/analytics/odds', body, options);
    assert.equal(status, 200, JSON.stringify({ body, answer }));
    return { ...(answer.data as unknown as Answer), meta: answer.meta };
  };

  for (const plan of ['national', 'api_only'] as const)
    it(`are those of brute force for ${REQUESTS} random requests of plan ${plan}, and hidden where a group has fewer than five`, () =>
      compareRequests(plan));

  async function compareRequests(plan: 'national' | 'api_only') {
    const isMetered = plan === 'api_only';
    const key = await api.key(plan);
    let [groups, whole, curves, joined] = [0, 0, 0, 0];
    for (let i = 0; i < REQUESTS; i++) {
      const by = random.some(Object.keys(KEYS_OF), i % 3);
      const states = random.maybe(0.4, () => random.some(['CO', 'TX', 'WY'], 2));
      const propertyTypes = random.maybe(0.2, () => [random.pick(['residential', 'commercial'])]);
      const since = random.maybe(0.4, () => dayAfter(TODAY, -random.integer(200, 500)));
      const filters = { dateRange: 'all', ...(states ? { states } : {}), ...(propertyTypes ? { propertyTypes } : {}) };
      const asked = { filters, ...(by.length || random.chance(0.5) ? { by } : {}), ...(since ? { since } : {}) };
      const text = JSON.stringify(asked);
      const matching = made.filter(
        (one) =>
          (!states || states.includes(one.state)) &&
          (!propertyTypes || propertyTypes.some((type) => one.types.includes(type))) &&
          (!since || (one.first !== null && one.first >= since)),
      );
      const answer = await ask(asked, { key });
      if (answer.totals) {
        whole += 1;
        check(answer.totals, matching, text, isMetered);
      }
      for (const group of answer.groups) {
        groups += 1;
        curves += Number(group.curve !== null);
        const inGroup = matching.filter((one) =>
          by.every((dimension) => KEYS_OF[dimension]?.(one).includes(group.keys[dimension] ?? null)),
        );
        joined += Number(group.other !== null);
        check(group, inGroup, `${text} ${JSON.stringify(group.keys)}`, isMetered);
      }
      const sizes = isMetered ? pluck(answer.groups, 'n') : answer.groups.map(({ decided }) => decided ?? 0);
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
    }
    const least = isMetered ? REQUESTS : 2 * REQUESTS;
    assert.ok(groups > least && curves > groups / 2 && whole > REQUESTS / 2, `${groups} groups, ${curves} curves, ${whole} totals`);
    assert.equal(joined > REQUESTS / 2, isMetered, `${joined} groups have joined outcomes`);
  }

  it('says of everything what became of it, in one group without keys', async () => {
    const { groups, totals, meta } = await ask({ filters: { dateRange: 'all' } });
    const [{ keys, labels, ...whole } = { keys: null, labels: null }, ...others] = groups;
    assert.deepEqual([keys, labels, others], [{}, {}, []]);
    assert.deepEqual(whole, totals);
    assert.deepEqual([meta.creditsUsed, meta.suppressedGroups, meta.truncated, meta.appliedDefaults], [0, false, false, { limit: 100 }]);
  });

  it('count the outcomes that aggregates and filters count', async () => {
    const filters = { dateRange: 'all' };
    const { groups } = await ask({ filters, by: ['decisionBody'] });
    const { body } = await api.post('/analytics/aggregate', { filters, groupBy: ['decisionBody', 'outcome'] });
    const counted = (body.data as unknown as { groups: { keys: Record<string, string>; count: number }[] }).groups;
    let checked = 0;
    for (const { keys, n, outcomes } of groups)
      for (const [outcome, share] of Object.entries(outcomes)) {
        const shown = counted.find((one) => one.keys.decisionBody === keys.decisionBody && one.keys.outcome === outcome);
        if (!shown) continue;
        assert.ok(
          Math.abs((share ?? 0) - shown.count / n) < 1.01e-4,
          `${keys.decisionBody} ${outcome}: ${share}, not ${shown.count} of ${n}`,
        );
        const matching = bodyOf(
          await api.get('/projects/count', { ...filters, decisionBodies: String(keys.decisionBody), outcomes: outcome }),
        );
        assert.equal(matching.data.matchCount, shown.count);
        checked += 1;
      }
    assert.ok(checked >= 9, `${checked} shares were compared`);
    assert.ok(made.filter(({ known }) => known.length > 1).length > 2);
  });

  it('are grouped by the time of the last change, too', async () => {
    for (const interval of ['year', 'week']) {
      const { groups, totals } = await ask({ filters: { dateRange: 'all' }, by: ['lastUpdated'], interval });
      const [{ keys, labels, ...loaded } = { keys: null, labels: null }, ...others] = groups;
      assert.match(String(keys?.lastUpdated), /^\d{4}-\d\d-\d\d$/);
      assert.ok(totals?.daysToDecision && labels && others.length === 0, 'all were loaded at once');
      assert.deepEqual(loaded, totals);
    }
  });

  it('hides what no five records state, and says only that it hides', async () => {
    const few = await ask({ filters: { dateRange: 'all', projectIds: made.slice(0, 4).map(({ id }) => id) }, by: ['decisionBody'] });
    assert.deepEqual([few.groups, few.totals, few.meta.suppressedGroups], [[], null, true]);
    const none = await ask({ filters: { dateRange: 'all', projectName: 'no such name' }, by: ['decisionBody'] });
    assert.deepEqual([none.groups, none.totals, none.meta.suppressedGroups], [[], null, false]);
  });

  it('on plans that pay for records, days rest on five records that the pool does not hold, or on none', async () => {
    const decided = made.filter(({ outcome, state }) => state === 'TX' && (outcome === 'approved' || outcome === 'denied'));
    assert.ok(decided.length > 20 && decided.length <= 200);
    const key = await api.key('api_only');
    const texas = { filters: { dateRange: 'all', states: ['TX'] } };
    const before = await ask(texas, { key });
    assert.ok(before.totals?.daysToDecision && before.totals.hearingsToDecision);
    const ids = decided.map(({ id }) => id);
    const buy = async (some: readonly number[]) => {
      for (let i = 0; i < some.length; i += 100) {
        bodyOf(await api.get('/projects/search', { projectIds: some.slice(i, i + 100).join(), dateRange: 'all', limit: 100 }, { key }));
      }
    };
    await buy(ids.slice(3));
    const padded = await ask(texas, { key });
    assert.deepEqual([padded.totals?.daysToDecision, padded.totals?.curve, padded.totals?.hearingsToDecision], [null, null, null]);
    assert.deepEqual(padded.totals?.outcomes, before.totals.outcomes);
    await buy(ids.slice(0, 3));
    assert.deepEqual((await ask(texas, { key })).totals, before.totals);
    const named = await ask({ filters: { projectIds: made.map(({ id }) => id).slice(0, 100), dateRange: 'all' } }, { key });
    assert.ok((named.totals?.decided ?? 0) <= decided.length, 'records that the pool does not hold are counted');
  });

  it('answers several questions as one counted request, each as if it were asked by itself', async () => {
    const key = await api.key('trial', { stateIds: [8, 48, 56], countyIds: [] });
    const filters = { dateRange: 'all' };
    const queries = [{ filters, by: ['decisionBody'], limit: 1 }, { filters: { ...filters, states: ['TX'] } }, { by: ['meetingDate'] }];
    const left = async (body: object) => {
      const { status, headers, body: answer } = await api.post('/analytics/odds', body, { key });
      assert.equal(status, 200, JSON.stringify(answer));
      return { left: Number(headers.get('x-ratelimit-remaining')), answer };
    };
    const single = [];
    for (const query of queries) single.push((await left(query)).answer);
    const { left: before } = await left({});
    const { left: after, answer } = await left({ queries });
    assert.equal(before - after, 1);
    const expected = single.map(({ data, meta: { creditsUsed: _, requestId: _id, schemaVersion: _v, ...meta } }) => ({ ...data, meta }));
    assert.deepEqual(answer.data, { groups: [], totals: null, results: expected });
    assert.deepEqual([answer.meta.truncated, answer.meta.creditsUsed], [true, 0]);
  });

  it('refuses everything that is wrong with a body at once, and what no odds are of', async () => {
    const refused = async (body: object) => {
      const { status, body: answer } = await api.post('/analytics/odds', body);
      assert.equal(status, 400);
      return (answer.error.details.problems as Record<string, unknown>[]).map(({ param, code, didYouMean }) => [param, code, didYouMean]);
    };
    assert.deepEqual(
      await refused({ filters: { citis: 'Boulder' }, by: ['contry', 'state', 'city'], since: 'yesterday', limit: 101, bye: [] }),
      [
        ['bye', 'unknown_parameter', 'by'],
        ['by', 'invalid_value', undefined],
        ['by.0', 'invalid_value', 'county'],
        ['since', 'invalid_value', undefined],
        ['limit', 'invalid_value', undefined],
        ['filters.citis', 'unknown_parameter', 'filters.cities'],
      ],
    );
    assert.deepEqual(
      (await refused({ by: ['outcome'] })).map(([param]) => param),
      ['by.0'],
    );
    assert.deepEqual(
      (await refused({ by: ['state'], interval: 'month' })).map(([param]) => param),
      ['interval'],
    );
    assert.deepEqual(await refused({ queries: [{}, { by: ['contry'], filters: { citis: 'Boulder' }, interval: 'week' }], since: TODAY }), [
      ['queries.1.by.0', 'invalid_value', 'county'],
      ['since', 'contradiction', undefined],
      ['queries.1.filters.citis', 'unknown_parameter', 'queries.1.filters.cities'],
    ]);
    for (const queries of [[], Array.from({ length: 7 }, () => ({}))])
      assert.deepEqual(await refused({ queries }), [['queries', 'invalid_value', undefined]]);
  });
});
