/** A migrated Postgres schema for a test file, dropped after it. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keepIfFailed } from '../../scripts/test/keptData.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { Database, type Queryable } from '../../src/core/store/postgres/pool.ts';
import { readFunctionFiles, readMigrationFiles } from '../../src/core/store/postgres/sqlFiles.ts';
import { serverUrl } from './servers.ts';

export interface TestDatabase extends AsyncDisposable {
  url: string;
  schema: string;
  database: Database;
  /** opens another pool on the same schema, like a second process; closed with the rest */
  another(): Database;
  drop(): Promise<void>;
}

/** Runs a statement on a new connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A clock for a schema: it stands at a time, or differs from the server's by some milliseconds (negative is behind). */
export type Clock = { at: Date | string } | { aheadMs: number };

/** Installs a test's clock in the schema, for every connection and process that uses it. */
export async function setClock(database: Queryable, clock: Clock): Promise<void> {
  const time =
    'at' in clock
      ? `timestamptz '${new Date(clock.at).toISOString()}'`
      : `statement_timestamp() + interval '${Math.round(clock.aheadMs)} milliseconds'`;
  await database.query(`create or replace function service_now() returns timestamptz language sql stable as $$ select ${time} $$`);
}

/** @throws Error when a schema that was made again, as by a restore, has the server's time in place of the test's, which fails some day */
export async function requireClock(database: Queryable, clock: Clock): Promise<void> {
  if (!('at' in clock)) return;
  const [row] = await database.query<{ at: Date }>('select service_now() as at');
  if (row?.at.getTime() !== new Date(clock.at).getTime())
    throw new Error(`The schema's clock is at ${row?.at.toISOString()}, no longer where the test set it: set it again after a restore`);
}

/** Multiplies timeouts, since a busy machine answers late. */
const PATIENCE = 10;

export async function testDatabase(): Promise<TestDatabase> {
  const made = await makeSchema(serverUrl('DATABASE_URL'));
  return openSchema(made, async () => {
    if (!keepIfFailed(`schema ${made.schema} of`, made.url)) await made.remove();
  });
}

let shared: Promise<MadeSchema> | undefined;
let keepsShared = false;

/**
 * The schema shared by tests of a process whose rows have their own prefix, such as records of loads, since migrating takes longer than most tests.
 * It is dropped at the end of the process.
 */
export async function sharedDatabase(): Promise<TestDatabase> {
  shared ??= makeSchema(serverUrl('DATABASE_URL')).then((made) => {
    process.once('beforeExit', () => (keepsShared ? undefined : made.remove()));
    return made;
  });
  const made = await shared;
  return openSchema(made, async () => {
    keepsShared = keepIfFailed(`schema ${made.schema} of`, made.url) || keepsShared;
  });
}

interface MadeSchema {
  url: string;
  schema: string;
  remove(): Promise<void>;
}

/** A copy of a migrated database takes a sixth of a migration; the server has to let the role create databases, as that of `npm test` does. */
async function makeSchema(url: string): Promise<MadeSchema> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  template ??= prepareTemplate(url);
  const from = await template;
  if (from === undefined) {
    await migrate(url, schema);
    return { url, schema, remove: () => runSql(url, `drop schema "${schema}" cascade`) };
  }
  await runSql(url, `create database "${schema}" template "${from}" strategy file_copy`);
  const own = inDatabase(url, schema);
  await runSql(own, `alter schema "${TEMPLATE_SCHEMA}" rename to "${schema}"`);
  return { url: own, schema, remove: () => dropDatabase(url, schema) };
}

const NOT_PERMITTED = '42501';
const DROP_TRIES = 20;
const DROP_WAIT_MS = 250;

/** Drops a database. A worker of the server that is just cleaning it up may not be ended by the role, and is waited for. */
async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await runSql(url, `drop database "${name}" with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== NOT_PERMITTED || attempt === DROP_TRIES) throw error;
      await sleep(DROP_WAIT_MS);
    }
}

/** The address of a database on the same server, or behind the same proxy. */
export const inDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

const TEMPLATE_SCHEMA = 'template';
let template: Promise<string | undefined> | undefined;

/** A database with the migrated schema, which all processes of a run copy. @returns its name; undefined where the role may create no databases */
async function prepareTemplate(url: string): Promise<string | undefined> {
  const digest = createHash('sha256')
    .update(JSON.stringify([readMigrationFiles(), readFunctionFiles()]))
    .digest('hex');
  const name = `template_${digest.slice(0, 12)}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select rolcreatedb as allowed from pg_roles where rolname = current_user');
    if (!rows[0]?.allowed) return undefined;
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount) return name;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists "${unfinished}" with (force)`);
    await client.query(`create database "${unfinished}"`);
    await migrate(inDatabase(url, unfinished), TEMPLATE_SCHEMA);
    await client.query(`alter database "${unfinished}" rename to "${name}"`);
    return name;
  } finally {
    await client.end();
  }
}

function openSchema({ url, schema }: MadeSchema, whenClosed: () => Promise<void>): TestDatabase {
  const open: Database[] = [];
  const another = () => {
    const database = new Database({ url, schema, patience: PATIENCE });
    open.push(database);
    return database;
  };
  const drop = async () => {
    await Promise.all(open.map((database) => database.close()));
    await whenClosed();
  };
  return { url, schema, database: another(), another, drop, [Symbol.asyncDispose]: drop };
}
