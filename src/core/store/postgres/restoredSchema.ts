/**
 * Restores tables: into a separate schema, created by the migrations of the version that wrote them, migrated to this version, and swapped
 * with the served schema in one transaction. Until that commits the served schema is unchanged, so that a restore that was killed can be
 * repeated.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { tryLockConnection } from './locks.ts';
import { migrate, migrateFirst } from './migrate.ts';
import { readMigrationFiles } from './sqlFiles.ts';
import type { AppliedMigration, CopiedTable, SequenceState } from './tableSnapshot.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than any transaction of the service. */
const LOCK_TIMEOUT_MS = 20_000;
const SWAP_ATTEMPTS = 5;
/** SQLSTATEs of a lock timeout and of a deadlock with the service, after which the swap is retried. */
const IN_THE_WAY = ['55P03', '40P01'];
const IDENTIFIER_MAX = 63;
const ASIDE = '_restoring';
/** Ids that may have been assigned after the backup are skipped, so that no id is used twice. */
const GAP = 1_000_000;
const INTEGER_GAP = 1_000;
/** Attempts that workers may have begun after the backup: their fencing tokens must not be assigned again. */
const ATTEMPT_GAP = 1_000;
/** Tables that migrations fill themselves. */
const BOOKKEEPING = ['migration', 'applied_sql', 'database_epoch'];
/** Tables that the first start of the service, or a load, fills in an unused schema. */
const OF_THE_INDEX = ['index_lineage', 'index_commit'];

/** Nothing was changed; the message says why and what to do. */
export class RestoreRefused extends Error {}

export interface SchemaState {
  /** tables with rows of customers; empty if the schema can be replaced without loss */
  filled: string[];
  /** the backup from which the data was restored; null if it was not */
  restoredFrom: string | null;
  restoredAt: Date | null;
}

/** Primary keys of one table's rows that the restored schema lacks. */
export interface LostRows {
  table: string;
  rows: number;
}

/** A key that works again after a restore, or whose leak is forgotten. */
export interface RevivedKey {
  id: string;
  teamId: number;
  /** an operator had recorded that somebody else has it */
  leaked: boolean;
}

const id = pg.escapeIdentifier;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'landuse-restore',
    options: '-c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
    keepAlive: true,
  });
  client.on('error', () => undefined); // the current or next statement fails
  await client.connect();
  return client;
}

async function readRows<Row extends pg.QueryResultRow>(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(text, [...values])).rows;
}

/** Refuses a backup whose migrations are not the first ones of this version. @throws RestoreRefused */
export function refuseForeignMigrations(migrations: readonly AppliedMigration[]): void {
  const files = readMigrationFiles();
  const wrong = migrations.find(({ name, checksum }, i) => files[i]?.name !== name || files[i]?.checksum !== checksum);
  if (wrong)
    throw new RestoreRefused(
      `The backup's tables are of another version: its migration ${wrong.name} is not that of this one. Restore it with the version that made it, or a newer one`,
    );
}

export class RestoredSchema {
  readonly #client: pg.Client;
  readonly #url: string;
  readonly #schema: string;
  readonly #aside: string;

  private constructor(client: pg.Client, url: string, schema: string) {
    this.#client = client;
    this.#url = url;
    this.#schema = schema;
    this.#aside = `${schema.slice(0, IDENTIFIER_MAX - ASIDE.length)}${ASIDE}`;
  }

  /** Connects, and takes the lock of restores. @throws RestoreRefused when another restore runs */
  static async open(databaseUrl: string, schema: string): Promise<RestoredSchema> {
    const client = await connect(databaseUrl);
    if (await tryLockConnection(client, `restore of ${schema}`)) return new RestoredSchema(client, databaseUrl, schema);
    await client.end();
    throw new RestoreRefused(`Another restore of the schema ${schema} is running`);
  }

