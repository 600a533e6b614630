import assert from 'node:assert/strict';
import { groupCounties, placeOnCurve } from '../../src/features/snapshots/placeOrder.ts';
import { places } from '../support/index.ts';
import { points } from '../support/shapes.ts';

describe('the order of counties in Parquet', () => {
  it('follows a curve that leaves no square before it has visited it whole', () => {
    const corners = points('-180 -90, -180 90, 180 90, 180 -90').map(([longitude, latitude]) => placeOnCurve({ latitude, longitude }));
    assert.deepEqual(
      [...corners].sort((a, b) => a - b),
      corners,
    );
    assert.deepEqual([corners[0], corners[3]], [0, 2 ** 32 - 1]);
  });

  it('makes groups of neighbours of at least so many records, and what has no place comes last', () => {
    const counts = new Map<string | null, number>([
      [null, 3],
      ['x', 1],
      ...places.counties.map(({ id }) => [String(id), 10] as [string, number]),
    ]);
    const groups = groupCounties(counts, (id) => places.county(Number(id)), 100);
    assert.deepEqual(new Set(groups.flat()), new Set(counts.keys()));
    assert.equal(groups.flat().length, counts.size);
    assert(groups.slice(0, -1).every((ids) => ids.length === 10));
    assert.deepEqual(groups.flat().slice(-2).sort(), ['x', null].sort());
    const widths = groups.map((ids) => {
      const found = ids.flatMap((id) => places.county(Number(id)) ?? []);
      return Math.max(...found.map(({ longitude }) => longitude)) - Math.min(...found.map(({ longitude }) => longitude));
    });
    assert((widths.sort((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 99) < 4, 'half of the groups are narrower than four degrees');
  });

  it('is one group for few records', () => {
    assert.deepEqual(
      groupCounties(new Map([['8013', 5]]), (id) => places.county(Number(id)), 100),
      [['8013']],
    );
    assert.deepEqual(
      groupCounties(new Map(), () => undefined, 100),
      [],
    );
  });
});
