/** A record whose point lies outside the county that it states: it is served as it is stated, and drawn nowhere. */
import assert from 'node:assert/strict';
import { TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideService } from '../../support/service.ts';

const TAMPA = { latitude: 27.95, longitude: -82.46 };
const BOULDER = { latitude: 40.015, longitude: -105.27 };
const AT_HOME = 1;
const MISPLACED = 2;
const CORRECTED = 3;

describe('a point outside the county that its record states', () => {
  const api = provideService({ today: TODAY });
  before(async () => {
    const lines = [projectLine(AT_HOME, BOULDER), projectLine(MISPLACED, TAMPA), projectLine(CORRECTED, TAMPA)];
    await api.index.load(lines, { checksPoints: true });
    await api.index.load([projectLine(CORRECTED, BOULDER)], { mode: 'increment', checksPoints: true });
  });

  async function ask(path: string, accept = 'application/json'): Promise<Json> {
    const response = await fetch(`${api.url}${path}`, { headers: { 'X-API-Key': await api.usualKey(), Accept: accept } });
    assert.equal(response.status, 200, path);
    return JSON.parse(await response.text());
  }
  const idsOf = (answer: Json) => answer.data.map(({ id }: Json) => id).sort();

  it('is served as it is stated, and derived says that it is doubtful', async () => {
    const read = async (id: number) => (await ask(`/v1/projects/${id}?representation=full&include=derived`)).data;
    const { latitude, longitude, derived } = await read(MISPLACED);
    assert.deepEqual({ latitude, longitude, doubtful: derived.locationDoubtful }, { ...TAMPA, doubtful: true });
    for (const id of [AT_HOME, CORRECTED]) assert.equal((await read(id)).derived.locationDoubtful, false);
  });

  it('is in no shape', async () => {
    const shapes = ({ latitude, longitude }: typeof TAMPA) => [
      { bbox: { north: latitude + 1, south: latitude - 1, east: longitude + 1, west: longitude - 1 } },
      { circle: { lat: latitude, lng: longitude, radiusMeters: 9000 } },
    ];
    for (const [at, expected] of [
      [TAMPA, []],
      [BOULDER, [AT_HOME, CORRECTED]],
    ] as const)
      for (const [name, shape] of shapes(at).flatMap(Object.entries)) {
        const found = await ask(`/v1/projects/search?dateRange=all&${name}=${encodeURIComponent(JSON.stringify(shape))}`);
        assert.deepEqual(idsOf(found), expected, name);
      }
    assert.deepEqual(idsOf(await ask('/v1/projects/search?dateRange=all&counties=8013')), [AT_HOME, MISPLACED, CORRECTED]);
  });

  it('is on no map, and counts as without a location there', async () => {
    const { data } = await ask('/v1/projects/map?dateRange=all');
    assert.deepEqual([data.projects.map(({ id }: Json) => id).sort(), data.unlocated], [[AT_HOME, CORRECTED], 1]);
    assert.ok(data.extent.south > 39, JSON.stringify(data.extent));
  });

  it('is no geometry of GeoJSON, and no feature of OGC API - Features', async () => {
    const { features } = await ask('/v1/projects/search?dateRange=all', 'application/geo+json');
    const geometries = new Map(features.map(({ id, geometry }: Json) => [id, geometry]));
    assert.equal(geometries.get(MISPLACED), null);
    assert.deepEqual(geometries.get(AT_HOME), { type: 'Point', coordinates: [BOULDER.longitude, BOULDER.latitude] });
    const items = await ask('/ogc/collections/projects/items', 'application/geo+json');
    assert.deepEqual(items.features.map(({ id }: Json) => id).sort(), [AT_HOME, CORRECTED]);
  });
});
