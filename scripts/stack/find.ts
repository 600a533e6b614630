import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/terminal/program.ts';
import { pingElasticsearch } from './elasticsearch.ts';
import type { Log, ServerFailed } from './errors.ts';
import { pingPostgres } from './postgres.ts';
import { pingRedis } from './redis.ts';
import { startStack } from './start.ts';
import { readState, type ServerUrls } from './state.ts';

const POLL_MS = 200;
/** How long a stack whose process lives is asked: on a busy machine an answer comes late. */
const ANSWER_MS = 60_000;

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
  for (const until = Date.now() + ANSWER_MS; Date.now() < until && readState(folder); await sleep(POLL_MS))
    if (await answer(urls)) return urls;
  return undefined;
}

async function answer({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): Promise<boolean> {
  const answers = await Promise.allSettled([pingElasticsearch(elasticsearchUrl), pingPostgres(databaseUrl), pingRedis(redisUrl)]);
  return answers.every((one) => one.status === 'fulfilled' && one.value);
}

export interface Servers extends ServerUrls, AsyncDisposable {
  /** Where they come from: the three variables, a stack that runs already, or started by this call. */
  source: 'environment' | 'running' | 'started';
  /** Resolves when a server that was started here ends unexpectedly. */
  failed: Promise<ServerFailed>;
  /** Stops what was started here; leaves others' servers alone. */
  stop(): Promise<void>;
}

/** The servers of the environment when ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL are set, else of a running stack, else new ones. */
export async function findOrStartServers(
  root: string,
  env: NodeJS.ProcessEnv,
  options: { ephemeral?: boolean; inMemory?: boolean; log?: Log; signal?: AbortSignal } = {},
): Promise<Servers> {
  const nothing = async () => {};
  const borrowed = { failed: new Promise<ServerFailed>(() => {}), stop: nothing, [Symbol.asyncDispose]: nothing };
  const named = urlsOf(env);
  if (named) return { ...named, ...borrowed, source: 'environment' };
  const running = await findStack(root);
  if (running) return { ...running, ...borrowed, source: 'running' };
  const { signal } = options;
  const stack = await startStack({
    root,
    ephemeral: options.ephemeral ?? true,
    inMemory: options.inMemory ?? false,
    log: options.log ?? console.error,
    ...(signal ? { signal } : {}),
  });
  return { ...stack, [Symbol.asyncDispose]: stack.stop, source: 'started' };
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
