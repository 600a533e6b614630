/** Gathered calls: each item gets its own answer in few calls, and none waits for a late call. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatheredCalls } from '../../src/core/store/gatheredCalls.ts';

interface Call {
  items: readonly number[];
  answer(): void;
  fail(error: Error): void;
}

function gather(limits: { callsMax: number; itemsMax: number }) {
  const calls: Call[] = [];
  let idle = 0;
  const gathered = new GatheredCalls<number, string>({
    ...limits,
    call: (items) =>
      new Promise((resolve, reject) => calls.push({ items, answer: () => resolve(items.map((item) => `of ${item}`)), fail: reject })),
    onIdle: () => {
      idle += 1;
    },
  });
  return { gathered, calls, idle: () => idle, sent: () => calls.map(({ items }) => items) };
}

describe('Calls that go together', () => {
  it('are made at once while few are under way; what comes meanwhile goes with the next', async () => {
    const { gathered, calls, sent, idle } = gather({ callsMax: 1, itemsMax: 10 });
    const answers = [1, 2, 3].map((item) => gathered.ask(item));
    assert.deepEqual(sent(), [[1]]);
    calls[0]?.answer();
    assert.equal(await answers[0], 'of 1');
    await sleep(1);
    assert.deepEqual(sent(), [[1], [2, 3]]);
    calls[1]?.answer();
    assert.deepEqual(await Promise.all(answers), ['of 1', 'of 2', 'of 3']);
    await sleep(1);
    assert.equal(idle(), 1);
  });

  it('leave nobody waiting behind a call that is late, and take no more items than they may', async () => {
    const { gathered, calls, sent } = gather({ callsMax: 1, itemsMax: 2 });
    const answers = [1, 2, 3, 4].map((item) => gathered.ask(item));
    await sleep(50);
    assert.deepEqual(sent(), [[1], [2, 3], [4]]);
    for (const call of calls.slice(1)) call.answer();
    assert.deepEqual(await Promise.all(answers.slice(1)), ['of 2', 'of 3', 'of 4']);
    calls[0]?.answer();
    assert.equal(await answers[0], 'of 1');
  });

  it('fail for their own items only', async () => {
    const { gathered, calls } = gather({ callsMax: 1, itemsMax: 10 });
    const [first, ...others] = [1, 2, 3].map((item) => gathered.ask(item));
    const refused = Promise.all(others.map((other) => assert.rejects(other, /gone/)));
    calls[0]?.answer();
    assert.equal(await first, 'of 1');
    await sleep(1);
    calls[1]?.fail(new Error('gone'));
    await refused;
    const next = gathered.ask(4);
    calls[2]?.answer();
    assert.equal(await next, 'of 4');
  });
});
