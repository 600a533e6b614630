/** How long a client waits at most while Elasticsearch holds its answers back, with the settings as they come. */
import assert from 'node:assert/strict';
import { answerOnLoopback } from '../../scripts/lib/loopback.ts';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { ReadAhead } from '../../src/features/sync/readAhead.ts';
import { checkError, send } from '../support/http.ts';
import { serverUrl } from '../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../support/service.ts';

const PROMISED_MS = 5_000;
/** When the control answers: about when the service gives up. */
const CONTROL_MS = 4_700;

/** A server of one timer. What its answer takes beyond that is the machine's doing, which may do much else. */
const startControl = () => answerOnLoopback((_, response) => void setTimeout(() => response.end(), CONTROL_MS));

describe('while Elasticsearch hangs', function () {
  this.timeout(30_000);
  let proxy: TestProxy;
  let api: TestService;
  let key: string;
  before(async () => {
    proxy = new TestProxy(serverUrl('ELASTICSEARCH_URL'), 9200);
    await proxy.start();
    api = await testService({ env: { ...USUAL_WAITS, ELASTICSEARCH_URL: `http://127.0.0.1:${proxy.port}` } });
    await api.index.load([
      ...[1, 2, 3].map((id) => ({ kind: 'project', id, state: 'CO', propertyType: 'commercial', meetingDate: '2026-10-01' })),
      { kind: 'document', id: 501, state: 'CO', county: 'Boulder County', title: 'Minutes' },
    ]);
    key = await api.key();
  });
  after(async () => {
    proxy.thaw();
    await api.stop();
    await proxy.stop();
  });

  it('search, count, sync, read and changes are 503 within 5.0 s by the clock of the client', async () => {
    const sync = '/v1/projects/sync?dateRange=all&limit=1';
    const first = await send(api.url, sync, { key });
    const next = `${sync}&cursor=${first.body.meta.sync.cursor}`;
    const paths = ['search?dateRange=all', 'search?dateRange=all&deliveryMode=new', 'count?dateRange=all', '1', '1/changes'];
    const asked = [sync, next, '/v1/documents/501', ...paths.map((path) => `/v1/projects/${path}`)];
    await using control = await startControl();
    proxy.freeze();
    const [lateMs, ...answers] = await Promise.all([
      send(control.url, '/').then(({ ms }) => ms - CONTROL_MS),
      ...asked.map((path) => send(api.url, path, { key })),
    ]);
    for (const [i, answer] of answers.entries()) {
      checkError(answer, 'search_unavailable');
      assert(answer.ms <= PROMISED_MS + lateMs, `${asked[i]}: ${answer.ms.toFixed(0)} ms, the control ${lateMs.toFixed(0)} ms late`);
    }
    console.log(`      longest ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms, the control ${lateMs.toFixed(0)} ms late`);
  });

  it('a page that is being fetched ahead is awaited no longer than the request may wait', async () => {
    const ahead = new ReadAhead({ readPage: () => new Promise(() => {}) });
    const request = { query: {}, sort: [], size: 1, representation: 'compact', count: false } as const;
    const position = { removed: [0, 0], departed: null, seen: 0, highWater: null } as const;
    ahead.prepare({ ...request, sort: [] }, position);
    await assert.rejects(ahead.readPage({ ...request, sort: [] }, position, AbortSignal.timeout(50)), { code: 'search_unavailable' });
  });
});