  /** The state of the schema that is to be replaced. @throws RestoreRefused when a newer version migrated it */
  async readState(): Promise<SchemaState> {
    const tables = await this.#listTables(this.#schema);
    const filled: string[] = [];
    const customerTables = tables.filter((name) => ![...BOOKKEEPING, ...OF_THE_INDEX].includes(name));
    for (const table of customerTables) if (await this.#isFilled(this.#in(this.#schema, table))) filled.push(table);
    if (tables.includes('migration')) await this.#refuseNewer();
    if (!tables.includes('database_epoch')) return { filled, restoredFrom: null, restoredAt: null };
    const [epoch] = await readRows<Omit<SchemaState, 'filled'>>(
      this.#client,
      `select restored_from as "restoredFrom", began_at as "restoredAt" from ${this.#in(this.#schema, 'database_epoch')}`,
    );
    return { restoredFrom: null, restoredAt: null, ...epoch, filled };
  }

  async #isFilled(table: string): Promise<boolean> {
    const [row] = await readRows<{ filled: boolean }>(this.#client, `select exists (select from ${table}) as filled`);
    return row?.filled ?? false;
  }

  async #refuseNewer(): Promise<void> {
    const known = new Set(readMigrationFiles().map(({ name }) => name));
    const applied = await readRows<{ name: string }>(this.#client, `select name from ${this.#in(this.#schema, 'migration')} order by id`);
    const newer = applied.find(({ name }) => !known.has(name));
    if (newer)
      throw new RestoreRefused(`The schema ${this.#schema} was migrated by a newer version (${newer.name}): restore with that version`);
  }

  /** Creates the separate schema, empty, with the given migrations, replacing that of an interrupted restore. */
  async begin(migrations: readonly AppliedMigration[]): Promise<void> {
    refuseForeignMigrations(migrations);
    await this.#client.query(`drop schema if exists ${id(this.#aside)} cascade`);
    await migrateFirst(this.#url, this.#aside, migrations.length);
  }

  /** Sorts tables such that each comes after those it references. */
  async sortTables<T extends CopiedTable>(tables: readonly T[]): Promise<T[]> {
    const references = await readRows<{ table: string; refersTo: string }>(
      this.#client,
      `select t.relname::text as "table", r.relname::text as "refersTo"
       from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
       where c.contype = 'f' and c.connamespace = to_regnamespace($1) and t.oid <> r.oid`,
      [this.#aside],
    );
    const waiting = new Map(tables.map((table) => [table.name, table]));
    const ordered: T[] = [];
    while (waiting.size) {
      const free = [...waiting.values()].filter(
        ({ name }) => !references.some(({ table, refersTo }) => table === name && waiting.has(refersTo)),
      );
      if (!free.length) throw new Error(`Tables refer to one another in a circle: ${[...waiting.keys()].join(', ')}`);
      for (const table of free) waiting.delete(table.name);
      ordered.push(...free);
    }
    return ordered;
  }

  /**
   * Fills a table, replacing rows that a migration inserted. Its constraints are checked at the end.
   * @returns number of rows
   */
  async load({ name, columns }: CopiedTable, content: Readable): Promise<number> {
    const table = this.#in(this.#aside, name);
    await this.#client.query('begin');
    if (await this.#isFilled(table)) await this.#client.query(`delete from ${table}`);
    const copy = this.#client.query(copyFrom(`copy ${table} (${columns.map(id).join(', ')}) from stdin`));
    await pipeline(content, copy);
    await this.#client.query('commit');
    return copy.rowCount;
  }

  /**
   * Sets the sequences beyond every number that may have been assigned, migrates to this version, and analyses the tables for the planner.
   */
  async complete(sequences: readonly SequenceState[], backup: { name: string; moment: string }): Promise<void> {
    for (const sequence of sequences) await this.#setSequence(sequence);
    await this.#client.query(
      `update ${this.#in(this.#aside, 'job')} set attempt = attempt + $1, handed_back = handed_back + $1 where settled_at is null`,
      [ATTEMPT_GAP],
    );
    await migrate(this.#url, this.#aside);
    await this.#client.query(`update ${this.#in(this.#aside, 'database_epoch')} set restored_from = $1, restored_moment = $2`, [
      backup.name,
      backup.moment,
    ]);
    for (const table of await this.#listTables(this.#aside)) await this.#client.query(`analyze ${this.#in(this.#aside, table)}`);
  }

  async #setSequence({ name, lastValue, isCalled }: SequenceState): Promise<void> {
    const sequence = this.#in(this.#aside, name);
    await this.#client.query(
      `select setval($1::regclass, $2::bigint + case when data_type = 'bigint'::regtype then $3::bigint else $4::bigint end, $5)
       from pg_sequences where schemaname = $6 and sequencename = $7`,
      [sequence, lastValue, GAP, INTEGER_GAP, isCalled, this.#aside, name],
    );
  }

  /** Rows of the replaced schema that the restored one lacks. */
  async findLostRows(): Promise<LostRows[]> {
    const before = new Set(await this.#listTables(this.#schema));
    const lost: LostRows[] = [];
    for (const table of (await this.#listTables(this.#aside)).filter((name) => before.has(name) && !BOOKKEEPING.includes(name))) {
      const key = await this.#readPrimaryKey(this.#aside, table);
      if (!key.length || key.join() !== (await this.#readPrimaryKey(this.#schema, table)).join()) continue;
      const same = key.map((column) => `kept.${id(column)} = gone.${id(column)}`).join(' and ');
      const [row] = await readRows<{ rows: number }>(
        this.#client,
        `select count(*)::float8 as rows from ${this.#in(this.#schema, table)} gone
         where not exists (select from ${this.#in(this.#aside, table)} kept where ${same})`,
      );
      if (row?.rows) lost.push({ table, rows: row.rows });
    }
    return lost;
  }

  /** Keys that had stopped, or were to stop, since the backup and would work again, and those whose leak it does not know. */
  async findRevivedKeys(): Promise<RevivedKey[]> {
    const before = await this.#listTables(this.#schema);
    if (!['api_key', 'app_user', 'team'].every((table) => before.includes(table))) return [];
    const [kept, gone] = [this.#makeKeysSql(this.#aside), this.#makeKeysSql(this.#schema)];
    return readRows(
      this.#client,
      `select kept.id, kept.team_id as "teamId", gone.leaked from (${kept}) kept join (${gone}) gone using (id)
       where kept.works and (not gone.works or gone.ends_at < kept.ends_at) or gone.leaked and not kept.leaked order by kept.id`,
    );
  }

  /** SQL: the keys of a schema, whether each works, until when, and whether it is known to have leaked. */
  #makeKeysSql(schema: string): string {
    return `select k.id, k.team_id, coalesce(k.expires_at, 'infinity') as ends_at, k.leaked_at is not null as leaked,
        k.revoked_at is null and coalesce(k.expires_at > now(), true) and u.closed_at is null and t.status <> 'disabled' as works
      from ${this.#in(schema, 'api_key')} k join ${this.#in(schema, 'app_user')} u on u.id = k.user_id
        join ${this.#in(schema, 'team')} t on t.id = k.team_id`;
  }

  /** People suppressed after the backup, who would be shown again. */
  async findLostSuppressions(): Promise<{ kind: string; note: string | null; addedAt: Date }[]> {
    if (!(await this.#listTables(this.#schema)).includes('suppression')) return [];
    return readRows(
      this.#client,
      `select kind, note, added_at as "addedAt" from ${this.#in(this.#schema, 'suppression')} gone
       where not exists (select from ${this.#in(this.#aside, 'suppression')} kept where kept.hash = gone.hash) order by id`,
    );
  }

  async #readPrimaryKey(schema: string, table: string): Promise<string[]> {
    const rows = await readRows<{ name: string }>(
      this.#client,
      `select a.attname::text as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where i.indisprimary and i.indrelid = $1::regclass order by a.attname`,
      [this.#in(schema, table)],
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Swaps the restored schema with the served one, whose rows are then lost.
   * @param mayReplace false refuses if rows were added since `readState`
   */
  async replaceServed(mayReplace: boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#client.query('begin');
        await this.#client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await this.#swap(mayReplace);
        await this.#client.query('commit');
        await this.#client.query(`drop schema ${id(this.#aside)} cascade`);
        return;
      } catch (error) {
        await this.#client.query('rollback').catch(() => undefined); // the connection is lost, and with it the transaction
        if (attempt === SWAP_ATTEMPTS || !(error instanceof pg.DatabaseError) || !IN_THE_WAY.includes(error.code ?? '')) throw error;
      }
    }
  }

  async #swap(mayReplace: boolean): Promise<void> {
    const run = (text: string) => this.#client.query(text);
    await run(`create schema if not exists ${id(this.#schema)}`);
    const before = await this.#listTables(this.#schema);
    const tables = await this.#listTables(this.#aside);
    const replaced = before.filter((name) => tables.includes(name)).map((name) => this.#in(this.#schema, name));
    if (replaced.length) await run(`lock table ${replaced.join(', ')} in access exclusive mode`);
    if (!mayReplace && (await this.readState()).filled.length)
      throw new RestoreRefused(
        `Rows were written to the schema ${this.#schema} while it was being restored: stop the service, and run the restore again`,
      );
    for (const drop of await this.#listDrops()) await run(drop);
    for (const move of await this.#listMoves()) await run(move);
  }

  /** Statements that drop the objects of the replaced schema that the restored one also has; other objects in `public` are not ours. */
  async #listDrops(): Promise<string[]> {
    const same = `and exists (select from pg_class n where n.relname = c.relname and n.relkind = c.relkind and n.relnamespace = to_regnamespace($2))`;
    const statements = await readRows<{ text: string }>(
      this.#client,
      `select format('drop table %s cascade', c.oid::regclass) as text, 1 as place from pg_class c
         where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' ${same}
       union all select format('drop sequence %s', c.oid::regclass), 2 from pg_class c
         where c.relnamespace = to_regnamespace($1) and c.relkind = 'S' and ${OF_ITS_OWN} ${same}
       union all select format('drop function if exists %s cascade', p.oid::regprocedure), 3 from pg_proc p
         where p.pronamespace = to_regnamespace($1) and exists (
           select from pg_proc n where n.proname = p.proname and n.pronamespace = to_regnamespace($2))
       order by place`,
      [id(this.#schema), id(this.#aside)],
    );
    return statements.map(({ text }) => text);
  }

  async #listMoves(): Promise<string[]> {
    const statements = await readRows<{ text: string }>(
      this.#client,
      `select format('alter table %s set schema %I', c.oid::regclass, $1::text) as text from pg_class c
         where c.relnamespace = to_regnamespace($2) and c.relkind = 'r'
       union all select format('alter sequence %s set schema %I', c.oid::regclass, $1::text) from pg_class c
         where c.relnamespace = to_regnamespace($2) and c.relkind = 'S' and ${OF_ITS_OWN}
       union all select format('alter function %s set schema %I', p.oid::regprocedure, $1::text) from pg_proc p
         where p.pronamespace = to_regnamespace($2)`,
      [this.#schema, id(this.#aside)],
    );
    return statements.map(({ text }) => text);
  }

  /** Names of ordinary and partitioned tables, sorted. */
  async #listTables(schema: string): Promise<string[]> {
    const rows = await readRows<{ name: string }>(
      this.#client,
      `select relname::text as name from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') order by relname`,
      [id(schema)],
    );
    return rows.map(({ name }) => name);
  }

  #in(schema: string, name: string): string {
    return `${id(schema)}.${id(name)}`;
  }

  /** Drops the separate schema of a failed restore. If the connection is lost, the next restore does it. */
  async abandon(): Promise<void> {
    await this.#client
      .query('rollback')
      .then(() => this.#client.query(`drop schema if exists ${id(this.#aside)} cascade`))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined); // closing frees the lock, and so does a lost connection
  }
}

/** SQL: whether a sequence `c` belongs to no column, so that it is not moved and dropped with a table. */
const OF_ITS_OWN = `not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i'))`;
