import type { Database } from '../../src/core/store/postgres/pool.ts';

/** Deadlocks that Postgres ended in this database, ever; it counts them within a second. */
export async function deadlocksOf(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>('select deadlocks::int as n from pg_stat_database where datname = current_database()');
  return row?.n ?? 0;
}
