import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/terminal/program.ts';
import { ELASTICSEARCH_SILENT_MS, pingElasticsearch, startElasticsearch } from './elasticsearch.ts';
import { type Log, ServerFailed, secondsSince } from './errors.ts';
import { findJava, type Java } from './java.ts';
import { localPasswords, newPassword, withoutPassword } from './passwords.ts';
import { withFreePorts } from './ports.ts';
import { POSTGRES_SILENT_MS, preparePostgres, startPostgres } from './postgres.ts';
import { readLog, type ServerProcess, untilReady } from './processes.ts';
import { pingRedis, REDIS_SILENT_MS, startRedis } from './redis.ts';
import { type RunAs, serverUser } from './runAs.ts';
import { placeServers, type StackPlaces } from './serverFolders.ts';
import { serverFiles } from './servers.ts';
import { onForcedEnd } from './signals.ts';
import { claimRun, type ServerUrls, type StackRun } from './state.ts';

const USUAL_PORTS = { elasticsearch: 9200, transport: 9300, postgres: 5432, redis: 6379 };

/** Each index is described in the cluster's state; a second description, for the rescue of lost clusters, is not written. */
const THROWN_AWAY = {
  'gateway.write_dangling_indices_info': 'false',
  // how full the machine's disk is says nothing about what is tested
  'cluster.routing.allocation.disk.threshold_enabled': 'false',
  // places a shard while its index is made, not in a further change of the cluster's state
  'cluster.routing.allocation.type': 'balanced',
};

export interface StackOptions {
  /** The project's folder: everything is kept in its `.stack`. */
  root: string;
  /** Data of its own, removed at stop, on ports picked by the system; otherwise `.stack/data` and the usual ports when free. */
  ephemeral?: boolean;
  /** Keeps the data of an ephemeral stack in memory, where the system has room for it. */
  inMemory?: boolean;
  log: Log;
  /** Breaks the start off. */
  signal?: AbortSignal;
}

export interface Stack extends ServerUrls {
  /** Resolves when a server ends that nobody stopped. */
  failed: Promise<ServerFailed>;
  /** Stops every server and removes what must not stay; may be called again. */
  stop(): Promise<void>;
}

/** Starts Elasticsearch, Postgres and Redis. Fails with a `UserError` after having stopped what was started. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { ephemeral = false, log, signal = new AbortController().signal } = options;
  const prepared = await prepareStack(options);
  const { run } = prepared;
  const started: ServerProcess[] = [];
  const takeBack = onForcedEnd(() => run.remove());
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= Promise.all(started.map((server) => server.stop())).then(() => {
      run.remove();
      takeBack();
    });
    return stopping;
  };
  try {
    const [elasticsearch, postgres, redis] = await startAll({ ...prepared, ephemeral, log, signal, started });
    const urls = { elasticsearchUrl: elasticsearch.url, databaseUrl: postgres.url, redisUrl: redis.url };
    run.ready(urls);
    return { ...urls, stop, failed: firstFailure(started, () => stopping !== undefined) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What every server of a stack needs before it starts. */
interface PreparedStack extends StackPlaces {
  run: StackRun;
  user: RunAs;
  java: Java;
}

/** Takes the project's place for a stack, and brings the files of the servers along. */
export async function prepareStack({ root, ephemeral = false, inMemory = false, log, signal }: StackOptions): Promise<PreparedStack> {
  const stackFolder = path.join(path.resolve(root), '.stack');
  mkdirSync(stackFolder, { recursive: true });
  const user = serverUser();
  const java = findJava(user);
  const run = await claimRun(stackFolder, ephemeral, log);
  try {
    const files = await serverFiles(stackFolder, java, log, signal);
    return { run, user, java, ...placeServers(run, files, user, ephemeral, log, ephemeral && inMemory) };
  } catch (error) {
    run.remove();
    throw error;
  }
}

interface StartContext extends PreparedStack {
  ephemeral: boolean;
  log: Log;
  signal: AbortSignal;
  started: ServerProcess[];
}

/** The first failure breaks the other starts off. */
async function startAll(context: StartContext) {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const guard = <T>(work: Promise<T>) =>
    work.catch((error) => {
      failure.abort(error);
      throw error;
    });
  const starts = [elasticsearchNode, postgresServer, redisServer].map((start) => guard(start({ ...context, signal })));
  await Promise.allSettled(starts);
  if (signal.aborted) throw signal.reason;
  return (await Promise.all(starts)) as [Started, Started, Started];
}

