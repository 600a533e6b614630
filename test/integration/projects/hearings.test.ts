/** Hearings ahead: which body meets when, how many matching records are on, and of which of them the ids are shown. */

import assert from 'node:assert/strict';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const places = loadPlaces();
const DAY_MS = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const LAST_DAY = addDays(TODAY, 30);
const BOULDER = { state: 'CO', county: 'Boulder County', city: 'Boulder' };
const WHERE = [
  { ...BOULDER, stateId: 8, countyId: 8013 },
  { state: 'CO', county: 'Weld County', city: null, stateId: 8, countyId: 8123 },
  { state: 'TX', county: 'Travis County', city: null, stateId: 48, countyId: 48453 },
];
const BODIES = ['city_council', 'planning_board'];

const random = new Random(38);
const lines: Fixture[] = Array.from({ length: 120 }, (_, i) => {
  const { stateId: _s, countyId: _c, ...place } = random.pick(WHERE);
  const ahead = () => addDays(TODAY, random.integer(-40, 60));
  return project(7_000 + i, {
    ...place,
    acreage: random.integer(1, 9),
    meetingDate: addDays(TODAY, -random.integer(0, 900)) as string | null,
    decisionBody: random.maybe(0.7, () => random.pick(BODIES)),
    nextMeetingDate: random.maybe(0.6, ahead),
    decisions: random.maybe(0.4, () => [{ meetingDate: ahead(), decisionBody: random.pick(BODIES) }]),
    statusHistory: random.maybe(0.4, () => [
      { status: 'pending', date: ahead(), decisionBody: random.maybe(0.5, () => random.pick(BODIES)) },
    ]),
  });
});

/** Every day of a record with its body, by reading the record alone. */
function meetingsOf(line: Json): [date: string, body: string | null][] {
  const named = new Map<string, Set<string>>();
  const add = (date: string | null | undefined, body: string | null | undefined) => {
    if (!date) return;
    const bodies = named.get(date) ?? new Set();
    named.set(date, bodies);
    if (body) bodies.add(body);
  };
  for (const one of line.decisions ?? []) add(one.meetingDate, one.decisionBody);
  for (const one of line.statusHistory ?? []) if (one.decisionBody) add(one.date, one.decisionBody);
  for (const date of [line.meetingDate, line.nextMeetingDate]) if (!named.get(date)?.size) add(date, line.decisionBody);
  return [...named].flatMap(([date, bodies]) =>
    (bodies.size ? [...bodies] : [null]).map((body) => [date, body] as [string, string | null]),
  );
}

function expectedHearings(some: readonly Json[], from: string, to: string) {
  const found = new Map<string, { date: string; body: string | null; county: string; projectIds: number[] }>();
  for (const line of some)
    for (const [date, body] of meetingsOf(line)) {
      if (date < from || date > to) continue;
      const key = `${date} ${line.county} ${body}`;
      const hearing = found.get(key) ?? { date, body, county: line.county, projectIds: [] as number[] };
      hearing.projectIds.push(line.id);
      found.set(key, hearing);
    }
  return [...found.values()];
}
const countyOf = (place: Json) => (places.county(place.countyId) as Json).name;
const sorted = (hearings: readonly Json[]) => hearings.map((one) => JSON.stringify(one)).sort();

