/** Whether a source is alive: bodies with their rhythm in `GET /coverage?by=body`, events, webhooks and feeds of those that fall silent. */

import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { bodyKeysOf, readBodyKey, readMeetingKey } from '../../../src/core/domain/record/bodyMeetings.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { judgeFreshness } from '../../../src/features/freshness/index.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { Random } from '../../support/random.ts';
import { bodyOf } from '../../support/service.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const places = loadPlaces();
const DAY_MS = 86_400_000;
const BOULDER = { state: 'CO', stateId: 8, county: 'Boulder County', countyId: 8013 };
const TRAVIS = { state: 'TX', stateId: 48, county: 'Travis County', countyId: 48453 };
const READ_ON = '2026-11-18';
const daysBefore = (day: string, days: number) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

const record = (id: number, place: object, more: object) => ({
  kind: 'project',
  id,
  projectName: `Project ${id}`,
  propertyType: 'residential',
  ...place,
  ...more,
});
const random = new Random(37);
/** Each heard by the planning board on one Tuesday of the last twelve; some by other bodies, on any day. */
const lines = Array.from({ length: 90 }, (_, i) => {
  if (i < 12) return record(i + 1, BOULDER, { decisionBody: 'planning_board', meetingDate: daysBefore('2026-11-17', 7 * i) });
  return record(i + 1, random.pick([BOULDER, TRAVIS]), {
    decisionBody: random.pick(['city_council', 'board_of_adjustment', null]),
    meetingDate: daysBefore(READ_ON, random.integer(0, 300)),
    decisions: [{ decisionBody: 'city_council', meetingDate: daysBefore(READ_ON, random.integer(0, 300)) }],
    statusHistory: [{ status: 'pending', date: daysBefore(READ_ON, random.integer(0, 300)), decisionBody: 'design_review_board' }],
  });
});

