/** The API in a process of its own, with an account and a key, on a schema and a Redis prefix that are removed afterwards. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { KeyStore } from '../../src/store/postgres/keys.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { makeRedis, redisReady } from '../../src/store/redis/client.ts';
import { UserError } from '../../src/terminal/program.ts';
import type { ServerUrls } from '../stack/index.ts';
import { freePort, HOST } from '../stack/ports.ts';
import { startChild, stopChild } from './children.ts';

const SECRET = 'a secret for the benchmark, of more than 32 characters';
const NO_LIMIT = '1000000000';
const READY_MS = 20_000;
const POLL_MS = 50;

/** Names of everything that the benchmark makes on the servers, apart from its indices. */
export interface Account {
  databaseUrl: string;
  redisUrl: string;
  schema: string;
  redisPrefix: string;
  key: string;
  drop(): Promise<void>;
}

async function mintKey(database: Database): Promise<string> {
  const accounts = new AccountStore(database);
  const team = await accounts.createTeam({ name: 'Benchmark', plan: 'national' });
  const user = await accounts.createUser({ teamId: team.id, name: 'Owner', email: 'owner@example.com', role: 'owner' });
  return (await new KeyStore({ database, pepper: SECRET }).mint(user.id, 'bench')).secret;
}

async function dropSchema(url: string, schema: string): Promise<void> {
  const database = new Database({ url, schema, connections: 1 });
  await database.query(`drop schema if exists "${schema}" cascade`).finally(() => database.close());
}

async function dropKeys(url: string, prefix: string): Promise<void> {
  const redis = makeRedis({ url });
  await redisReady(redis, READY_MS);
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) if (keys.length) await redis.del(...(keys as string[]));
  redis.disconnect();
}

/** @param name distinguishes runs: letters, digits and `_` */
export async function makeAccount({ databaseUrl, redisUrl }: ServerUrls, name: string): Promise<Account> {
  const schema = `bench_${name}`;
  const redisPrefix = `bench_${name}:`;
  const drop = async () => {
    await dropSchema(databaseUrl, schema);
    await dropKeys(redisUrl, redisPrefix);
  };
  try {
    await migrate(databaseUrl, schema);
    const database = new Database({ url: databaseUrl, schema, connections: 1 });
    const key = await mintKey(database).finally(() => database.close());
    return { databaseUrl, redisUrl, schema, redisPrefix, key, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

export interface Api {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the API on an index prefix and waits until it answers. @throws UserError when it does not */
export async function startApi(
  account: Account,
  elasticsearchUrl: string,
  indexPrefix: string,
  nodeOptions: readonly string[] = [],
): Promise<Api> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const env = {
    PORT: String(port),
    PUBLIC_URL: 'https://api.example.com',
    ELASTICSEARCH_URL: elasticsearchUrl,
    DATABASE_URL: account.databaseUrl,
    DATABASE_SCHEMA: account.schema,
    REDIS_URL: account.redisUrl,
    REDIS_PREFIX: account.redisPrefix,
    INDEX_PREFIX: indexPrefix,
    CURSOR_SECRET: SECRET,
    KEY_PEPPER: SECRET,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PAID: NO_LIMIT,
    RATE_LIMIT_TRIAL: NO_LIMIT,
    RATE_LIMIT_ANONYMOUS: NO_LIMIT,
    RATE_LIMIT_REFUSED: NO_LIMIT,
    RATE_LIMIT_HEALTH: NO_LIMIT,
  };
  const child = startChild('src/main.ts', [], env, nodeOptions);
  const stop = () => stopChild(child);
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(POLL_MS)) {
    if (child.exitCode !== null) break;
    const ready = await fetch(`${url}/health`).catch(() => undefined);
    if (ready?.ok) return { url, child, stop };
  }
  await stop();
  throw new UserError('The API did not start; its message stands above.');
}
