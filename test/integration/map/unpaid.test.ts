/** What a pool that pays for records learns from the map about where records lie that it has not paid for, at a balance of 0. */

import assert from 'node:assert/strict';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { boxOfTile, type Tile } from '../../../src/core/query/grid.ts';
import { UNPAID_ZOOM_MAX } from '../../../src/features/map/mapProjects.ts';
import { type Fixture, project, TODAY } from '../../support/fixtures.ts';
import { sumOf } from '../../support/lists.ts';
import { Random } from '../../support/random.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const RECORDS = 262;
const REQUESTS_MAX = 79;
const STATE = { north: 41, south: 37, east: -102.1, west: -109 };
const CLOSE_METERS = 1_000;
const METERS_PER_DEGREE = 111_195;

interface Spot {
  latitude: number;
  longitude: number;
}
interface Cell extends Spot {
  tile: string;
  count: number;
}

const random = new Random(31);
const between = (low: number, high: number) => low + (high - low) * random.next();
const spots: Spot[] = Array.from({ length: RECORDS }, () => ({
  latitude: between(STATE.south, STATE.north),
  longitude: between(STATE.west, STATE.east),
}));
const records: Fixture[] = spots.map((spot, i) => project(1000 + i, { ...spot, projectName: `Quarry number ${1000 + i}` }));

const tileOf = (name: string): Tile => {
  const [zoom = 0, x = 0, y = 0] = name.split('/').map(Number);
  return { zoom, x, y };
};
const viewOf = ({ west, south, east, north }: typeof STATE) => [west, south, east, north].join(',');
const metersBetween = (a: Spot, b: Spot) =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)) * METERS_PER_DEGREE;

/** How many records some guess is near to. */
const near = (guesses: readonly Spot[], meters: number) =>
  spots.filter((spot) => guesses.some((guess) => metersBetween(guess, spot) < meters)).length;

/** Every second stripe of the state, as one ring: its teeth hang from the northern edge. */
function comb(stripes: number): [number, number][] {
  const width = (STATE.east - STATE.west) / stripes;
  const teeth = Array.from({ length: stripes / 2 }, (_, i) => {
    const west = STATE.west + 2 * i * width;
    return [
      [west, STATE.north],
      [west, STATE.south],
      [west + width, STATE.south],
      [west + width, STATE.north],
    ] as [number, number][];
  }).flat();
  const back: [number, number][] = [
    [STATE.east, STATE.north + 0.01],
    [STATE.west, STATE.north + 0.01],
  ];
  return [...teeth, ...back, teeth[0] as [number, number]];
}

