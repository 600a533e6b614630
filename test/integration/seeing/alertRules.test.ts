/**
 * The shipped alert rules, fired by faults of a real service. What a fault changes is scraped twice, before and after; its minute is repeated
 * until every window of the rules is full. With PROMTOOL=/path/of/promtool the same series and expectations go through Prometheus' own engine.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'js-yaml';
import { pino } from 'pino';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { JobStore } from '../../../src/core/jobs/store.ts';
import { recordAudit } from '../../../src/core/ledger/audit.ts';
import { OutboxStore } from '../../../src/core/mail/outbox.ts';
import { prepareMetrics } from '../../../src/operate/metrics/prepareMetrics.ts';
import { newFolder } from '../../support/folder.ts';
import { promtool, type Sample, scrape } from '../../support/metrics.ts';
import { projectLine } from '../../support/projectLine.ts';
import { type AlertRule, compileExpression, firing, type Series } from '../../support/promql.ts';
import { serverUrl } from '../../support/servers.ts';
import { type TestService, testService, USUAL_WAITS } from '../../support/service.ts';

const RULES = path.resolve(import.meta.dirname, '../../../src/docs/alert-rules.yml');
const { groups } = load(readFileSync(RULES, 'utf8')) as { groups: { rules: AlertRule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const PORTS = { ELASTICSEARCH_URL: 9200, DATABASE_URL: 5432, REDIS_URL: 6379 } as const;
type ServerVariable = keyof typeof PORTS;
/** Minutes before a fault, and with it: longer than every wait of the rules. */
const [QUIET, FAULTY] = [60, 70];
const LAST = QUIET + FAULTY;

interface Reading {
  samples: Sample[];
  /** Unix seconds */
  at: number;
}

