/** Several addresses of Elasticsearch: one is slow, hangs, goes and comes back. Proxies before one server stand for its nodes. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import { type MessageGate, TestProxy } from '../../scripts/lib/proxy.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';
import { send } from '../support/http.ts';
import { TestIndex } from '../support/index.ts';
import { projectLine as project } from '../support/projectLine.ts';
import { serverUrl } from '../support/servers.ts';
import { type TestService, testService } from '../support/service.ts';

const TIMEOUT_MS = 5_000;
const SLOW_MS = 500;
/** After a probe of the nodes, another one begins no sooner. */
const PROBED_AGAIN_MS = 300;
/** What a search takes that is sent to a second node after 50 ms, on a machine that may do much else. */
const HEDGED_MOST_MS = 350;

/** Counts requests, probes apart, and holds answers back. */
class NodeGate implements MessageGate {
  requests = 0;
  delayMs = 0;
  /** requests that name nodes whose copies of shards they prefer */
  preferring = 0;

  pass(deliver: () => void, bytes: Buffer): void {
    const isRequest = /^(GET|POST|PUT|HEAD) /.test(bytes.toString('latin1', 0, 5));
    if (isRequest && !bytes.includes('/_nodes/')) this.requests += 1;
    if (isRequest && bytes.includes('_prefer_nodes')) this.preferring += 1;
    if (!isRequest && this.delayMs) setTimeout(deliver, this.delayMs);
    else deliver();
  }
}

describe('with several addresses of Elasticsearch', () => {
  const index = new TestIndex('2026-11-18');
  const gates = [new NodeGate(), new NodeGate(), new NodeGate()] as const;
  const proxies = gates.map((gate) => new TestProxy(serverUrl('ELASTICSEARCH_URL'), 9200, gate));
  const [slowGate] = gates;
  const [slow] = proxies as [TestProxy, TestProxy, TestProxy];
  let client: Client;

  before(async () => {
    await Promise.all(proxies.map((proxy) => proxy.start()));
    await index.load([1, 2, 3].map((id) => project(id)));
  });
  beforeEach(() => {
    client = makeElastic({ url: proxies.map(({ url }) => url), timeoutMs: TIMEOUT_MS, retries: 1 });
    for (const gate of gates) Object.assign(gate, { requests: 0, delayMs: 0, preferring: 0 });
  });
  afterEach(() => client.close());
  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await index.drop();
  });

  const requests = () => gates.reduce((sum, gate) => sum + gate.requests, 0);

  /** Sends searches one after another. @returns how long each took, the longest first */
  async function timesOf(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let at = 0; at < count; at++) {
      const began = performance.now();
      const { hits } = await client.search({ index: index.names.readAlias('projects'), size: 1 }, { maxRetries: 1, retryBackoff: () => 0 });
      assert.equal(hits.hits.length, 1);
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => b - a);
  }

  it('asks each of them', async () => {
    await Promise.all(Array.from({ length: 30 }, () => timesOf(1)));
    for (const gate of gates) assert(gate.requests > 0);
  });

  it('leaves a slow one out, and repeats what it got at another', async () => {
    await timesOf(50);
    slowGate.delayMs = SLOW_MS;
    const before = { all: requests(), slow: slowGate.requests };
    const times = await timesOf(200);
    assert((times[0] ?? 0) < HEDGED_MOST_MS, `the longest took ${times[0]} ms`);
    assert(slowGate.requests - before.slow <= 10, `${slowGate.requests - before.slow} went to the slow one`);
    assert(requests() - before.all <= 210, `${requests() - before.all} requests for 200 searches`);
  });

  it('has searches look at copies on the other nodes while one is slow, and asks it again when it is fast', async () => {
    await timesOf(30);
    await sleep(PROBED_AGAIN_MS);
    const preferring = () => gates.reduce((sum, gate) => sum + gate.preferring, 0);
    slowGate.delayMs = SLOW_MS;
    // Enough at once for one to go to the slow node: it is late, and the nodes are probed.
    await Promise.all(Array.from({ length: 6 }, () => timesOf(5)));
    await sleep(SLOW_MS);
    const [slowBefore, preferringBefore] = [slowGate.requests, preferring()];
    const search = { index: index.names.readAlias('projects'), allow_partial_search_results: false };
    await client.msearch({ searches: [search, { size: 0 }, search, { size: 0 }] });
    await timesOf(20);
    assert(preferring() - preferringBefore >= 21, `${preferring() - preferringBefore} of 21 named nodes`);
    assert.equal(slowGate.requests, slowBefore, 'the slow node is probed and asked for nothing else');
    slowGate.delayMs = 0;
    const until = Date.now() + 20_000;
    while (slowGate.requests < slowBefore + 20 && Date.now() < until) await Promise.all(Array.from({ length: 6 }, () => timesOf(2)));
    assert(slowGate.requests >= slowBefore + 20, 'the node that is fast again got no request');
    const preferringAfter = preferring();
    await timesOf(20);
    assert.equal(preferring(), preferringAfter);
  });

  it('repeats at most one request in twenty, beyond the twenty that it has saved up', async () => {
    for (const gate of gates) gate.delayMs = 60;
    await timesOf(100);
    assert(requests() > 100 && requests() <= 100 + 20 + 5, `${requests()} requests for 100 searches`);
  });

  it('loses no answer to one that hangs', async () => {
    await timesOf(30);
    slow.freeze();
    // Of several at once, some go to each node.
    const longest = Math.max(...(await Promise.all(Array.from({ length: 6 }, () => timesOf(20)))).flat());
    slow.thaw();
    assert(longest < TIMEOUT_MS / 2, `the longest took ${longest} ms, as if it had waited for the one that hangs`);
  });

  it('loses no answer to one that goes, and asks it again when it is back', async () => {
    await timesOf(30);
    await slow.stop();
    await timesOf(100);
    const gone = slowGate.requests;
    await slow.start();
    const until = Date.now() + 20_000;
    while (slowGate.requests < gone + 3 && Date.now() < until) await Promise.all(Array.from({ length: 6 }, () => timesOf(2)));
    assert(slowGate.requests >= gone + 3, 'the node that came back got no request');
  });

  it('does not repeat what writes', async () => {
    for (const gate of gates) gate.delayMs = 150;
    await client.bulk({ index: index.names.readAlias('projects'), operations: [{ delete: { _id: 'none' } }] }).catch(() => {});
    assert.equal(requests(), 1);
  });

  it('reports an error of the request itself once, and at once', async () => {
    // After slow answers a search is waited for longer before it is sent again, so that a busy machine alone repeats nothing here.
    for (const gate of gates) gate.delayMs = SLOW_MS;
    await Promise.all(Array.from({ length: 16 }, () => timesOf(1)));
    for (const gate of gates) Object.assign(gate, { requests: 0, delayMs: 0 });
    await assert.rejects(client.search({ index: index.names.readAlias('projects'), sort: 'no-such-field' }), { name: 'ResponseError' });
    assert.equal(requests(), 1);
  });

  it('serves on without two of three', async () => {
    const api: TestService = await testService({ env: { ELASTICSEARCH_URL: proxies.map(({ url }) => url).join(', ') } });
    await api.index.load([1, 2].map((id) => project(id)));
    const key = await api.key();
    const [, second] = proxies;
    await Promise.all([slow.stop(), second?.stop()]);
    try {
      for (let at = 0; at < 10; at++) {
        const answer = await send(api.url, '/v1/projects/search?dateRange=all', { key });
        assert.equal(answer.status, 200);
      }
    } finally {
      await Promise.all([slow.start(), second?.start()]);
      await api.stop();
    }
  });
});
