/**
 * Few aggregations run at a time; if the client disconnects, its request leaves the queue and is cancelled in Elasticsearch. Requests that wait for the
 * same are answered by one search.
 */

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOnLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.ts';
import type { ApiError } from '../../../src/core/domain/errors.ts';
import { Longs, longTerms } from '../../../src/core/query/longs.ts';
import { AggregationStore } from '../../../src/core/store/elastic/aggregations.ts';
import { makeElastic } from '../../../src/core/store/elastic/client.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { pluck } from '../../support/lists.ts';

const TIMEOUT_MS = 2_000;
const EMPTY = {
  took: 1,
  timed_out: false,
  _shards: { total: 1, successful: 1, failed: 0 },
  hits: { total: { value: 7, relation: 'eq' }, hits: [] },
};

describe('The queue of aggregations', () => {
  let server: LoopbackServer;
  let store: AggregationStore;
  /** requests that arrived and were not answered */
  const held = new Set<ServerResponse>();
  let arrived = 0;

  beforeEach(async () => {
    held.clear();
    arrived = 0;
    server = await answerOnLoopback((_, response) => {
      arrived += 1;
      held.add(response);
      response.on('close', () => held.delete(response));
    });
    store = new AggregationStore(makeElastic({ url: server.url, timeoutMs: TIMEOUT_MS, retries: 0 }), new IndexNames('test'), TIMEOUT_MS);
  });
  afterEach(() => server.stop());

  const askFor = (name: string, signal?: AbortSignal, teamId = 1) =>
    store.aggregate({ term: { name } }, {}, { principal: { teamId }, ...(signal ? { signal } : {}) });
  let asked = 0;
  /** Asks for what nobody else asks for. */
  const ask = (signal?: AbortSignal, teamId = 1) => askFor(String(asked++), signal, teamId);
  const answerOne = () => {
    const [response] = held;
    response?.writeHead(200, { 'Content-Type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' }).end(JSON.stringify(EMPTY));
  };
  /** Answers whatever arrives until the work is done. */
  async function answerUntil<T>(work: Promise<T>): Promise<T> {
    const answering = setInterval(answerOne, 1);
    return work.finally(() => clearInterval(answering));
  }
  async function until(done: () => boolean): Promise<void> {
    for (let waited = 0; !done(); waited += 5) {
      assert.ok(waited < TIMEOUT_MS, 'it took too long');
      await sleep(5);
    }
  }
  const codeOf = (work: Promise<unknown>) => work.then(() => 'answered').catch((error: ApiError) => error.code);

  it('lets two run, and the next when one is done', async () => {
    const work = [ask(), ask(), ask()];
    await until(() => held.size === 2);
    await sleep(30);
    assert.equal(arrived, 2);
    answerOne();
    await until(() => arrived === 3);
    assert.deepEqual(pluck(await answerUntil(Promise.all(work)), 'total'), [7, 7, 7]);
  });

  it('drops a waiting request whose client disconnects, and cancels a running one', async () => {
    const [running, waiting] = [new AbortController(), new AbortController()];
    const work = [ask(running.signal), ask(), ask(waiting.signal)];
    const codes = Promise.all(work.map(codeOf));
    await until(() => held.size === 2);
    waiting.abort();
    running.abort();
    await until(() => held.size === 1);
    await sleep(30);
    assert.equal(arrived, 2);
    answerOne();
    assert.deepEqual(await codes, ['search_unavailable', 'answered', 'search_unavailable']);
  });

  it('refuses the next one of a team of which a hundred wait, and gives another team the next turn', async () => {
    const all = Array.from({ length: 102 }, () => codeOf(ask()));
    await until(() => held.size === 2);
    assert.equal(await codeOf(ask()), 'rate_limit_exceeded');
    let others = 0;
    const other = ask(undefined, 2).then(() => (others = arrived));
    answerOne();
    await until(() => arrived === 3);
    answerOne();
    assert.deepEqual(new Set(await answerUntil(Promise.all(all))), new Set(['answered']));
    await other;
    assert(others < 10, `${others} were asked before the other team had its answer`);
  });

  it('asks once for requests of a team that wait for the same, and again for one that comes after it was asked', async () => {
    const work = [ask(), ask(), askFor('same'), askFor('same'), askFor('same', undefined, 2), askFor('other')];
    await until(() => arrived === 2);
    answerOne();
    await until(() => arrived === 3);
    await sleep(5);
    work.push(askFor('same'));
    assert.deepEqual(pluck(await answerUntil(Promise.all(work)), 'total'), [7, 7, 7, 7, 7, 7, 7]);
    assert.equal(arrived, 6);
  });

  it('asks once for what is asked at the same moment, and answers those that stay when others leave', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const codes = Promise.all([askFor('same', first.signal), askFor('same', second.signal), askFor('same')].map(codeOf));
    await until(() => arrived === 1);
    first.abort();
    second.abort();
    await sleep(30);
    answerOne();
    assert.deepEqual(await codes, ['search_unavailable', 'search_unavailable', 'answered']);
    assert.equal(arrived, 1);
  });

  it('drops what all leave, and asks anew for one that comes then', async () => {
    const leaving = [new AbortController(), new AbortController()];
    const busy = [ask(), ask()];
    const codes = Promise.all(leaving.map(({ signal }) => codeOf(askFor('same', signal))));
    await until(() => arrived === 2);
    for (const one of leaving) one.abort();
    const late = askFor('same');
    assert.deepEqual(await codes, ['search_unavailable', 'search_unavailable']);
    assert.equal((await answerUntil(Promise.all([...busy, late]))).length, 3);
    assert.equal(arrived, 3);
  });

  it('tells long lists apart', async () => {
    const lists = [new Longs(), new Longs()];
    const [one, other] = lists as [Longs, Longs];
    for (const list of lists) list.add(['1']);
    const work = [one, one, other].map((list) => store.aggregate(longTerms('id', list), {}));
    await until(() => arrived === 2);
    await answerUntil(Promise.all(work));
    assert.equal(arrived, 2);
  });
});
