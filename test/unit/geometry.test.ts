import assert from 'node:assert/strict';
import { splitAtAntimeridian } from '../../src/core/domain/ring.ts';
import { polygon, type Ring, VERTICES_MAX } from '../../src/core/filter/geometry.ts';
import { pluck } from '../support/lists.ts';
import { points } from '../support/shapes.ts';

function parse(ring: unknown): Ring {
  const parsed = polygon.parse([JSON.stringify(ring)]);
  assert.ok('value' in parsed, JSON.stringify(parsed));
  return parsed.value;
}

function refuses(ring: unknown, message: RegExp): void {
  const parsed = polygon.parse([JSON.stringify(ring)]);
  assert.ok('problems' in parsed);
  assert.deepEqual(pluck(parsed.problems, 'code'), ['invalid_geometry']);
  assert.match(parsed.problems[0]?.message ?? '', message);
}

describe('a polygon', () => {
  it('may turn either way, have straight corners and repeat a vertex', () => {
    const square = points('0 0, 1 0, 2 0, 2 2, 2 2, 0 2, 0 0');
    for (const ring of [square, [...square].reverse(), [...square, [0, 0]]]) assert.deepEqual(parse(ring), ring);
  });

  const FLAWS: readonly [string, unknown, RegExp][] = [
    ['is open', points('0 0, 4 0, 4 4, 0 4'), /not closed/],
    ['has too few vertices', points('0 0, 4 0, 0 0'), /fewer than 4/],
    ['has too many vertices', Array.from({ length: VERTICES_MAX + 1 }, () => [0, 0]), /more than 1000/],
    ['encloses nothing', points('0 0, 4 0, 8 0, 0 0'), /no area/],
    ['is one point', points('1 1, 1 1, 1 1, 1 1'), /no area/],
    ['swaps latitude and longitude', points('0 0, 4 0, 4 105, 0 0'), /\[lng, lat\]/],
    ['leaves the globe', points('0 0, 190 0, 4 4, 0 0'), /<= 180.* goes on at -180/],
    ['crosses itself', points('0 0, 4 4, 4 0, 0 5, 0 0'), /crosses itself/],
    ['touches itself at a corner', points('0 0, 4 0, 2 2, 4 4, 0 4, 2 2, 0 0'), /crosses itself/],
    ['has a corner on an edge', points('0 0, 4 0, 4 4, 2 0, 0 4, 0 0'), /crosses itself/],
    ['has a spike outwards', points('0 0, 4 0, 4 4, 4 6, 4 4, 0 4, 0 0'), /folds back/],
    ['has a spike inwards', points('0 0, 4 0, 4 4, 4 2, 0 4, 0 0'), /folds back/],
    ['has a spike over its first vertex', points('1 0, 4 0, 4 4, 0 4, 0 0, 2 0, 1 0'), /folds back/],
    ['goes around a pole', points('0 80, 120 80, -120 80, 0 80'), /around a pole/],
    ['is no ring', { type: 'Polygon' }, /array/],
    [
      'has a vertex of three numbers',
      [
        [0, 0, 0],
        [4, 0],
        [4, 4],
        [0, 0],
      ],
      /2/,
    ],
  ];
  it('across the antimeridian is the same ring from whichever side it begins, and is kept as it was sent', () => {
    const ring: Ring = points('172 51, -175 51, -175 54, 172 54, 172 51');
    const fromEast: Ring = [...ring.slice(1), ring[1] as [number, number]];
    for (const sent of [ring, fromEast]) {
      assert.deepEqual(parse(sent), sent);
      const parts = splitAtAntimeridian(sent).map((part) => part.map(([longitude]) => longitude));
      const sides = parts.map((part) => [Math.min(...part), Math.max(...part)]);
      assert.deepEqual(sides.sort(), [
        [-180, -175],
        [172, 180],
      ]);
    }
  });

  it('may be the whole map', () => {
    const world: Ring = points('-180 -90, 180 -90, 180 90, -180 90, -180 -90');
    assert.deepEqual(parse(world), world);
    assert.deepEqual(splitAtAntimeridian(world), [world]);
  });

  for (const [flaw, ring, message] of FLAWS) it(`that ${flaw} is refused`, () => refuses(ring, message));

  it('of a thousand vertices is checked within 50 ms of computing', () => {
    const round = Array.from({ length: VERTICES_MAX - 1 }, (_, i) => {
      const angle = (2 * Math.PI * i) / (VERTICES_MAX - 1);
      return [-105 + Math.cos(angle) * (1 + 0.1 * Math.sin(50 * angle)), 40 + Math.sin(angle) * (1 + 0.1 * Math.sin(50 * angle))];
    });
    const ring = [...round, round[0]];
    const times = Array.from({ length: 4 }, () => {
      const started = process.cpuUsage();
      parse(ring);
      return process.cpuUsage(started).user / 1000;
    });
    assert.ok(Math.min(...times) < 50, `${times}`);
  });
});
