import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestProxy } from '../../../scripts/lib/proxy.ts';
import { AccountStore } from '../../../src/core/identity/accounts.ts';
import { EVERY_KEY, KeyStore } from '../../../src/core/identity/keys.ts';
import { setClock, type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { checkAnswer, send, type WireAnswer } from '../../support/http.ts';
import { TestIndex } from '../../support/index.ts';
import { lintMetrics, scrape } from '../../support/metrics.ts';
import { bareEnvironment } from '../../support/programs.ts';
import { type TestRedis, testRedis } from '../../support/redis.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const SECRET = 'a secret for tests, of more than 32 characters';
const NOWHERE = '127.0.0.1:1';
/** generous, for machines that do much else */
const START_MS = 60_000;
/** Fewer than its bundle consists of. */
const FILES_OF_MAIN = 5;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

interface Running {
  child: ChildProcess;
  /** what it has written so far */
  out(): string;
  err(): string;
  exited: Promise<number | null>;
}

/** `npm start` with these settings and no others of ours. */
function main(env: Record<string, string>): Running {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'src/main.ts'], { cwd: root, env: { ...bareEnvironment, ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  return { child, out: () => out, err: () => err, exited: once(child, 'exit').then(([code]) => code) };
}

async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert(Date.now() < deadline, `still waiting for ${what}`);
    await sleep(20);
  }
}

const refusesConnections = (port: number, host = '127.0.0.1') =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

