import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import { type TurnLimits, Turns } from '../../src/core/store/teamTurns.ts';

const LIMITS = { running: 2, waitMs: 1_000 };
const [GREEDY, QUIET] = [1, 2];
const PATIENT = new AbortController().signal;
const DEADLINE_MS = 3_000;

/** Requests that the test ends. */
class Requests {
  readonly turns: Turns;
  readonly started: string[] = [];
  readonly #ends = new Map<string, () => void>();
  now = 0;

  constructor(limits: TurnLimits = LIMITS) {
    this.turns = new Turns(limits, () => this.now);
  }

  send(name: string, teamId = GREEDY, { signal = PATIENT, deadline = this.now + DEADLINE_MS } = {}): Promise<string> {
    return this.turns.run({ teamId, signal, deadline }, async () => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }

  /** Requests that took so long, so that the mean is known. */
  async teach(ms: number, count = 200): Promise<void> {
    for (let at = 0; at < count; at++) {
      const sent = this.send(`lesson ${at}`);
      this.now += ms;
      await this.end(`lesson ${at}`);
      await sent;
    }
    this.started.length = 0;
  }
}

describe('Admission', () => {
  it('runs as many as its limit at once, and the others in order', async () => {
    const requests = new Requests();
    const all = ['a', 'b', 'c', 'd'].map((name) => requests.send(name));
    assert.deepEqual(requests.started, ['a', 'b']);
    await requests.end('b');
    assert.deepEqual(requests.started, ['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) await requests.end(name);
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
  });

  it('lets no request wait whose client has left before', async () => {
    const requests = new Requests();
    const running = ['a', 'b'].map((name) => requests.send(name));
    const gone = assert.rejects(requests.send('gone', QUIET, { signal: AbortSignal.abort() }));
    const next = requests.send('c');
    await requests.end('a');
    assert.deepEqual(requests.started, ['a', 'b', 'c']);
    for (const name of ['b', 'c']) await requests.end(name);
    await Promise.all([...running, next, gone]);
  });

  it('gives turns to teams, not to requests', async () => {
    const requests = new Requests();
    for (const name of ['a', 'b', 'c', 'd', 'e']) requests.send(name);
    for (const name of ['x', 'y']) requests.send(name, QUIET);
    for (const name of ['a', 'b', 'c', 'x', 'd', 'y']) await requests.end(name);
    assert.deepEqual(requests.started, ['a', 'b', 'c', 'x', 'd', 'y', 'e']);
    await requests.end('e');
  });

  it('goes on after a request that fails', async () => {
    const requests = new Requests();
    const failing = requests.turns.run({ teamId: GREEDY, signal: PATIENT, deadline: DEADLINE_MS }, () =>
      Promise.reject(new Error('broken')),
    );
    requests.send('b');
    requests.send('c');
    await assert.rejects(failing, /broken/);
    await settled();
    assert.deepEqual(requests.started, ['b', 'c']);
  });

  it('refuses at once what would wait too long, and says when to come back', async () => {
    const requests = new Requests();
    await requests.teach(400);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) requests.send(name);
    assert(requests.turns.estimateWaitMs(GREEDY) > LIMITS.waitMs);
    await assert.rejects(requests.send('h'), { code: 'service_unavailable', status: 503, headers: { 'Retry-After': '2' } });
    assert(requests.turns.estimateWaitMs(QUIET) < LIMITS.waitMs);
    requests.send('x', QUIET);
    await requests.end('a');
    await requests.end('b');
    assert.deepEqual(requests.started, ['a', 'b', 'c', 'x']);
  });

  it('asks refused requests of a team back one after another, at half the pace, and never after more than ten seconds', async () => {
    const requests = new Requests();
    await requests.teach(1_000);
    for (const name of ['a', 'b', 'c', 'd']) requests.send(name);
    const refusal = async () => {
      const { headers } = (await requests.send('late').catch((error) => error)) as { headers: Record<string, string> };
      return Number(headers['Retry-After']);
    };
    const seconds: number[] = [];
    for (let at = 0; at < 40; at++) seconds.push(await refusal());
    assert.deepEqual(seconds.slice(0, 4), [2, 3, 4, 5]);
    assert.equal(seconds.at(-1), 10);
  });

  it('refuses at once what would not end by its deadline', async () => {
    const requests = new Requests();
    await requests.teach(400);
    for (const name of ['a', 'b']) requests.send(name);
    await assert.rejects(requests.send('c', GREEDY, { deadline: requests.now + 500 }), { code: 'service_unavailable' });
    requests.send('d', GREEDY, { deadline: requests.now + 700 });
    await requests.end('a');
    assert.deepEqual(requests.started, ['a', 'b', 'd']);
  });

  it('lets fewer wait where requests have waited for a second without a pause', async () => {
    const requests = new Requests();
    await requests.teach(400);
    for (const name of ['a', 'b', 'c', 'd', 'e']) requests.send(name);
    assert(requests.turns.estimateWaitMs(GREEDY) > 500);
    requests.now += 1_001;
    await assert.rejects(requests.send('f'), { code: 'service_unavailable' });
    for (const name of ['a', 'b', 'c']) await requests.end(name);
    requests.send('g');
    await requests.end('d');
    await requests.end('e');
    assert.equal(requests.started.at(-1), 'g');
  });

  it('refuses what has waited until its deadline', async () => {
    const requests = new Requests();
    for (const name of ['a', 'b']) requests.send(name);
    await assert.rejects(requests.send('c', GREEDY, { deadline: requests.now + 100 }), { code: 'service_unavailable' });
    await requests.end('a');
    assert.deepEqual(requests.started, ['a', 'b']);
    requests.send('d');
    assert.deepEqual(requests.started, ['a', 'b', 'd']);
  });

  it('forgets a request whose client is gone', async () => {
    const requests = new Requests();
    for (const name of ['a', 'b']) requests.send(name);
    const gone = new AbortController();
    const waiting = requests.send('c', GREEDY, { signal: gone.signal });
    requests.send('d');
    gone.abort();
    await assert.rejects(waiting, { code: 'service_unavailable' });
    await requests.end('a');
    assert.deepEqual(requests.started, ['a', 'b', 'd']);
  });

  it('holds no place once all have ended', async () => {
    const requests = new Requests();
    for (let round = 0; round < 3; round++) {
      const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}${round}`);
      const all = names.map((name) => requests.send(name));
      for (const name of names) await requests.end(name);
      await Promise.all(all);
    }
    assert.equal(requests.turns.estimateWaitMs(GREEDY), 0);
    requests.send('last');
    assert.equal(requests.started.at(-1), 'last');
  });

  it('runs no more of a team at once than its own limit, and starts work of others meanwhile', async () => {
    const requests = new Requests({ running: 3, team: { running: 1, waiting: 2 } });
    const all = [...['a', 'b', 'c'].map((name) => requests.send(name)), requests.send('x', QUIET)];
    assert.deepEqual(requests.started, ['a', 'x']);
    await requests.end('a');
    assert.deepEqual(requests.started, ['a', 'x', 'b']);
    for (const name of ['x', 'b', 'c']) await requests.end(name);
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'x']);
  });

  it('refuses with 429 what a team sends beyond its own queue, and says by the usual time when to come back', async () => {
    const requests = new Requests({ running: 3, team: { running: 1, waiting: 2 }, usualMs: 1_500 });
    for (const name of ['a', 'b', 'c']) requests.send(name, GREEDY, { deadline: 10_000 });
    await assert.rejects(requests.send('d', GREEDY, { deadline: 10_000 }), {
      code: 'rate_limit_exceeded',
      status: 429,
      headers: { 'Retry-After': '5' },
      details: { limit: 2, waiting: 2, retryAfterSeconds: 5 },
    });
    requests.send('x', QUIET);
    assert.deepEqual(requests.started, ['a', 'x']);
  });

  it("refuses with 429 what waited for the team's own work until its deadline", async () => {
    const requests = new Requests({ running: 3, team: { running: 1, waiting: 2 } });
    requests.send('a');
    await assert.rejects(requests.send('b', GREEDY, { deadline: requests.now + 100 }), { code: 'rate_limit_exceeded' });
  });
});
