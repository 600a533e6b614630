/**
 * Named locks that Postgres holds for a transaction or a connection, and frees when it ends in any way. Different versions running at the
 * same time exclude each other by these names, so a name must never change.
 */
import pg from 'pg';
import type { Database, Queryable } from './pool.ts';

/** Time after which Postgres notices that a process holding a lock is gone. */
const TURN_WAIT_MS = 3_000;
const NOT_IN_TIME = '55P03';
const KEY = 'hashtextextended($1, 0)';
const KEY_IN_SCHEMA = 'hashtextextended($1 || current_schema(), 0)';

/** Waits for a named lock of the whole database, and holds it until `tx` ends. */
export async function lockInDatabase(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY})`, [name]);
}

/**
 * Waits for a named lock of this schema, and holds it until `tx` ends.
 * @param name the schema's name is appended to it
 */
export async function lockInSchema(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY_IN_SCHEMA})`, [name]);
}

/** Waits for the lock of `lockInSchema` in shared mode: several transactions may share it while none holds it exclusively. */
export async function shareLockInSchema(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${KEY_IN_SCHEMA})`, [name]);
}

/** Tries to take the lock of `lockInSchema` without waiting. @returns false when another transaction holds it */
export async function tryLockInSchema(tx: Queryable, name: string): Promise<boolean> {
  const [lock] = await tx.query<{ held: boolean }>(`select pg_try_advisory_xact_lock(${KEY_IN_SCHEMA}) as held`, [name]);
  return lock?.held === true;
}

/** Runs short work in one process at a time; other processes of this database wait. @param name of the work */
export function runExclusively<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await lockInDatabase(tx, name);
    return work();
  });
}

/**
 * Tries to take a lock for long work, held as long as the connection lasts.
 * @returns false when another connection holds it
 */
export async function tryLockConnection(client: pg.Client, work: string): Promise<boolean> {
  try {
    await client.query(`begin; set local lock_timeout = ${TURN_WAIT_MS}`);
    await client.query(`select pg_advisory_lock(${KEY})`, [work]);
    await client.query('commit');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NOT_IN_TIME) throw error;
    await client.query('rollback');
    return false;
  }
}
