/**
 * Locks by name, which Postgres holds for a transaction or a connection and frees when it ends, however that happens. Versions that run side by
 * side exclude each other by these names: a name that changes is another lock.
 */
import pg from 'pg';
import type { Database, Queryable } from './pool.ts';

/** Postgres notices in this time that the process that held a lock is gone. */
const TURN_WAIT_MS = 3_000;
const NOT_IN_TIME = '55P03';
const KEY = 'hashtextextended($1, 0)';
const KEY_IN_SCHEMA = 'hashtextextended($1 || current_schema(), 0)';

/** Waits for the lock of this name, one in the whole database, and holds it until `tx` ends. */
export async function lockInDatabase(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY})`, [name]);
}

/** Waits for the lock of this name, another one in each schema, and holds it until `tx` ends. @param name the schema's is appended to it */
export async function lockInSchema(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY_IN_SCHEMA})`, [name]);
}

/** The lock of `lockInSchema` for several transactions at once, none of which runs while another one holds it alone. */
export async function shareLockInSchema(tx: Queryable, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${KEY_IN_SCHEMA})`, [name]);
}

/** The lock of `lockInSchema` without waiting. @returns false where another transaction holds it */
export async function tryLockInSchema(tx: Queryable, name: string): Promise<boolean> {
  const [lock] = await tx.query<{ held: boolean }>(`select pg_try_advisory_xact_lock(${KEY_IN_SCHEMA}) as held`, [name]);
  return lock?.held === true;
}

/** Runs short work in one process at a time, in any that uses this database; the others wait. @param name of the work */
export function oneAtATime<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await lockInDatabase(tx, name);
    return work();
  });
}

/** Takes a turn at long work for as long as the connection lasts. @returns false where another connection has it */
export async function takeTurn(client: pg.Client, work: string): Promise<boolean> {
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
