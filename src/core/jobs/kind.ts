/** Kinds of jobs: how long one may take, how often it is tried, and how an attempt can end. Pure. */

/** What accepting a job of a kind takes; its handler is added where it is declared (registry.ts). */
export interface JobKind<Payload = unknown> {
  /** lower-case letters and _ */
  name: string;
  /** three letters or so that begin its ids: exp, enr, ais */
  prefix: string;
  /** attempts that may end badly (an error, a worker that died) before the job fails */
  maxAttempts: number;
  /** milliseconds that a job may take, all attempts together, from the first one's start */
  deadlineMs(payload: Payload): number;
  /** days that a settled job is kept */
  keptDays: number;
  /** whether an operator may run a failed job again: only where its failure gave nothing back, such as credits */
  retriable: boolean;
}

/** What a customer sees of a failed job. */
export interface JobError {
  code: string;
  message: string;
}

/** Thrown by a handler where no further attempt can succeed; code and message are shown to the customer. */
export class FinalJobError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FinalJobError';
    this.code = code;
  }
}

/** The attempt is over for this worker: its lease ran out, another one took the job, or the job is settled. Nothing was written. */
export class LostLease extends Error {
  constructor(jobId: string, attempt: number, options?: ErrorOptions) {
    super(`The lease of attempt ${attempt} of job ${jobId} is lost`, options);
    this.name = 'LostLease';
  }
}

/** The reason of a job's signal when its deadline has passed: the handler may still settle what it has, for the time of a lease. */
export class DeadlinePassed extends Error {
  constructor() {
    super('The deadline of the job has passed');
    this.name = 'DeadlinePassed';
  }
}

/** The reason of a job's signal when its worker stops and the job has been handed back. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker stops; another one goes on with the job');
    this.name = 'WorkerStopping';
  }
}
