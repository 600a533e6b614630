import { createHash } from 'node:crypto';
import pg from 'pg';

/** Another load holds the lock; nothing was touched. */
export class LoadLockTaken extends Error {}

/** The connection that holds the lock was lost while the work went on. */
export class LoadLockLost extends Error {}

/**
 * Runs `work` as the only load, activation or rollback of this prefix, in any process. Postgres holds the lock for a connection, and frees
 * it when its holder ends in any way.
 * @param work gets a function that throws once the lock has been lost, to call before an irreversible step
 * @throws LoadLockTaken at once when another process holds the lock; LoadLockLost when `work` calls the function and the lock is lost
 */
export const withLoadLock = <T>(databaseUrl: string, prefix: string, work: (assertHeld: () => void) => Promise<T>): Promise<T> =>
  withLock(databaseUrl, `load:${prefix}`, 'Another load, activation or rollback is running; try again when it has finished', work);

/**
 * Runs the one renewal of this prefix, which may run at the same time as loads.
 * @throws LoadLockTaken when another process renews
 */
export const withRenewalLock = <T>(databaseUrl: string, prefix: string, work: () => Promise<T>): Promise<T> =>
  withLock(databaseUrl, `renew:${prefix}`, 'Another run of this command is under way; wait for it to end', work);

async function withLock<T>(databaseUrl: string, name: string, taken: string, work: (assertHeld: () => void) => Promise<T>): Promise<T> {
  const key = createHash('sha256').update(name).digest().readBigInt64BE(0).toString();
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    application_name: 'ingest',
    keepAlive: true,
  });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1::bigint) as held', [key]);
    if (!rows[0]?.held) throw new LoadLockTaken(taken);
    return await work(() => {
      if (lost)
        throw new LoadLockLost(`The connection to Postgres that holds the load lock was lost (${lost.message}); run the command again`);
    });
  } finally {
    await client.end().catch(() => undefined); // a connection that is lost has freed the lock
  }
}
