/** The client against the real service: walks, spends through a proxy that cuts answers off, jobs, and the package as it is installed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { answerOnLoopback } from '../../../scripts/lib/loopback.ts';
import { isRefusal, LandUseClient, UnusableKey } from '../../../src/clients/client/index.ts';
import { provideCuttingProxy } from '../../support/cuttingProxy.ts';
import { ascending, project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import { root } from '../../support/programs.ts';
import { provide } from '../../support/provide.ts';
import { testWorld } from '../../support/world.ts';

const RECORDS = 130;
/** Of every service of the tests. */
const PUBLIC_URL = 'http://landuse.test';
const run = promisify(execFile);

/** The machine's own Node, which need not be the one of the project. */
const machinePath = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter);

describe('the client', () => {
  const pages = provide(() =>
    answerOnLoopback(async (request, response) => {
      const name = path.basename(request.url ?? '');
      const script = name.endsWith('.js') && path.join(packed, 'node_modules/landuse-api/src/clients/client', name);
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
      response.end(script ? await readFile(script) : '<!doctype html><title>client</title>');
    }),
  );
  const world = provide(() => testWorld({ today: TODAY, env: { CORS_ORIGINS: pages.url } }));
  const proxy = provideCuttingProxy(() => world.api.url);
  const packed = newFolder('client');
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);

  before(async () => {
    const contact = { kind: 'contact', projectId: 1, name: 'Ann Lee', role: 'developer', email: 'ann@acme.example', emailConfidence: 0.9 };
    await world.api.index.load([...ids.map((id) => project(id)), contact]);
    await world.work();
  });

  const clientOf = async (plan: Parameters<typeof world.api.key>[0] = 'national', more = {}) => {
    const key = await world.api.key(plan);
    return { key, client: new LandUseClient({ key, url: world.api.url, ...more }) };
  };
  const idsOf = async (walk: AsyncIterable<{ id: number }>) => {
    const found: number[] = [];
    for await (const { id } of walk) found.push(id);
    return ascending(found);
  };

  it('walks a search over its pages, and counts it', async () => {
    const { client } = await clientOf();
    assert.deepEqual(await idsOf(client.search({ states: ['CO'], limit: 50, representation: 'compact' })), ids);
    assert.deepEqual(await idsOf(client.search({ cities: ['Boulder, CO'], deliveryMode: 'new', limit: 70 })), []); // all are delivered now
    assert.equal((await client.count({ states: ['CO'] })).matchCount, RECORDS);
  });

  it('keeps a copy by checkpoints: a walk that is broken off goes on where the last page was stored', async () => {
    const { client } = await clientOf();
    const copy = new Map<number, string>();
    let cursor: string | undefined;
    const onCheckpoint = (at: string) => {
      cursor = at;
    };
    const walk = async (stopAfter = Number.POSITIVE_INFINITY) => {
      let seen = 0;
      for await (const page of client.sync({ dateRange: 'all', limit: 40, representation: 'compact' }, { cursor, onCheckpoint })) {
        seen += 1;
        for (const { id } of page.removed) copy.delete(id);
        for (const record of page.records) copy.set(record.id, record.lastUpdated);
        if (seen === stopAfter) break;
      }
      return seen;
    };
    assert.equal(await walk(2), 2);
    assert.equal(copy.size, 80);
    assert(cursor); // of the first page alone: nobody has said that the second was stored
    assert.equal(await walk(), 3);
    assert.deepEqual(ascending([...copy.keys()]), ids);
    await world.api.index.load([{ kind: 'project', id: 7, deleted: true }, project(131)], { mode: 'increment' });
    assert.equal(await walk(), 1);
    assert.deepEqual([copy.has(7), copy.has(131), copy.size], [false, true, RECORDS]);
    await assert.rejects(idsOf(flat(client.sync({ states: ['TX'] }, { cursor }))), (error) => {
      assert(isRefusal(error, 'invalid_cursor'));
      return error.details.recovery.startsWith('Repeat the request without cursor');
    });
  });

  async function* flat(walk: AsyncIterable<{ records: { id: number }[] }>) {
    for await (const { records } of walk) yield* records;
  }

  it('charges a spend once when its answer is cut off twice', async () => {
    const { key, client } = await clientOf('api_only', { url: proxy.url });
    const balance = () => world.balance(key);
    const before = await balance();
    proxy.cuts = 2;
    proxy.requests.length = 0;
    const { data: job } = await client.call('createExport', { body: { projectIds: [1, 2, 3] } });
    const keys = proxy.requests.map(({ idempotencyKey }) => idempotencyKey);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert('exportJobId' in job && job.exportJobId);
    assert.equal((await client.call('listExports', {})).data.length, 1);
    await client.waitFor(job as { id: string; exportJobId: string }, { pollMs: 100 });
    assert.equal(await balance(), before - 3);

    proxy.cuts = 1;
    const { meta } = await client.call('getProject', { id: 4 });
    assert.deepEqual([meta.creditsUsed, await balance()], [0, before - 4]); // the first attempt paid, and its answer was lost

    proxy.cuts = 1;
    const { data: enrichment } = await client.call('createEnrichment', { body: { projectIds: [1] } });
    const states: string[] = [];
    const settled = await client.waitFor(enrichment, { pollMs: 100, onProgress: ({ status }) => states.push(status) });
    assert.deepEqual([settled.found, states.at(-1)], [1, 'completed']);
    assert.equal((await world.api.get('/account/credits', {}, { key })).body.data.enrichment.used, 1);
  });

  it('waits for an export with its progress, and streams the file', async () => {
    const { client } = await clientOf();
    const { data: job } = await client.call('createExport', { body: { filters: { states: ['CO'] } } });
    assert('exportJobId' in job && job.exportJobId);
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: { processed: number } }) => seen.push(progress.processed);
    const ready = await client.waitFor(job as { id: string; exportJobId: string }, { pollMs: 50, onProgress });
    assert.deepEqual([ready.status, seen.at(-1)], ['ready', ready.rowCount]);
    const text = await (await client.download(ready.id)).text();
    assert.equal(text.split('\r\n').length, (ready.rowCount ?? 0) + 2);
  });

  it('waits for an AI search with its progress', async () => {
    const { client } = await clientOf();
    const { data: job } = await client.call('createAiSearch', { body: { query: 'projects in Colorado', limit: 5 } });
    const states: string[] = [];
    const settled = await client.waitFor(job, { pollMs: 50, onProgress: ({ status }) => states.push(status) });
    const { status, results, progress } = settled;
    assert.deepEqual([status, states.at(-1), results.length, progress.confirmed > 0], ['completed', 'completed', 5, true]);
  });

  it('says what is wrong with a key, and where no service is', async () => {
    const wrong = new LandUseClient({ key: `svc_live_${'x'.repeat(36)}`, url: world.api.url });
    await assert.rejects(wrong.count(), (error) => isRefusal(error, 'unauthorized', 'missing_api_key'));
    assert.equal((await new LandUseClient({ key: `${await world.api.key()}\r\n`, url: world.api.url }).count()).creditRate, 0);
    for (const key of ['', ' ', 'svc_live_secret\r\nX-Other: 1', 'svc live secret', 'svc_live_secret\0', 'svc_live_secrét'])
      assert.throws(
        () => new LandUseClient({ key, url: world.api.url }),
        (error) => error instanceof UnusableKey && !/secr/.test(inspect(error)),
      );
    const nowhere = new LandUseClient({ key: 'k', url: 'http://127.0.0.1:1', retries: 1 });
    await assert.rejects(nowhere.count(), { name: 'ConnectionFailure', attempts: 2 });
  });

  it('is installed from the service, type-checks strictly, and runs on the Node of the machine and in a browser', async () => {
    const key = await world.api.key();
    const env = { ...process.env, PATH: machinePath };
    await writeFile(path.join(packed, 'package.json'), '{"type": "module"}');
    // Nothing else may have to be fetched: no registry answers.
    const offline = ['--registry=http://127.0.0.1:1', '--fetch-retries=0', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...offline, `${world.api.url}/clients/landuse-api.tgz`], { cwd: packed, env });
    const script = `import { LandUseClient } from 'landuse-api';
      const client = new LandUseClient({ key: '${key}', url: '${world.api.url}' });
      let seen = 0;
      for await (const record of client.search({ states: ['CO'], limit: 60 })) if (record.projectName) seen += 1;
      console.log(JSON.stringify({ seen, count: (await client.count({ states: ['CO'] })).matchCount }));`;
    await writeFile(path.join(packed, 'use.mts'), script);
    const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
    const compilerOptions = { ...strict, target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom', 'dom.asynciterable'] };
    await writeFile(path.join(packed, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }));
    await run(process.execPath, [path.join(root, 'node_modules/.bin/tsc'), '-p', packed]);
    const used = await run('node', ['use.mjs'], { cwd: packed, env });
    assert.deepEqual(JSON.parse(used.stdout), { seen: RECORDS, count: RECORDS });

    await using browser = await openBrowser({ draws: false });
    const page = await browser.newPage();
    await page.goto(pages.url);
    const inBrowser = script.replace("'landuse-api'", "'/index.js'").replace('console.log(', 'window.outcome = (');
    await page.addScriptTag({ type: 'module', content: inBrowser });
    const outcome = await page.waitForFunction('window.outcome');
    assert.deepEqual(JSON.parse((await outcome.jsonValue()) as string), { seen: RECORDS, count: RECORDS });
  });

  it('brings the command landuse, which asks the service that handed it out', async () => {
    const env = { PATH: machinePath, HOME: packed, LANDUSE_KEY: await world.api.key() };
    const landuse = (...args: string[]) => run(path.join(packed, 'node_modules/.bin/landuse'), args, { cwd: packed, env });
    assert.match((await landuse('--help')).stdout, new RegExp(`LANDUSE_URL \\(${PUBLIC_URL}\\)`));
    const { stdout } = await landuse('--url', world.api.url, 'count', 'states=CO');
    assert.equal(JSON.parse(stdout).matchCount, RECORDS);
    const intoDuckdb = landuse('--url', world.api.url, 'copy', '--into', 'duckdb', 'x.duckdb');
    await assert.rejects(intoDuckdb, /needs the package @duckdb\/node-api beside this one: npm install --global/);
    const intoPostgres = landuse('--url', world.api.url, 'copy', '--into', 'postgres', 'postgres://127.0.0.1:1/x');
    await assert.rejects(intoPostgres, /postgres:\/\/127\.0\.0\.1:1\/x cannot be opened: .*ECONNREFUSED/);
  });

  it('is the same package, byte for byte, whenever it is asked for', async () => {
    const page = await (await fetch(`${world.api.url}/clients`)).text();
    assert(page.includes(`npm install ${PUBLIC_URL}/clients/landuse-api.tgz`));
    const [, wheel = ''] = /pip install http:\/\/landuse\.test(\/clients\/landuse_api-\d+\.\d+\.\d+-py3-none-any\.whl)/.exec(page) ?? [];
    const types = { '/clients/landuse-api.tgz': 'application/gzip', [wheel]: 'application/zip' };
    for (const [file, type] of Object.entries(types)) {
      const answers = await Promise.all([1, 2].map(() => fetch(`${world.api.url}${file}`)));
      const [first, second] = await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      assert.deepEqual([answers[0]?.status, answers[0]?.headers.get('content-type')], [200, type], file);
      assert.deepEqual(first, second);
    }
    assert.equal((await fetch(`${world.api.url}/clients/landuse_api-9.9.9-py3-none-any.whl`)).status, 401);
  });
});
