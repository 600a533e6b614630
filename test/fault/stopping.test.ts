/** What clients see of a process that stops while they ask. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { type Serving, serve } from '../../src/http/serve.ts';
import { checkAnswer, checkError, send, type WireAnswer } from '../support/http.ts';
import { lengthOf } from '../support/lengths.ts';
import { provideService, testService } from '../support/service.ts';

const STOPS = lengthOf('STOPS');
const CLIENTS = 12;
const GRACE_MS = 150;

describe('a process that stops', function () {
  this.timeout(60_000 + STOPS * 2_000);
  const api = provideService();
  let key: string;
  before(async () => {
    await api.index.load([{ kind: 'project', id: 1, state: 'CO', propertyType: 'commercial', meetingDate: '2026-10-01' }]);
    key = await api.key();
  });

  const urlOf = (serving: Serving) => `http://127.0.0.1:${serving.port}`;

  /** Asks again and again over a connection that it keeps, until no connection is to be had. Every answer is whole. */
  async function askOn(url: string, path: string, answered: () => void): Promise<{ answers: WireAnswer[]; end: string }> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const answers: WireAnswer[] = [];
    try {
      for (;;) {
        const answer = await send(url, path, { key, agent });
        assert.equal(answer.status, 200);
        answers.push(answer);
        if (answers.length === 3) answered();
      }
    } catch (error) {
      return { answers, end: (error as NodeJS.ErrnoException).code ?? (error as Error).message };
    } finally {
      answered(); // at the latest
      agent.destroy();
    }
  }

  it(`answers every request of ${CLIENTS} clients that keep their connections, through ${STOPS} stops: none is reset`, async () => {
    const ends: string[] = [];
    for (let i = 0; i < STOPS; i++) {
      const serving = await serve(api.service, 0);
      const busy = Array.from({ length: CLIENTS }, () => Promise.withResolvers<void>());
      const clients = busy.map(({ resolve }, n) => askOn(urlOf(serving), n % 3 ? '/v1/health' : '/v1/projects/1', resolve));
      await Promise.all(busy.map(({ promise }) => promise));
      await serving.stop(GRACE_MS);
      for (const { answers, end } of await Promise.all(clients)) {
        ends.push(end);
        if (end === 'ECONNREFUSED') assert.equal(answers.at(-1)?.headers.connection, 'close');
      }
    }
    assert.deepEqual(
      ends.filter((end) => end !== 'ECONNREFUSED'),
      [],
    );
  });

  it('says so in /ready first, and serves on for its grace', async () => {
    await using own = await testService();
    await own.index.load([]);
    assert.equal((await send(own.url, '/ready')).status, 200);
    const serving = await serve(own.service, 0);
    const ownKey = await own.key();
    const stopped = serving.stop(2_000);
    const ready = await send(urlOf(serving), '/ready');
    checkError(ready, 'service_unavailable');
    assert.match(ready.body.error.message, /stopping/);
    for (const path of ['/v1/health', '/v1/locations/states']) {
      const answer = await send(urlOf(serving), path, { key: ownKey });
      checkAnswer(answer);
      assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'], path);
    }
    await stopped;
    await assert.rejects(send(urlOf(serving), '/health'), { code: 'ECONNREFUSED' });
  });

  it('waits for a request as long as one may take, where that is more than its usual wait', async () => {
    const slow = new Koa();
    slow.use(async (ctx) => {
      await sleep(10_500);
      ctx.body = {};
    });
    const serving = await serve({ app: slow, longestRequestMs: 10_000, announceStop: () => {} }, 0);
    const answer = send(urlOf(serving), '/');
    await sleep(200);
    await serving.stop();
    assert.equal((await answer).status, 200);
  });

  it('leaves a connection that is idle to its client: a request on it after the grace is answered', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const serving = await serve(api.service, 0);
    const before = await send(urlOf(serving), '/v1/health', { agent });
    assert.deepEqual([before.headers.connection, before.headers['keep-alive']], ['keep-alive', 'timeout=75']);
    const stopped = serving.stop(50);
    await sleep(400);
    await assert.rejects(send(urlOf(serving), '/v1/health'), { code: 'ECONNREFUSED' });
    const after = await send(urlOf(serving), '/v1/health', { agent });
    assert.deepEqual([after.status, after.headers.connection], [200, 'close']);
    const answered = Date.now();
    await stopped;
    assert(Date.now() - answered < 1_000, 'the last connection that ends, ends the stop');
    agent.destroy();
  });
});
