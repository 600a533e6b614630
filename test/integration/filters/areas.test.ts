/** The filter `areas`: the union of its shapes, and everything that filters go through. */
import assert from 'node:assert/strict';
import { metersBetween } from '../../../src/core/domain/distance.ts';
import { ascending, project, searcher } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const SEED = Number(process.env.AREAS_SEED ?? 20_261_129);
const RECORDS = 300;
const SEARCHES = 60;

type Corner = [number, number];
interface Shape {
  bbox?: { north: number; south: number; east: number; west: number };
  circle?: { lat: number; lng: number; radiusMeters: number };
  polygon?: Corner[];
}
interface Point {
  latitude: number;
  longitude: number;
}

/** Longitudes around the antimeridian, as records and shapes have them. */
const wrap = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude <= -180 ? longitude + 360 : longitude);
const between = (random: Random, from: number, to: number) => from + random.next() * (to - from);
const round = (degrees: number) => Number(degrees.toFixed(4));

function randomShape(random: Random): Shape {
  const [lng, lat] = [174 + between(random, 0, 12), 48 + between(random, 0, 8)];
  const [width, height] = [between(random, 0.5, 5), between(random, 0.5, 4)];
  const kind = random.integer(0, 2);
  if (kind === 0)
    return {
      bbox: { north: round(lat + height), south: round(lat), west: round(wrap(lng)), east: round(wrap(lng + width)) },
    };
  if (kind === 1) return { circle: { lat: round(lat), lng: round(wrap(lng)), radiusMeters: Math.round(between(random, 20_000, 300_000)) } };
  const corners: Corner[] = [
    [lng, lat],
    [lng + width, lat + height / 3],
    [lng + width / 2, lat + height],
  ];
  return { polygon: [...corners, corners[0] as Corner].map(([x, y]) => [round(wrap(x)), round(y)]) };
}

/** A longitude near 180, on one line with its neighbours: no shape and no record here lies beyond 10 degrees of it. */
const onLine = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude);

