import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ELASTICSEARCH_READY_MS, type ElasticsearchOptions, pingElasticsearch, startElasticsearch } from './elasticsearch.ts';
import { type Log, ServerFailed, seconds, UserError } from './errors.ts';
import { findJava } from './java.ts';
import { withFreePorts } from './ports.ts';
import { POSTGRES_READY_MS, pingPostgres, postgresFiles, preparePostgres, startPostgres } from './postgres.ts';
import { lastLines, type ServerProcess, untilReady } from './processes.ts';
import { pingRedis, REDIS_READY_MS, startRedis } from './redis.ts';
import { canRead, makeReachableFolder, type RunAs, readableBy, serverUser } from './run-as.ts';
import { serverFiles } from './servers.ts';
import { whenForced } from './signals.ts';
import { claimRun, type Run, readState, type ServerUrls } from './state.ts';

export type { ServerUrls } from './state.ts';

const POLL_MS = 200;
const USUAL_PORTS = { elasticsearch: 9200, transport: 9300, postgres: 5432, redis: 6379 };

export interface StackOptions {
  /** The project's folder: everything is kept in its `.stack`. */
  root: string;
  /** Data of its own, removed at stop, on ports picked by the system; otherwise `.stack/data` and the usual ports when free. */
  ephemeral?: boolean;
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
export async function startStack({ root, ephemeral = false, log, signal = new AbortController().signal }: StackOptions): Promise<Stack> {
  const stackFolder = path.join(path.resolve(root), '.stack');
  mkdirSync(stackFolder, { recursive: true });
  const user = serverUser();
  const java = findJava(user);
  const run = await claimRun(stackFolder, ephemeral, log);
  const started: ServerProcess[] = [];
  const takeBack = whenForced(() => run.remove());
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= Promise.all(started.map((server) => server.stop())).then(() => {
      run.remove();
      takeBack();
    });
    return stopping;
  };
  try {
    const files = await serverFiles(stackFolder, java, log, signal);
    const places = placeServers(run, files, user, ephemeral, log);
    const context: StartContext = { ...places, run, user, java, ephemeral, log, signal, started };
    const [elasticsearch, postgres, redis] = await startAll(context);
    const urls = { elasticsearchUrl: elasticsearch.url, databaseUrl: postgres.url, redisUrl: redis.url };
    run.ready(urls);
    return { ...urls, stop, failed: firstFailure(started, () => stopping !== undefined) };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Places {
  elasticsearchHome: string;
  elasticsearchVersion: string;
  postgresHome: string;
  postgresVersion: string;
  redisBinary: string;
  redisVersion: string;
  dataFolder: string;
}

interface StartContext extends Places {
  run: Run;
  user: RunAs;
  java: ElasticsearchOptions['java'];
  ephemeral: boolean;
  log: Log;
  signal: AbortSignal;
  started: ServerProcess[];
}

/** Where each server's files lie: in the project, or in a temporary folder when the servers' user cannot reach them there. */
function placeServers(run: Run, files: Awaited<ReturnType<typeof serverFiles>>, user: RunAs, ephemeral: boolean, log: Log): Places {
  let temporary: string | undefined;
  const elsewhere = () => {
    if (temporary === undefined) {
      temporary = makeReachableFolder(user);
      run.alsoRemove(temporary);
    }
    return temporary;
  };
  const postgres = postgresFiles();
  const reachable = canRead(user, run.folder);
  if (!reachable && !ephemeral)
    log(`User "${user.name}" cannot enter this folder: the data lies in a temporary one and is removed at the end.`);
  return {
    elasticsearchHome: readableBy(user, path.join(files.folder, files.elasticsearch), 'bin/elasticsearch', elsewhere),
    elasticsearchVersion: files.elasticsearchVersion,
    postgresHome: readableBy(user, postgres.home, 'bin/postgres', elsewhere),
    postgresVersion: postgres.version,
    redisBinary: readableBy(user, path.join(files.folder, files.redis), '', elsewhere),
    redisVersion: files.redisVersion,
    dataFolder: reachable ? run.folder : elsewhere(),
  };
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
    bringUp(context, `Elasticsearch ${context.elasticsearchVersion}`, dataDir, ELASTICSEARCH_READY_MS, pingElasticsearch, (logFile) =>
      startElasticsearch({
        home: context.elasticsearchHome,
        dataDir,
        logFile,
        port,
        transportPort,
        java: context.java,
        user: context.user,
        heap: process.env.ES_HEAP || undefined,
      }),
    ),
  );
}

function postgresServer(context: StartContext): Promise<Started> {
  const dataDir = path.join(context.dataFolder, 'postgres');
  return withFreePorts([preferredPort('postgres', context)], context.log, (port = 0) =>
    bringUp(context, `Postgres ${context.postgresVersion}`, dataDir, POSTGRES_READY_MS, preparePostgres, (logFile) =>
      startPostgres({ home: context.postgresHome, dataDir, logFile, port, user: context.user, unsafe: context.ephemeral }),
    ),
  );
}

function redisServer(context: StartContext): Promise<Started> {
  const dataDir = path.join(context.dataFolder, 'redis');
  return withFreePorts([preferredPort('redis', context)], context.log, (port = 0) =>
    bringUp(context, `Redis ${context.redisVersion}`, dataDir, REDIS_READY_MS, pingRedis, (logFile) =>
      startRedis({ binary: context.redisBinary, dataDir, logFile, port, user: context.user }),
    ),
  );
}

/** Starts one server, records it, waits until it answers and says how long that took. */
async function bringUp(
  { run, log, signal, started }: StartContext,
  title: string,
  dataDir: string,
  deadlineMs: number,
  isReady: (url: string) => Promise<boolean>,
  start: (logFile: string) => Started | Promise<Started>,
): Promise<Started> {
  const startedMs = Date.now();
  const [name = ''] = title.toLowerCase().split(' ');
  signal.throwIfAborted();
  const server = await start(path.join(run.logs, `${name}.log`));
  run.add(server, dataDir);
  started.push(server);
  try {
    await untilReady(server, () => isReady(server.url), deadlineMs, signal);
  } catch (error) {
    await server.stop();
    started.splice(started.indexOf(server), 1);
    run.drop(server);
    throw error;
  }
  log(`${title} ready at ${server.url} (${seconds(startedMs)})`);
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
        if (!isStopping()) resolve(new ServerFailed(`${server.name} ended unexpectedly. The end of its log:`, lastLines(server.logFile)));
      });
    }
  });
}

