/** What a worker can do: each kind of job in one declaration. */
import type { Queryable } from '../store/postgres/pool.ts';
import type { JobKind } from './kind.ts';
import type { RunnerSettings } from './settings.ts';
import type { Job, NewJob, Settlement, StartedJob } from './store.ts';

/** What a handler may do with its job. Everything it writes is refused with LostLease once the attempt is over. */
export interface JobContext {
  /** aborts when the lease is lost, the deadline passes or the worker stops; `reason` is LostLease, DeadlinePassed or WorkerStopping */
  signal: AbortSignal;
  /** merges `patch` into what a poll of the job shows */
  progress(patch: Record<string, unknown>): Promise<void>;
  /**
   * Ends the job, once: `work` runs in a transaction that only this attempt can commit, with whatever belongs to the end (charges, rows), and
   * says what the job ends as.
   */
  settle(work: (tx: Queryable) => Promise<Settlement>): Promise<void>;
  /** Another write of this attempt, before the end: a transaction that only it can commit. */
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

/** A kind, and how workers make room for it. */
interface WorkedKind<Payload> extends JobKind<Payload> {
  /**
   * Jobs of the kind that one process works on at the same time; one more where it is of a team that has none running. 0 for a kind that is run
   * by the requests that wait for it (awaited.ts): workers only give up what these left.
   */
  concurrency: number;
  /** pauses between attempts, where the worker's usual ones are too short */
  backoff?: Pick<RunnerSettings, 'backoffMs' | 'backoffMaxMs'>;
}

/** What a worker does for a kind. */
export interface JobWork<Payload> {
  /** Does the job and settles it. A FinalJobError fails it; after any other error it is tried again. May run again after any crash. */
  handler(job: StartedJob<Payload>, context: JobContext): Promise<void>;
  /** Runs in the transaction that fails the job, wherever that happens: gives back what was reserved. */
  giveBack?(tx: Queryable, job: Job<Payload>): Promise<void>;
  /** Regular work of the kind, such as deleting what its jobs left; several workers may do it at once. An error is logged, and it is tried again. */
  upkeep?: { everyMs: number; run(): Promise<void> };
  /**
   * Jobs whose time has come, for a kind whose next time is a fact of the feature's own row (an alert's next run, a message's next attempt): notes
   * in `tx` that they are queued, which the runner does when `tx` commits (due.ts). Several workers may ask at once.
   */
  takeDue?(tx: Queryable): Promise<NewJob<Payload>[]>;
}

export type JobDefinition<Payload> = WorkedKind<Payload> & JobWork<Payload>;

/** A kind as it is declared: who queues its jobs needs no more, and a worker does them with its services. */
export interface DeclaredJob<Payload, Services> extends JobKind<Payload> {
  with(services: Services): JobDefinition<unknown>;
}

export type Registry = ReadonlyMap<string, JobDefinition<unknown>>;

/** Declares a kind of job, the one place of everything about it. */
export function defineJob<Payload, Services = void>({
  work,
  ...kind
}: WorkedKind<Payload> & { work(services: Services): JobWork<Payload> }): DeclaredJob<Payload, Services> {
  // Among definitions of other payloads: only a kind's own payloads are queued under its name.
  return { ...kind, with: (services) => ({ ...kind, ...work(services) }) as JobDefinition<unknown> };
}

/** @throws Error when two definitions have one name */
export function makeRegistry(definitions: readonly JobDefinition<unknown>[]): Registry {
  const registry = new Map(definitions.map((definition) => [definition.name, definition]));
  if (registry.size < definitions.length) throw new Error('Two kinds of job have the same name');
  return registry;
}
