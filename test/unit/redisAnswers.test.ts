import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ApiError } from '../../src/core/domain/errors.ts';
import { awaitAnswer } from '../../src/core/store/redis/answers.ts';

/** Blocks this process, as if the machine stood still. */
function pause(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A Redis that says nothing. */
const SILENT = { stream: { bytesRead: 0 } } as Redis;

describe('The wait for an answer of Redis', () => {
  it('ends after about 150 ms', async () => {
    const started = performance.now();
    await assert.rejects(
      awaitAnswer(SILENT, new Promise(() => {}), 1),
      (error) => error instanceof ApiError && error.code === 'rate_limiter_unavailable',
    );
    const waited = performance.now() - started;
    assert.ok(waited > 140 && waited < 1000, `${waited} ms`);
  });

  it('goes on after a pause of the whole process, for which Redis stood still too', async () => {
    const asked = Promise.withResolvers<string>();
    const answer = awaitAnswer(SILENT, asked.promise, 1);
    pause(600);
    await sleep(30);
    asked.resolve('counted');
    assert.equal(await answer, 'counted');
  });
});
