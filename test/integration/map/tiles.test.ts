/** Vector tiles as a map library decodes them: clusters, single projects if there are few, and nothing that was not paid for. */

import assert from 'node:assert/strict';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const BOULDER = { latitude: 40.015, longitude: -105.27 };
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin' };
const MANY = 260;
/** Around Boulder, and around the western half of the country. */
const BOULDER_TILE = '8/53/96';
const WEST = '3/1/3';

const many: Fixture[] = Array.from({ length: MANY }, (_, i) =>
  project(1000 + i, { ...AUSTIN, latitude: 30 + (i % 20) / 100, longitude: -98 + Math.floor(i / 20) / 100 }),
);
/** Where four tiles of zoom 3 meet but for the latitude: the edge of two belongs to the eastern one. */
const ON_THE_EDGE = project(7, { state: 'LA', county: null, city: null, latitude: 30, longitude: -90 });

interface Decoded {
  name: string;
  id: number | undefined;
  properties: Record<string, unknown>;
  longitude: number;
  latitude: number;
}

function decode(bytes: ArrayBuffer, path: string): Decoded[] {
  const [z = 0, x = 0, y = 0] = path.split('/').map(Number);
  return Object.entries(new VectorTile(new PbfReader(new Uint8Array(bytes))).layers).flatMap(([name, layer]) =>
    Array.from({ length: layer.length }, (_, i) => {
      assert.deepEqual([layer.version, layer.extent], [2, 4096]);
      const { id, properties, geometry } = layer.feature(i).toGeoJSON(x, y, z);
      assert(geometry.type === 'Point');
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      return { name, id: id as number | undefined, properties: { ...properties }, longitude, latitude };
    }),
  );
}

