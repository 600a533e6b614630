/** Many more requests than one process can answer: what is begun is answered, the rest is refused at once, teams take turns. */
import assert from 'node:assert/strict';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { checkError, send } from '../support/http.ts';
import { projectLine as project } from '../support/projectLine.ts';
import { serverUrl } from '../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../support/service.ts';

/** With 64 searches at once the process then answers at most 128 a second. */
const SEARCH_MS = 500;
const FLOOD = 900;

describe('under overload', () => {
  let proxy: TestProxy;
  let api: TestService;
  before(async () => {
    proxy = new TestProxy(serverUrl('ELASTICSEARCH_URL'), 9200);
    await proxy.start();
    api = await testService({ env: { ...USUAL_WAITS, ELASTICSEARCH_URL: proxy.url } });
    await api.index.load([1, 2, 3].map((id) => project(id)));
  });
  after(async () => {
    await api.stop();
    await proxy.stop();
  });

  const search = (key: string) => send(api.url, '/v1/projects/search?dateRange=all', { key });

  it('answers what it begins, refuses the rest with a time to come back, and lets a quiet team in', async () => {
    const [greedy, quiet] = [await api.key(), await api.key()];
    await search(greedy);
    proxy.delayMs = SEARCH_MS;
    await Promise.all(Array.from({ length: 64 }, () => search(greedy))); // the process learns how long a search takes
    const flood = Array.from({ length: FLOOD }, () => search(greedy));
    await Promise.race(flood);
    const quietAnswers = await Promise.all([search(quiet), search(quiet)]);
    const answers = await Promise.all(flood);
    proxy.delayMs = 0;
    for (const answer of quietAnswers) assert.equal(answer.status, 200);
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    assert(served.length >= 128, `${served.length} were served`);
    assert(refused.length > 0, 'none was refused');
    for (const answer of refused) {
      checkError(answer, 'service_unavailable');
      assert(Number(answer.headers['retry-after']) >= 1);
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    console.log(
      `      ${served.length} served, ${refused.length} refused; median ${Math.round(median(served.map(({ ms }) => ms)))} and ${Math.round(median(refused.map(({ ms }) => ms)))} ms`,
    );
    assert(median(refused.map(({ ms }) => ms)) < median(served.map(({ ms }) => ms)));
    const after = await search(greedy);
    assert.equal(after.status, 200);
  });

  it('answers what does not ask the search backend while that is busy', async () => {
    const key = await api.key();
    proxy.delayMs = SEARCH_MS;
    const flood = Array.from({ length: 200 }, () => search(key));
    const account = await send(api.url, '/v1/account/credits', { key });
    proxy.delayMs = 0;
    assert.equal(account.status, 200);
    await Promise.all(flood);
  });
});
