/** The table of jobs. A job is queued, started under a lease, and then written only by the attempt that has the lease. */
import PQueue from 'p-queue';
import { ApiError } from '../domain/errors.ts';
import { newId } from '../domain/ids.ts';
import { type Database, type Queryable, sqlState } from '../store/postgres/pool.ts';
import { type JobError, type JobKind, LostLease } from './kind.ts';
import { JOBS_WAITING_MAX, lockNextJobs, type Room, refuseWhenQueueFull } from './nextJobs.ts';
import { wakeWorkers } from './wake.ts';

const LEASE_LOST = 'LU002';
const LEASED_ANEW = `lease_until = clock_timestamp() + $3 * interval '1 ms'`;
const LAST_FAILURE_CHARACTERS = 2_000;

/** An attempt's right to write: the job and its fencing token. */
export interface Lease {
  id: string;
  attempt: number;
}

export interface Job<Payload = unknown> extends Lease {
  kind: string;
  teamId: number | null;
  userId: number | null;
  cause: JobCause;
  /** queued, running, failed, or a last status named by the kind */
  status: string;
  handedBack: number;
  maxAttempts: number;
  worker: string | null;
  runAfter: Date;
  leaseUntil: Date | null;
  deadline: Date | null;
  payload: Payload;
  progress: Record<string, unknown>;
  result: unknown;
  error: JobError | null;
  lastFailure: string | null;
  retriable: boolean;
  createdAt: Date;
  startedAt: Date | null;
  settledAt: Date | null;
}

/** Whether no other attempt follows if this one fails. */
export const isLastAttempt = ({ attempt, handedBack, maxAttempts }: Pick<Job, 'attempt' | 'handedBack' | 'maxAttempts'>): boolean =>
  attempt - handedBack >= maxAttempts;

export interface StartedJob<Payload = unknown> extends Job<Payload> {
  /** milliseconds until its deadline, by Postgres' clock; below 0 when it has passed */
  deadlineInMs: number;
}

/** The request that a job came from. */
export interface JobCause {
  requestId?: string;
  route?: string;
  keyId?: string;
  idempotencyKey?: string;
}

export interface NewJob<Payload> {
  payload: Payload;
  teamId?: number | undefined;
  userId?: number | undefined;
  cause?: JobCause;
  progress?: Record<string, unknown>;
}

/** How a job ends: a status of its kind, and what a reader of the job gets. */
export interface Settlement {
  status: string;
  result?: unknown;
  error?: JobError | null;
  progress?: Record<string, unknown>;
}

const COLUMNS = `id, kind, team_id as "teamId", user_id as "userId", cause, status, attempt, handed_back as "handedBack",
  max_attempts as "maxAttempts", worker, run_after as "runAfter", lease_until as "leaseUntil", deadline, payload, progress, result, error,
  last_failure as "lastFailure", retriable, created_at as "createdAt", started_at as "startedAt", settled_at as "settledAt"`;

export class JobStore {
  readonly database: Database;
  readonly #waitingMax: number;
  /** requests of each team that are queueing jobs in this process */
  readonly #accepting = new Map<number, PQueue>();

  /** @param waitingMax most queued jobs of a kind that a team may have */
  constructor(database: Database, waitingMax: number = JOBS_WAITING_MAX) {
    this.database = database;
    this.#waitingMax = waitingMax;
  }

  /** Queues a job when `tx` commits, together with the other writes of `tx` (a reservation, a settled idempotency key). */
  async enqueue<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<Job<Payload>> {
    const row = await this.#insert(tx, kind, job);
    await wakeWorkers(tx, [kind.name]);
    return row;
  }

  /**
   * Runs a transaction that queues a job for a team. Those of one team run one after another and wait without a connection, so that a burst of
   * one team's requests does not use up the pool.
   */
  async acceptForTeam<T>(teamId: number, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const queue = this.#accepting.get(teamId) ?? new PQueue({ concurrency: 1 });
    this.#accepting.set(teamId, queue);
    try {
      return await queue.add(() => this.database.transaction(work));
    } finally {
      if (queue.size + queue.pending === 0) this.#accepting.delete(teamId);
    }
  }

