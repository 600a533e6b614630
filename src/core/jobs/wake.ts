/** Wakes idle workers by a notification of Postgres when the transaction that queued a job commits. Workers poll too, so one may be lost. */
import type { Queryable } from '../store/postgres/pool.ts';

/** SQL: the channel of a schema's workers. */
export const WAKE_CHANNEL = `'landuse_jobs_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 24)`;

/** @param kinds of the jobs that may be started once `tx` commits */
export async function wakeWorkers(tx: Queryable, kinds: Iterable<string>): Promise<void> {
  await tx.query(`select pg_notify(${WAKE_CHANNEL}, kind) from unnest($1::text[]) as kind`, [[...new Set(kinds)]]);
}
