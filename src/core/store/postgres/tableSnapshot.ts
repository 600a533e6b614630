/** Reads whole tables of a schema as of one moment, while the service runs: the Postgres part of a backup. */
import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { tryLockConnection } from './locks.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 30_000;
/** Tables that migrations fill themselves; a restored schema has its own. */
const MADE_BY_MIGRATIONS = ['migration', 'applied_sql', 'database_epoch'];

/** Another backup of the schema is running. */
export class SnapshotTaken extends Error {}

/** The schema does not belong to this product, or a migration is running. */
export class SnapshotRefused extends Error {}

export interface CopiedTable {
  name: string;
  /** in the order of a row's values in the copy */
  columns: string[];
}

export interface SequenceState {
  name: string;
  /** decimal text */
  lastValue: string;
  /** false for a sequence that has not been used yet */
  isCalled: boolean;
}

export interface AppliedMigration {
  name: string;
  /** SHA-256 of its text */
  checksum: string;
}

/** Rows in the text format of COPY; `rowCount` is known at the end. */
type TableRows = Readable & { readonly rowCount: number };

const TABLES = `
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r' and c.relname <> all ($2)
  group by c.relname order by c.relname`;

const SEQUENCES = `
  select c.relname::text as name from pg_class c
  where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'S'
    and not exists (
      select from pg_depend d join pg_class t on t.oid = d.refobjid where d.objid = c.oid and d.deptype in ('a', 'i') and t.relname = any ($2)
    )
  order by c.relname`;

/** A session that reads a single snapshot. It blocks changes of the tables' structure, but nothing that the service does. */
export class Snapshot {
  readonly #client: pg.Client;
  readonly #schema: string;
  /** time of the snapshot, by the clock of Postgres */
  readonly moment: Date;
  readonly serverVersion: string;
  readonly tables: readonly CopiedTable[];
  readonly migrations: readonly AppliedMigration[];

  private constructor(client: pg.Client, schema: string, read: Pick<Snapshot, 'moment' | 'serverVersion' | 'tables' | 'migrations'>) {
    this.#client = client;
    this.#schema = schema;
    this.moment = read.moment;
    this.serverVersion = read.serverVersion;
    this.tables = read.tables;
    this.migrations = read.migrations;
  }

  /** @throws SnapshotTaken, SnapshotRefused */
  static async open(databaseUrl: string, schema: string): Promise<Snapshot> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'landuse-backup',
      options: `-c search_path=${schema} -c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${LOCK_TIMEOUT_MS}`,
      keepAlive: true,
    });
    client.on('error', () => undefined); // the current copy or next statement fails
    await client.connect();
    try {
      return new Snapshot(client, schema, await begin(client, schema));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** The rows of a table. The session has one connection: read each table to its end before the next. */
  readRows({ name, columns }: CopiedTable): TableRows {
    const list = columns.map(pg.escapeIdentifier).join(', ');
    return this.#client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`));
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows;
  }

  /** The sequences. Read them after the rows: sequences are not part of a snapshot, and are then at or beyond every number in the rows. */
  async readSequences(): Promise<SequenceState[]> {
    const names = await this.query<{ name: string }>(SEQUENCES, [this.#schema, MADE_BY_MIGRATIONS]);
    const states: SequenceState[] = [];
    for (const { name } of names) {
      const text = `select last_value as "lastValue", is_called as "isCalled" from ${pg.escapeIdentifier(name)}`;
      for (const state of await this.query<Omit<SequenceState, 'name'>>(text)) states.push({ name, ...state });
    }
    return states;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined); // closing an already finished session may fail
  }
}

/** Locks the tables before taking the snapshot, so that none of them is rewritten after it. */
async function begin(client: pg.Client, schema: string): Promise<Pick<Snapshot, 'moment' | 'serverVersion' | 'tables' | 'migrations'>> {
  if (!(await tryLockConnection(client, `backup of ${schema}`)))
    throw new SnapshotTaken(`Another backup of the schema ${schema} is running`);
  const before = await listTables(client, schema);
  if (!before.some(({ name }) => name === 'team'))
    throw new SnapshotRefused(`The schema ${schema} has no tables of this product: see DATABASE_URL and DATABASE_SCHEMA`);
  const names = ['migration', 'applied_sql', ...before.map(({ name }) => name)].map(pg.escapeIdentifier);
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  const tables = await listTables(client, schema);
  const { rows: migrations } = await client.query<AppliedMigration>(
    'select name, checksum from migration join applied_sql using (name) order by migration.id',
  );
  const { rows: applied } = await client.query<{ count: number }>('select count(*)::integer as count from migration');
  if (JSON.stringify(tables) !== JSON.stringify(before) || applied[0]?.count !== migrations.length)
    throw new SnapshotRefused(`The tables of the schema ${schema} are being migrated: run the backup again when that is done`);
  const { rows: now } = await client.query<{ moment: Date; version: string }>(
    `select statement_timestamp() as moment, current_setting('server_version') as version`,
  );
  return { moment: now[0]?.moment ?? new Date(), serverVersion: now[0]?.version ?? '', tables, migrations };
}

async function listTables(client: pg.Client, schema: string): Promise<CopiedTable[]> {
  return (await client.query<CopiedTable>(TABLES, [schema, MADE_BY_MIGRATIONS])).rows;
}
