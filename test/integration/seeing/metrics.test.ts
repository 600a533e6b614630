/** What Prometheus reads of a process: right figures, bounded in number, and an answer in time whatever the servers do. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { composeServiceWorker } from '../../../src/app.ts';
import { recordAudit } from '../../../src/core/ledger/audit.ts';
import { prepareMetrics } from '../../../src/operate/metrics/prepareMetrics.ts';
import { newFolder } from '../../support/folder.ts';
import { eventually, QUICK } from '../../support/jobs.ts';
import { lintMetrics, promtool, type Scraped, scrape } from '../../support/metrics.ts';
import { projectLine } from '../../support/projectLine.ts';
import { serverUrl } from '../../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../../support/service.ts';

const SERVERS = { ELASTICSEARCH_URL: 9200, DATABASE_URL: 5432, REDIS_URL: 6379 } as const;
type ServerVariable = keyof typeof SERVERS;
const NAME_OF = { ELASTICSEARCH_URL: 'elasticsearch', DATABASE_URL: 'postgres', REDIS_URL: 'redis' } as const;
const RECORDS = 5;

describe('metrics', () => {
  let api: TestService;
  const folder = newFolder('metrics');
  const proxies = new Map<ServerVariable, TestProxy>();
  const lines: string[] = [];
  const search = (key: string, parameters = {}) => api.get('/projects/search', { dateRange: 'all', limit: 2, ...parameters }, { key });

  before(async () => {
    const urls: Record<string, string> = {};
    for (const name of Object.keys(SERVERS) as ServerVariable[]) {
      const proxy = new TestProxy(serverUrl(name), SERVERS[name]);
      await proxy.start();
      proxies.set(name, proxy);
      urls[name] = proxy.url;
    }
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    api = await testService({ env: { ...USUAL_WAITS, ...urls, METRICS_PORT: '0', EXPORT_DIR: folder }, log });
    const lone = projectLine(1, { projectName: 'Lone Quarry', latitude: 40, longitude: -105 });
    await api.index.load([lone, ...[2, 3, 4, 5].map((id) => projectLine(id))], { generation: 7 });
  });
  after(async () => {
    for (const proxy of proxies.values()) proxy.thaw();
    await api.stop();
    for (const proxy of proxies.values()) await proxy.stop();
  });

  it('follow the conventions of Prometheus, and promtool where there is one', async () => {
    const key = await api.key('national');
    await search(key);
    const scraped = await scrape(api.metricsUrl);
    assert.deepEqual(lintMetrics(scraped), []);
    assert(scraped.families.size > 55, `${scraped.families.size} families, those of the process among them`);
    const said = promtool(['check', 'metrics'], scraped.text);
    if (said) assert.deepEqual(said, { code: 0, said: '' });
    const broken = scraped.text.replace(/^# HELP landuse_http_request.*\n/m, '');
    assert.notDeepEqual(lintMetrics({ ...scraped, families: new Map([['landuse_http_refusals', { type: 'counter', help: '' }]]) }), []);
    if (said) assert.notEqual(promtool(['check', 'metrics'], broken)?.code, 0);
  });

  it('count requests by declared path and class, credits as they were charged, and refusals by their reason', async () => {
    const before = await scrape(api.metricsUrl);
    const grown = async (name: string, labels: Record<string, string>) =>
      ((await scrape(api.metricsUrl)).value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    const key = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const charged = (await search(key)).body.meta.creditsUsed;
    assert.equal(charged, 2);
    await search(key);
    await api.get('/projects/999', {}, { key });
    await api.get('/projects/999/', {}, { key });
    await api.get('/projects/search/', { citis: 'Boulder' }, { key });
    const poor = await api.key('api_only', undefined, { monthlyCredits: 1 });
    assert.equal((await search(poor)).status, 402);
    assert.equal((await api.get('/projects/1', {}, { key: '' })).status, 401);
    for (const end of ['a', 'b', 'c']) await api.get('/projects/1', {}, { key: `svc_live_${end.repeat(43)}` });
    const requests = (labels: Record<string, string>) => grown('landuse_http_request_duration_seconds_count', { method: 'GET', ...labels });
    assert.equal(await requests({ route: '/v1/projects/search', status: '2xx' }), 2);
    assert.equal(await requests({ route: '/v1/projects/search', status: '4xx' }), 2);
    assert.equal(await requests({ route: '/v1/projects/{id}', status: '4xx' }), 6);
    assert.equal(await grown('landuse_credits_charged_total', { subject: 'records' }), charged);
    assert.equal(await grown('landuse_http_refusals_total', { code: 'insufficient_credits' }), 1);
    const logins = (reason: string) => grown('landuse_refused_logins_total', { reason });
    assert.deepEqual([await logins('missing_api_key'), await logins('unauthorized')], [1, 3]);
    const strict = await api.another({ RATE_LIMIT_HEALTH: '1' }, { refusedCredentialsPerMinute: 3 });
    const probed = await Promise.all([1, 2].map(async () => (await fetch(`${strict.url}/health`)).status));
    assert.deepEqual(probed.sort(), [200, 429], 'is no login');
    await strict.get('/projects/1', {}, { key: `svc_live_${'d'.repeat(43)}` });
    assert.equal((await scrape(strict.metricsUrl)).value('landuse_refused_logins_total', { reason: 'too_many_tries' }), 1);
    await strict.stop();
  });

  it('are bounded: paths, ids, methods, texts and keys make no further series', async () => {
    const probe = async (round: number) => {
      const key = await api.key('national');
      for (let i = 0; i < 20; i += 1) {
        const id = round * 1_000 + i;
        await api.get(`/projects/${id}`, {}, { key });
        const headers = { 'X-Request-Id': `probe-${id}`, 'User-Agent': `agent ${id}` };
        await api.get(`/nowhere/${id}`, { q: `text ${id}` }, { key, headers });
        const method = ['GET', 'PUT', 'PROPFIND', 'REPORT'][i % 4] as string;
        await api.get('/projects/search', { q: `words ${id}`, limit: 1 }, { key, method });
        await fetch(`${api.url}/unsubscribe/${'x'.repeat(20)}${id}`);
      }
      return scrape(api.metricsUrl);
    };
    const [first, second] = [await probe(1), await probe(2)];
    const ofRequests = ({ samples }: Scraped) =>
      samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`).filter((one) => /http|refus|login/.test(one));
    assert.deepEqual(ofRequests(second).sort(), ofRequests(first).sort());
    for (const labels of [{ route: 'unknown', method: 'GET' }, { method: 'other' }, { route: '/unsubscribe/{token}' }])
      assert(second.value('landuse_http_request_duration_seconds_count', labels as Record<string, string>), JSON.stringify(labels));
    assert.doesNotMatch(second.text, /text 2|words 2|nowhere|probe-|agent 2|svc_|xxxx/);
    assert(second.samples.length < 2_500, `${second.samples.length} series`);
  });

  it('show what is served, the servers, their clocks and the pool of connections', async () => {
    const { value } = await scrape(api.metricsUrl);
    for (const server of Object.values(NAME_OF)) assert.equal(value('landuse_server_up', { server }), 1, server);
    assert.equal(value('landuse_generation'), 7);
    assert.equal(value('landuse_sync_stamping'), 0);
    const age = Date.now() / 1000 - (value('landuse_generation_committed_timestamp_seconds') ?? 0);
    assert(age > 0 && age < 600, `loaded ${age} s ago`);
    for (const server of ['postgres', 'elasticsearch']) assert(Math.abs(value('landuse_clock_skew_seconds', { server }) ?? 99) < 5, server);
    assert.equal(value('landuse_elasticsearch_blocked_indices'), 0);
    const disk = value('landuse_elasticsearch_disk_available_ratio') ?? -1;
    assert(disk > 0 && disk < 1, String(disk));
    assert.equal(value('landuse_postgres_connections_max', { pool: 'requests' }), 20);
    assert((value('landuse_postgres_connections', { pool: 'requests', state: 'idle' }) ?? 0) > 0);
    assert((value('landuse_elasticsearch_call_duration_seconds_count', { operation: 'search', outcome: 'ok' }) ?? 0) > 0);
    assert((value('landuse_postgres_statement_duration_seconds_count', { statement: 'deliver page', outcome: 'ok' }) ?? 0) > 0);
    assert((value('landuse_redis_command_duration_seconds_count', { outcome: 'ok' }) ?? 0) > 0);
    assert((value('process_resident_memory_bytes') ?? 0) > 1e6);
    assert.equal(value('landuse_ledger_audit_differences'), undefined, 'nobody has audited');
    assert.equal(value('landuse_lineage_agrees'), 1);
  });

  it('show blocked indices, a clock that is wrong, an audit, jobs that wait and what they hold, and alerts that are late', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const queued = await api.post('/exports', { filters: { dateRange: 'all' } }, { key });
    assert.equal(queued.status, 202, JSON.stringify(queued.body));
    const alert = await api.post('/alerts', { name: 'Late', filters: { states: 'CO' }, cadence: { frequency: 'daily' } }, { key });
    assert.equal(alert.status, 201, JSON.stringify(alert.body));
    await api.database.query(`update alert set next_run_at = service_now() - interval '10 minutes'`);
    const indices = { index: `${api.index.prefix}-projects-g*`, settings: { 'index.blocks.write': true } };
    await api.index.client.indices.putSettings(indices);
    await api.databaseClock({ aheadMs: 60_000 });
    await recordAudit(api.database, 3);
    const { value } = await scrape(api.metricsUrl);
    assert.equal(value('landuse_elasticsearch_blocked_indices'), 1);
    const skew = value('landuse_clock_skew_seconds', { server: 'postgres' }) ?? 0;
    assert(skew < -58 && skew > -62, String(skew));
    assert.equal(value('landuse_ledger_audit_differences'), 3);
    assert.equal(value('landuse_jobs', { kind: 'csv_export', status: 'queued' }), 1);
    assert((value('landuse_job_overdue_seconds', { kind: 'csv_export' }) ?? 0) > 0);
    assert.deepEqual([value('landuse_reservations', { subject: 'records' }), value('landuse_reservation_credits')], [1, RECORDS]);
    assert.equal(value('landuse_alert_runs_late'), 1);
    assert((value('landuse_alert_run_lateness_seconds') ?? 0) > 600);
    await api.index.client.indices.putSettings({ ...indices, settings: { 'index.blocks.write': null } });
    await api.databaseClock({ aheadMs: 0 });
  });

  it('tell a search whose client left from one that Elasticsearch did not answer', async () => {
    const key = await api.key('national');
    await search(key);
    const proxy = proxies.get('ELASTICSEARCH_URL') as TestProxy;
    const searches = async () => {
      const { value } = await scrape(api.metricsUrl);
      const of = (outcome: string) => value('landuse_elasticsearch_call_duration_seconds_count', { operation: 'search', outcome }) ?? 0;
      return { cancelled: of('cancelled'), failed: of('failed') };
    };
    const ask = (signal: AbortSignal | null) =>
      fetch(`${api.url}/v1/projects/search?dateRange=all&limit=3`, { headers: { Authorization: `Bearer ${key}` }, signal });
    const before = await searches();
    proxy.freeze();
    try {
      await assert.rejects(ask(AbortSignal.timeout(300)));
      await sleep(300); // until the service has noticed
    } finally {
      proxy.thaw();
    }
    const left = await eventually('the call that was cancelled', async () => {
      const now = await searches();
      return now.cancelled > before.cancelled ? now : undefined;
    });
    assert.deepEqual(left, { cancelled: before.cancelled + 1, failed: before.failed });
    proxy.freeze();
    try {
      assert.equal((await ask(null)).status, 503);
    } finally {
      proxy.thaw();
    }
    const late = await searches();
    assert.equal(late.cancelled, left.cancelled);
    assert.ok(late.failed > left.failed);
  });

  it('show pools that count single records again and again, and name each once in the log', async () => {
    const key = await api.key('national');
    for (let i = 0; i < 102; i += 1)
      assert.equal((await api.get('/projects/count', { projectIds: '1' }, { key })).body.data?.matchCount, 1);
    const { value } = await scrape(api.metricsUrl);
    assert.equal(value('landuse_pools_counting_single_records'), 1);
    const [named, ...others] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /many counts/.test(msg));
    assert.deepEqual([typeof named.team, named.counts, others], ['number', 101, []]);
  });

  it('take a tile of the map that holds a single unpaid record for a count of one', async () => {
    const key = await api.key('api_only');
    const view = '-180,-90,180,90';
    const { body } = await api.get('/projects/map', { view, projectName: 'Lone Quarry', dateRange: 'all' }, { key });
    const { cells } = body.data as unknown as { cells: { count: number }[] };
    assert.deepEqual([cells.length, cells[0]?.count], [1, 1]);
    const pools = async () => (await scrape(api.metricsUrl)).value('landuse_pools_counting_single_records') ?? 0;
    const before = await pools();
    for (let i = 0; i < 101; i += 1) await api.get('/projects/map', { view, projectName: 'Lone Quarry', dateRange: 'all' }, { key });
    assert.equal(await pools(), before + 1);
  });

  it('take a request that filters among ids of unpaid records for a count of one', async () => {
    const key = await api.key('api_only');
    const pools = async () => (await scrape(api.metricsUrl)).value('landuse_pools_counting_single_records') ?? 0;
    const before = await pools();
    const asked = { projectIds: '1', acreageMin: 1_000_000 };
    for (let i = 0; i < 50; i += 1) {
      assert.equal((await api.get('/projects/search', asked, { key })).status, 200);
      assert.equal((await api.get('/projects/sync', asked, { key })).status, 200);
    }
    assert.equal(await pools(), before);
    await api.post('/snapshots', { filters: { projectIds: [1], acreageMin: 1_000_000 } }, { key });
    assert.equal(await pools(), before + 1);
  });

  for (const variable of Object.keys(SERVERS) as ServerVariable[])
    for (const how of ['is gone', 'is frozen'] as const)
      it(`answer in 2 s while ${NAME_OF[variable]} ${how}, say so, and heal`, async () => {
        const proxy = proxies.get(variable) as TestProxy;
        const server = NAME_OF[variable];
        await (how === 'is gone' ? proxy.stop() : proxy.freeze());
        const during = await scrape(api.metricsUrl);
        assert(during.seconds < 2, `${during.seconds} s`);
        assert.equal(during.value('landuse_server_up', { server }), 0);
        for (const other of Object.values(NAME_OF).filter((name) => name !== server))
          assert.equal(during.value('landuse_server_up', { server: other }), 1, other);
        if (server === 'postgres') assert.equal(during.value('landuse_alert_runs_late'), undefined, 'not known, and not 0');
        if (server === 'elasticsearch') assert.equal(during.value('landuse_generation'), undefined);
        assert((during.value('landuse_http_request_duration_seconds_count') ?? 0) > 0);
        await (how === 'is gone' ? proxy.start() : proxy.thaw());
        const isUp = async () => (await scrape(api.metricsUrl)).value('landuse_server_up', { server }) === 1;
        await eventually(`${server} again`, async () => (await isUp()) || undefined);
      });

  it('of a worker: attempts by kind and outcome, and the credits that they charged', async () => {
    const metrics = await prepareMetrics(api.config, pino({ level: 'silent' }), 0);
    const worker = composeServiceWorker(api.config, pino({ level: 'silent' }), () => new Date(), QUICK, metrics.observers);
    await worker.start();
    try {
      const url = `http://127.0.0.1:${await metrics.serve(worker.openQueries)}/metrics`;
      const attempts = { kind: 'csv_export', outcome: 'settled' };
      const settled = async () => (await scrape(url)).value('landuse_job_attempt_duration_seconds_count', attempts);
      await eventually('an attempt that is settled', async () => (await settled()) || undefined);
      const { value } = await scrape(url);
      assert((value('landuse_credits_charged_total', { subject: 'records' }) ?? 0) >= RECORDS, 'of the export that waited');
      assert.equal(value('landuse_postgres_connections_max', { pool: 'control' }), 4);
      assert.equal(value('landuse_server_up', { server: 'redis' }), undefined, 'it does not use Redis');
      assert.equal(value('landuse_server_up', { server: 'postgres' }), 1);
    } finally {
      await worker.stop(0);
      await metrics.close();
    }
  });

  it('say which setting is in the way where the port is taken', async () => {
    const taken = new URL(api.metricsUrl ?? '').port;
    const metricsAddress = { host: '127.0.0.1', port: Number(taken) };
    const metrics = await prepareMetrics({ ...api.config, metricsAddress }, pino({ level: 'silent' }));
    await assert.rejects(metrics.serve(api.service.openQueries), new RegExp(`METRICS_PORT ${taken} is taken`));
    await metrics.close();
  });
});