describe('the map of a pool that pays for records and has no credits left', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    await api.index.load(records);
    key = await api.key('api_only', undefined, { monthlyCredits: 0 });
  });

  const map = async (parameters: Record<string, unknown>, as = key) => {
    const body = bodyOf(await api.get('/projects/map', parameters, { key: as }));
    return body.data as unknown as { view: typeof STATE; inView: number; cells: Cell[]; projects: Spot[] };
  };
  const tile = async (path: string) => {
    const response = await fetch(`${api.url}/v1/tiles/${path}.mvt`, { headers: { Authorization: `Bearer ${key}` } });
    const { clusters } = new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer()))).layers;
    return Array.from({ length: clusters?.length ?? 0 }, (_, i) => clusters?.feature(i).properties ?? {});
  };

  it('gives no place away to a program that zooms into every cell', async () => {
    const guesses: Spot[] = [];
    const queue = [STATE];
    for (let asked = 0; asked < REQUESTS_MAX && queue.length; asked++) {
      const { cells, projects } = await map({ view: viewOf(queue.shift() as typeof STATE) });
      guesses.push(...projects, ...cells);
      queue.push(...cells.filter(({ count }) => count > 1).map((cell) => boxOfTile(tileOf(cell.tile))));
    }
    assert.equal(near(guesses, 100), 0, `${near(guesses, 2)} of ${RECORDS} places to 2 m`);
    assert(near(guesses, CLOSE_METERS) <= 0.02 * RECORDS, `${near(guesses, CLOSE_METERS)} within ${CLOSE_METERS} m`);
  });

  it('lays what the pool does not hold on the middle of its tile, and counts whole tiles, however it is looked at', async () => {
    const whole = await map({ view: viewOf(boxOfTile({ zoom: 7, x: 26, y: 48 })) });
    assert(whole.cells.length > 10);
    assert.equal(sumOf(whole.cells, 'count'), whole.inView);
    for (const { tile: name, latitude, longitude } of whole.cells) {
      const { zoom, x, y } = tileOf(name);
      assert.equal(zoom, UNPAID_ZOOM_MAX);
      const { south, west } = boxOfTile({ zoom: zoom + 1, x: 2 * x + 1, y: 2 * y });
      assert(Math.abs(latitude - south) < 1e-6 && Math.abs(longitude - west) < 1e-6, name);
    }
    const cell = whole.cells[0] ?? assert.fail();
    const { north, south, east, west } = boxOfTile(tileOf(cell.tile));
    for (const part of [0.1, 0.5, 0.999]) {
      const slice = { north, south, west, east: west + (east - west) * part };
      assert.deepEqual((await map({ view: viewOf(slice) })).cells, [cell], `${part} of its tile`);
    }
  });

  it('answers a drawn shape with at most four counts, so that a comb tells no more of each cell than counts do', async () => {
    for (const stripes of [64, 256]) {
      const { cells, inView } = await map({ polygon: comb(stripes), view: viewOf(STATE) });
      assert(cells.length <= 4, `${cells.length} cells`);
      const { body } = await api.get('/projects/count', { polygon: comb(stripes) }, { key });
      assert.equal(inView, body.data.matchCount);
    }
    const bbox = { north: 40.0001, south: 39.9999, west: -109, east: -102 };
    assert((await map({ bbox })).cells.length <= 4);
    assert((await map({ circle: { lat: 39, lng: -105, radiusMeters: 300_000 } })).cells.length <= 4);
  });

  it('names as the rectangle around the matches whole tiles alone', async () => {
    const { view, cells } = await map({ projectName: 'Quarry number 1000' });
    assert.equal(cells.length, 1);
    const box = boxOfTile(tileOf(cells[0]?.tile ?? ''));
    for (const side of ['north', 'south', 'east', 'west'] as const) assert(Math.abs(view[side] - box[side]) < 1e-6, side);
    assert(tileOf(cells[0]?.tile ?? '').zoom <= UNPAID_ZOOM_MAX);
  });

  it('shows each cell in one vector tile, however deep the zoom, at its middle', async () => {
    const [cell] = (await map({ view: viewOf(boxOfTile({ zoom: 7, x: 26, y: 48 })) })).cells;
    const { zoom, x, y } = tileOf(cell?.tile ?? '');
    const deeper = [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].map((j) => `${zoom + 2}/${4 * x + i}/${4 * y + j}`));
    const found = await Promise.all(deeper.map((path) => tile(path)));
    const shown = found.flat();
    assert.deepEqual(
      shown.map(({ tile: name }) => name),
      [cell?.tile],
    );
    assert.deepEqual(await tile(cell?.tile ?? ''), shown);
  });

  it('shows what the pool has paid for wherever it lies, and counts the others without it', async () => {
    const buyer = await api.key('api_only');
    const [first] = spots;
    const id = 1000;
    await api.get(`/projects/${id}`, {}, { key: buyer });
    const around = { north: 0.01, south: -0.01, east: 0.01, west: -0.01 };
    const { latitude = 0, longitude = 0 } = first ?? {};
    const view = viewOf({
      ...{ north: latitude + around.north, south: latitude + around.south },
      ...{ east: longitude + around.east, west: longitude + around.west },
    });
    const [before, after] = await Promise.all([map({ view }), map({ view }, buyer)]);
    assert.equal(after.projects.length, 1);
    const sum = ({ cells }: { cells: Cell[] }) => cells.reduce((total, { count }) => total + count, 0);
    assert.deepEqual([sum(after), after.inView], [sum(before) - 1, before.inView]);
  });
});
