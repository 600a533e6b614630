/** Definitions of jobs: everything about a kind in one place. */
import type { Queryable } from '../store/postgres/pool.ts';
import type { JobKind } from './kind.ts';
import type { RunnerSettings } from './runnerSettings.ts';
import type { Job, NewJob, Settlement, StartedJob } from './store.ts';

/** What a handler may do with its job. Everything it writes is refused with LostLease once the attempt is over. */
export interface JobContext {
  /** aborts when the lease is lost, the deadline passes or the worker stops; `reason` is LostLease, DeadlinePassed or WorkerStopping */
  signal: AbortSignal;
  /** merges `patch` into what a poll of the job shows */
  progress(patch: Record<string, unknown>): Promise<void>;
  /**
   * Ends the job, once. `work` runs in a transaction that only this attempt can commit, writes what belongs to the end (charges, rows), and
   * returns how the job ended.
   */
  settle(work: (tx: Queryable) => Promise<Settlement>): Promise<void>;
  /** A write before the end, in a transaction that only this attempt can commit. */
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

/** A kind, and how many of its jobs a worker runs. */
interface WorkedKind<Payload> extends JobKind<Payload> {
  /**
   * Jobs of the kind that one process runs at a time, plus one for a team that has none running. 0 for a kind that is run by the requests that
   * wait for it (awaited.ts): workers then only fail the jobs that a crashed process left.
   */
  concurrency: number;
  /** pauses between attempts, if the worker's usual ones are too short */
  backoff?: Pick<RunnerSettings, 'backoffMs' | 'backoffMaxMs'>;
}

export interface JobWork<Payload> {
  /** Does the job and settles it. A FinalJobError fails the job; after any other error it is retried. After a crash it runs again. */
  handler(job: StartedJob<Payload>, context: JobContext): Promise<void>;
  /** Gives back what was reserved, in the transaction that fails the job. */
  giveBack?(tx: Queryable, job: Job<Payload>): Promise<void>;
  /** Regular work, such as deleting what jobs left behind; several workers may do it at once. An error is logged, and the work is retried. */
  upkeep?: { everyMs: number; run(): Promise<void> };
  /**
   * Takes the jobs that are due, for a kind whose times are columns of the feature's own tables (an alert's next run, a message's next attempt),
   * and marks their rows as queued in `tx`; the runner queues the jobs in the same transaction (due.ts). Several workers may call it at once.
   */
  takeDue?(tx: Queryable): Promise<NewJob<Payload>[]>;
}

export type JobDefinition<Payload> = WorkedKind<Payload> & JobWork<Payload>;

/** A kind as its feature declares it: enough to queue jobs; a worker adds the services to run them. */
export interface DeclaredJob<Payload, Services> extends JobKind<Payload> {
  with(services: Services): JobDefinition<unknown>;
}

export type Registry = ReadonlyMap<string, JobDefinition<unknown>>;

/** Declares a kind of job. */
export function defineJob<Payload, Services = void>({
  work,
  ...kind
}: WorkedKind<Payload> & { work(services: Services): JobWork<Payload> }): DeclaredJob<Payload, Services> {
  // The cast is safe: only payloads of this kind are queued under its name.
  return { ...kind, with: (services) => ({ ...kind, ...work(services) }) as JobDefinition<unknown> };
}

/** @throws Error when two definitions have one name */
export function makeRegistry(definitions: readonly JobDefinition<unknown>[]): Registry {
  const registry = new Map(definitions.map((definition) => [definition.name, definition]));
  if (registry.size < definitions.length) throw new Error('Two kinds of job have the same name');
  return registry;
}