type Started = ServerProcess & { url: string };

function elasticsearchNode(context: StartContext): Promise<Started> {
  const dataDir = path.join(context.dataFolder, 'elasticsearch');
  const preferred = [preferredPort('elasticsearch', context), preferredPort('transport', context)];
  return withFreePorts(preferred, context.log, (port = 0, transportPort = 0) =>
    bringUp(context, `Elasticsearch ${context.elasticsearchVersion}`, dataDir, ELASTICSEARCH_SILENT_MS, pingElasticsearch, (logFile) =>
      startElasticsearch({
        home: context.elasticsearchHome,
        dataDir,
        logFile,
        port,
        transportPort,
        java: context.java,
        user: context.user,
        heap: process.env.ES_HEAP || undefined,
        settings: { 'discovery.type': 'single-node', ...(context.ephemeral ? THROWN_AWAY : {}) },
      }),
    ),
  );
}

function postgresServer(context: StartContext): Promise<Started> {
  const dataDir = path.join(context.dataFolder, 'postgres');
  const { postgres: password } = localPasswords(context.run.folder);
  const superuserPassword = newPassword();
  const prepare = (url: string) => preparePostgres(url, superuserPassword, context.ephemeral);
  return withFreePorts([preferredPort('postgres', context)], context.log, (port = 0) =>
    bringUp(context, `Postgres ${context.postgresVersion}`, dataDir, POSTGRES_SILENT_MS, prepare, (logFile) =>
      startPostgres({
        home: context.postgresHome,
        dataDir,
        logFile,
        port,
        user: context.user,
        password,
        superuserPassword,
        unsafe: context.ephemeral,
      }),
    ),
  );
}

function redisServer(context: StartContext): Promise<Started> {
  const dataDir = path.join(context.dataFolder, 'redis');
  const { redis: password } = localPasswords(context.run.folder);
  return withFreePorts([preferredPort('redis', context)], context.log, (port = 0) =>
    bringUp(context, `Redis ${context.redisVersion}`, dataDir, REDIS_SILENT_MS, pingRedis, (logFile) =>
      startRedis({ binary: context.redisBinary, dataDir, logFile, port, user: context.user, password }),
    ),
  );
}

/** Starts one server, records it, waits until it answers and says how long that took. */
async function bringUp(
  { run, log, signal, started }: StartContext,
  title: string,
  dataDir: string,
  silentMs: number,
  isReady: (url: string) => Promise<boolean>,
  start: (logFile: string) => Started | Promise<Started>,
): Promise<Started> {
  const startedMs = Date.now();
  const [name = ''] = title.toLowerCase().split(' ');
  signal.throwIfAborted();
  const server = await start(path.join(run.logs, `${name}.log`));
  run.addServer(server, dataDir);
  started.push(server);
  try {
    await untilReady(server, () => isReady(server.url), silentMs, signal, log);
  } catch (error) {
    await server.stop();
    started.splice(started.indexOf(server), 1);
    run.dropServer(server);
    throw error;
  }
  log(`${title} ready at ${withoutPassword(server.url)} (${secondsSince(startedMs)})`);
  return server;
}

/** STACK_ELASTICSEARCH_PORT, STACK_TRANSPORT_PORT, STACK_POSTGRES_PORT, STACK_REDIS_PORT; a taken one is replaced. */
function preferredPort(server: keyof typeof USUAL_PORTS, { ephemeral }: StartContext): number | undefined {
  const name = `STACK_${server.toUpperCase()}_PORT`;
  const text = process.env[name];
  if (!text) return ephemeral ? undefined : USUAL_PORTS[server];
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`${name} must be a port between 1 and 65535, not "${text}".`);
  return port;
}

function firstFailure(servers: ServerProcess[], isStopping: () => boolean): Promise<ServerFailed> {
  return new Promise((resolve) => {
    for (const server of servers) {
      void server.exited.then(() => {
        if (!isStopping()) resolve(new ServerFailed(`${server.name} ended unexpectedly.`, readLog(server.logFile)));
      });
    }
  });
}
