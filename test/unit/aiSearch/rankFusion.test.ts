/** Joined rankings: every record once, first those that rank high in many. */

import assert from 'node:assert/strict';
import { fuseRanks } from '../../../src/features/aiSearch/rankFusion.ts';

describe('Joined rankings', () => {
  it('hold every id once, first what ranks high in many', () => {
    assert.deepEqual(
      fuseRanks([
        [1, 2, 3],
        [4, 2],
        [2, 5],
      ]),
      [2, 1, 4, 5, 3],
    );
  });

  it('keep the order of one list, and that of the lists where ranks are equal', () => {
    assert.deepEqual(fuseRanks([[9, 7, 8], []]), [9, 7, 8]);
    assert.deepEqual(fuseRanks([[3], [1], [2]]), [3, 1, 2]);
    assert.deepEqual(fuseRanks([]), []);
  });

  it('put the first of one list before the second of two only where later ranks count less', () => {
    const lists = [
      [1, 2],
      [3, 4, 2],
    ];
    assert.deepEqual([fuseRanks(lists)[0], fuseRanks(lists, 0)[0]], [2, 1]);
  });
});
