/** Work on threads of their own, with a deadline. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { OutOfTime, OwnThread, ThreadsBusy } from '../../src/core/store/ownThread.ts';

const BUSY = fileURLToPath(new URL('../support/busyThread.ts', import.meta.url));
const FOR_EVER_MS = 600_000;

describe('Work on a thread with a deadline', () => {
  const bounds = { deadlineMs: 500, waitingMax: 2 };
  let threads: OwnThread<number, number>;
  beforeEach(() => {
    threads = new OwnThread(BUSY, 1, {}, bounds);
  });
  afterEach(() => threads.close());

  it('is ended with its thread when it takes longer, and what waited behind it has its own time', async () => {
    const [endless, next] = await Promise.allSettled([threads.run(FOR_EVER_MS), threads.run(1)]);
    assert.ok(endless.status === 'rejected' && endless.reason instanceof OutOfTime);
    assert.deepEqual(next, { status: 'fulfilled', value: 1 });
  });

  it('leaves the process free, and is refused where as much waits as may', async () => {
    const until = new AbortController();
    const working = [1, 2, 3].map(() => threads.run(FOR_EVER_MS, until.signal));
    await assert.rejects(threads.run(1), ThreadsBusy);
    until.abort(new Error('left'));
    const ended = await Promise.allSettled(working);
    assert.ok(ended.every((one) => one.status === 'rejected' && /left/.test(String(one.reason))));
    assert.equal(await threads.run(2), 2);
  });

  it('leaves no thread when it is closed in the middle', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = ports();
    const working = assert.rejects(threads.run(FOR_EVER_MS));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await threads.close();
    await working;
    while (ports() > before) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});
