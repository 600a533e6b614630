/** `GET /projects/map`: counts by tile, single projects if there are few, and nothing of a record that was not paid for. */

import assert from 'node:assert/strict';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import { pluck, sumOf } from '../../support/lists.ts';
import { assertRefused, bodyOf, provideService } from '../../support/service.ts';

const BOULDER = { latitude: 40.015, longitude: -105.27 };
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.267, longitude: -97.743 };
const WYOMING = { state: 'WY', county: 'Laramie County', city: 'Cheyenne' };
const MANY = 260;
const WORLD = '-180,-90,180,90';
const AROUND_BOULDER = '-105.4,39.9,-105.1,40.1';

const many: Fixture[] = Array.from({ length: MANY }, (_, i) =>
  project(1000 + i, { ...AUSTIN, latitude: 30 + (i % 20) / 100, longitude: -98 + Math.floor(i / 20) / 100 }),
);

interface Cell {
  tile: string;
  latitude: number;
  longitude: number;
  count: number;
  county: string | null;
  states: { stateId: number; label: string; count: number }[];
}

describe('GET /projects/map', () => {
  const api = provideService({ today: TODAY }, [
    project(1, { ...BOULDER, status: 'approved', address: '1 Pearl St' }),
    project(2, { ...BOULDER, meetingDate: '2026-11-01' }),
    project(3, { latitude: 40.6, longitude: -105.1, county: 'Larimer County', city: null }),
    project(4, { latitude: null, longitude: null }),
    ...many,
  ]);

  const map = async (parameters: Record<string, unknown>, key?: string) => {
    const body = bodyOf(await api.get('/projects/map', parameters, key ? { key } : {}));
    const data = body.data as unknown as {
      view: { north: number; west: number } | null;
      extent: { north: number; west: number } | null;
      matchCount: number;
      inView: number;
      unlocated: number;
      tileZoom: number;
      cells: Cell[];
      projects: { id: number; latitude: number; longitude: number; [name: string]: unknown }[];
    };
    return {
      ...data,
      meta: body.meta,
      ids: data.projects.map(({ id }) => id),
      total: data.cells.reduce((sum, { count }) => sum + count, 0),
    };
  };

  it('counts every match by tile, and says how many have no location', async () => {
    const { cells, total, matchCount, inView, unlocated, projects, meta } = await map({ view: WORLD });
    assert.deepEqual([matchCount, inView, unlocated, total], [MANY + 4, MANY + 3, 1, MANY + 3]);
    assert.deepEqual([projects.length, meta.creditsUsed], [0, 0]);
    assert.equal(cells[0]?.county, 'Travis County, TX');
    assert.deepEqual(pluck(meta.warnings, 'code'), ['default_date_window_applied']);
  });

  it('shows few projects one by one, the newest meeting first, with what a compact record says', async () => {
    const { ids, projects, cells } = await map({ view: AROUND_BOULDER });
    assert.deepEqual([ids, cells], [[2, 1], []]);
    const { latitude, longitude, ...words } = projects[1] ?? assert.fail();
    assert.deepEqual(words, {
      ...{ id: 1, projectName: 'Project 1', address: '1 Pearl St', city: 'Boulder', county: 'Boulder County', state: 'CO' },
      ...{ propertyType: 'residential', propertyTypeLabel: 'Residential', status: 'approved', statusLabel: 'Approved' },
      meetingDate: '2026-10-01',
    });
    assert.deepEqual([latitude, longitude], [BOULDER.latitude, BOULDER.longitude]);
  });

  it('without a view looks at the rectangle around every match', async () => {
    const { view, ids } = await map({ states: 'CO' });
    assert.deepEqual(ids, [2, 3, 1]);
    assert(view && Math.abs(view.north - 40.6) < 1e-4 && Math.abs(view.west + 105.27) < 1e-4, JSON.stringify(view));
    assert.deepEqual(await map({ states: 'WY' }).then(({ view: none, matchCount }) => [none, matchCount]), [null, 0]);
  });

  it('without a view looks at where most lie if a few are far away, and names the rectangle around every match beside it', async () => {
    const near = Array.from({ length: 30 }, (_, i) => project(5000 + i, { ...WYOMING, latitude: 41 + i / 100, longitude: -104.8 }));
    await api.index.load([...near, project(5100, { ...WYOMING, latitude: 45, longitude: -111 })]);
    const all = { states: 'WY', dateRange: 'all' };
    const { view, extent, inView, matchCount, ids } = await map(all);
    assert.deepEqual([inView, matchCount, ids.length, ids.includes(5100)], [30, 31, 30, false]);
    assert(view && view.north < 41.3 && view.west > -104.9, JSON.stringify(view));
    assert(extent && extent.north > 44.9 && extent.west < -110.9, JSON.stringify(extent));
    const asked = await map({ ...all, view: WORLD });
    assert.deepEqual([asked.inView, asked.extent], [31, asked.view]);
    const metered = await map(all, await api.key('api_only'));
    assert.equal(metered.total, 30);
    assert(metered.view && metered.view.north < 42 && metered.view.west > -105.9, JSON.stringify(metered.view));
  });

  it('has a bounded number of tiles for any view, and the same tiles while a map is moved', async () => {
    const zooms = await Promise.all(
      ['-98.1,29.9,-97.8,30.3', '-98.2,29.9,-97.9,30.3'].map((view) => map({ view }).then(({ tileZoom }) => tileZoom)),
    );
    assert.equal(zooms[0], zooms[1]);
    for (const view of [WORLD, '-98,-90,-97.99,90', '-180,30.1,180,30.1', '-98,30,-98,30', '170,-20,-60,60']) {
      const { cells, inView, total, ids } = await map({ view, states: 'TX' });
      assert(cells.length <= 385, view);
      assert.equal(total + ids.length, inView, view);
    }
  });

  it('costs nothing and shows a pool that pays for records only those that it holds as they are', async () => {
    const key = await api.key('api_only');
    const before = await map({ view: AROUND_BOULDER }, key);
    assert.deepEqual([before.ids, before.total], [[], 2]);
    assert.doesNotMatch(JSON.stringify(before), /Project 1|Pearl/);
    await api.get('/projects/1', {}, { key });
    const held = await map({ view: AROUND_BOULDER }, key);
    assert.deepEqual([held.ids, held.total, held.inView], [[1], 1, 2]);
    assert.equal(await api.balance(key), 4_999);
    await api.index.load([project(1, { ...BOULDER, status: 'denied', address: '1 Pearl St' })]);
    const changed = await map({ view: AROUND_BOULDER }, key);
    assert.deepEqual([changed.ids, changed.total], [[], 2]);
  });

  it('does not say where a record lies that was not paid for and is named by its id', async () => {
    const key = await api.key('api_only');
    await api.get('/projects/2', {}, { key });
    const { matchCount, ids, cells } = await map({ projectIds: '2,3', dateRange: 'all' }, key);
    assert.deepEqual([matchCount, ids, cells], [1, [2], []]);
  });

  it('keeps to the licence', async () => {
    const key = await api.key('county', { stateIds: [], countyIds: [8013] });
    const { matchCount } = await map({ view: WORLD }, key);
    assert.equal(matchCount, 3);
    assertRefused(await api.get('/projects/map', { states: 'TX', view: WORLD }, { key }), 'geographic_access_denied');
  });

  it('takes a search as it is and names an unusable view', async () => {
    const { ids } = await map({ view: AROUND_BOULDER, limit: 5, sort: 'lastUpdated', representation: 'compact', page: 2 });
    assert.equal(ids.length, 2);
    for (const view of ['1,2,3', 'a,b,c,d', '0,0,0,91', '-200,0,0,1', '0,2,1,1', '1,1,1,1,1']) {
      const { status, body } = await api.get('/projects/map', { view });
      assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_filter', 'view'], view);
      assert.match(body.error.message, /west,south,east,north/);
    }
    const { body } = await api.get('/projects/search', { view: WORLD });
    assert.equal(body.error.param, 'view');
  });

  it('names a tile across a border by its own states, also where some of its records were paid for', async () => {
    const corner = { county: null, city: null };
    await api.index.load(
      [
        project(5001, { ...corner, state: 'TN', latitude: 36.2, longitude: -84.2 }),
        project(5002, { ...corner, state: 'TN', latitude: 36.21, longitude: -84.2 }),
        project(5003, { ...corner, state: 'KY', latitude: 36.22, longitude: -84.2 }),
      ],
      { mode: 'increment' },
    );
    const expected = [
      { stateId: 47, label: 'Tennessee', count: 2 },
      { stateId: 21, label: 'Kentucky', count: 1 },
    ];
    const key = await api.key('api_only');
    const atBorder = async () => (await map({ view: '-85,36,-84,37', states: 'TN,KY' }, key)).cells.map(({ states }) => states);
    assert.deepEqual(await atBorder(), [expected]);
    const { cells } = await map({ view: WORLD });
    for (const { count, states } of cells) assert.equal(sumOf(states, 'count'), count);
    await api.get('/projects/5003', {}, { key });
    assert.deepEqual(await atBorder(), [expected.slice(0, 1)]);
  });

  it('adds up the states of a tile whose many paid records lie next to unpaid ones', async () => {
    const key = await api.key('api_only');
    for (const page of [1, 2, 3]) await api.get('/projects/search', { states: 'TX', limit: 100, page }, { key });
    const { cells } = await map({ view: WORLD, states: 'TX,CO' }, key);
    assert.deepEqual(pluck(cells, 'count', 'states'), [
      [
        MANY + 3,
        [
          { stateId: 48, label: 'Texas', count: MANY },
          { stateId: 8, label: 'Colorado', count: 3 },
        ],
      ],
    ]);
  });
});
