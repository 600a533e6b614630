/** Jobs that a request waits for: started in the transaction that accepts them, and run by the process that answers, under a lease like all jobs. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Queryable } from '../store/postgres/pool.ts';
import { Attempt, type Outcome } from './attempt.ts';
import type { JobContext, JobDefinition } from './defineJob.ts';
import type { JobKind } from './kind.ts';
import { RUNNER_SETTINGS } from './runnerSettings.ts';
import type { JobStore, NewJob, StartedJob } from './store.ts';

export interface AwaitedJobsOptions {
  /** for the handlers' writes */
  jobs: JobStore;
  /** for renewals of leases, with a connection pool of its own, so that requests cannot exhaust it */
  leases: JobStore;
  log: Logger;
}

export class AwaitedJobs {
  readonly #options: AwaitedJobsOptions;

  constructor(options: AwaitedJobsOptions) {
    this.#options = options;
  }

  /** Accepts a job and starts it when `tx` commits; the caller then has to `run` it. */
  begin<Payload>(tx: Queryable, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<StartedJob<Payload>> {
    return this.#options.jobs.begin(tx, kind, job, `${hostname()}:${process.pid}`, RUNNER_SETTINGS.leaseMs);
  }

  /** Runs a started job. Never throws: if its end cannot be written, a worker's sweep ends it once the lease has run out. */
  run(kind: JobDefinition<unknown>, job: StartedJob, handler: (context: JobContext) => Promise<void>): Promise<Outcome> {
    const definition = { ...kind, handler: (_: StartedJob, context: JobContext) => handler(context) };
    const stopping = new AbortController().signal; // never aborted: a stopping process waits for its requests
    return new Attempt(job, definition, { ...this.#options, settings: RUNNER_SETTINGS, stopping }).run();
  }
}
