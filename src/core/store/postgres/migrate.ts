/** Migrates a schema to this version: applies the numbered migrations, each once, then replaces the functions if one has changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { checksumFunctions, MIGRATIONS_FOLDER, readCommittedChecksums, readFunctionFiles, readMigrationFiles } from './sqlFiles.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Longest wait for a table. All requests that need the table wait behind a waiting migration, and one that holds another table could
 * deadlock with them, which Postgres detects after a second and resolves by failing a request.
 */
const LOCK_TIMEOUT_MS = 300;
const LOCK_PAUSE_MS = 200;
const LOCKED_MOST_MS = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const MIGRATIONS_TABLE = 'migration';
/** Name under which the functions are recorded among the migrations. */
const FUNCTIONS = 'functions';

/** A migration file differs from the text that was applied; nothing was changed. */
export class ChangedMigration extends Error {}

/**
 * Applies the migrations that `schema` lacks in one transaction, then the functions in another. A second process that migrates the same
 * schema waits for the first, and then has nothing to do. Functions of a newer version are not replaced.
 * @returns names of the applied migrations, and `functions` if these were replaced
 * @throws ChangedMigration before anything is changed
 */
export function migrate(databaseUrl: string, schema: string, log: (line: string) => void = () => {}): Promise<string[]> {
  return withLockedSchema(databaseUrl, schema, async (client) => {
    await refuseChangedMigrations(client, schema);
    const applied = await applyMigrations(client, schema, log);
    const replaced = await untilUnlocked(() =>
      runInTransaction(client, async () => {
        await client.query(`set local search_path to ${pg.escapeIdentifier(schema)}`);
        await recordChecksums(client);
        return replaceFunctions(client);
      }),
    );
    return [...applied, ...(replaced ? [FUNCTIONS] : [])];
  });
}

/** Makes a schema with the tables of the first `count` migrations, for rows that an older version wrote; `migrate` applies the others. */
export async function migrateFirst(databaseUrl: string, schema: string, count: number): Promise<void> {
  await withLockedSchema(databaseUrl, schema, (client) => applyMigrations(client, schema, () => {}, count));
}

async function withLockedSchema<T>(databaseUrl: string, schema: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'landuse-migrate',
  });
  client.on('error', () => undefined); // the current or next statement fails
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${crc32(`landuse migrations of ${schema}`)})`);
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined); // closing frees the lock, and so does a lost connection
  }
}

async function applyMigrations(client: pg.Client, schema: string, log: (line: string) => void, count?: number): Promise<string[]> {
  const applied = await untilUnlocked(() =>
    runner({
      dbClient: client,
      dir: MIGRATIONS_FOLDER,
      direction: 'up',
      ...(count === undefined ? {} : { count }),
      migrationsTable: MIGRATIONS_TABLE,
      schema,
      createSchema: schema !== 'public',
      singleTransaction: true,
      noLock: true,
      log,
    }),
  );
  return applied.map(({ name }) => name);
}

/** Repeats a transaction that was rolled back until it gets the locks of the tables that it changes, which a running version uses. */
async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + LOCKED_MOST_MS; ; await sleep(LOCK_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (Date.now() > until)
        throw new Error(
          `A table was in use without a pause for ${LOCKED_MOST_MS / 1000} s: end the transaction that holds it (pg_stat_activity), then run this again`,
          { cause: error },
        );
    }
  }
}

async function refuseChangedMigrations(client: pg.Client, schema: string): Promise<void> {
  const table = `${pg.escapeIdentifier(schema)}.applied_sql`;
  const { rows: known } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!known[0]?.there) return;
  const { rows } = await client.query<{ name: string; checksum: string }>(`select name, checksum from ${table}`);
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = readMigrationFiles().filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  if (changed.length)
    throw new ChangedMigration(
      `${changed.map(({ name }) => `migrations/${name}.sql`).join(', ')}: applied to the schema ${schema} with another text than the file has now. ` +
        'Put the file back as it was and write the change as a new migration; nothing was changed',
    );
}

async function recordChecksums(client: pg.Client): Promise<void> {
  const files = readMigrationFiles();
  await client.query(
    `insert into applied_sql (name, checksum)
       select file.name, file.checksum from unnest($1::text[], $2::text[]) as file (name, checksum) join ${MIGRATIONS_TABLE} using (name)
     on conflict do nothing`,
    [files.map(({ name }) => name), files.map(({ checksum }) => checksum)],
  );
}

/** Replaces the functions if they changed. @returns whether they had changed */
async function replaceFunctions(client: pg.Client): Promise<boolean> {
  const files = readFunctionFiles();
  const checksum = checksumFunctions(files);
  const { version } = readCommittedChecksums().functions;
  const { rows } = await client.query<{ checksum: string; version: number }>('select checksum, version from applied_sql where name = $1', [
    FUNCTIONS,
  ]);
  const there = rows[0];
  if (there && (there.checksum === checksum || there.version > version)) return false;
  // First without checks, so that a function may call one defined later; then with their bodies checked.
  for (const checked of ['off', 'on']) {
    await client.query(`set local check_function_bodies = ${checked}`);
    for (const { text } of files) await client.query(text);
  }
  await client.query(
    `insert into applied_sql (name, checksum, version) values ($1, $2, $3)
     on conflict (name) do update set checksum = excluded.checksum, version = excluded.version, applied_at = now()`,
    [FUNCTIONS, checksum, version],
  );
  return true;
}

async function runInTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and with it the transaction
    throw error;
  }
}
