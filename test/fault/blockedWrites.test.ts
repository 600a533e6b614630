/** Servers that answer and take no writes: whoever writes says which block it is and what lifts it, does nothing half, and reads go on. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { loadFile } from '../../ingest/load.ts';
import { toRefusalIfBlocked } from '../../ingest/loadRefused.ts';
import { activateGeneration } from '../../ingest/publish/activate.ts';
import { TestProxy } from '../../scripts/lib/proxy.ts';
import { composeServiceWorker } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { KeyStore } from '../../src/core/identity/keys.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { Ledger } from '../../src/core/ledger/ledger.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { adminRunner } from '../support/admin.ts';
import { runSql } from '../support/database.ts';
import { project, TODAY } from '../support/fixtures.ts';
import type { TestIndex } from '../support/index.ts';
import { assertSameState, runIngest, servedProjects, servedState } from '../support/ingest.ts';
import { eventually, QUICK } from '../support/jobs.ts';
import { runProgram } from '../support/programs.ts';
import { refusingPostgres } from '../support/refusingPostgres.ts';
import { serverUrl } from '../support/servers.ts';
import type { TestProcess } from '../support/service.ts';
import { provideWorld } from '../support/world.ts';

const NAMED_WITHIN_MS = 10_000;
const COLORADO = { stateIds: [8], countyIds: [] };

/** What a command says, and that it says it in time. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work;
  const tookMs = performance.now() - started;
  assert.ok(tookMs < NAMED_WITHIN_MS, `${tookMs.toFixed(0)} ms`);
  return result;
}

describe('Writes that are blocked', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    const lines = [1, 2, 3].map((id) => project(id));
    await world.api.index.load(lines);
    await world.api.index.load(lines.slice(0, 2), { generation: 2, activate: false });
  });

  const sql = (text: string) => runSql(world.api.env.DATABASE_URL, `set search_path to "${world.api.env.DATABASE_SCHEMA}"; ${text}`);
  const served = async (): Promise<number> =>
    (await world.api.get('/projects/count', { states: 'CO', dateRange: 'all' })).body.data.matchCount;

  describe('by Elasticsearch on an index', () => {
    const UNCHANGED = 'Nothing that is served has changed\\.$';
    const FULL = new RegExp(`^The disk of Elasticsearch is full\\. Free space .* by itself\\. ${UNCHANGED}`);
    const READ_ONLY = new RegExp(
      `^An index of Elasticsearch is set read-only\\. Lift that: PUT test-\\S+/_settings with \\S+ \\S+ ${UNCHANGED}`,
    );

    // A switch between what is loaded needs no room.
    const load = async (index: TestIndex, file: string): Promise<unknown> => index.loadFile(file);
    const switchTo2 = async (index: TestIndex): Promise<unknown> =>
      activateGeneration(index.store, 2, index.clock).catch((error) => Promise.reject(toRefusalIfBlocked(error)));
    for (const [why, block, sentence, writers] of [
      ['that is set read-only', 'read_only', READ_ONLY, [load, switchTo2]],
      ['whose disk was full', 'read_only_allow_delete', FULL, [load]],
    ] as const)
      it(`${why}: its writers name that within 10 s and change nothing, reads go on, and all heals when it is lifted`, async () => {
        const { index } = world.api;
        const before = await servedState(index);
        const { served: set } = await index.store.read();
        assert.ok(set);
        const file = await index.file([project(9)], { mode: 'increment', generation: set.generation });
        const put = (value: boolean | null) =>
          index.client.indices.putSettings({ index: index.store.listIndices(set), settings: { [`index.blocks.${block}`]: value } });
        await put(true);
        try {
          for (const attempt of writers) await assert.rejects(inTime(attempt(index, file)), { name: 'LoadRefused', message: sentence });
          const { code, stderr, stdout } = await runIngest(index, ['load', file, '--json']);
          assert.deepEqual([code, sentence.test(stderr.trim()), `${JSON.parse(stdout).refused}\n`], [1, true, stderr]);
          assert.equal(await served(), 3);
          await (await world.api.another()).stop(); // a process that starts meanwhile serves
        } finally {
          await put(null);
        }
        assertSameState(await servedState(index), before);
        await index.loadFile(file);
        assert.equal(await served(), 4);
        await index.load([{ kind: 'project', id: 9, deleted: true }], { mode: 'increment', generation: set.generation });
      });

    it('in the middle of a load: nothing of it is served, and the same command then succeeds', async () => {
      const { index } = world.api;
      const { served: set } = await index.store.read();
      assert.ok(set);
      const before = await servedState(index);
      const file = await index.file([project(9, { mergedFrom: [3] })], { mode: 'increment', generation: set.generation });
      const indices = index.store.listIndices(set);
      const put = (value: boolean | null) =>
        index.client.indices.putSettings({ index: indices, settings: { 'index.blocks.read_only_allow_delete': value } });
      const client: typeof index.client = Object.create(index.client);
      client.bulk = (async (...args: Parameters<typeof client.bulk>) => {
        const answer = await index.client.bulk(...args);
        await put(true);
        return answer;
      }) as typeof client.bulk;
      try {
        const loading = loadFile({ client, names: index.names, ...index.clock }, file, false);
        await assert.rejects(inTime(loading), { name: 'LoadRefused', message: /^The disk of Elasticsearch is full/ });
        assert.deepEqual([await served(), (await servedProjects(index)).has(9)], [3, false]);
      } finally {
        await put(null);
      }
      assertSameState(await servedState(index), before);
      await index.loadFile(file);
      assert.deepEqual([...(await servedProjects(index)).keys()], [1, 2, 9]);
    });
  });

  describe('by Postgres', () => {
    /** Tables that every write of an account goes through. */
    const WRITTEN = ['credit_pool', 'ledger_entry', 'delivery', 'job', 'idempotency', 'project_list', 'api_key', 'index_commit'];
    const trigger = (table: string) =>
      `create trigger no_room before insert or update or delete on ${table} for each statement execute function no_room();`;
    const blocked = (sqlState: string, tables = WRITTEN) =>
      sql(`create function no_room() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file' using errcode = '${sqlState}'; end $$;
        ${tables.map(trigger).join('\n')}`);
    const lifted = () => sql('drop function no_room cascade');
    const create = (key: string, api: Pick<TestProcess, 'post'> = world.api) =>
      api.post('/lists', { name: 'Mine', kind: 'membership', projectIds: [1] }, { key });

    it('whose disk is full: writes are 503 and say so, pages of free plans are read, and nothing half stays', async () => {
      const [free, metered] = [await world.api.key('state', COLORADO), await world.api.key('api_only')];
      for (const key of [free, metered]) assert.equal((await world.api.get('/projects/search', { projectIds: 1 }, { key })).status, 200);
      await blocked('53100');
      try {
        const refused = [await create(free), await world.api.get('/projects/search', { projectIds: 2 }, { key: metered })];
        const noRoom = 'The account database has no room on its disk right now; nothing was charged. Retry shortly.';
        for (const { status, body } of refused)
          assert.deepEqual([status, body.error.code, body.error.message], [503, 'service_unavailable', noRoom]);
        const { status, body } = await world.exports.submit({ projectIds: [2] }, metered);
        assert.deepEqual([status, body.error?.code], [503, 'delivery_ledger_unavailable']);
        const page = await world.api.get('/projects/search', { projectIds: 2 }, { key: free });
        assert.deepEqual([page.status, page.body.meta.delivery.ledgerApplied], [200, false]);
        const loading = world.api.index.load([project(10)], { mode: 'increment', generation: 1 });
        const isFull = /^The disk of Postgres is full.* Then run the command again\.$/;
        await assert.rejects(inTime(loading), { name: 'LoadRefused', message: isFull });
        assert.equal((await servedProjects(world.api.index)).has(10), false);
        const { code, err } = await adminRunner(world.api)('credits', 'adjust', '1', '--amount', '1', '--note', 'n');
        const remedy = 'The disk of Postgres is full: free space on it or add some; nothing has to be restarted. Nothing was changed.';
        assert.deepEqual([code, JSON.parse(err).error.message], [1, remedy]);
      } finally {
        await lifted();
      }
      assert.equal((await create(free)).status, 201);
      await world.api.index.load([project(10)], { mode: 'increment', generation: 1 });
      assert.equal((await servedProjects(world.api.index)).has(10), true);
      const page = await world.api.get('/projects/search', { projectIds: 2 }, { key: metered });
      assert.deepEqual([page.status, page.body.meta.creditsUsed, await world.balance(metered)], [200, 1, 4_998]);
      assert.deepEqual((await auditLedger(world.api.database)).differences, []);
    });

    it('whose disk fills up under a worker: its log names that within 10 s, and the job ends once and is charged once', async () => {
      const key = await world.api.key('api_only');
      const lines: string[] = [];
      const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
      const { id } = (await world.exports.submit({ projectIds: [1, 2] }, key)).body.data;
      await blocked('53100', ['delivery']);
      const worker = composeServiceWorker(loadConfig(world.api.env), log, () => new Date(`${TODAY}T19:00:00Z`), QUICK);
      try {
        await worker.start();
        await inTime(eventually('the line of the log', () => lines.find((line) => line.includes('has no room on its disk'))));
        assert.notEqual((await world.exports.poll(id, key)).body.data.status, 'ready');
      } finally {
        await lifted();
      }
      try {
        const made = await world.exports.settled(id, key);
        assert.deepEqual([made.status, made.creditsCharged, await world.balance(key)], ['ready', 2, 4_998]);
        assert.deepEqual((await auditLedger(world.api.database)).differences, []);
      } finally {
        await worker.stop(0);
      }
    });

    it('that is read-only: writes say so, reads go on, and migrations leave everything as it was', async () => {
      const { DATABASE_SCHEMA: schema, DATABASE_URL: url } = world.api.env;
      const readOnly = new URL(url as string);
      readOnly.searchParams.set('options', `-c default_transaction_read_only=on -c search_path=${schema} -c timezone=UTC`);
      const database = new Database({ url: readOnly.href, schema: schema as string });
      try {
        const found = await new KeyStore({ database, pepper: world.api.config.keyPepper }).resolve(await world.api.key('state', COLORADO));
        assert.ok(found.kind === 'ok');
        const payer = { teamId: found.principal.teamId, grant: { grantedFor: 'state month' as const, credits: 1 }, cause: {} };
        await assert.rejects(new Ledger(database).balance(payer), {
          code: 'service_unavailable',
          message: 'The account database takes no writes right now; nothing was charged. Retry shortly.',
        });
      } finally {
        await database.close();
      }
      await assert.rejects(inTime(migrate(readOnly.href, `${schema}_new`)), { code: '25006' });
      const made = `${schema}_new`;
      const { code, stderr } = await start('src/main.ts', { ...world.api.env, DATABASE_URL: readOnly.href, DATABASE_SCHEMA: made });
      const remedy = 'point DATABASE_URL to the primary, or lift default_transaction_read_only (alter role or alter database … reset).\n';
      assert.deepEqual([code, stderr], [1, `Postgres (DATABASE_URL) cannot be migrated: Postgres is read-only: ${remedy}`]);
      assert.deepEqual(await world.api.database.query('select from pg_namespace where nspname = $1', [made]), []);
    });

    it('that has no connection left: writes and programs say so, recognised keys read on, and all heals', async () => {
      await using proxy = new TestProxy(serverUrl('DATABASE_URL'), 5432);
      await proxy.start();
      await using api = await world.api.another({ DATABASE_URL: proxy.url });
      const key = await world.api.key('state', COLORADO);
      assert.equal((await api.get('/projects/1', {}, { key })).status, 200);
      await proxy.stop();
      const full = await refusingPostgres(proxy.port);
      try {
        await sleep(600);
        const page = await api.get('/projects/1', {}, { key });
        assert.deepEqual([page.status, page.body.meta?.delivery.ledgerApplied], [200, false], JSON.stringify(page.body));
        const { status, body } = await create(key, api);
        assert.equal(status, 503);
        assert.equal(body.error.message, 'The account database has no free connection right now; nothing was charged. Retry shortly.');
        const worker = await start('src/worker.ts', { ...world.api.env, DATABASE_URL: proxy.url });
        assert.equal(worker.code, 1);
        assert.match(
          worker.stderr,
          /^Postgres \(DATABASE_URL\) cannot be migrated: Postgres has no free connection: raise max_connections, .*\n$/,
        );
        const load = await runIngest(world.api.index, ['load', 'none.ndjson'], { DATABASE_URL: proxy.url });
        assert.equal(load.code, 1);
        assert.match(load.stderr, /^Postgres has no free connection: .* Then run the command again\.\n$/);
      } finally {
        await full.stop();
        await proxy.start();
      }
      await eventually('Postgres', async () => ((await create(key, api)).status === 201 ? true : undefined), 5_000);
    });
  });
});

const start = (file: string, env: Record<string, string>) => runProgram(file, [], { ...process.env, ...env });
