/** The names that are nearest to an unknown text are those that a comparison with every name finds. */
import assert from 'node:assert/strict';
import { distance } from 'fastest-levenshtein';
import { findNearestPlaces, readNames } from '../../src/core/domain/nearestNames.ts';
import { Random } from '../support/random.ts';

function countMistakes(a: string, b: string): number {
  const exchanged = Array.from({ length: a.length - 1 }, (_, at) => a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2));
  return a !== b && exchanged.includes(b) ? 1 : distance(a, b);
}

describe('the nearest names', () => {
  it('are those of a comparison with all, the first of equally near ones before others', () => {
    const random = new Random(7);
    const word = (most: number) => Array.from({ length: random.integer(1, most) }, () => 'abcde1 é'[random.integer(0, 7)]).join('');
    for (let round = 0; round < 500; round++) {
      const text = word(round % 50 ? 8 : 40);
      const values = [...new Set(Array.from({ length: random.integer(0, 40) }, () => word(8)))];
      const { nearest } = findNearestPlaces(text, readNames(values.map((value) => ({ value, names: [value] }))));
      const expected = values.toSorted((a, b) => countMistakes(text, a) - countMistakes(text, b)).slice(0, 3);
      assert.deepEqual(nearest, expected, text);
    }
  });
});