describe('alert rules', () => {
  let api: TestService;
  const folder = newFolder('rules');
  let key: string;
  const proxies = new Map<ServerVariable, TestProxy>();
  const fired = new Set<string>();
  const proxy = (name: ServerVariable) => proxies.get(name) as TestProxy;
  const search = (limit = 1) => api.get('/projects/search', { dateRange: 'all', limit }, { key });

  before(async () => {
    const env: Record<string, string> = { ...USUAL_WAITS, METRICS_PORT: '0' };
    for (const name of Object.keys(PORTS) as ServerVariable[]) {
      const one = new TestProxy(serverUrl(name), PORTS[name]);
      await one.start();
      proxies.set(name, one);
      env[name] = one.url;
    }
    api = await testService({ env });
    await api.index.load([projectLine(1)]);
    await recordAudit(api.database, 0);
    key = await api.key('national');
    for (let i = 0; i < 30; i += 1) assert.equal((await search()).status, 200);
  });
  after(async () => {
    for (const one of proxies.values()) one.delayMs = 0;
    await api.stop();
    for (const one of proxies.values()) await one.stop();
  });

  async function read(url: string | null = api.metricsUrl): Promise<Reading> {
    const labels = { job: 'landuse-api', instance: 'api:9464' };
    const up = (value: number): Sample => ({ name: 'up', labels, value });
    try {
      const { samples } = await scrape(url);
      const labelled = samples.map((sample) => ({ ...sample, labels: { ...labels, ...sample.labels } }));
      return { samples: [up(1), ...labelled], at: Date.now() / 1000 };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // of a refused connection
      return { samples: [up(0)], at: Date.now() / 1000 };
    }
  }

  /** Sound for an hour, then the fault's minute again and again. @param laterDays how far the clock of Prometheus has gone on since */
  function seriesOf(before: Reading, after: Reading, laterDays = 0): Series[] {
    const used = new Set(rules.flatMap(({ expr }) => [...expr.matchAll(/\b(?:landuse_\w+|up\b)/g)].map(([name]) => name)));
    const keyOf = ({ name, labels }: Sample) => `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    const [first, second] = [before, after].map(
      ({ samples }) => new Map(samples.filter(({ name }) => used.has(name)).map((s) => [keyOf(s), s])),
    );
    const all = new Map([...(first ?? []), ...(second ?? [])]);
    const isCounter = (name: string) => /_(total|count|bucket)$/.test(name);
    return [...all].map(([id, { name, labels }]) => {
      // Minute 0 stands for the time of the readings less an hour: what Prometheus calls time() begins there.
      const shift = name.endsWith('_timestamp_seconds') ? before.at - QUIET * 60 + laterDays * 86_400 : 0;
      const [a, b] = [first?.get(id)?.value, second?.get(id)?.value];
      const sound = a === undefined ? (isCounter(name) ? 0 : null) : a - shift;
      const values = Array.from({ length: LAST + 1 }, (_, minute) => {
        const k = minute - QUIET;
        if (k <= 0) return sound;
        if (isCounter(name)) return b === undefined ? null : (a ?? 0) + (b - (a ?? 0)) * k;
        return b === undefined ? null : b - shift;
      });
      return { name, labels, values };
    });
  }

  /** What fires at the end; Prometheus' own engine has to say the same. */
  async function firingNow(series: Series[]): Promise<string[]> {
    const found = firing(rules, series, LAST);
    const told = promtoolOn(series, found);
    if (told) {
      const file = path.join(folder, 'rules.test.yml');
      await writeFile(file, JSON.stringify(told));
      const answer = promtool(['test', 'rules', file]);
      assert.equal(answer?.code, 0, answer?.said);
    }
    return found;
  }

  function promtoolOn(series: Series[], alerts: string[]): object | null {
    if (!process.env.PROMTOOL) return null;
    const labelsOf = ({ labels }: Series) => Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    const named = (one: Series) => `${one.name}{${labelsOf(one).join()}}`;
    const input = series.map((one) => ({ series: named(one), values: one.values.map((value) => value ?? '_').join(' ') }));
    const samples = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
    const test = { expr: 'max by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${LAST}m`, exp_samples: samples };
    return { rule_files: [RULES], evaluation_interval: '1m', tests: [{ interval: '1m', input_series: input, promql_expr_test: [test] }] };
  }

  /** Injects a fault, and says which rules fire by it. @param hurt what makes the fault felt */
  async function faulted(
    begin: () => Promise<unknown> | unknown,
    heal: () => Promise<unknown> | unknown,
    url = api.metricsUrl,
  ): Promise<string[]> {
    const before = await read(url);
    try {
      await begin();
      const found = await firingNow(seriesOf(before, await read(url)));
      for (const alert of found) fired.add(alert);
      return found;
    } finally {
      await heal();
      await everyServerUp();
    }
  }

  /** A client connects again a moment after its server is back. */
  async function everyServerUp(): Promise<void> {
    const isDown = ({ name, value }: Sample) => name === 'landuse_server_up' && value === 0;
    for (const until = Date.now() + 30_000; (await read()).samples.some(isDown); await sleep(100))
      assert(Date.now() < until, 'a server stays down');
  }
  const nothing = () => undefined;
  /** A pool that has counted single records goes on firing for a while. */
  const withoutProbes = (alerts: readonly string[]) => alerts.filter((alert) => alert !== 'LandusePoolProbes');
  const times = async (count: number, ask: () => Promise<unknown>) => {
    for (let i = 0; i < count; i += 1) await ask();
  };
  const sql = (text: string) => api.database.query(text);
  /** What fires while a server is gone. */
  const without = (name: ServerVariable, work: () => Promise<unknown> = async () => undefined) =>
    faulted(
      () => proxy(name).stop().then(work),
      () => proxy(name).start(),
    );

  it('are rules that promtool takes, of metrics that the service has', async () => {
    const said = promtool(['check', 'rules', RULES]);
    if (said) assert.equal(said.code, 0, said.said);
    const { families } = await scrape(api.metricsUrl);
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/landuse_\w+/g)].map(([name]) => name.replace(/_(count|bucket)$/, '')));
    for (const name of named) assert(families.has(name), name);
    for (const { expr } of rules) compileExpression(expr, []);
  });

  it('are silent while all is well, and with a handful of failures in little traffic', async () => {
    assert.deepEqual(await faulted(() => times(30, search), nothing), []);
    const before = await read();
    const one = { name: 'landuse_http_request_duration_seconds_count', value: 0 };
    const labels = { job: 'landuse-api', instance: 'api:9464', method: 'GET', route: '/v1/projects/search', status: '5xx' };
    const series = seriesOf(before, before).filter(({ name }) => name !== one.name);
    const values = Array.from({ length: LAST + 1 }, (_, minute) => (minute > LAST - 30 ? 8 : 0));
    const lone = { name: one.name, labels, values };
    assert.deepEqual(await firingNow([...series, lone]), [], '8 of 8 requests in half an hour are nobody to wake for');
    assert.notDeepEqual(await firingNow([...series, { ...lone, values: values.map((value) => value * 2) }]), []);
  });

  it('fire while Elasticsearch is gone: its own, and that of availability', async () => {
    const found = await without('ELASTICSEARCH_URL', () => times(12, search));
    assert.deepEqual(found, ['LanduseAvailabilityBurns', 'LanduseAvailabilityBurnsFast', 'LanduseElasticsearchDown']);
  });

  it('fire while Elasticsearch is slow', async () => {
    const slow = async () => {
      proxy('ELASTICSEARCH_URL').delayMs = 1_100;
      await Promise.all(Array.from({ length: 12 }, search));
      proxy('ELASTICSEARCH_URL').delayMs = 0;
    };
    assert.deepEqual(await faulted(slow, nothing), ['LanduseLatencyBurns', 'LanduseLatencyBurnsFast']);
  });

  it('fire while Postgres is gone, and say nothing of what is then unknown', async () => {
    assert.deepEqual(await without('DATABASE_URL'), ['LanduseLedgerAuditOld', 'LandusePostgresDown']);
  });

  it('fire while Redis is gone', async () => {
    assert.deepEqual(await without('REDIS_URL'), ['LanduseRedisDown']);
  });

  it('fire where a clock is wrong, an index is blocked and the books do not add up', async () => {
    const index = `${api.index.prefix}-projects-g*`;
    const block = (on: true | null) => api.index.client.indices.putSettings({ index, settings: { 'index.blocks.write': on } });
    const begin = () => Promise.all([api.databaseClock({ aheadMs: 4_000 }), block(true), recordAudit(api.database, 2)]);
    const heal = () => Promise.all([api.databaseClock({ aheadMs: 0 }), block(null), sql('delete from audit_run where differences > 0')]);
    assert.deepEqual(await faulted(begin, heal), ['LanduseClockSkew', 'LanduseElasticsearchBlocked', 'LanduseLedgerAuditFails']);
  });

  it('fire where work stands still: jobs, their credits, alerts, mails, messages', async () => {
    const owner = await api.key('api_only', undefined, { monthlyCredits: 100 });
    const begin = async () => {
      assert.equal((await api.post('/exports', { filters: { dateRange: 'all' } }, { key: owner })).status, 202);
      const late = { name: 'Late', filters: { states: 'CO' }, cadence: { frequency: 'daily' } };
      assert.equal((await api.post('/alerts', late, { key: owner })).status, 201);
      const mail = { event: 'e', topic: 't', recipient: 'a@b.example', content: { subject: 's', paragraphs: [], link: null, reason: 'r' } };
      await api.database.transaction((tx) => new OutboxStore(new JobStore(api.database)).put(tx, mail as never));
      await sql(`insert into webhook (id, team_id, created_by, made_with, url, types, created_at)
        select 'whk_' || repeat('a', 22), team_id, user_id, id, 'https://a.example', '{ping}', now() from api_key limit 1`);
      await sql(`insert into event (id, team_id, type, subject_id, at)
        select 'msg_' || repeat('a', 22), team_id, 'ping', 'x', now() - interval '1 hour' from webhook`);
      await sql(`insert into webhook_message (webhook_id, event_id, status, next_attempt_at)
        select w.id, e.id, 'sending', now() from webhook w, event e`);
      await sql(`update job set created_at = now() - interval '3 hours', run_after = now() - interval '3 hours'`);
      await sql(`update alert set next_run_at = service_now() - interval '10 minutes'`);
    };
    const heal = async () => {
      await sql('delete from webhook_message; delete from event; delete from webhook');
      await sql(`update job set created_at = now(), run_after = now() + interval '1 hour'`);
      await sql(`update alert set next_run_at = service_now() + interval '1 day'`);
    };
    const late = ['LanduseAlertsLate', 'LanduseJobsStuck', 'LanduseMailsWait', 'LanduseReservationOld', 'LanduseWebhooksWait'];
    assert.deepEqual(await faulted(begin, heal), late);
  });

  it('fire on logins that are refused again and again, and on a pool that counts single records', async () => {
    const begin = async () => {
      await times(70, () => api.get('/projects/1', {}, { key: '' }));
      await times(101, () => api.get('/projects/count', { projectIds: '1' }, { key }));
    };
    assert.deepEqual(await faulted(begin, nothing), ['LanduseLoginsRefused', 'LandusePoolProbes']);
  });

  it('fire on an index of another lineage, a full disk, a pool that is used up and jobs that fail', async () => {
    const metrics = await prepareMetrics(api.config, pino({ level: 'silent' }), 0);
    let fault = false;
    const queries = api.service.openQueries();
    const wrong = async () => {
      const { problem, standing } = await queries.elasticsearch();
      const nodes = standing.nodes && { ...standing.nodes, ...(fault ? { leastDiskAvailable: 0.04 } : {}) };
      return { problem, standing: { ...standing, nodes } };
    };
    const url = `http://127.0.0.1:${await metrics.serve(() => ({ ...queries, elasticsearch: wrong, lineage: async () => !fault }))}/metrics`;
    metrics.observers.pool?.('requests', () => ({ busy: 20, idle: 0, waiting: fault ? 3 : 0, max: 20 }));
    const begin = () => {
      fault = true;
      for (let i = 0; i < 3; i += 1) metrics.observers.attempt?.({ kind: 'csv_export', outcome: 'failed', seconds: 1 });
    };
    const found = await faulted(begin, nothing, url).finally(() => metrics.close());
    assert.deepEqual(found, ['LanduseElasticsearchDiskFilling', 'LanduseJobsFail', 'LanduseLineageWrong', 'LandusePoolUsedUp']);
  });

  it('fire when nothing is loaded for days, and nobody audits', async () => {
    const reading = await read();
    const found = await firingNow(seriesOf(reading, reading, 9));
    for (const alert of found) fired.add(alert);
    assert.deepEqual(withoutProbes(found), ['LanduseGenerationOld', 'LanduseLedgerAuditOld']);
  });

  it('fire when a rollback is cut short while it stamps', async () => {
    const { store, clock } = api.index;
    await api.index.load([projectLine(1, { meetingDate: '2026-10-02' })], { generation: 2 });
    const onServed = () => {
      throw new Error('cut short');
    };
    const found = await faulted(
      () => assert.rejects(rollBackGeneration(store, { ...clock, onServed }), /cut short/),
      () => rollBackGeneration(store, clock),
    );
    assert.deepEqual(withoutProbes(found), ['LanduseSyncStamping']);
  });

  it('fire when a process does not answer', async () => {
    const other = await prepareMetrics(api.config, pino({ level: 'silent' }), 0);
    const url = `http://127.0.0.1:${await other.serve(api.service.openQueries)}/metrics`;
    const before = await read(url);
    await other.close();
    const found = await firingNow(seriesOf(before, await read(url)));
    for (const alert of found) fired.add(alert);
    assert(found.includes('LanduseProcessDown'), found.join());
  });

  it('have each been fired here', () => {
    for (const { alert } of rules) assert(fired.has(alert), alert);
  });
});
