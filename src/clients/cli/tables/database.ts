/** A connection to the database of a copy; its errors are sentences for people. */
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../../terminal/program.ts';
import { type DatabaseKind, DIALECTS, type Dialect } from './dialects.ts';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface CopyDatabase {
  /** for messages; without a password */
  readonly name: string;
  readonly dialect: Dialect;
  /** path to which a file is downloaded before it is loaded */
  partOf(name: string): string;
  /** @param sql with values as `$1`, `$2` … @throws UserError */
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** also removes a file that this run made, if it has no copy */
  close(): Promise<void>;
}

/** The table with the source and state of each copy. */
export const COPIES = 'landuse_copies';

/** The operations of a database library that a copy needs. */
interface Connection {
  query(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}

const AGAIN = 'Rows and cursor agree as they stand; run the same command again.';

/** Opens a database. @param target a file, or the URL of Postgres @throws UserError with a remedy */
export async function openDatabase(kind: DatabaseKind, target: string): Promise<CopyDatabase> {
  const isPostgres = kind === 'postgres';
  if (isPostgres !== /^postgres(ql)?:\/\//.test(target))
    throw new UserError(
      isPostgres
        ? `'${target}' is no address of Postgres: it begins with postgres://, as in postgres://user@host/database.`
        : `'${target}' is an address: --into ${kind} takes a file; for Postgres it is --into postgres.`,
    );
  const name = isPostgres ? shownAddress(target) : target;
  const isNew = !isPostgres && !existsSync(target);
  const connection = await connect(kind, target).catch((error: unknown) => {
    throw error instanceof UserError ? error : new UserError(`${name} cannot be opened: ${messageOf(error)}. ${remedyOf(kind, target)}`);
  });
  return {
    name,
    dialect: DIALECTS[kind],
    partOf: (part) => (isPostgres ? path.join(tmpdir(), `landuse-${part}`) : `${target}.${part}`),
    query: (sql, values = []) =>
      connection.query(sql, values).catch((error: unknown) => {
        throw new UserError(`${name} refuses what is written to it: ${messageOf(error)}. ${AGAIN}`, { cause: error });
      }),
    close: async () => {
      const isUnused = isNew && !(await connection.query(DIALECTS[kind].columnNames, [COPIES])).length;
      await connection.close();
      if (isUnused) for (const file of [target, `${target}.wal`]) rmSync(file, { force: true });
    },
  };
}

async function connect(kind: DatabaseKind, target: string): Promise<Connection> {
  if (kind === 'postgres') return connectPostgres(target);
  const folder = path.dirname(path.resolve(target));
  if (!existsSync(folder)) throw new UserError(`${folder} is no folder: make it, or name another file.`);
  return kind === 'sqlite' ? connectSqlite(target) : connectDuckdb(target);
}

const SQLITE_WAIT_MS = 10_000;

async function connectSqlite(file: string): Promise<Connection> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new UserError(`--into sqlite needs Node 22.13 or newer, and this is ${process.version}.`);
  });
  const database = new DatabaseSync(file, { timeout: SQLITE_WAIT_MS });
  database.prepare('select count(*) from sqlite_schema').get(); // a file of something else is refused here
  return {
    query: async (sql, values) => database.prepare(sql.replaceAll(/\$(\d)/g, '?$1')).all(...values),
    close: async () => database.close(),
  };
}

async function connectDuckdb(file: string): Promise<Connection> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => {
    throw new UserError('--into duckdb needs the package @duckdb/node-api beside this one: npm install --global @duckdb/node-api');
  });
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  return {
    query: async (sql, values) => (await connection.runAndReadAll(sql, [...values])).getRowObjectsJson(),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const CONNECT_MS = 10_000;

async function connectPostgres(address: string): Promise<Connection> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS, application_name: 'landuse copy' });
  client.on('error', () => {}); // the next statement is refused
  await client.connect();
  return {
    query: async (sql, values) => (await client.query(sql, [...values])).rows,
    close: () => client.end(),
  };
}

function shownAddress(address: string): string {
  if (!URL.canParse(address)) throw new UserError('The address of Postgres cannot be read: postgres://user@host/database.');
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/** The first line of an error's message, without its full stop. An AggregateError of several addresses has no message of its own. */
function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split('\n')[0]?.replace(/\.$/, '') ?? '';
}

const remedyOf = (kind: DatabaseKind, target: string) =>
  kind === 'postgres'
    ? 'Is it running, and are its address, user and password (PGPASSWORD, ~/.pgpass) right?'
    : `Is ${target} a file of ${kind} that no other program has open?`;
