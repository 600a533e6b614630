/** What puts jobs right that nobody works on: workers that died, entries that were lost, deadlines that passed, rows that outlived their use. */

import type { Database, Queryable } from '../store/postgres/pool.ts';
import { type Failure, failRow, type Job, type JobStore } from './store.ts';

/** Jobs that one sweep takes on of each sort; the next sweep goes on. */
const AT_ONCE = 1_000;

/** Undoes what a job reserved, in the transaction that fails it. */
export type GiveBack = (tx: Queryable, job: Job) => Promise<void>;

export interface Swept {
  /** jobs whose worker's lease ran out */
  requeued: number;
  /** queued jobs without an entry in the queue */
  resent: number;
  deleted: number;
}

interface Found {
  id: string;
  kind: string;
}

const USED_UP = 'attempt - handed_back >= max_attempts';

export class JobSweep {
  readonly #database: Database;
  readonly #jobs: JobStore;

  constructor(jobs: JobStore) {
    this.#database = jobs.database;
    this.#jobs = jobs;
  }

  /** Queues again what has to run, and deletes what is kept no longer. One process at a time: null where another one is at it. */
  async run(kinds: readonly string[]): Promise<Swept | null> {
    return this.#database.transaction(async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('sweep of the jobs of ' || current_schema(), 0)) as held`,
      );
      if (!lock?.held) return null;
      return {
        requeued: await this.#send(tx, await lostByWorkers(tx, kinds)),
        resent: await this.#send(tx, await this.#withoutEntry(tx, kinds)),
        deleted: await deleteOutlived(tx),
      };
    });
  }

  /**
   * Jobs that only failing is left for: past their deadline and the time to settle after it, or lost by the last worker they may cost.
   * @param graceMs time after the deadline in which a worker settles or fails the job itself
   */
  async hopeless(kinds: readonly string[], graceMs: number): Promise<(Found & { why: 'deadline' | 'attempts' })[]> {
    return this.#database.query(
      `select id, kind, case when deadline < now() - $2 * interval '1 ms' then 'deadline' else 'attempts' end as why from job
       where kind = any ($1) and settled_at is null
         and (deadline < now() - $2 * interval '1 ms' or (status = 'running' and lease_until < now() and ${USED_UP}))
       order by deadline limit ${AT_ONCE}`,
      [kinds, graceMs],
    );
  }

  /** Fails a hopeless job, whoever holds it, unless it was settled or is being settled. @returns whether it did */
  async fail(id: string, graceMs: number, failure: Failure, giveBack?: GiveBack): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const locked = await tx.query(
        `select from job where id = $1 and settled_at is null
           and (deadline < now() - $2 * interval '1 ms' or (status = 'running' and lease_until < clock_timestamp() and ${USED_UP}))
         for update skip locked`,
        [id, graceMs],
      );
      const job = locked.length > 0 ? await this.#jobs.find(id, tx) : undefined;
      if (!job) return false;
      await failRow(tx, id, failure, giveBack && ((inside) => giveBack(inside, job)));
      return true;
    });
  }

  /** An operator's wish: a failed job that may run again is queued with a new deadline and fresh attempts, a waiting one at once. */
  async retry(id: string): Promise<'queued' | 'not_found' | 'running' | 'settled' | 'final'> {
    return this.#database.transaction(async (tx) => {
      await tx.query('select from job where id = $1 for update', [id]);
      const job = await this.#jobs.find(id, tx);
      if (!job) return 'not_found';
      if (job.status === 'running') return 'running';
      if (job.settledAt && job.status !== 'failed') return 'settled';
      if (job.settledAt && !job.retriable) return 'final';
      await tx.query(
        `update job set status = 'queued', handed_back = attempt, run_after = clock_timestamp(), deadline = null, error = null,
           settled_at = null, delete_after = null
         where id = $1`,
        [id],
      );
      await tx.query(`delete from ${this.#jobs.queue.entries} where name = $1 and singleton_key = $2`, [job.kind, id]);
      await this.#jobs.queue.send(tx, job.kind, [id]);
      return 'queued';
    });
  }

  async #send(tx: Queryable, found: readonly Found[]): Promise<number> {
    for (const [kind, jobs] of Map.groupBy(found, (job) => job.kind)) {
      await this.#jobs.queue.send(
        tx,
        kind,
        jobs.map((job) => job.id),
      );
    }
    return found.length;
  }

  /** Jobs that wait for an entry that is not there: a restored database, an emptied queue. */
  #withoutEntry(tx: Queryable, kinds: readonly string[]): Promise<Found[]> {
    return tx.query(
      `select id, kind from job
       where status = 'queued' and kind = any ($1) and run_after <= now() and not exists (
         select from ${this.#jobs.queue.entries} as entry
         where entry.name = job.kind and entry.singleton_key = job.id and entry.state in ('created', 'retry')
       )
       order by run_after limit ${AT_ONCE}`,
      [kinds],
    );
  }
}

/** Takes jobs from workers that let their lease run out. One that is being settled right now is locked, and left alone. */
function lostByWorkers(tx: Queryable, kinds: readonly string[]): Promise<Found[]> {
  return tx.query(
    `update job set status = 'queued', lease_until = null, run_after = now(), last_failure = 'The worker ' || worker || ' was lost'
     where id in (
       select id from job
       where status = 'running' and lease_until < clock_timestamp() and kind = any ($1) and not (${USED_UP})
       order by lease_until limit ${AT_ONCE} for update skip locked
     )
     returning id, kind`,
    [kinds],
  );
}

async function deleteOutlived(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    `delete from job where id in (select id from job where delete_after < now() order by delete_after limit ${AT_ONCE} for update skip locked)
     returning 1`,
  );
  return rows.length;
}
