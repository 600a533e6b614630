/** Jobs that a request waits for: begun in the transaction that accepts them, and run by the process that answers, under a lease like any other. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Queryable } from '../store/postgres/pool.ts';
import { Attempt, type Outcome } from './attempt.ts';
import type { JobKind } from './kind.ts';
import type { JobContext, JobDefinition } from './registry.ts';
import { RUNNER_SETTINGS } from './settings.ts';
import type { JobStore, NewJob, StartedJob } from './store.ts';

export interface AwaitedJobsOptions {
  /** for what handlers write */
  jobs: JobStore;
  /** for renewals, over a pool that requests cannot use up */
  leases: JobStore;
  log: Logger;
}

export class AwaitedJobs {
  readonly #options: AwaitedJobsOptions;

  constructor(options: AwaitedJobsOptions) {
    this.#options = options;
  }

  /** Accepts and begins a job when `tx` commits; then it has to be `run`. */
  begin<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<StartedJob<Payload>> {
    return this.#options.jobs.begin(tx, kind, job, `${hostname()}:${process.pid}`, RUNNER_SETTINGS.leaseMs);
  }

  /** Never throws: what cannot be written is left to a worker's sweep, once the lease has run out. */
  run(kind: JobDefinition<unknown>, job: StartedJob, handler: (context: JobContext) => Promise<void>): Promise<Outcome> {
    const definition = { ...kind, handler: (_: StartedJob, context: JobContext) => handler(context) };
    const stopping = new AbortController().signal; // a process that stops waits for its requests
    return new Attempt(job, definition, { ...this.#options, settings: RUNNER_SETTINGS, stopping }).run();
  }
}
