import assert from 'node:assert/strict';
import { waitForLoopTurn } from '../../src/core/store/loopTurn.ts';

describe('Turns of the event loop', () => {
  it('are given to one caller each, in the order in which they asked', async () => {
    let [turn, isOver] = [0, false];
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const given = await Promise.all([1, 2, 3, 4].map(() => waitForLoopTurn().then(() => turn)));
    isOver = true;
    assert.deepEqual(
      given.map((one) => one - (given[0] as number)),
      [0, 1, 2, 3],
    );
  });
});
