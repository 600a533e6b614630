/** TileJSON 3.0.0 of the vector tiles. */
import assert from 'node:assert/strict';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { project, TODAY } from '../../support/fixtures.ts';
import { answerOf, provideService } from '../../support/service.ts';

const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin', latitude: 30.27, longitude: -97.74 };

describe('GET /tiles.json', () => {
  const api = provideService({ today: TODAY }, [
    project(1, { latitude: 40.015, longitude: -105.27, status: 'approved' }),
    project(2, { ...AUSTIN, address: '1 Congress' }),
  ]);

  const ask = async (query = '', key?: string) =>
    answerOf(await fetch(`${api.url}/tiles.json${query}`, { headers: { 'X-API-Key': key ?? (await api.usualKey()) } }));

  it('names the tiles with the filters that it was asked with, their layers, fields and zooms', async () => {
    const { status, headers, body } = await ask('?dateRange=all&states=TX&states=CO&limit=5');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8']);
    assert.equal(body.tilejson, '3.0.0');
    assert.deepEqual(body.tiles, ['http://landuse.test/v1/tiles/{z}/{x}/{y}.mvt?dateRange=all&states=TX&states=CO']);
    assert.deepEqual([body.minzoom, body.maxzoom], [0, 22]);
    const [west = 0, south = 0, east = 0, north = 0] = body.bounds;
    assert(
      [west + 105.27, south - 30.27, east + 97.74, north - 40.015].every((off) => Math.abs(off) < 1e-5),
      JSON.stringify(body.bounds),
    );
    const [template = ''] = body.tiles;
    const url = template.replace('http://landuse.test', api.url).replace('{z}/{x}/{y}', '3/1/3');
    const tile = await fetch(url, { headers: { 'X-API-Key': await api.usualKey() } });
    const { layers } = new VectorTile(new PbfReader(new Uint8Array(await tile.arrayBuffer())));
    const declared = Object.fromEntries(
      body.vector_layers.map(({ id, fields }: { id: string; fields: object }) => [id, Object.keys(fields)]),
    );
    assert.deepEqual(Object.keys(declared), ['clusters', 'projects']);
    const found = layers.projects?.feature(0).properties ?? {};
    assert(Object.keys(found).length > 5);
    for (const name of Object.keys(found)) assert(declared.projects.includes(name), name);
  });

  it('lies around what the licence covers, in whole tiles where records cost, and around the world where nothing matches', async () => {
    const texas = await ask('?dateRange=all', await api.key('state', { stateIds: [48], countyIds: [] }));
    assert.deepEqual(
      texas.body.bounds.map((one: number) => Math.round(one * 100) / 100),
      [-97.74, 30.27, -97.74, 30.27],
    );
    const [west, south, east, north] = (await ask('?dateRange=all&states=TX', await api.key('api_only'))).body.bounds;
    assert(east - west > 0.3 && north - south > 0.2, 'a tile of zoom 10');
    assert.deepEqual((await ask('?dateRange=all&q=nothing')).body.bounds, [-180, -90, 180, 90]);
  });

  it('is refused without a key, and for what tiles refuse', async () => {
    assert.equal((await answerOf(await fetch(`${api.url}/tiles.json`))).status, 401);
    assert.equal((await ask('?colour=red')).body.error.code, 'invalid_filter');
  });
});
