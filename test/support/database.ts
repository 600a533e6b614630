/** A migrated Postgres schema for a test file, dropped after it. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { keepIfFailed } from '../../scripts/test/keptData.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { Database, type Queryable } from '../../src/core/store/postgres/pool.ts';
import { serverUrl } from './servers.ts';

export interface TestDatabase {
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
  const url = serverUrl('DATABASE_URL');
  const schema = await newSchema(url);
  return openSchema(url, schema, async () => {
    if (!keepIfFailed(`schema ${schema} of`, url)) await dropSchema(url, schema);
  });
}

let shared: Promise<string> | undefined;
let keepsShared = false;

/**
 * The schema shared by tests of a process whose rows have their own prefix, such as records of loads, since migrating takes longer than most tests.
 * It is dropped at the end of the process.
 */
export async function sharedDatabase(): Promise<TestDatabase> {
  const url = serverUrl('DATABASE_URL');
  shared ??= newSchema(url).then((schema) => {
    process.once('beforeExit', () => (keepsShared ? undefined : dropSchema(url, schema)));
    return schema;
  });
  const schema = await shared;
  return openSchema(url, schema, async () => {
    keepsShared = keepIfFailed(`schema ${schema} of`, url) || keepsShared;
  });
}

async function newSchema(url: string): Promise<string> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  await migrate(url, schema);
  return schema;
}

const dropSchema = (url: string, schema: string) => runSql(url, `drop schema "${schema}" cascade`);

function openSchema(url: string, schema: string, whenClosed: () => Promise<void>): TestDatabase {
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
  return { url, schema, database: another(), another, drop };
}
