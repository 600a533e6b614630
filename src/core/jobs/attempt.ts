/** One attempt of one job, from its start to its end. */
import type { Logger } from 'pino';
import type { Queryable } from '../store/postgres/pool.ts';
import type { JobContext, JobDefinition } from './defineJob.ts';
import { DeadlinePassed, FinalJobError, type JobError, LostLease, WorkerStopping } from './kind.ts';
import { backoffMs, type RunnerSettings } from './runnerSettings.ts';
import type { JobStore, StartedJob } from './store.ts';

const TIMER_MAX_MS = 2 ** 31 - 1;

export const GIVEN_UP: JobError = { code: 'internal_error', message: 'The job failed again and again and was given up.' };
export const TOO_LATE: JobError = { code: 'deadline_exceeded', message: 'The job did not finish within its deadline.' };

/** settled: by the handler; retried: queued again after an error; lost: another attempt has the job, or the job was settled elsewhere. */
export type Outcome = 'settled' | 'retried' | 'failed' | 'lost' | 'handed_back';

/** Called at the end of each attempt, and with no seconds for a last one whose worker was lost. */
export type AttemptObserver = (attempt: { kind: string; outcome: Outcome; seconds: number }) => void;

export interface AttemptServices {
  /** for the handler's writes */
  jobs: JobStore;
  /** for renewals of the lease, with a connection pool of its own, so that handlers cannot exhaust it */
  leases: JobStore;
  settings: RunnerSettings;
  log: Logger;
  /** aborts when the worker's time to finish is over */
  stopping: AbortSignal;
  observe?: AttemptObserver | undefined;
}

/** What an attempt needs of a kind. */
export type AttemptDefinition = Pick<JobDefinition<unknown>, 'handler' | 'backoff' | 'giveBack'>;

export class Attempt {
  readonly #job: StartedJob;
  readonly #definition: AttemptDefinition;
  readonly #services: AttemptServices;
  readonly #abort = new AbortController();
  /** resolves when the attempt no longer waits for the handler */
  readonly #cutOff = Promise.withResolvers<Error>();
  #renewedAt = performance.now();
  #settling = false;
  /** true while the settlement has the job's row locked, so that no other attempt can start */
  #locked = false;
  #settledAs: string | undefined;

  constructor(job: StartedJob, definition: AttemptDefinition, services: AttemptServices) {
    this.#job = job;
    this.#definition = definition;
    this.#services = services;
  }

