/** What can go wrong with a request, as errors whose details are typed by their code. */
import type { ErrorCode, ErrorDetails } from './generated.ts';

/** One thing that is wrong with a request. */
export type Problem = ErrorDetails['invalid_filter']['problems'][number];

/** A problem in words: its message, with what was meant unless it says so itself. */
export function problemInWords({
  message,
  didYouMean,
  nearest,
}: Pick<Problem, 'message' | 'didYouMean'> & { nearest?: readonly string[] | undefined }): string {
  const sentence = /[.?]$/.test(message) ? message : message.replace(/:?$/, '.');
  if (didYouMean) return message.includes('did you mean') ? sentence : `${sentence} Did you mean ${didYouMean}?`;
  return nearest?.length ? `${sentence} Nearest: ${nearest.join(', ')}.` : sentence;
}

/** What a refused page would have cost. */
export type Quote = ErrorDetails['insufficient_credits']['quote'];

/** `details` of an error, by its code. */
export type DetailsOf<C extends ErrorCode> = ErrorDetails[C];

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  param: string | null;
  details: Record<string, unknown> | null;
  docsUrl: string;
  requestId: string;
}

/** A refusal of the service; nothing was charged. Branch on `code`, best with `isRefusal`. */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  override name = 'Refusal';
  readonly code: C;
  /** HTTP status */
  readonly status: number;
  /** the parameter, header or field that is at fault */
  readonly param: string | null;
  readonly details: DetailsOf<C>;
  /** send it along when you ask for help */
  readonly requestId: string;
  /** the error with its cause and remedy */
  readonly docsUrl: string;
  /** seconds after which the service would have the request repeated */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: ErrorBody, retryAfterSeconds: number | null) {
    super(body.message);
    this.code = body.code as C;
    this.status = status;
    this.param = body.param;
    this.details = body.details as DetailsOf<C>;
    this.requestId = body.requestId;
    this.docsUrl = body.docsUrl;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether something that was thrown is a refusal of one of these codes; of any without one. */
export function isRefusal<C extends ErrorCode>(error: unknown, ...codes: C[]): error is Refusal<C> {
  return error instanceof Refusal && (codes.length === 0 || codes.some((code) => code === error.code));
}

/** The header by which a call says what it may cost at most. */
export const MAX_CREDITS_HEADER = 'X-Service-Max-Credits';

/** What a call costs that was refused since it costs more than its `maxCredits`; undefined for any other error. */
export function priceAboveMax(error: unknown): number | undefined {
  if (!isRefusal(error) || error.param !== MAX_CREDITS_HEADER) return undefined;
  const { creditsRequired } = (error.details ?? {}) as { creditsRequired?: number };
  return creditsRequired;
}

/** There is no key, or it contains what no header can carry. Its message does not contain the key. */
export class UnusableKey extends TypeError {
  override name = 'UnusableKey';
}

/** No answer of the service came: it is down, out of reach, cut the answer off or is hidden by something else. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure';
  /** HTTP status, where something answered that is not the service */
  readonly status: number | null;
  readonly attempts: number;

  constructor(message: string, { status = null, attempts, cause }: { status?: number | null; attempts: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.attempts = attempts;
  }
}

/** A job that ended without its result; `job` is what the service says of it. */
export class JobFailure<J> extends Error {
  override name = 'JobFailure';
  readonly job: J;

  constructor(message: string, job: J) {
    super(message);
    this.job = job;
  }
}
