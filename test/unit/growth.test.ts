import assert from 'node:assert/strict';
import { extrapolate, type Growing, growthOf } from '../../scripts/proofs/bench/growth.ts';

const SIZES = [1_000, 10_000];
const row = (expected: Growing['expected'], ...values: number[]): Growing => ({ title: 'a row', unit: 'ms', expected, values });

describe('Growth of a figure', () => {
  it('has the exponent 1 if it grows with the records, and 0 if it stays', () => {
    assert.equal(growthOf(row('as the records', 5, 50), SIZES).exponent.toFixed(6), '1.000000');
    assert.equal(growthOf(row('not at all', 5, 5), SIZES).exponent, 0);
  });

  it('is too fast by more than noise', () => {
    assert(!growthOf(row('not at all', 10, 15), SIZES).tooFast);
    assert(growthOf(row('not at all', 10, 17), SIZES).tooFast);
    assert(!growthOf(row('as the records', 10, 150), SIZES).tooFast);
    assert(growthOf(row('as the records', 10, 170), SIZES).tooFast);
  });

  it('is extrapolated linearly if it grows with the records, otherwise by its exponent, and never falls', () => {
    assert.equal(extrapolate(row('as the records', 10, 100), SIZES, 20_000), 200);
    assert.equal(extrapolate(row('not at all', 10, 20), SIZES, 100_000).toFixed(6), '40.000000');
    assert.equal(extrapolate(row('not at all', 10, 8), SIZES, 1_000_000), 8);
  });
});
