import assert from 'node:assert/strict';
import { awaitServer } from '../../src/core/store/serverSilence.ts';

const PATIENCE = { silentMs: 200, longestMs: 1_000 };

/** Waits for an answer that never comes. @returns what the wait ended with, and its milliseconds */
async function waitInVain(signs: Parameters<typeof awaitServer>[1], patience = PATIENCE) {
  const began = performance.now();
  const { message } = await awaitServer(new Promise<never>(() => {}), signs, patience).catch((error: Error) => error);
  return { message, ms: performance.now() - began };
}

describe('A wait for a server', () => {
  it('ends when the server has been silent', async () => {
    const { message, ms } = await waitInVain({ received: () => 7 });
    assert.equal(message, 'The server was silent for 200 ms');
    assert.ok(ms > 190 && ms < 900, `${ms} ms`);
  });

  it('goes on up to its longest while the server sends other answers', async () => {
    let bytes = 0;
    const { message, ms } = await waitInVain({ received: () => ++bytes });
    assert.equal(message, 'No answer in 1000 ms');
    assert.ok(ms > 990, `${ms} ms`);
  });

  it('goes on while the server answers probes', async () => {
    let [bytes, probes] = [0, 0];
    const probe = () => {
      probes += 1;
      bytes += 1;
    };
    assert.equal((await waitInVain({ received: () => bytes, probe })).message, 'No answer in 1000 ms');
    assert.ok(probes > 2, `${probes} probes`);
  });

  it('takes turns in which this process was late for no silence', async () => {
    const busy = setInterval(() => {
      for (const until = performance.now() + 90; performance.now() < until; );
    }, 1);
    try {
      const { message } = await waitInVain({ received: () => 0 }, { silentMs: 100, longestMs: 160 });
      assert.equal(message, 'No answer in 160 ms');
    } finally {
      clearInterval(busy);
    }
  });

  it('takes an answer that came while this process stood still', async () => {
    const answer = new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'read')));
    const waiting = awaitServer(answer, { received: () => 0 }, { silentMs: 50, longestMs: 50 });
    for (const until = performance.now() + 300; performance.now() < until; );
    assert.equal(await waiting, 'read');
  });
});