  /** Queues a job of a team. @throws ApiError `rate_limit_exceeded` when the team has the maximum of queued jobs of the kind */
  async enqueueForTeam<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload> & { teamId: number }): Promise<Job<Payload>> {
    await refuseWhenQueueFull(tx, kind.name, job.teamId, this.#waitingMax);
    return this.enqueue(tx, kind, job);
  }

  /** Records a job that has nothing to do as settled. */
  async record<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload>, settlement: Settlement): Promise<Job<Payload>> {
    const row = await this.#insert(tx, kind, job);
    await settleRow(tx, row.id, settlement);
    return row;
  }

  async #insert<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<Job<Payload>> {
    const id = newId(kind.prefix);
    const [row] = await tx.query<Job<Payload>>(
      `insert into job (id, kind, team_id, user_id, cause, max_attempts, deadline_ms, payload, progress, retriable, kept)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9::jsonb, $10, make_interval(days => $11)) returning ${COLUMNS}`,
      [
        id,
        kind.name,
        job.teamId ?? null,
        job.userId ?? null,
        JSON.stringify(job.cause ?? {}),
        kind.maxAttempts,
        kind.deadlineMs(job.payload),
        JSON.stringify(job.payload),
        JSON.stringify(job.progress ?? {}),
        kind.retriable,
        kind.keptDays,
      ],
    );
    if (!row) throw new Error('A job was inserted without a row');
    return row;
  }

  /** The job with an id. @param tx the pool by default */
  async find(id: string, tx: Queryable = this.database): Promise<Job | undefined> {
    const [row] = await tx.query<Job>(`select ${COLUMNS} from job where id = $1`, [id]);
    return row;
  }

  /** Newest first. */
  list(where: { kind?: string | undefined; status?: string | undefined; teamId?: number | undefined }, limit: number): Promise<Job[]> {
    return this.database.query<Job>(
      `select ${COLUMNS} from job
       where ($1::text is null or kind = $1) and ($2::text is null or status = $2) and ($3::integer is null or team_id = $3)
       order by created_at desc, id desc limit $4`,
      [where.kind ?? null, where.status ?? null, where.teamId ?? null, limit],
    );
  }

  /** Starts due jobs, as many as there is room for, under a lease of `worker`. Which ones are next is decided in nextJobs.ts. */
  async start(kind: string, room: Room, worker: string, leaseMs: number): Promise<StartedJob[]> {
    return this.database.transaction(async (tx) => {
      const ids = await lockNextJobs(tx, kind, room);
      return ids.length === 0 ? [] : startRows(tx, ids, worker, leaseMs);
    });
  }

  /** Accepts a job and starts its first attempt under a lease of `worker` when `tx` commits. */
  async begin<Payload>(
    tx: Queryable,
    kind: JobKind<Payload>,
    job: NewJob<Payload>,
    worker: string,
    leaseMs: number,
  ): Promise<StartedJob<Payload>> {
    const { id } = await this.#insert(tx, kind, job);
    const [started] = await startRows(tx, [id], worker, leaseMs);
    return started as StartedJob<Payload>;
  }

  /** @throws LostLease */
  async renew(lease: Lease, leaseMs: number): Promise<void> {
    await this.#updateLeased(lease, LEASED_ANEW, [leaseMs]);
  }

  /** Merges `patch` into the job's progress. @throws LostLease */
  async mergeProgress(lease: Lease, patch: Record<string, unknown>): Promise<void> {
    await this.#updateLeased(lease, 'progress = progress || $3::jsonb', [JSON.stringify(patch)]);
  }

  /**
   * Runs `work` in a transaction that only this attempt can commit, and settles the job in it with what `work` returns. If `work` throws, what
   * it wrote is undone, and the lease begins anew: while the job was locked, nobody could renew it or take the job.
   * @throws LostLease before `work` is called
   */
  async settle(lease: Lease, work: (tx: Queryable) => Promise<Settlement>, leaseMs: number): Promise<Settlement> {
    const ended = await this.runUnderLease(lease, async (tx) => {
      await tx.query('savepoint unsettled');
      try {
        const settlement = await work(tx);
        await settleRow(tx, lease.id, settlement);
        return { settlement };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'service_unavailable') throw error;
        await tx.query('rollback to savepoint unsettled');
        await tx.query(`update job set ${LEASED_ANEW} where id = $1 and attempt = $2`, [lease.id, lease.attempt, leaseMs]);
        return { error };
      }
    });
    if ('error' in ended) throw ended.error;
    return ended.settlement;
  }

  /** Settles a job in `tx` if it has not been started. @returns undefined if it has, if it is settled, or if there is no such job */
  async settleUnstarted(tx: Queryable, id: string, settlement: Settlement): Promise<Job | undefined> {
    const [job] = await tx.query<Job>(`select ${COLUMNS} from job where id = $1 and started_at is null and settled_at is null for update`, [
      id,
    ]);
    if (job) await settleRow(tx, id, settlement);
    return job;
  }

  /** Settles a job in `tx`, even if it is running: its attempt can write nothing any more. @returns undefined if it is settled or does not exist */
  async settleUnsettled(tx: Queryable, id: string, settlement: Settlement): Promise<Job | undefined> {
    const [job] = await tx.query<Job>(`select ${COLUMNS} from job where id = $1 and settled_at is null for update`, [id]);
    if (job) await settleRow(tx, id, settlement);
    return job;
  }

  /** Fails the job. `giveBack` runs in the same transaction and returns what was reserved. @throws LostLease */
  async fail(lease: Lease, failure: Failure, giveBack?: (tx: Queryable) => Promise<void>): Promise<void> {
    await this.runUnderLease(lease, (tx) => failRow(tx, lease.id, failure, giveBack));
  }

  /** Ends the attempt and schedules the next one in `delayMs`. @throws LostLease */
  async retry(lease: Lease, delayMs: number, lastFailure: string): Promise<void> {
    await this.runUnderLease(lease, (tx) =>
      tx.query(
        `update job set status = 'queued', lease_until = null, run_after = clock_timestamp() + $2 * interval '1 ms', last_failure = $3
         where id = $1`,
        [lease.id, delayMs, lastFailure.slice(0, LAST_FAILURE_CHARACTERS)],
      ),
    );
  }

  /** Ends the attempt without counting it as failed; any worker may start the next one at once. @throws LostLease */
  async handBack(lease: Lease, kind: string): Promise<void> {
    await this.runUnderLease(lease, async (tx) => {
      await tx.query(
        `update job set status = 'queued', lease_until = null, run_after = clock_timestamp(), handed_back = handed_back + 1 where id = $1`,
        [lease.id],
      );
      await wakeWorkers(tx, [kind]);
    });
  }

  /** Runs `work` in a transaction that locks the job, so that no other attempt can start. @throws LostLease if this attempt has lost the job */
  async runUnderLease<T>(lease: Lease, work: (tx: Queryable) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(async (tx) => {
        await tx.query('select assert_lease($1, $2)', [lease.id, lease.attempt]);
        return work(tx);
      });
    } catch (error) {
      throw sqlState(error) === LEASE_LOST ? new LostLease(lease.id, lease.attempt, { cause: error }) : error;
    }
  }

  async #updateLeased(lease: Lease, change: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.database.query(
      `update job set ${change} where id = $1 and attempt = $2 and status = 'running' and lease_until > clock_timestamp() returning 1`,
      [lease.id, lease.attempt, ...values],
    );
    if (rows.length === 0) throw new LostLease(lease.id, lease.attempt);
  }
}