describe('freshness of bodies', () => {
  const world = provideWorld({ ...FOR_WEBHOOKS, today: READ_ON });
  let key: string;
  let texas: string;
  before(async () => {
    key = await world.api.key('api_only');
    texas = await world.api.key('state', { stateIds: [48], countyIds: [] });
    await world.api.index.load(lines);
    await world.work();
  });

  const ask = (query: string, by = key): Promise<Json> => world.send('GET', `/coverage?by=body${query}`, undefined, by);
  const rows = async (query = '', by = key): Promise<Json[]> => (await ask(query, by)).body.data.groups;
  const eventsOf = async (ofKey: string): Promise<Json[]> =>
    (await world.send('GET', '/events?types=coverage.stale,coverage.recovered', undefined, ofKey)).body.data;
  const boardOf = async () => (await rows('&decisionBodies=planning_board'))[0];

  it('are what a reading of every record makes of them', async () => {
    const known = await eventually('the first look', async () => ((await rows()).length ? await rows() : undefined));
    const bodies = new Map<string, { records: Set<number>; days: Set<string> }>();
    for (const line of lines as Json[]) {
      for (const meeting of bodyKeysOf(line).bodyMeetings) {
        const { date, bodyKey } = readMeetingKey(meeting);
        if (!readBodyKey(bodyKey).body) continue;
        const body = bodies.get(bodyKey) ?? { records: new Set(), days: new Set() };
        bodies.set(bodyKey, { records: body.records.add(line.id), days: body.days.add(date) });
      }
    }
    const expected = [...bodies]
      .filter(([, { records }]) => records.size >= 5)
      .map(([bodyKey, { records, days }]) => ({
        bodyKey,
        records: records.size,
        ...judgeFreshness(
          [...days].map((date) => ({ date, firstRead: READ_ON, lastRead: READ_ON })),
          READ_ON,
        ),
      }));
    assert(expected.length >= 6);
    const byKey = (a: Json, b: Json) => (a.bodyKey < b.bodyKey ? -1 : 1);
    const shown = known.map(
      ({
        keys: _,
        labels: _l,
        newestMeeting: _n,
        daysSinceNewestMeeting: _d,
        meanDaysToLoad: _m,
        filledShare: _s,
        filled: _f,
        accuracy: _a,
        lastExtractedAt,
        ...row
      }) => {
        assert.equal(lastExtractedAt, `${READ_ON}T00:00:00.000Z`);
        return row;
      },
    );
    assert.deepEqual(shown.sort(byKey), expected.sort(byKey));
  });

  it('name place, body and rhythm, within the licence and the filters', async () => {
    const board = await boardOf();
    assert.deepEqual(board.keys, { state: 8, county: 8013, decisionBody: 'planning_board' });
    assert.equal(board.labels.county, places.labelOf(places.county(8013) as Json));
    const { cadenceDays, weekdays, lastMeetingDate, expectedBy, missed, staleSince } = board;
    assert.deepEqual(
      [cadenceDays, weekdays, lastMeetingDate, expectedBy, missed, staleSince],
      [7, [2], '2026-11-17', '2026-11-24', 0, null],
    );
    assert.deepEqual(new Set((await rows('', texas)).map(({ keys }) => keys.state)), new Set([48]));
    assert.deepEqual(new Set((await rows('&states=TX')).map(({ keys }) => keys.state)), new Set([48]));
    assert.equal((await ask('&states=CO', texas)).status, 403);
    assert.equal((await ask('')).body.meta.creditsUsed, 0);
  });

  it('refuse what says something of records, all at once', async () => {
    const body = bodyOf(await ask('&groupBy=county&acreageMin=2&dateRange=all'), 400);
    assert.deepEqual(body.error.details.problems.map(({ param }: Json) => param).sort(), ['acreageMin', 'dateRange', 'groupBy']);
    const mistyped = await world.send('GET', '/coverage?by=bdy', undefined, key);
    assert.equal(mistyped.body.error.details.problems[0].didYouMean, 'body');
  });

  it('record an event once for each change of state, for teams whose licence covers the place, and send it', async () => {
    const receiver = await world.startReceiver();
    await world.webhooks.create(receiver, { types: ['coverage.stale'] }, key);
    assert.deepEqual(await eventsOf(key), []);
    await world.moveTo('2026-12-02T19:00:00.000Z');
    const stale = await eventually('the event of the board', async () =>
      (await eventsOf(key)).find(({ data }) => data.bodyKey === '8.8013.0.planning_board'),
    );
    const { pollUrl, ...data } = stale.data;
    assert.deepEqual(
      [stale.type, data],
      [
        'coverage.stale',
        {
          bodyKey: '8.8013.0.planning_board',
          place: { stateId: 8, countyId: 8013, cityId: null, label: places.labelOf(places.county(8013) as Json) },
          body: 'planning_board',
          expectedBy: '2026-11-24',
          missed: 2,
        },
      ],
    );
    assert.match(pollUrl, /\/v1\/coverage\?by=body&states=8$/);
    assert.equal((await boardOf()).staleSince, '2026-12-02');
    assert((await eventsOf(texas)).every(({ data: { place } }: Json) => place.stateId === 48));
    const { body } = await world.got(receiver, 1);
    assert.equal(JSON.parse(body).type, 'coverage.stale');
    await world.moveTo('2026-12-03T19:00:00.000Z');
    await eventually('the next look', async () => ((await boardOf()).missed === 2 ? true : undefined));
    const ofBoard = (await eventsOf(key)).filter((event) => event.data.bodyKey === '8.8013.0.planning_board');
    assert.equal(ofBoard.length, 1);
  });

  it('record that a body is read again, and both stand in the feeds', async () => {
    world.api.index.today = '2026-12-03';
    await world.api.index.load([record(500, BOULDER, { decisionBody: 'planning_board', meetingDate: '2026-12-01' })], {
      mode: 'increment',
    });
    await eventually('the event of the recovery', async () =>
      (await eventsOf(key)).find(({ type, data }) => type === 'coverage.recovered' && data.bodyKey === '8.8013.0.planning_board'),
    );
    // Coverage is measured again only after some seconds.
    const { staleSince, lastMeetingDate, lastExtractedAt } = await eventually('coverage of the load', async () => {
      const board = await boardOf();
      return board.lastExtractedAt > '2026-12' ? board : undefined;
    });
    assert.deepEqual([staleSince, lastMeetingDate, lastExtractedAt], [null, '2026-12-01', '2026-12-03T00:00:00.000Z']);
    const read = async (format: string) => (await fetch(new URL(`/coverage.${format}`, world.api.url))).text();
    const titles = JSON.parse(await read('json')).items.map(({ title }: Json) => title);
    const name = `Planning Board of ${places.labelOf(places.county(8013) as Json)}`;
    assert(titles.includes(`Silent: ${name}`) && titles.includes(`Read again: ${name}`), JSON.stringify(titles));
    assert.match(await read('rss'), /<rss version="2.0"/);
  });
});

