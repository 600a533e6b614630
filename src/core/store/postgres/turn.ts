/** Work on a schema that is done by one process at a time. */
import pg from 'pg';

/** In which Postgres notices that the process that had the turn is gone. */
const WAIT_MS = 3_000;
const NOT_IN_TIME = '55P03';

/** Takes the turn for as long as the connection lasts. @returns false where another connection has it */
export async function takeTurn(client: pg.Client, work: string): Promise<boolean> {
  try {
    await client.query(`begin; set local lock_timeout = ${WAIT_MS}`);
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [work]);
    await client.query('commit');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NOT_IN_TIME) throw error;
    await client.query('rollback');
    return false;
  }
}