/** Whether a point lies in a shape: arithmetic of its own, on one line of longitudes. */
function isInside({ bbox, circle, polygon = [] }: Shape, { latitude, longitude }: Point): boolean {
  const x = onLine(longitude);
  if (bbox) return latitude <= bbox.north && latitude >= bbox.south && x >= onLine(bbox.west) && x <= onLine(bbox.east);
  if (circle) return metersBetween({ latitude: circle.lat, longitude: circle.lng }, { latitude, longitude }) <= circle.radiusMeters;
  const sides = polygon.slice(1).map(([toX, toY], i) => {
    const [fromX, fromY] = polygon[i] as Corner;
    return (onLine(toX) - onLine(fromX)) * (latitude - fromY) - (toY - fromY) * (x - onLine(fromX));
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

describe(`the filter areas (AREAS_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const api = provideService({ today: '2026-11-20' });
  const search = searcher(() => api);
  const points = new Map<number, Point>();
  const all = { dateRange: 'all', limit: 100 };

  async function walk(filters: object): Promise<number[]> {
    const ids: number[] = [];
    for (;;) {
      const page = await search({ ...all, ...filters, representation: 'compact', offset: ids.length });
      ids.push(...page.ids);
      if (!page.meta.hasMore) return ascending(ids);
    }
  }

  before(async () => {
    const records = Array.from({ length: RECORDS }, (_, i) => {
      const point = { latitude: round(47 + between(random, 0, 10)), longitude: round(wrap(174 + between(random, 0, 14))) };
      points.set(i + 1, point);
      return project(i + 1, point);
    });
    await api.index.load(records);
  });

  const within = (shapes: readonly Shape[]) =>
    ascending([...points].filter(([, point]) => shapes.some((shape) => isInside(shape, point))).map(([id]) => id));

  it(`finds the union of its shapes, also across the antimeridian, as ${SEARCHES} random searches and an oracle say`, async function () {
    this.timeout(120_000);
    let crossing = 0;
    for (let i = 0; i < SEARCHES; i++) {
      const shapes = Array.from({ length: 1 + random.integer(0, 3) }, () => randomShape(random));
      const found = await walk({ areas: JSON.stringify(shapes) });
      const singles = await Promise.all(
        shapes.map((shape) => walk(Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, JSON.stringify(value)])))),
      );
      assert.deepEqual(found, ascending([...new Set(singles.flat())]), `the single shapes of ${JSON.stringify(shapes)}`);
      assert.deepEqual(found, within(shapes), `the oracle for ${JSON.stringify(shapes)}`);
      const sidesOf = (ids: readonly number[]) => new Set(ids.map((id) => Math.sign(points.get(id)?.longitude ?? 0)));
      crossing += singles.filter((ids) => sidesOf(ids).size === 2).length;
    }
    assert.ok(crossing > 10, `only ${crossing} single shapes found records on both sides of the antimeridian`);
  });

  const AREAS = [
    { name: 'West of the line', bbox: { north: 57, south: 47, west: 174, east: 177 } },
    { circle: { lat: 52, lng: -176, radiusMeters: 150_000 } },
  ];

  it('ANDs with the other shapes, is echoed with its names, and is taken as JSON text and as a list', async () => {
    const page = await search({ ...all, areas: JSON.stringify(AREAS) });
    assert.deepEqual(ascending(page.ids), within(AREAS));
    assert.deepEqual(page.meta.appliedFilters.areas, AREAS);
    const bbox = { north: 57, south: 47, west: 170, east: 180 };
    assert.deepEqual(await walk({ areas: JSON.stringify(AREAS), bbox: JSON.stringify(bbox) }), within(AREAS.slice(0, 1)));
    const counted = bodyOf(await api.get('/projects/count', { dateRange: 'all', areas: JSON.stringify(AREAS) }));
    assert.equal(counted.data.matchCount, within(AREAS).length);
    const { meta } = bodyOf(await api.post('/analytics/aggregate', { filters: { areas: AREAS, dateRange: 'all' }, groupBy: ['state'] }));
    assert.deepEqual(meta.appliedFilters.areas, AREAS);
  });

  it('goes into alerts, lists, exports, snapshots and feeds of hearings, and comes back from them as it was sent', async () => {
    const filters = { areas: AREAS, dateRange: 'all' };
    const alert = bodyOf(await api.post('/alerts', { name: 'West', filters, cadence: { frequency: 'weekly' } }), 201);
    assert.deepEqual(alert.data.filters.areas, AREAS);
    assert.equal(bodyOf(await api.get(`/alerts/${alert.data.id}/preview`)).data.matchCount, within(AREAS).length);
    const list = bodyOf(await api.post('/lists', { name: 'West', filters }), 201);
    assert.deepEqual(list.data.filters.areas, AREAS);
    const searchUrl = new URL(list.data.searchUrl);
    assert.deepEqual(await walk(Object.fromEntries(searchUrl.searchParams)), within(AREAS), 'the search of a list');
    for (const path of ['/exports', '/snapshots']) {
      const job = bodyOf(await api.post(path, { filters }), 202);
      assert.deepEqual([job.data.matchCount, job.data.source.filters.areas], [within(AREAS).length, AREAS], path);
    }
    assert.deepEqual(bodyOf(await api.post('/hearings/feeds', { filters }), 201).data.filters.areas, AREAS);
  });

  it('is bound to a cursor by what it selects, not by its names or their order', async () => {
    const first = bodyOf(await api.get('/projects/sync', { dateRange: 'all', areas: JSON.stringify(AREAS), limit: 5 }));
    const { cursor } = first.meta.sync;
    const renamed = AREAS.toReversed().map(({ name: _, ...shape }, i) => ({ name: `Area ${i}`, ...shape }));
    const next = bodyOf(await api.get('/projects/sync', { dateRange: 'all', areas: JSON.stringify(renamed), limit: 100, cursor }));
    assert.equal(next.data.length, within(AREAS).length - 5);
    const other = await api.get('/projects/sync', { dateRange: 'all', areas: JSON.stringify(AREAS.slice(0, 1)), cursor });
    assert.equal(other.body.error.code, 'invalid_cursor');
  });

  it('refuses what is no area, and names every place, in a query as in a body', async () => {
    const ring = [
      [-105, 40],
      [-104, 40],
      [-104, '41'],
      [-105, 40],
    ];
    const circle = { lat: 40, lng: -105, radiusMeters: 500 };
    const areas = [
      { circle },
      { name: '', circle: { ...circle, radiusMeters: 99 } },
      { polygon: ring },
      { circle, bbox: {} },
      { colour: 1 },
      7,
    ];
    const places = [
      ...['areas[1].name', 'areas[1].circle.radiusMeters', 'areas[2].polygon[2][1]', 'areas[3]', 'areas[4]', 'areas[4]', 'areas[5]'],
    ];
    const { body } = await api.get('/projects/count', { areas: JSON.stringify(areas) });
    assert.equal(body.error.code, 'invalid_filter');
    assert.deepEqual(pluck(body.error.details.problems, 'param'), places);
    for (const { param, message, code } of body.error.details.problems) {
      assert.equal(code, 'invalid_geometry');
      assert.ok(message.startsWith(`${param} `), message);
    }
    const posted = await api.post('/alerts', { name: 'West', filters: { areas }, cadence: { frequency: 'weekly' } });
    assert.deepEqual(
      pluck(posted.body.error.details.problems, 'param'),
      places.map((place) => `filters.${place}`),
    );
    for (const none of ['[]', '{}', 'nonsense', JSON.stringify(Array.from({ length: 11 }, () => ({ circle })))]) {
      const refused = await api.get('/projects/count', { areas: none });
      assert.deepEqual(pluck(refused.body.error.details.problems, 'param'), ['areas'], none);
    }
  });

  it('counts each area on the map, and lets all areas together touch four tiles of unpaid records at most', async () => {
    const map = bodyOf(await api.get('/projects/map', { dateRange: 'all', areas: JSON.stringify(AREAS) }));
    assert.deepEqual(
      map.data.areaCounts,
      AREAS.map((area) => within([area]).length),
    );
    assert.equal(map.data.matchCount, within(AREAS).length);
    assert.deepEqual(bodyOf(await api.get('/projects/map', { dateRange: 'all' })).data.areaCounts, []);
    const key = await api.key('api_only');
    // Two circles far apart: each alone would be counted by tiles that are smaller.
    const circles = [175, 178].map((lng) => ({ circle: { lat: 52, lng, radiusMeters: 20_000 } }));
    const zoomOf = async (areas: object[]) =>
      bodyOf(
        await api.get('/projects/map', { dateRange: 'all', areas: JSON.stringify(areas), view: '170,45,180,58' }, { key }),
      ).data.cells.map(({ tile }: { tile: string }) => Number(tile.split('/')[0]));
    const together = await zoomOf(circles);
    assert.ok(together.length > 0 && together.length <= 4 && together.every((zoom: number) => zoom <= 6), String(together));
  });
});
