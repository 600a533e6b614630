/** Matching of many rows by one team, and what others get meanwhile. Elasticsearch answers when the test lets it. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ForwardedAnswer, HttpProxy } from '../../support/httpProxy.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provide } from '../../support/provide.ts';
import { assertRefused, bodyOf, type TestProcess, testService } from '../../support/service.ts';

/** Of one search; tests have longer waits than installations. */
const SEARCH_TIMEOUT_MS = 1_500;
/** Rows that nothing is like: each is one query. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ parcelNumber: `none ${i}`, state: 'CO' }));

describe('POST /projects/match of several teams', () => {
  const api = provide(() => testService());
  let proxy: HttpProxy;
  let matching: TestProcess;
  let settings: Record<string, string>;
  /** searches that came, and answers that are held back */
  let searches = 0;
  const held: (() => void)[] = [];
  let isHolding = false;
  let delayMs = 0;

  before(async () => {
    await api.index.load([projectLine(1)]);
    proxy = new HttpProxy(
      api.env.ELASTICSEARCH_URL as string,
      async ({ path, status, headers, body }: ForwardedAnswer, response: ServerResponse) => {
        const answer = () => response.writeHead(status, headers).end(body);
        if (!path.includes('_msearch')) return answer();
        searches += 1;
        if (delayMs) await sleep(delayMs);
        if (isHolding) held.push(answer);
        else answer();
      },
    );
    settings = { ELASTICSEARCH_URL: await proxy.start() };
    matching = await api.another(settings);
  });
  beforeEach(() => {
    isHolding = false;
    delayMs = 0;
  });
  after(async () => {
    await matching.stop();
    await proxy.stop();
  });

  const match = (count: number, key: string, at = matching) => at.post('/projects/match', { rows: rowsOf(count) }, { key });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(5);
  };
  const letGo = () => {
    isHolding = false;
    for (const answer of held.splice(0)) answer();
  };

  it("lets another team's row between the batches of a team that sends twenty times 1,000 rows", async () => {
    const [greedy, quiet] = [await api.key(), await api.key()];
    delayMs = 20;
    searches = 0;
    const many = Array.from({ length: 20 }, () => match(1_000, greedy));
    await until(() => searches > 0);
    const before = searches;
    assert.equal((await match(1, quiet)).status, 200);
    assert(searches - before < 10, `${searches - before} searches until the answer for one row`);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
  });

  it('has one request of a team in work and four waiting, and refuses the next with 429 and when to come back', async () => {
    const [greedy, quiet] = [await api.key(), await api.key()];
    isHolding = true;
    searches = 0;
    const first = match(200, greedy);
    await until(() => held.length > 0);
    const waiting = Array.from({ length: 4 }, () => match(1, greedy));
    await sleep(100);
    const { status, headers, body } = await match(1, greedy);
    assert.deepEqual([status, body.error.code, body.error.details.waiting], [429, 'rate_limit_exceeded', 4]);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(searches, 1, 'one batch of one request');
    const other = match(1, quiet);
    await until(() => held.length > 1);
    letGo();
    for (const answer of await Promise.all([first, ...waiting, other])) assert.equal(answer.status, 200);
  });

  it('has a deadline for the whole request, which is longer than that of one search', async () => {
    await using hurried = await api.another(settings, { searchTimeoutMs: SEARCH_TIMEOUT_MS / Number(api.env.SERVER_PATIENCE) });
    const key = await api.key();
    delayMs = 1.2 * SEARCH_TIMEOUT_MS;
    bodyOf(await match(100, key, hurried));
    delayMs = 0;
    isHolding = true;
    assertRefused(await match(200, key, hurried), 'search_unavailable');
    letGo();
    assert.equal((await match(1, key, hurried)).status, 200, 'the next request has its turn');
  });
});