/** The stack that `npm run stack` runs in this project, when all three servers answer; waits for one that is just starting. */
export async function findStack(root: string): Promise<ServerUrls | undefined> {
  const folder = path.join(path.resolve(root), '.stack');
  let state = readState(folder);
  while (state && !state.urls) {
    await sleep(POLL_MS);
    state = readState(folder);
  }
  const urls = state?.urls;
  if (!urls) return undefined;
  const pings = [pingElasticsearch(urls.elasticsearchUrl), pingPostgres(urls.databaseUrl), pingRedis(urls.redisUrl)];
  const answers = await Promise.allSettled(pings);
  return answers.every((answer) => answer.status === 'fulfilled' && answer.value) ? urls : undefined;
}

export interface Servers extends ServerUrls {
  /** Where they come from: the three variables, a stack that runs already, or started by this call. */
  source: 'environment' | 'running' | 'started';
  /** Resolves when a server that was started here ends unexpectedly. */
  failed: Promise<ServerFailed>;
  /** Stops what was started here; leaves others' servers alone. */
  stop(): Promise<void>;
}

/** The servers of the environment when ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL are set, else of a running stack, else new ones. */
export async function withServers(
  root: string,
  env: NodeJS.ProcessEnv,
  options: { ephemeral?: boolean; log?: Log; signal?: AbortSignal } = {},
): Promise<Servers> {
  const borrowed = { failed: new Promise<ServerFailed>(() => {}), stop: async () => {} };
  const named = urlsOf(env);
  if (named) return { ...named, ...borrowed, source: 'environment' };
  const running = await findStack(root);
  if (running) return { ...running, ...borrowed, source: 'running' };
  const { signal } = options;
  const stack = await startStack({
    root,
    ephemeral: options.ephemeral ?? true,
    log: options.log ?? console.error,
    ...(signal ? { signal } : {}),
  });
  return { ...stack, source: 'started' };
}

function urlsOf(env: NodeJS.ProcessEnv): ServerUrls | undefined {
  const { ELASTICSEARCH_URL, DATABASE_URL, REDIS_URL } = env;
  if (ELASTICSEARCH_URL && DATABASE_URL && REDIS_URL) {
    return { elasticsearchUrl: ELASTICSEARCH_URL, databaseUrl: DATABASE_URL, redisUrl: REDIS_URL };
  }
  const wanted = Object.entries({ ELASTICSEARCH_URL, DATABASE_URL, REDIS_URL });
  const set = wanted.filter(([, value]) => value).map(([name]) => name);
  if (set.length === 0) return undefined;
  const missing = wanted.filter(([, value]) => !value).map(([name]) => name);
  const verb = (names: string[]) => `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'}`;
  throw new UserError(`${verb(set)} set but ${verb(missing)} not: set all three, or none of them to have the servers started for you.`);
}
