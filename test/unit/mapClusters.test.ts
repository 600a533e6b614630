/** Circles of the map page: no two overlap, and nothing is counted twice or lost. */

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Cell } from '../../src/clients/client/generated.ts';
import { boxesWithin, boxOfTiles, clustersOf, EDGE_PIXELS, pixelOf, radiusOf, rectanglesOf } from '../../src/web/app/map/clusters.ts';
import { boxOfTile } from '../../src/web/app/shared/state.ts';
import { placeOfCell } from '../../src/web/app/shared/words.ts';
import { pluck } from '../support/lists.ts';

const NEW_YORK = { stateId: 36, label: 'New York' };
const VIRGINIA = { stateId: 51, label: 'Virginia' };

/** A cell in the middle of its tile. */
function cellAt(tile: string, count: number, more: Partial<Cell> = {}): Cell {
  const { north, south, east, west } = boxOfTile(tile);
  return { tile, latitude: (north + south) / 2, longitude: (east + west) / 2, count, county: null, states: [], ...more };
}

const cells = fc
  .uniqueArray(
    fc.record({
      x: fc.integer({ min: 100, max: 130 }),
      y: fc.integer({ min: 180, max: 200 }),
      count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5000 })),
      state: fc.constantFrom(NEW_YORK, VIRGINIA),
    }),
    { selector: ({ x, y }) => `${x}/${y}`, maxLength: 200 },
  )
  .map((drawn) => drawn.map(({ x, y, count, state }) => cellAt(`9/${x}/${y}`, count, { states: [{ ...state, count }] })));
const zooms = fc.double({ min: 1.5, max: 18, noNaN: true });

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('clusters of the map', () => {
  it('do not overlap, and keep every tile and every count', () => {
    fc.assert(
      fc.property(cells, zooms, (given, zoom) => {
        const clusters = clustersOf(given, zoom);
        const circles = clusters.map((cluster) => ({ ...pixelOf(cluster, zoom), radius: radiusOf(cluster.count) + EDGE_PIXELS }));
        for (const [i, a] of circles.entries())
          for (const b of circles.slice(i + 1)) assert(Math.hypot(a.x - b.x, a.y - b.y) >= a.radius + b.radius, `${zoom}`);
        assert.deepEqual(clusters.flatMap(({ tiles }) => tiles).sort(), given.map(({ tile }) => tile).sort());
        for (const { tiles, count, states, tile } of clusters) {
          const own = given.filter((cell) => tiles.includes(cell.tile));
          assert(tiles.includes(tile));
          assert.equal(count, sum(own.map((cell) => cell.count)));
          assert.equal(sum(states.map((state) => state.count)), count);
        }
      }),
    );
  });

  it('are the tiles themselves if there is room', () => {
    const given = [cellAt('9/100/180', 5), cellAt('9/101/180', 7)];
    assert.deepEqual(pluck(clustersOf(given, 9), 'tiles'), [['9/101/180'], ['9/100/180']]);
  });

  it('that merge are named by the states of all, and by a county only if it is that of all', () => {
    const state = (label: typeof NEW_YORK, count: number) => ({ states: [{ ...label, count }] });
    const [merged] = clustersOf(
      [
        cellAt('9/100/180', 151, { county: 'New York County, NY', ...state(NEW_YORK, 151) }),
        cellAt('9/101/180', 166, { county: 'Fairfax County, VA', ...state(VIRGINIA, 166) }),
      ],
      2,
    );
    assert(merged);
    assert.equal(placeOfCell(merged), '166 in Virginia, 151 in New York');
    assert.equal(merged.tile, '9/101/180');
    const county = 'Fairfax County, VA';
    const [two] = clustersOf([cellAt('9/100/180', 4, { county }), cellAt('9/101/180', 3, { county })], 2);
    assert.equal(two && placeOfCell(two), 'around Fairfax County, VA');
  });

  it('are bought within the rectangle that is asked for, also across the antimeridian', () => {
    const box = { north: 41, south: 40, east: -104, west: -106 };
    assert.deepEqual(boxesWithin([box], undefined), [box]);
    assert.deepEqual(boxesWithin([box], '{"north":40.5,"south":30,"east":-105,"west":-110}'), [
      { north: 40.5, south: 40, east: -105, west: -106 },
    ]);
    assert.deepEqual(boxesWithin([box], '{"north":39,"south":30,"east":-105,"west":-110}'), []);
    const pacific = '{"north":60,"south":0,"east":-105,"west":170}';
    assert.deepEqual(boxesWithin([box], pacific), [{ ...box, east: -105 }]);
  });

  it('are covered by rectangles that cover nothing else', () => {
    assert.deepEqual(rectanglesOf(['9/4/7', '9/5/7', '9/4/8', '9/5/8']), [boxOfTiles(['9/4/7', '9/5/8'])]);
    assert.deepEqual(rectanglesOf(['9/4/7', '9/5/8']), [boxOfTile('9/4/7'), boxOfTile('9/5/8')]);
    fc.assert(
      fc.property(cells, (given) => {
        const tiles = given.slice(0, 12).map(({ tile }) => tile);
        const boxes = rectanglesOf(tiles);
        const liesIn = ({ latitude, longitude }: Cell) =>
          boxes.filter(({ north, south, east, west }) => latitude < north && latitude > south && longitude > west && longitude < east)
            .length;
        for (const cell of given) assert.equal(liesIn(cell), tiles.includes(cell.tile) ? 1 : 0);
      }),
    );
  });
});