describe('GET /tiles/{z}/{x}/{y}.mvt', () => {
  const api = provideService({ today: TODAY });
  let national: string;
  before(async () => {
    national = await api.key('national');
    await api.index.load([
      project(1, { ...BOULDER, status: 'approved', address: '1 Pearl St' }),
      project(2, { ...BOULDER, latitude: 40.1 }),
      project(3, { latitude: null, longitude: null }),
      ON_THE_EDGE,
      ...many,
    ]);
  });

  const ask = (path: string, { key = national, headers = {} }: { key?: string; headers?: Record<string, string> } = {}) =>
    fetch(`${api.url}/v1/tiles/${path}`, { headers: { Authorization: `Bearer ${key}`, 'Cache-Control': 'max-age=0', ...headers } });
  const tile = async (path: string, query = '', key = national) => {
    const response = await ask(`${path}.mvt${query}`, { key });
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
    return decode(await response.arrayBuffer(), path);
  };
  const refused = async (path: string, key = national) => {
    const response = await ask(path, { key });
    const { error } = (await response.json()) as { error: { code: string; param: string | null } };
    return [response.status, error.code, error.param];
  };
  const total = (features: readonly Decoded[]) => features.reduce((sum, { properties: { count = 1 } }) => sum + Number(count), 0);

  it('holds counts by place where projects are many, exactly as many as match', async () => {
    const features = await tile(WEST);
    assert.deepEqual([...new Set(features.map(({ name }) => name))], ['clusters']);
    assert.equal(total(features), MANY + 2);
    const [austin] = features.filter(({ properties }) => properties.county === 'Travis County, TX');
    assert(austin && Math.abs(austin.latitude - 30.1) < 0.2 && Math.abs(austin.longitude + 97.9) < 0.2, JSON.stringify(austin));
    assert.deepEqual(await tile('3/6/3'), []);
  });

  it('holds few projects one by one, with what a compact record says and without what is not stated', async () => {
    const features = await tile(BOULDER_TILE);
    assert.deepEqual(features.map(({ name, id }) => [name, id]).sort(), [
      ['projects', 1],
      ['projects', 2],
    ]);
    const first = features.find(({ id }) => id === 1) ?? assert.fail();
    assert(Math.abs(first.latitude - BOULDER.latitude) < 2e-4 && Math.abs(first.longitude - BOULDER.longitude) < 2e-4);
    assert.deepEqual(first.properties, {
      ...{ id: 1, projectName: 'Project 1', address: '1 Pearl St', city: 'Boulder', county: 'Boulder County', state: 'CO' },
      ...{ propertyType: 'residential', propertyTypeLabel: 'Residential', status: 'approved', statusLabel: 'Approved' },
      meetingDate: '2026-10-01',
    });
    assert.equal('address' in (features.find(({ id }) => id === 2)?.properties ?? {}), false);
  });

  it('shares each project with no other tile, also on an edge, and together the tiles hold every match with a place', async () => {
    for (const zoom of [0, 2, 3]) {
      const sides = Array.from({ length: 2 ** zoom }, (_, i) => i);
      const whole = await Promise.all(sides.flatMap((x) => sides.map((y) => tile(`${zoom}/${x}/${y}`))));
      assert.equal(
        whole.reduce((sum, features) => sum + total(features), 0),
        MANY + 3,
        `zoom ${zoom}`,
      );
    }
    assert.deepEqual(pluck(await tile('3/2/3'), 'id'), [7]);
  });

  it('takes the filters of a search, and shows only places of the licence', async () => {
    assert.equal(total(await tile('0/0/0', '?status=approved')), 1);
    const county = await api.key('county', { stateIds: [], countyIds: [8013] });
    assert.equal(total(await tile('0/0/0', '', county)), 2);
    assert.deepEqual(await refused('0/0/0.mvt?states=TX', county), [403, 'geographic_access_denied', 'states']);
    assert.deepEqual(await refused('0/0/0.mvt?citis=Boulder'), [400, 'invalid_filter', 'citis']);
  });

  it('costs nothing and shows a pool that pays for records only those that it holds as they are', async () => {
    const key = await api.key('api_only');
    const bought = async () => (await tile(BOULDER_TILE, '', key)).map(({ name, id, properties }) => [name, id ?? properties.count]);
    const text = await (await ask(`${BOULDER_TILE}.mvt`, { key })).text();
    assert.doesNotMatch(text, /Project|Pearl|approved/);
    assert.equal(total(await tile(BOULDER_TILE, '', key)), 2);
    assert.equal((await bought()).filter(([name]) => name === 'projects').length, 0);
    await api.get('/projects/1', {}, { key });
    assert.deepEqual((await bought()).sort(), [
      ['clusters', 1],
      ['projects', 1],
    ]);
    assert.equal(await api.balance(key), 4_999);
    assert.deepEqual(await tile('0/0/0', '?projectIds=2&dateRange=all', key), []);
  });

  it('may be kept by the key that asked until the data changes, or what the pool holds', async () => {
    const key = await api.key('api_only');
    const first = await ask(`${BOULDER_TILE}.mvt`, { key });
    assert.equal(first.headers.get('cache-control'), 'private, max-age=60');
    assert.match(first.headers.get('vary') ?? '', /Authorization/);
    const again = (path = `${BOULDER_TILE}.mvt`, of = key) =>
      ask(path, { key: of, headers: { 'If-None-Match': first.headers.get('etag') ?? '' } }).then(({ status }) => status);
    assert.deepEqual([await again(), await again('8/53/97.mvt'), await again(undefined, national)], [304, 200, 200]);
    await api.get('/projects/2', {}, { key });
    assert.equal(await again(), 200);
    const held = (await ask(`${BOULDER_TILE}.mvt`)).headers.get('etag') ?? '';
    const ofAll = () => ask(`${BOULDER_TILE}.mvt`, { headers: { 'If-None-Match': held } }).then(({ status }) => status);
    assert.equal(await ofAll(), 304);
    await api.index.load([project(1, { ...BOULDER, status: 'denied' })], { mode: 'increment' });
    assert.equal(await ofAll(), 200);
  });

  it('that there is none of is 404, and a key in the address is no key', async () => {
    for (const [path, param] of [
      ['3/8/0.mvt', null],
      ['3/0/8.mvt', null],
      ['23/0/0.mvt', 'z'],
      ['a/0/0.mvt', 'z'],
      ['1/-1/0.mvt', 'x'],
      ['1/0/0.5.mvt', 'y'],
    ])
      assert.deepEqual(await refused(String(path)), [404, 'resource_not_found', param], String(path));
    assert.deepEqual(await refused('0/0/0.png'), [404, 'resource_not_found', null]);
    assert.deepEqual(await refused(`0/0/0.mvt?key=${national}`), [400, 'invalid_filter', 'key']);
    assert.deepEqual(await refused('0/0/0.mvt?view=1,1,2,2'), [400, 'invalid_request', 'view']);
  });
});
