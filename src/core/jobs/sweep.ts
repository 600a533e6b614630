/** Requeues jobs whose worker died, fails those past their deadline, and deletes settled ones that are kept no longer. */

import { tryLockInSchema } from '../store/postgres/locks.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { type Failure, failRow, type Job, type JobStore } from './store.ts';
import { wakeWorkers } from './wake.ts';

/** Most jobs that one sweep requeues, fails or deletes; the next sweep goes on. */
const JOBS_PER_SWEEP = 1_000;

/** Gives back what a job reserved, in the transaction that fails it. */
export type GiveBack = (tx: Queryable, job: Job) => Promise<void>;

export interface Swept {
  /** jobs whose worker's lease ran out */
  requeued: number;
  deleted: number;
}

const NO_ATTEMPTS_LEFT = 'attempt - handed_back >= max_attempts';

export class JobSweep {
  readonly #database: Database;
  readonly #jobs: JobStore;

  constructor(jobs: JobStore) {
    this.#database = jobs.database;
    this.#jobs = jobs;
  }

  /** Requeues lost jobs and deletes outlived ones. @returns null if another process is sweeping */
  async run(kinds: readonly string[]): Promise<Swept | null> {
    return this.#database.transaction(async (tx) => {
      if (!(await tryLockInSchema(tx, 'sweep of the jobs of '))) return null;
      return {
        requeued: await requeueLost(tx, kinds),
        deleted: await deleteOutlived(tx),
      };
    });
  }

  /**
   * Jobs that must fail: their deadline and the grace after it have passed, or the worker of their last attempt died.
   * @param graceMs after the deadline, for a worker to settle or fail the job itself
   */
  async findJobsToFail(kinds: readonly string[], graceMs: number): Promise<{ id: string; kind: string; why: 'deadline' | 'attempts' }[]> {
    return this.#database.query(
      `select id, kind, case when deadline < now() - $2 * interval '1 ms' then 'deadline' else 'attempts' end as why from job
       where kind = any ($1) and settled_at is null
         and (deadline < now() - $2 * interval '1 ms' or (status = 'running' and lease_until < now() and ${NO_ATTEMPTS_LEFT}))
       order by deadline limit ${JOBS_PER_SWEEP}`,
      [kinds, graceMs],
    );
  }

  /** Fails a job that `findJobsToFail` found, unless it was settled since or is being settled. @returns whether it failed it */
  async fail(id: string, graceMs: number, failure: Failure, giveBack?: GiveBack): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const locked = await tx.query(
        `select from job where id = $1 and settled_at is null
           and (deadline < now() - $2 * interval '1 ms' or (status = 'running' and lease_until < clock_timestamp() and ${NO_ATTEMPTS_LEFT}))
         for update skip locked`,
        [id, graceMs],
      );
      const job = locked.length > 0 ? await this.#jobs.find(id, tx) : undefined;
      if (!job) return false;
      await failRow(tx, id, failure, giveBack && ((inside) => giveBack(inside, job)));
      return true;
    });
  }

  /** For an operator: requeues a failed, retriable job with a new deadline and all of its attempts; a waiting one becomes due now. */
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
      await wakeWorkers(tx, [job.kind]);
      return 'queued';
    });
  }
}

/** Requeues jobs whose lease ran out; one that is being settled is locked, and skipped. */
async function requeueLost(tx: Queryable, kinds: readonly string[]): Promise<number> {
  const lost = await tx.query<{ kind: string }>(
    `update job set status = 'queued', lease_until = null, run_after = now(), last_failure = 'The worker ' || worker || ' was lost'
     where id in (
       select id from job
       where status = 'running' and lease_until < clock_timestamp() and kind = any ($1) and not (${NO_ATTEMPTS_LEFT})
       order by lease_until limit ${JOBS_PER_SWEEP} for update skip locked
     )
     returning kind`,
    [kinds],
  );
  if (lost.length)
    await wakeWorkers(
      tx,
      lost.map(({ kind }) => kind),
    );
  return lost.length;
}

async function deleteOutlived(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    `delete from job where id in (select id from job where delete_after < now() order by delete_after limit ${JOBS_PER_SWEEP} for update skip locked)
     returning 1`,
  );
  return rows.length;
}