  /** Runs the attempt. Never throws: if its end cannot be written, the sweep ends it once the lease has run out. */
  async run(): Promise<Outcome> {
    const { stopping, settings, log, observe } = this.#services;
    const started = performance.now();
    const { deadlineInMs } = this.#job;
    const timers = [
      setInterval(() => void this.#renew(), settings.heartbeatMs),
      setTimeout(() => this.#abort.abort(new DeadlinePassed()), clamp(deadlineInMs)),
      // After the deadline the handler has the length of a lease to settle what it has.
      setTimeout(() => this.#cutOff.resolve(new DeadlinePassed()), clamp(deadlineInMs + settings.leaseMs)),
    ];
    const stop = () => {
      this.#abort.abort(new WorkerStopping());
      this.#cutOff.resolve(new WorkerStopping());
    };
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop);
    const outcome = await this.#end();
    for (const timer of timers) clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
    const status = this.#settledAs === undefined ? {} : { status: this.#settledAs };
    const ms = performance.now() - started;
    log.info({ ...this.#logFields(), ms: Math.round(ms), outcome, ...status }, 'Job attempt ended');
    observe?.({ kind: this.#job.kind, outcome, seconds: ms / 1000 });
    return outcome;
  }

  async #end(): Promise<Outcome> {
    const { log } = this.#services;
    try {
      const handled = this.#handle();
      let error = await Promise.race([handled, this.#cutOff.promise]);
      // Wait for a settlement under way: otherwise it would be unknown whether it was committed.
      if (this.#settling) error = await handled;
      if (error) log.warn({ ...this.#logFields(), err: error }, 'A job attempt ended early');
      return this.#settledAs === undefined ? await this.#endUnsettled(error) : 'settled';
    } catch (error) {
      // After an outage it is unknown here whether the last write was committed; the sweep reads it from the job's row.
      if (!(error instanceof LostLease)) log.error({ ...this.#logFields(), err: error }, 'The end of a job attempt could not be written');
      return 'lost';
    }
  }

  /** Runs the handler. @returns its error; undefined if it settled the job */
  async #handle(): Promise<Error | undefined> {
    try {
      await this.#definition.handler(this.#job, this.#makeContext());
      return this.#settledAs === undefined ? new Error('The handler ended without settling the job') : undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #makeContext(): JobContext {
    const { jobs, settings } = this.#services;
    return {
      signal: this.#abort.signal,
      progress: (patch) => this.#guard(jobs.mergeProgress(this.#job, patch)),
      write: (work) => this.#guard(jobs.runUnderLease(this.#job, work)),
      settle: async (work) => {
        if (this.#settling) throw new Error('The job is being settled or settled already');
        this.#settling = true;
        try {
          const locked = (tx: Queryable) => {
            this.#locked = true;
            return work(tx);
          };
          this.#settledAs = (await this.#guard(jobs.settle(this.#job, locked, settings.leaseMs))).status;
        } finally {
          this.#settling = this.#locked = this.#settledAs !== undefined;
        }
      },
    };
  }

  /** Awaits a write; if the lease is lost, the whole attempt is aborted. */
  async #guard<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof LostLease) this.#abort.abort(error);
      throw error;
    }
  }

  async #renew(): Promise<void> {
    // A settlement that is still waiting for a connection has not locked the row, so the lease must be renewed.
    if (this.#locked || this.#abort.signal.reason instanceof LostLease) return;
    const { leases, settings, log } = this.#services;
    const asked = performance.now();
    try {
      await leases.renew(this.#job, settings.leaseMs);
      this.#renewedAt = asked;
    } catch (error) {
      if (this.#locked) return;
      if (error instanceof LostLease) this.#abort.abort(error);
      // Postgres counts the lease from the last renewal or later; after this long without one it may have run out.
      else if (performance.now() - this.#renewedAt > settings.leaseMs) this.#abort.abort(new LostLease(this.#job.id, this.#job.attempt));
      else log.warn({ ...this.#logFields(), err: error }, 'A lease could not be renewed; trying again');
    }
  }

  async #endUnsettled(error: Error | undefined): Promise<Outcome> {
    const { jobs, settings } = this.#services;
    const { reason } = this.#abort.signal;
    const lastFailure = describeError(error);
    if (error instanceof LostLease || reason instanceof LostLease) return 'lost';
    if (error instanceof FinalJobError) return this.#fail({ code: error.code, message: error.message }, lastFailure);
    if (reason instanceof DeadlinePassed) return this.#fail(TOO_LATE, lastFailure);
    if (error instanceof WorkerStopping || reason instanceof WorkerStopping) {
      await jobs.handBack(this.#job, this.#job.kind);
      return 'handed_back';
    }
    const failures = this.#job.attempt - this.#job.handedBack;
    if (failures >= this.#job.maxAttempts) return this.#fail(GIVEN_UP, lastFailure);
    await jobs.retry(this.#job, backoffMs({ ...settings, ...this.#definition.backoff }, failures), lastFailure);
    return 'retried';
  }

  async #fail(error: JobError, lastFailure: string): Promise<Outcome> {
    const { giveBack } = this.#definition;
    await this.#services.jobs.fail(this.#job, { error, lastFailure }, giveBack && ((tx) => giveBack(tx, this.#job)));
    return 'failed';
  }

  #logFields() {
    return { job: this.#job.id, kind: this.#job.kind, attempt: this.#job.attempt };
  }
}

/** An error with its causes, since the operator needs the original one. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const text = `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${text}; ${describeError(error.cause)}` : text;
}

const clamp = (ms: number) => Math.min(Math.max(ms, 0), TIMER_MAX_MS);