describe('npm start', () => {
  let index: TestIndex;
  let database: TestDatabase;
  let redis: TestRedis;
  let key: string;
  let env: Record<string, string>;
  const started: Running[] = [];
  /** One service of three processes through its life, since a start takes seconds. */
  let running: Running;
  let proxy: TestProxy;
  let url: string;

  before(async () => {
    index = new TestIndex('2026-11-20');
    [database, redis] = await Promise.all([testDatabase(), testRedis(`${index.prefix}:`)]);
    index.database = database;
    await index.load([{ kind: 'project', id: 1, state: 'CO', propertyType: 'commercial', meetingDate: '2026-10-01' }]);
    const accounts = new AccountStore(database.database, []);
    const team = await accounts.createTeam({ name: 'T', plan: 'national' });
    const user = await accounts.createUser({ teamId: team.id, name: 'U', role: 'owner' });
    key = (await new KeyStore({ database: database.database, pepper: SECRET }).mint(user.id)).secret;
    env = {
      PORT: '0',
      ELASTICSEARCH_URL: index.url,
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      REDIS_URL: redis.url,
      INDEX_PREFIX: index.prefix,
      CURSOR_SECRET: SECRET,
      KEY_PEPPER: SECRET,
      RATE_LIMIT_PAID: '1000000',
      SHUTDOWN_GRACE_MS: '300',
    };
  });
  after(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await proxy?.stop();
    await Promise.all([index.drop(), redis.drop(), database.drop()]);
  });

  const start = (more: Record<string, string | undefined> = {}): Running => {
    const settings = Object.entries({ ...env, ...more }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const running = main(Object.fromEntries(settings));
    started.push(running);
    return running;
  };
  const portOf = ({ out, err }: Running) =>
    eventually('the port', () => {
      assert.equal(err(), '');
      const [, port] = /on port (\d+)/.exec(out()) ?? [];
      return port ? Number(port) : undefined;
    });

  /** Exits with this code after one line on stderr, which is returned; nothing it writes shows a password. */
  async function fails(running: Running, code: number): Promise<string> {
    assert.equal(await running.exited, code, running.err());
    assert.match(running.err(), /^[^\n]+\n$/, 'one sentence');
    assert.doesNotMatch(running.err() + running.out(), /sesame|a secret for tests/);
    assert.doesNotMatch(running.err(), /\n\s+at /);
    return running.err();
  }

  for (const [signal, processes] of [
    ['SIGTERM', 1],
    ['SIGINT', 3],
  ] as const) {
    it(`${signal} of ${processes}, and its echo: every request in flight gets its answer, new ones are refused, and the process ends with 0`, async () => {
      const proxy = new TestProxy(index.url, 9200);
      await proxy.start();
      const agent = new http.Agent({ keepAlive: true });
      try {
        const running = start({ ELASTICSEARCH_URL: `http://127.0.0.1:${proxy.port}`, API_PROCESSES: String(processes) });
        const port = await portOf(running);
        const url = `http://127.0.0.1:${port}`;
        // Each process answers some first: one that just began would take as long as a silent server may.
        const first = Array.from({ length: 4 * processes }, () => send(url, '/v1/projects/search?dateRange=all', { key, agent }));
        for (const { status } of await Promise.all(first)) assert.equal(status, 200);
        proxy.mute();
        const openedBefore = proxy.opened;
        let answered = 0;
        const waiting = Array.from({ length: 20 }, async (): Promise<WireAnswer> => {
          const answer = await send(url, '/v1/projects/search?dateRange=all', { key, agent });
          answered += 1;
          return answer;
        });
        await eventually('the searches', () => (proxy.opened >= openedBefore + 5 ? true : undefined));
        await sleep(200);
        running.child.kill(signal);
        running.child.kill('SIGINT');
        await eventually('the port to close', async () => ((await refusesConnections(port)) ? true : undefined));
        assert.equal(answered, 0);
        assert.equal(running.child.exitCode, null);
        proxy.thaw();
        for (const answer of await Promise.all(waiting)) {
          checkAnswer(answer);
          assert.equal(answer.status, 200);
          assert.equal(answer.headers.connection, 'close');
        }
        const drained = Date.now();
        assert.equal(await running.exited, 0, running.err());
        assert(Date.now() - drained < 2_000, 'no connection that is kept alive holds the process');
        assert.equal(running.err(), '');
      } finally {
        agent.destroy();
        await proxy.stop();
      }
    });
  }

  it('writes one line for each request: what was asked for by its declared path, and neither text, key nor person', async () => {
    const running = start({ METRICS_PORT: '0' });
    const url = `http://127.0.0.1:${await portOf(running)}`;
    const [, metrics = ''] = /(http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(running.out()) ?? [];
    assert.match(await (await fetch(metrics)).text(), /^landuse_server_up\{server="postgres"\} 1$/m);
    const ask = (where: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${url}${where}`, { method, headers: { Authorization: `Bearer ${key}`, ...headers } });
    await ask('/v1/projects/search?q=secret+pond&dateRange=all', { 'X-Request-Id': 'mine-1' });
    await ask('/v1/projects/77777', { 'X-Request-Id': key });
    await ask('/v1/projects/77777', { 'X-Request-Id': 'legacy_0123456789abcdef' });
    await ask('/v1/hidden-words');
    await fetch(`${url}/unsubscribe/${'t'.repeat(22)}`, { method: 'POST' });
    await ask('/v1/account/credits?q=Ann+Lee', { 'X-API-Key': 'svc_live_another' });
    const lines = await eventually('the lines', () => {
      const found = running
        .out()
        .split('\n')
        .filter((line) => line.includes('"msg":"Request"'));
      return found.length < 6 ? undefined : found.map((line) => JSON.parse(line));
    });
    const shown = lines.map(({ method, route, status, credits, code }) => [method, route, status, credits, code]);
    assert.deepEqual(shown, [
      ['GET', '/v1/projects/search', 200, 0, undefined],
      ['GET', '/v1/projects/{id}', 404, 0, 'resource_not_found'],
      ['GET', '/v1/projects/{id}', 404, 0, 'resource_not_found'],
      ['GET', 'unknown', 404, 0, 'resource_not_found'],
      ['POST', '/unsubscribe/{token}', 404, 0, 'resource_not_found'],
      ['GET', '/v1/account/credits', 400, 0, 'invalid_request'],
    ]);
    assert.deepEqual([lines[0].requestId, lines[1].requestId, lines[2].requestId], ['mine-1', 'withheld', 'withheld']);
    for (const { ms } of lines) assert(Number.isInteger(ms) && ms >= 0);
    assert.doesNotMatch(running.out(), /secret|pond|hidden|Ann|tttt|77777|svc_|legacy_/);
    assert(!running.out().includes(key));
    running.child.kill('SIGINT');
    assert.equal(await running.exited, 0, running.err());
  });

  it('has kept what it compiled once it serves, so that one that is killed then starts faster', async () => {
    const folder = newFolder('compiled');
    const { child, exited, ...running } = start({ NODE_COMPILE_CACHE: folder });
    await portOf({ child, exited, ...running });
    const compiled = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    await eventually('files in the cache', () => (compiled().length > FILES_OF_MAIN ? true : undefined));
    assert.equal(child.exitCode, null, 'it serves on');
    child.kill('SIGKILL');
    await exited;
  });

  /** The processes of a service that serve. */
  const childrenOf = ({ child: { pid } }: Running) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  /** The process of each request, from the log. */
  const servedBy = ({ out }: Running) => {
    const lines = out().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).flatMap(({ msg, pid }) => (msg === 'Request' ? [pid as number] : []));
  };
  const SEARCH = '/v1/projects/search?dateRange=all';
  const mintKey = async () => {
    const team = await new AccountStore(database.database, []).createTeam({ name: 'P', plan: 'national' });
    const user = await new AccountStore(database.database, []).createUser({ teamId: team.id, name: 'U', role: 'owner' });
    return new KeyStore({ database: database.database, pepper: SECRET }).mint(user.id);
  };

  it('with API_PROCESSES is one service: requests are shared, limits are exact, metrics add up, and a revoked key is refused everywhere', async () => {
    proxy = new TestProxy(index.url, 9200);
    await proxy.start();
    const limits = { RATE_LIMIT_PAID: '40', RATE_LIMIT_ANONYMOUS: '1000' };
    running = start({ API_PROCESSES: '3', METRICS_PORT: '0', ELASTICSEARCH_URL: `http://127.0.0.1:${proxy.port}`, ...limits });
    url = `http://127.0.0.1:${await portOf(running)}`;
    const [, metricsUrl = ''] = /Metrics at (\S+\/metrics)/.exec(running.out()) ?? [];
    const [spent, revoked] = [await mintKey(), await mintKey()];
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(url, SEARCH, { key: spent.secret })));
    const byStatus = Object.groupBy(answers, ({ status }) => status);
    assert.deepEqual(Object.fromEntries(Object.entries(byStatus).map(([status, some]) => [status, some?.length])), { 200: 40, 429: 20 });
    const processes = new Set(servedBy(running));
    assert.deepEqual([...processes].sort(), childrenOf(running).sort(), 'every process has served some');
    assert.equal(processes.size, 3);
    const count = async (status: string) =>
      (await scrape(metricsUrl)).value('landuse_http_request_duration_seconds_count', { route: '/v1/projects/search', status });
    assert.deepEqual([await count('2xx'), await count('4xx')], [40, 20]);
    const scraped = await scrape(metricsUrl);
    assert.deepEqual(lintMetrics(scraped), []);
    for (const server of ['postgres', 'elasticsearch', 'redis']) assert.equal(scraped.value('landuse_server_up', { server }), 1, server);
    assert.equal(scraped.value('landuse_postgres_connections_max', { pool: 'requests' }), 20, 'as with one process');
    for (let i = 0; i < 20; i += 1) assert.equal((await send(url, SEARCH, { key: revoked.secret })).status, 200);
    await new KeyStore({ database: database.database, pepper: SECRET }).revoke(revoked.key.id, EVERY_KEY);
    await sleep(500);
    const refused = await Promise.all(Array.from({ length: 20 }, () => send(url, SEARCH, { key: revoked.secret })));
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([401]));
  });

  it('with API_PROCESSES lets exactly a large limit through, of which requests are counted ahead', async () => {
    const [limit, apart] = [1_280, 60];
    const running = start({ API_PROCESSES: '3', RATE_LIMIT_PAID: String(limit) });
    const url = `http://127.0.0.1:${await portOf(running)}`;
    const { secret } = await mintKey();
    const statuses: number[] = [];
    const sendTo = async (total: number) => {
      while (statuses.length < total) {
        const answers = await Promise.all(Array.from({ length: apart }, () => send(url, '/v1/nothing', { key: secret })));
        statuses.push(...answers.map(({ status }) => status));
      }
    };
    await sendTo(limit / 2 + apart);
    await sleep(600); // what was counted ahead and not made has been given back
    await sendTo(limit + 2 * apart);
    assert.equal(statuses.filter((status) => status === 404).length, limit);
    assert.ok(statuses.every((status) => status === 404 || status === 429));
    running.child.kill('SIGTERM');
    assert.equal(await running.exited, 0, running.err());
  });

  it('with API_PROCESSES replaces a process that is killed, while the requests of the others are answered', async () => {
    const [first, second] = [await mintKey(), await mintKey()];
    const search = (key: string) => send(url, SEARCH, { key, headers: { Connection: 'close' } });
    await Promise.all(Array.from({ length: 30 }, () => search(first.secret)));
    await eventually('their lines, and those of the 100 requests before', () => servedBy(running).length === 130 || undefined);
    const before = childrenOf(running);
    proxy.mute();
    const waiting = Array.from({ length: 30 }, () => search(second.secret).catch((error: Error) => error));
    await sleep(1_000);
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    await eventually('the end of the process', () => (childrenOf(running).includes(victim) ? undefined : true));
    proxy.thaw();
    const answers = await Promise.all(waiting);
    const answered = answers.flatMap((answer) => (answer instanceof Error ? [] : answer));
    assert(answered.every(({ status }) => status === 200));
    await eventually('their lines', () => servedBy(running).length - 130 === answered.length || undefined);
    assert(answered.length > 0 && answered.length < 30, `${answered.length} were those of the others`);
    await eventually('an answer of another process', async () => {
      assert.equal((await search((await mintKey()).secret)).status, 200);
      return servedBy(running).some((pid) => !before.includes(pid)) || undefined;
    });
    const after = childrenOf(running);
    assert.equal(after.length, 3);
    assert.deepEqual(
      before.filter((pid) => !after.includes(pid)),
      [victim],
    );
    running.child.kill('SIGTERM');
    assert.equal(await running.exited, 0, running.err());
    assert.deepEqual(
      after.filter((pid) => existsSync(`/proc/${pid}`)),
      [],
    );
  });

  it('with API_PROCESSES says once what stands in the way of all', async () => {
    const message = await fails(start({ API_PROCESSES: '3', REDIS_URL: `redis://:sesame@${NOWHERE}` }), 1);
    assert.match(message, /REDIS_URL/);
  });

  it('with a taken port says so in one sentence and ends with 1', async () => {
    const taken = net.createServer().listen(0);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const message = await fails(start({ PORT: String(port) }), 1);
    assert.match(message, new RegExp(`Port ${port} is taken`));
    assert.match(message, /PORT/);
    taken.close();
  });

  it('with HOST listens there alone, and says so in one sentence where that is no address of the machine', async () => {
    const foreign = fails(start({ HOST: '192.0.2.1' }), 1);
    const bound = await portOf(start({ HOST: '127.0.0.1' }));
    assert.equal(await refusesConnections(bound), false);
    assert.equal(await refusesConnections(bound, '127.0.0.2'), true);
    assert.match(await foreign, /HOST 192\.0\.2\.1 is no address of this machine/);
  });

  it('with a server that is not there says in one sentence which variable names it', async () => {
    const wrong = {
      ELASTICSEARCH_URL: `http://user:sesame@${NOWHERE}`,
      DATABASE_URL: `postgres://landuse:sesame@${NOWHERE}/landuse`,
    };
    await Promise.all(
      Object.entries(wrong).map(async ([name, url]) => {
        const message = await fails(start({ [name]: url }), 1);
        assert(message.includes(name), `${name}: ${message}`);
      }),
    );
  });

  it('with a database that is not there, or is not Postgres, says which variable names it', async () => {
    const other = new URL(database.url);
    other.pathname = '/no_such_database';
    const { host } = new URL(redis.url);
    const wrong = [other.href, `postgres://landuse@${host}/landuse`];
    const [missing = '', noPostgres = ''] = await Promise.all(wrong.map((url) => fails(start({ DATABASE_URL: url }), 1)));
    assert.match(missing, /DATABASE_URL.*no_such_database/);
    assert.match(noPostgres, /DATABASE_URL/);
  });

  it('with a clock ten years behind that of Postgres says so in one sentence and ends with 1', async () => {
    await setClock(database.database, { aheadMs: TEN_YEARS_MS });
    try {
      assert.match(await fails(start(), 1), /^The clock of this process is 3\d{8}\.\d s behind that of Postgres/);
    } finally {
      await setClock(database.database, { aheadMs: 0 });
    }
  });

  it('while its clock and that of Postgres part by more than five seconds is not ready; SIGINT ends it at once, whatever connections are open', async () => {
    const running = start();
    const port = await portOf(running);
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await send(url, '/ready', {})).status;
    assert.equal(await ready(), 200);
    await setClock(database.database, { aheadMs: 6_000 });
    const { status, body } = await send(url, '/ready', {});
    assert.equal(status, 503);
    assert.match(body.error.message, /6\.\d s behind/);
    await setClock(database.database, { aheadMs: 4_000 });
    assert.equal(await ready(), 200);
    await setClock(database.database, { aheadMs: 0 });
    assert.equal(await refusesConnections(port, '127.0.0.2'), process.platform !== 'linux', 'without HOST every address is served');
    const agent = new http.Agent({ keepAlive: true });
    await send(url, '/health', { agent });
    const signalled = Date.now();
    running.child.kill('SIGINT');
    assert.equal(await running.exited, 0);
    assert(Date.now() - signalled < 3_000);
    agent.destroy();
  });

  it('with missing and unusable settings names every one of them and ends with 2', async () => {
    const bad = {
      DATABASE_URL: undefined,
      REDIS_URL: 'http://x',
      CURSOR_SECRET: 'short',
      PORT: 'eighty',
      RATE_LIMIT_PAID: '0',
      KEY_PEPPER: '',
    };
    const running = start(bad);
    assert.equal(await running.exited, 2);
    for (const name of Object.keys(bad)) assert(running.err().includes(name), `${name}: ${running.err()}`);
    assert(!running.err().includes('ELASTICSEARCH_URL'));
    assert.doesNotMatch(running.err(), /\n\s+at |a secret for tests/);
  });
});