describe('GET /hearings', () => {
  const api = provideService({ today: TODAY }, lines);

  const ask = async (parameters: Record<string, unknown> = {}, key?: string): Promise<Json> => {
    return bodyOf(await api.get('/hearings', parameters, key ? { key } : {}));
  };
  const shown = (data: readonly Json[]) =>
    sorted(
      data.map(({ date, body, place, projectCount, projectIds }) => {
        assert.equal(projectCount, projectIds.length);
        return { date, body, county: countyOf(place), projectIds };
      }),
    );

  it('lists what a reading of every record finds, for the next 30 days and for others', async () => {
    const { data, meta } = await ask();
    const expected = expectedHearings(lines, TODAY, LAST_DAY);
    assert(expected.length > 25, String(expected.length));
    assert.deepEqual(shown(data), sorted(expected));
    assert.deepEqual(pluck(data, 'date'), data.map(({ date }: Json) => date).sort());
    assert.deepEqual([meta.from, meta.to, meta.truncated, meta.creditsUsed, meta.warnings], [TODAY, LAST_DAY, false, 0, []]);
    assert.deepEqual(meta.appliedDefaults, { dateRange: 'all', from: TODAY, to: LAST_DAY });
    const month = await ask({ from: '2026-12', to: '2026-12' });
    assert.deepEqual(shown(month.data), sorted(expectedHearings(lines, '2026-12-01', '2026-12-31')));
    const [first] = data.filter(({ body, place }: Json) => body === 'city_council' && place.cityId);
    assert.deepEqual([first.bodyLabel, first.place.label], ['City Council', 'Boulder, CO']);
  });

  it('takes the filters of a search, and its dates', async () => {
    const { data } = await ask({ acreageMin: 4, counties: 'Boulder, CO', decisionBodies: 'city_council' });
    const match = (line: Json) => line.acreage >= 4 && line.county === 'Boulder County' && line.decisionBody === 'city_council';
    assert.deepEqual(shown(data), sorted(expectedHearings(lines.filter(match), TODAY, LAST_DAY)));
    const recent = await ask({ meetingDateFrom: addDays(TODAY, -300) });
    const isRecent = (line: Json) =>
      [line.meetingDate, ...(line.decisions ?? []).map((one: Json) => one.meetingDate)].some((date) => date >= addDays(TODAY, -300));
    assert.deepEqual(recent.meta.appliedFilters, { meetingDateFrom: addDays(TODAY, -300) });
    assert.equal(recent.meta.appliedDefaults.dateRange, undefined);
    const known = new Set(lines.filter(isRecent).map(({ id }) => id));
    assert(recent.data.length > 0 && recent.data.every(({ projectIds }: Json) => projectIds.every((id: number) => known.has(id))));
  });

  it('shows of fewer than five projects that a metered pool does not hold nothing, in the calendar neither', async () => {
    const key = await api.key('api_only');
    const isHeard = (line: Json) => meetingsOf(line).some(([date]) => date >= TODAY && date <= LAST_DAY);
    const heard = lines.filter(isHeard).map(({ id }) => id);
    const ahead = (some: readonly number[]) => lines.filter(({ id }) => some.includes(id));
    const named = (some: readonly number[]) => ({ q: some.map((id) => `Project ${id}`).join('|') });
    const five = heard.slice(0, 5);
    const shownOf = async (some: readonly number[], more: object = {}) => {
      const { data, meta } = await ask({ ...named(some), ...more }, key);
      return { suppressed: meta.suppressed, projects: data.reduce((sum: number, one: Json) => sum + one.projectCount, 0) };
    };
    const inAll = expectedHearings(ahead(five), TODAY, LAST_DAY).reduce((sum, { projectIds }) => sum + projectIds.length, 0);
    assert.deepEqual(await shownOf(five), { suppressed: false, projects: inAll });
    for (const few of [five.slice(0, 1), five.slice(0, 4), []])
      assert.deepEqual(await shownOf(few.length ? few : [1]), { suppressed: true, projects: 0 }, few.join());
    const [first] = expectedHearings(ahead(five), TODAY, LAST_DAY);
    const day = { from: first?.date, to: first?.date };
    assert.equal((await ask({ ...named(five), ...day }, key)).meta.suppressed, true, 'a day that narrows is a filter, too');
    const calendar = await fetch(`${api.url}/v1/hearings.ics?q=${encodeURIComponent(`Project ${five[0]}`)}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal((await calendar.text()).includes('BEGIN:VEVENT'), false);
    await api.get(`/projects/${five[0]}`, {}, { key });
    const held = expectedHearings(ahead(five.slice(0, 1)), TODAY, LAST_DAY).length;
    assert.deepEqual(await shownOf(five), { suppressed: true, projects: held }, 'the held one alone, where four others match');
    assert.equal((await ask(named(five.slice(0, 1)))).meta.suppressed, false, 'on plans whose records are free');
  });

  it('keeps to the licence, and names on metered plans only what the pool holds', async () => {
    const texas = await api.key('state', { stateIds: [48], countyIds: [] });
    assert.deepEqual(new Set((await ask({}, texas)).data.map(({ place }: Json) => place.stateId)), new Set([48]));
    assert.equal((await api.get('/hearings', { states: 'CO' }, { key: texas })).status, 403);
    const metered = await api.key('api_only');
    const counted = (await ask({}, metered)).data;
    assert.deepEqual(pluck(counted, 'projectCount'), pluck((await ask()).data, 'projectCount'));
    assert(
      counted.every(({ projectIds }: Json) => projectIds.length === 0),
      'no id of a record that is not held',
    );
    const gone = { from: addDays(TODAY, -40), to: addDays(TODAY, -1) };
    assert.deepEqual((await ask(gone, metered)).data, [], 'what a record went through is shown where it is held');
    const [{ projectIds }] = (await ask()).data;
    const [id] = projectIds;
    assert.deepEqual((await ask({ projectIds: id }, metered)).data, [], 'a record that is named and not held shows no hearing');
    await api.get(`/projects/${id}`, {}, { key: metered });
    const held = (await ask({}, metered)).data.flatMap((one: Json) => one.projectIds);
    assert.deepEqual(new Set(held), new Set([id]));
    assert((await ask({ projectIds: id }, metered)).data.length > 0);
    const own = expectedHearings(
      lines.filter((line) => line.id === id),
      addDays(TODAY, -366),
      addDays(TODAY, -1),
    );
    assert.deepEqual(shown((await ask({ from: addDays(TODAY, -366), to: addDays(TODAY, -1) }, metered)).data), sorted(own));
  });

  it('refuses dates that are none or the wrong way round, with every other mistake', async () => {
    const body = bodyOf(await api.get('/hearings', { from: '2026-13', acreageMin: 'two', citys: 'Boulder' }), 400);
    assert.deepEqual(body.error.details.problems.map(({ param }: Json) => param).sort(), ['acreageMin', 'citys', 'from']);
    const wrong = await api.get('/hearings', { from: '2026-12-02', to: '2026-12-01' });
    assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'to']);
    const long = await api.get('/hearings', { from: '2026-01', to: '2028' });
    assert.deepEqual([long.status, long.body.error.param], [400, 'to']);
    const { data, meta } = (await api.get('/hearings', { from: '9999-12-31' })).body;
    assert.deepEqual([data, meta.from, meta.to], [[], '9999-12-31', '9999-12-31'], 'days end with the year 9999');
  });

  it('is a calendar, too: an all-day event for each body and day', async () => {
    const answer = await fetch(`${api.url}/v1/hearings.ics?states=CO`, { headers: { Authorization: `Bearer ${await api.usualKey()}` } });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/calendar/);
    const text = await answer.text();
    const { data } = await ask({ states: 'CO' });
    const days = [...text.matchAll(/DTSTART;VALUE=DATE:(\d{8})/g)].map(([, day]) => day);
    assert.deepEqual(
      days,
      data.map(({ date }: Json) => date.replaceAll('-', '')),
    );
    assert.equal(new Set([...text.matchAll(/^UID:(.+)$/gm)].map(([, uid]) => uid)).size, data.length);
    assert(text.endsWith('END:VCALENDAR\r\n'));
  });
});

describe('hearings that are moved or dropped before their day', () => {
  const api = provideService({ today: TODAY });
  const [FIRST, MOVED] = [addDays(TODAY, 9), addDays(TODAY, 16)];
  const of = (id: number, nextMeetingDate: string | null, more: object = {}) =>
    project(id, { ...BOULDER, meetingDate: addDays(TODAY, -20), decisionBody: 'city_council', nextMeetingDate, ...more });

  const days = async (key?: string): Promise<string[]> => {
    const { body } = await api.get('/hearings', { states: 'CO' }, key ? { key } : {});
    return (body.data as unknown as Json[]).map(({ date, projectCount }) => `${date} ${projectCount}`);
  };
  const isLater = (one?: { sequence: number }, other?: { sequence: number }) => (one?.sequence ?? -1) >= (other?.sequence ?? 0);
  const calendar = async (key?: string): Promise<Record<string, { status: string | null; sequence: number }>> => {
    const headers = { Authorization: `Bearer ${key ?? (await api.usualKey())}` };
    const text = (await (await fetch(`${api.url}/v1/hearings.ics?states=CO`, { headers })).text()).replaceAll('\r\n ', '');
    const events = text.split('BEGIN:VEVENT').slice(1);
    assert.equal(new Set(events.map((event) => /UID:.*/.exec(event)?.[0])).size, events.length, 'a UID twice');
    return Object.fromEntries(
      events.map((event) => [
        /DTSTART;VALUE=DATE:(\d{4})(\d\d)(\d\d)/.exec(event)?.slice(1).join('-'),
        { status: /STATUS:(\w+)/.exec(event)?.[1] ?? null, sequence: Number(/SEQUENCE:(\d+)/.exec(event)?.[1]) },
      ]),
    );
  };

  it('leave the list, and stand cancelled in the calendar while no matching project is on', async () => {
    await api.index.load([of(1, FIRST), of(2, FIRST)]);
    const first = await calendar();
    assert.deepEqual([await days(), first[FIRST]?.status], [[`${FIRST} 2`], null]);
    await api.index.load([of(1, MOVED)], { mode: 'increment' });
    const second = await calendar();
    assert.deepEqual([await days(), second[FIRST]?.status, second[MOVED]?.status], [[`${FIRST} 1`, `${MOVED} 1`], null, null]);
    assert(isLater(second[FIRST], first[FIRST]));
    await api.index.load([of(2, MOVED)], { mode: 'increment' });
    const third = await calendar();
    assert.deepEqual([await days(), third[FIRST]?.status, third[MOVED]?.status], [[`${MOVED} 2`], 'CANCELLED', null]);
    await api.index.load([of(1, null), of(2, null)], { mode: 'increment' });
    const fourth = await calendar();
    assert.deepEqual([await days(), fourth[FIRST]?.status, fourth[MOVED]?.status], [[], 'CANCELLED', 'CANCELLED']);
    assert(isLater(fourth[MOVED], third[MOVED]));
    // The same content again, in an increment and in a full generation, keeps them; a hearing that is on again is not cancelled.
    await api.index.load([of(1, null), of(2, null)], { generation: 2 });
    assert.deepEqual(Object.keys(await calendar()), [FIRST, MOVED]);
    await api.index.load([of(1, FIRST)], { mode: 'increment', generation: 2 });
    const last = await calendar();
    assert.deepEqual([await days(), last[FIRST]?.status, last[MOVED]?.status], [[`${FIRST} 1`], null, 'CANCELLED']);
    assert(isLater(last[FIRST], fourth[FIRST]));
    // A metered pool that holds none of them learns nothing.
    assert.deepEqual(await calendar(await api.key('api_only')), {});
  });

  it('are not said to be cancelled of a project that a generation does not state', async () => {
    await api.index.load([of(1, null), of(3, FIRST, { county: 'Weld County', city: null })], { generation: 3 });
    assert.deepEqual(await days(), [`${FIRST} 1`]);
    const { [MOVED]: moved } = await calendar();
    await api.index.load([of(1, null), of(2, null)], { generation: 4 });
    assert.deepEqual([await days(), moved?.status], [[], 'CANCELLED']);
    const events = await calendar();
    assert.equal(
      Object.values(events).every(({ status }) => status === 'CANCELLED'),
      true,
    );
    const headers = { Authorization: `Bearer ${await api.usualKey()}` };
    assert.doesNotMatch(await (await fetch(`${api.url}/v1/hearings.ics?counties=Weld`, { headers })).text(), /VEVENT/);
  });
});

describe('GET /hearings where more days are left out than are listed', () => {
  const FROM = addDays(TODAY, -330);
  const PAST = Array.from({ length: 300 }, (_, i) => addDays(FROM, i));
  const ahead = Array.from({ length: 12 }, (_, i) =>
    project(8_100 + i, {
      ...BOULDER,
      decisions: PAST.slice(i * 25, (i + 1) * 25).flatMap((meetingDate) => BODIES.map((decisionBody) => ({ meetingDate, decisionBody }))),
      meetingDate: PAST[0] as string,
      nextMeetingDate: addDays(TODAY, 3),
      decisionBody: 'city_council',
    }),
  );
  const held = project(8_002, { ...BOULDER, meetingDate: addDays(TODAY, -1), nextMeetingDate: null, decisionBody: 'city_council' });
  const api = provideService({ today: TODAY }, [...ahead, held]);

  it('lists on a metered plan what comes after past days of records that are not held', async () => {
    const key = await api.key('api_only');
    await api.get('/projects/8002', {}, { key });
    const { data, meta } = (await api.get('/hearings', { from: FROM, to: LAST_DAY }, { key })).body;
    assert.deepEqual(pluck(data, 'date', 'projectIds'), [
      [addDays(TODAY, -1), [8_002]],
      [addDays(TODAY, 3), []],
    ]);
    assert.equal(meta.truncated, false);
    const all = (await api.get('/hearings', { from: FROM, to: LAST_DAY })).body;
    assert.deepEqual([all.data.length, all.meta.truncated], [500, true]);
  });
});

describe('projects at a hearing', () => {
  const api = provideService({ today: TODAY });
  const DAY = addDays(TODAY, 9);
  const creek = (id: number, projectName = `Creek ${id}`) =>
    project(id, { ...BOULDER, projectName, meetingDate: addDays(TODAY, -20), decisionBody: 'city_council', nextMeetingDate: DAY });
  const named = (id: number) => ({ id, projectName: `Creek ${id}` });
  const ask = async (key?: string): Promise<Json> => (await api.get('/hearings', {}, key ? { key } : {})).body.data[0];
  const calendar = async (key: string) => {
    const answer = await fetch(`${api.url}/v1/hearings.ics`, { headers: { Authorization: `Bearer ${key}` } });
    return (await answer.text()).replaceAll('\r\n ', '').replaceAll('\\n', '\n');
  };

  it('are named, five of them, in the list and with their links in the calendar; the others are counted', async () => {
    await api.index.load([1, 2, 3, 4, 5, 6, 7].map((id) => creek(id)));
    const hearing = await ask();
    assert.deepEqual([hearing.projectCount, hearing.projects], [7, [1, 2, 3, 4, 5].map(named)]);
    const text = await calendar(await api.usualKey());
    assert.match(text, /Creek 1: http[^\n]+\/map\?project=1\nCreek 2: /);
    assert.match(text, /\nand 2 more\r?\n/);
  });

  it('are named on metered plans only where the pool was delivered them as they are now', async () => {
    const key = await api.key('api_only');
    const projects = async () => (await ask(key)).projects;
    assert.deepEqual(await projects(), []);
    assert.doesNotMatch(await calendar(key), /Creek/);
    await api.get('/projects/3', {}, { key });
    assert.deepEqual(await projects(), [named(3)]);
    assert.match(await calendar(key), /Creek 3: http/);
    await api.index.load([creek(3, 'Another name')], { mode: 'increment' });
    const changed = await ask(key);
    assert.deepEqual([changed.projectIds, changed.projects], [[3], []], 'held, but not as it is now');
    assert.doesNotMatch(await calendar(key), /Another name|Creek/);
  });
});