describe('freshness of bodies after a rollback', () => {
  const world = provideWorld({ ...FOR_WEBHOOKS, today: READ_ON });
  let key: string;
  const board = (days: readonly string[]) =>
    days.map((meetingDate, i) => record(1_000 + i, BOULDER, { decisionBody: 'planning_board', meetingDate }));
  const first = Array.from({ length: 12 }, (_, i) => daysBefore('2026-11-17', 7 * i));
  before(async () => {
    key = await world.api.key('api_only');
    await world.work();
    await world.api.index.load([...lines, ...board(first)]);
    await checked();
  });

  /** Waits until the newest release was checked. */
  const checked = () =>
    eventually('the check', async () => {
      const [row] = await world.api.database.query<{ done: boolean }>(
        `select c.release = (select max(commit) from release join index_lineage on id = lineage_id where index_prefix = c.index_prefix)
           and c.day = $2::date and not exists (select from job where kind = 'check_freshness' and settled_at is null) as done
         from freshness_check c where c.index_prefix = $1`,
        [world.api.index.prefix, world.now().toISOString().slice(0, 10)],
      );
      return row?.done || undefined;
    });
  const bodies = async (): Promise<Record<string, string[]>> => {
    const { body } = await world.send('GET', '/coverage?by=body', undefined, key);
    return Object.fromEntries(body.data.groups.map((one: Json) => [one.bodyKey, [one.lastExtractedAt, one.lastMeetingDate]]));
  };
  const eventsOf = async (ofKey = key): Promise<string[]> => {
    const { body } = await world.send('GET', '/events?types=coverage.stale,coverage.recovered', undefined, ofKey);
    return body.data.map(({ type, data }: Json) => `${type} ${data.bodyKey}`);
  };
  const BOARD = '8.8013.0.planning_board';

  it('is as it was before: nothing was read, and no event says that anything was', async () => {
    await world.moveTo('2026-12-01T19:00:00.000Z');
    world.api.index.today = '2026-12-01';
    const read = [...lines, ...board(['2026-12-01', '2026-11-24', ...first])];
    await world.api.index.load(
      read.map((line) => ({ ...line, summary: 'Read again.' })),
      { generation: 2 },
    );
    await checked();
    const known = await eventually('the second generation', async () => {
      const now = await bodies();
      return now[BOARD]?.[0] === '2026-12-01T00:00:00.000Z' ? now : undefined;
    });
    assert(Object.keys(known).length >= 6);
    await world.moveTo('2026-12-03T19:00:00.000Z');
    await checked();
    const told = await eventsOf();
    const { store, clock } = world.api.index;
    for (const switched of ['rolled back', 'served again']) {
      await rollBackGeneration(store, clock);
      await checked();
      assert.deepEqual(await bodies(), known, switched);
      assert.deepEqual(await eventsOf(), told, switched);
    }
  });

  it('goes on while generations that were read before are served: a body falls silent on its day', async () => {
    const { store, clock } = world.api.index;
    await rollBackGeneration(store, clock);
    await checked();
    await world.moveTo('2026-12-17T19:00:00.000Z');
    await checked();
    assert((await eventsOf()).includes(`coverage.stale ${BOARD}`), String(await eventsOf()));
  });

  it('is told again to those alone that were sent that a body fell silent', async () => {
    const late = await world.api.key('api_only');
    world.api.index.today = '2026-12-17';
    await world.api.index.load([record(2_000, BOULDER, { decisionBody: 'planning_board', meetingDate: '2026-12-15' })], {
      mode: 'increment',
      generation: 1,
    });
    await checked();
    assert((await eventsOf()).includes(`coverage.recovered ${BOARD}`), String(await eventsOf()));
    assert.deepEqual(await eventsOf(late), []);
    assert.equal((await bodies())[BOARD]?.[0], '2026-12-17T00:00:00.000Z');
  });
});