function startRows(tx: Queryable, ids: readonly string[], worker: string, leaseMs: number): Promise<StartedJob[]> {
  return tx.query<StartedJob>(
    `update job set status = 'running', attempt = attempt + 1, worker = $2, started_at = coalesce(started_at, now()),
       lease_until = clock_timestamp() + $3 * interval '1 ms', deadline = coalesce(deadline, clock_timestamp() + deadline_ms * interval '1 ms')
     where id = any ($1)
     returning ${COLUMNS}, (extract(epoch from deadline - clock_timestamp()) * 1000)::float8 as "deadlineInMs"`,
    [ids, worker, leaseMs],
  );
}

/** Why a job failed: for the customer, and for the operator. */
export interface Failure {
  error: JobError;
  lastFailure: string;
}

/** Fails a job that `tx` has locked. */
export async function failRow(tx: Queryable, id: string, failure: Failure, giveBack?: (tx: Queryable) => Promise<void>): Promise<void> {
  await giveBack?.(tx);
  await tx.query('update job set last_failure = $2 where id = $1', [id, failure.lastFailure.slice(0, LAST_FAILURE_CHARACTERS)]);
  await settleRow(tx, id, { status: 'failed', error: failure.error });
}

async function settleRow(tx: Queryable, id: string, { status, result, error, progress }: Settlement): Promise<void> {
  await tx.query(
    `update job set status = $2, result = $3::jsonb, error = $4::jsonb, progress = progress || $5::jsonb, lease_until = null,
       settled_at = clock_timestamp(), delete_after = clock_timestamp() + kept
     where id = $1`,
    [id, status, jsonOrNull(result), jsonOrNull(error), JSON.stringify(progress ?? {})],
  );
}

const jsonOrNull = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));
