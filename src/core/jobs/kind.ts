/** Kinds of jobs: how long one may take, how often it is tried, and how an attempt can end. Pure. */
import type { ApiError } from '../domain/errors.ts';

/** What is needed to queue a job of a kind; its handler is part of its definition (defineJob.ts). */
export interface JobKind<Payload = unknown> {
  /** lower-case letters and _ */
  name: string;
  /** prefix of its ids, about three letters: exp, enr, ais */
  prefix: string;
  /** failed attempts (an error, a worker that died) after which the job fails */
  maxAttempts: number;
  /** milliseconds from the start of the first attempt until the job must have ended */
  deadlineMs(payload: Payload): number;
  /** days that a settled job is kept */
  keptDays: number;
  /** whether an operator may run a failed job again; only if its failure returned nothing, such as credits */
  retriable: boolean;
}

/** What a customer sees of a failed job. */
export interface JobError {
  code: string;
  message: string;
}

export const toJobError = ({ code, message }: ApiError): JobError => ({ code, message });

/** Thrown by a handler when no further attempt can succeed; code and message are shown to the customer. */
export class FinalJobError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FinalJobError';
    this.code = code;
  }
}

/** The attempt may not write any more: its lease ran out, another attempt has the job, or the job was settled. Nothing was written. */
export class LostLease extends Error {
  constructor(jobId: string, attempt: number, options?: ErrorOptions) {
    super(`The lease of attempt ${attempt} of job ${jobId} is lost`, options);
    this.name = 'LostLease';
  }
}

/** The reason of a job's signal when its deadline has passed. The handler has the length of a lease to settle what it has. */
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
