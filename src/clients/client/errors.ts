/** Errors of requests. The details of a refusal are typed by its code. */
import type { ErrorCode, ErrorDetails } from './generated.ts';

/** A problem of a request. */
export type Problem = ErrorDetails['invalid_filter']['problems'][number];

/** A problem in words: its message, with the suggested value unless the message contains it. */
export function problemInWords({
  message,
  didYouMean,
  nearest,
}: Pick<Problem, 'message' | 'didYouMean'> & { nearest?: readonly string[] | undefined }): string {
  const sentence = /[.?]$/.test(message) ? message : message.replace(/:?$/, '.');
  if (didYouMean) return message.includes('did you mean') ? sentence : `${sentence} Did you mean ${didYouMean}?`;
  return nearest?.length ? `${sentence} Nearest: ${nearest.join(', ')}.` : sentence;
}

/** The price of a refused page. */
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

/** The service refused the request; nothing was charged. Branch on `code`, best with `isRefusal`. */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  override name = 'Refusal';
  readonly code: C;
  /** HTTP status */
  readonly status: number;
  /** the parameter, header or field that caused the refusal */
  readonly param: string | null;
  readonly details: DetailsOf<C>;
  /** include it when you ask for help */
  readonly requestId: string;
  /** URL of the page about the error, with cause and remedy */
  readonly docsUrl: string;
  /** seconds after which the request may be repeated */
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

/** Whether an error is a refusal with one of these codes; with any code if none is given. */
export function isRefusal<C extends ErrorCode>(error: unknown, ...codes: C[]): error is Refusal<C> {
  return error instanceof Refusal && (codes.length === 0 || codes.some((code) => code === error.code));
}

/** The header that limits the price of a call. */
export const MAX_CREDITS_HEADER = 'X-Service-Max-Credits';

/** The price of a call that was refused because it exceeds `maxCredits`; undefined for any other error. */
export function priceAboveMax(error: unknown): number | undefined {
  if (!isRefusal(error) || error.param !== MAX_CREDITS_HEADER) return undefined;
  const { creditsRequired } = (error.details ?? {}) as { creditsRequired?: number };
  return creditsRequired;
}

/** There is no key, or it contains characters that a header cannot have. The message does not contain the key. */
export class UnusableKey extends TypeError {
  override name = 'UnusableKey';
}

/** The service did not answer: it is down or unreachable, the connection broke, or something in between answered. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure';
  /** HTTP status, if something else than the service answered */
  readonly status: number | null;
  readonly attempts: number;

  constructor(message: string, { status = null, attempts, cause }: { status?: number | null; attempts: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.attempts = attempts;
  }
}

/** A job ended without a result; `job` is its last state. */
export class JobFailure<J> extends Error {
  override name = 'JobFailure';
  readonly job: J;

  constructor(message: string, job: J) {
    super(message);
    this.job = job;
  }
}
