import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Suppressions } from '../../../src/core/people/suppressions.ts';
import { visibilityFilter } from '../../../src/core/store/elastic/indices.ts';
import { readMapping } from '../../../src/core/store/elastic/mappedFields.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { findPostgresProblem } from '../../../src/core/store/readiness.ts';
import { type Machine, readMachine } from '../../../src/operate/preflight/checkMachine.ts';
import { checkDiskShare, checkVersion } from '../../../src/operate/preflight/checkServers.ts';
import { runPreflight } from '../../../src/operate/preflight/preflight.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { HttpProxy } from '../../support/httpProxy.ts';
import { TestIndex } from '../../support/index.ts';
import { testMailServer } from '../../support/mailServer.ts';
import { bareEnvironment } from '../../support/programs.ts';
import { provide } from '../../support/provide.ts';
import { testRedis } from '../../support/redis.ts';
import { serverUrl } from '../../support/servers.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const SECRET = 'a secret for tests, of more than 32 characters';
const GIB = 1024 ** 3;
const GOOD: Machine = { nodeVersion: '24.21.0', heapBytes: 2 * GIB, memoryBytes: 8 * GIB, openFiles: 65_536, maxMapCount: 1_048_576 };

describe('npm run preflight', () => {
  const index = new TestIndex('2026-11-20');
  const database = provide(() => testDatabase());
  const redis = provide(() => testRedis(`${index.prefix}:`));
  const folder = newFolder('preflight');
  let env: Record<string, string>;

  before(() => {
    env = {
      ELASTICSEARCH_URL: index.url,
      INDEX_PREFIX: index.prefix,
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      REDIS_URL: redis.url,
      CURSOR_SECRET: SECRET,
      KEY_PEPPER: SECRET,
      EXPORT_DIR: path.join(folder, 'exports'),
    };
  });
  after(() => index.drop());

  /** What fails, each as `check: found`; every failure has a remedy, and nothing else has one. The disks of this machine are its own matter. */
  async function failures(more: Record<string, string> = {}, machine: Partial<Machine> = {}, now?: () => Date): Promise<string[]> {
    const findings = await runPreflight({ ...env, ...more }, { ...GOOD, ...machine }, now);
    for (const { check, state, remedy } of findings)
      assert.equal(remedy !== null && remedy.length > 10, state === 'fail' || state === 'warn', check);
    assert(findings.length >= 10, `${findings.length} checks`);
    assert(!JSON.stringify(findings).includes(SECRET) && !JSON.stringify(findings).includes(new URL(env.DATABASE_URL ?? '').password));
    return findings
      .filter(({ state, check }) => state === 'fail' && !check.startsWith('disk'))
      .map(({ check, found }) => `${check}: ${found}`);
  }

  it('finds nothing wrong where all is in order, and reads what this machine is', async () => {
    assert.deepEqual(await failures(), []);
    const { nodeVersion, heapBytes, memoryBytes } = readMachine();
    assert(nodeVersion.startsWith('24.') && heapBytes > 1e8 && memoryBytes > 1e9);
  });

  it('names every unusable setting, and still checks the rest', async () => {
    assert.deepEqual(await failures({ CURSOR_SECRET: 'short', PORT: 'high' }), ['settings: PORT', 'settings: CURSOR_SECRET']);
    const findings = await runPreflight({ ...env, DATABASE_URL: 'mysql://db' }, GOOD);
    assert.deepEqual(
      findings.find(({ check }) => check === 'Postgres'),
      {
        ...{ check: 'Postgres', state: 'skipped', found: 'its settings cannot be used', remedy: null },
      },
    );
    assert.equal(findings.find(({ check }) => check === 'Redis')?.state, 'ok');
  });

  it('fails on the machine: Node, memory, heap, files, memory maps', async () => {
    assert.deepEqual(await failures({}, { nodeVersion: '22.4.1' }), ['Node: 22.4.1']);
    assert.deepEqual(await failures({}, { memoryBytes: GIB / 2, heapBytes: GIB / 4 }), ['memory: heap up to 256 MiB, memory 512 MiB']);
    assert.deepEqual(await failures({}, { memoryBytes: 2 * GIB }), ['memory: heap up to 2048 MiB, memory 2048 MiB']);
    assert.deepEqual(await failures({}, { openFiles: 1024 }), ['open files: up to 1024']);
    const low = { ...GOOD, maxMapCount: 65_530 };
    const maps = async (more = {}) => (await runPreflight({ ...env, ...more }, low)).find(({ check }) => check === 'memory maps')?.state;
    assert.deepEqual([await maps(), await maps({ ELASTICSEARCH_URL: 'http://127.0.0.1:1' })], ['warn', 'fail']);
  });

  it('fails on each server that does not answer, in seconds', async () => {
    const begun = performance.now();
    const found = await failures({
      ...{ ELASTICSEARCH_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c', REDIS_URL: 'redis://127.0.0.1:1' },
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    assert(performance.now() - begun < 15_000);
    assert.deepEqual(
      found.map((line) => line.split(':')[0]),
      ['Elasticsearch', 'Postgres', 'Redis', 'mail'],
    );
  });

  it('fails on versions that are too old, and on a disk that is nearly full', () => {
    assert.deepEqual([checkVersion('Redis', '5.0.7', 6).state, checkVersion('Redis', '7.0.15', 6).state], ['fail', 'ok']);
    assert.deepEqual([checkDiskShare(0.06).state, checkDiskShare(0.5).state], ['fail', 'ok']);
  });

  it('fails where the service would not start: a key that may not ask for the health, people suppressed under another secret', async () => {
    const guarded = new HttpProxy(index.url, ({ path: asked, status, headers, body }, response) =>
      asked.startsWith('/_cluster/health')
        ? response
            .writeHead(403, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
            .end('{"error":{"type":"security_exception"},"status":403}')
        : response.writeHead(status, headers).end(body),
    );
    assert.deepEqual(await failures({ ELASTICSEARCH_URL: await guarded.start() }), ['health of Elasticsearch: its key may not ask for it']);
    await guarded.stop();
    const person = { kind: 'email', text: 'somebody@example.com' } as const;
    await new Suppressions(database.database, SECRET).add([person], []);
    assert.deepEqual(await failures(), []);
    assert.deepEqual(await failures({ KEY_PEPPER: `${SECRET} as it is now` }), ['suppressed people: kept under another KEY_PEPPER']);
    await database.database.query('delete from suppression');
  });

  it('fails on a clock that is wrong', async () => {
    const ahead = () => new Date(Date.now() + 60_000);
    const found = (await failures({}, {}, ahead)).map((line) => line.replace(/\d+\.\d/, 'n'));
    assert.deepEqual(found, ['clock of Elasticsearch: n s behind ours', 'clock of Postgres: n s behind ours']);
  });

  it('fails on tables that are not there, not of this version, or of other texts', async () => {
    assert.match(
      (await failures({ DATABASE_SCHEMA: 'nothing_here' })).join(),
      /^tables: \d+ migrations to apply, the first 0001_baseline$/,
    );
    await database.database.query(`update applied_sql set version = 1, checksum = 'old' where name = 'functions'`);
    assert.deepEqual(await failures(), ['tables: 1 migrations to apply, the first functions']);
    await database.database.query(`update applied_sql set checksum = 'x' where name = '0001_baseline'`);
    assert.deepEqual(await failures(), ['tables: made by another text of 0001_baseline']);
  });

  it('fails on fields that the index lacks or has of another type, and on an index that is blocked', async () => {
    const name = `${index.prefix}-projects-g1-l1`;
    const { id, contentRevision, ...others } = readMapping('projects').properties ?? {};
    assert(id && contentRevision);
    const alias = { [`${index.prefix}-projects`]: { filter: visibilityFilter({ committed: 1, aborted: [] }) } };
    await index.client.indices.create({ index: name, aliases: alias as never, mappings: { properties: { id, ...others } } });
    const tables = /^tables/;
    const found = async () => (await failures()).filter((line) => !tables.test(line));
    assert.deepEqual(await found(), ['fields: 1 missing: projects.contentRevision']);
    await index.client.indices.putSettings({ index: name, settings: { 'index.blocks.write': true } });
    assert((await found()).includes('indices: 1 blocked for writing'));
    await index.client.indices.delete({ index: name });
    await index.client.indices.create({
      index: name,
      aliases: alias as never,
      mappings: { properties: { ...others, contentRevision, id: { type: 'text' } } },
    });
    assert((await found()).includes('fields: 1 of another type'));
    await index.client.indices.delete({ index: name });
  });

  it('fails on a folder that cannot be written, and takes a mail server that answers', async () => {
    const found = (await failures({ EXPORT_DIR: '/dev/null/exports' })).filter((line) => !line.startsWith('tables'));
    assert.deepEqual(
      found.map((line) => line.split(':')[0]),
      ['files of exports'],
    );
    await using mail = await testMailServer();
    assert.equal((await runPreflight({ ...env, SMTP_URL: mail.url }, GOOD)).find(({ check }) => check === 'mail')?.state, 'ok');
  });

  it('prints a table with what to do, or JSON, and exits with 1 where something fails', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['src/operate/preflight/main.ts', ...args], {
        ...{ cwd: root, encoding: 'utf8', env: { ...bareEnvironment, ...env, EXPORT_DIR: '/dev/null/exports' } },
      });
    const text = run();
    assert.equal(text.status, 1, text.stderr);
    assert.match(text.stdout, /^check +state +found\n/);
    assert.match(text.stdout, /^files of exports +FAILS +/m);
    assert.match(text.stdout, /\d+ of \d+ fail\. What to do:\n(.*\n)* {2}files of exports: Make \/dev\/null\/exports writable/);
    const { ready, findings } = JSON.parse(run('--json').stdout);
    assert.equal(ready, false);
    assert(findings.some(({ check, state }: { check: string; state: string }) => check === 'files of exports' && state === 'fail'));
  });
});

describe('Readiness', () => {
  it('tells a Postgres that lost its tables from one that does not answer', async () => {
    const problemAt = async (url: string) => {
      const database = new Database({ url, schema: 'lost_its_tables' });
      return findPostgresProblem(database).finally(() => database.close());
    };
    assert.match((await problemAt(serverUrl('DATABASE_URL'))) ?? '', /^lacks the tables of this service: npm run restore/);
    assert.equal(await problemAt('postgres://127.0.0.1:1/landuse'), 'does not answer');
  });
});
