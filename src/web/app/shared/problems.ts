/** Why a request failed, in a sentence with its remedy; and what is done about it. */
import { MAX_CREDITS_HEADER } from '../../../clients/client/errors.ts';
import type { InvalidRequestDetails, PriceDetails } from '../../../clients/client/generated.ts';

/** What the page reads of details, whichever code they are of. */
type ReadDetails = Partial<InvalidRequestDetails & PriceDetails>;

interface Refusal {
  code: string;
  message: string;
  remedy: string;
  status?: number;
  param?: string | null;
  details?: ReadDetails | null;
  waitSeconds?: number;
}

/** A failed request: what went wrong in a sentence, and its remedy. */
export class FailedRequest extends Error {
  readonly code: string;
  readonly remedy: string;
  /** the HTTP status; 0 without an answer */
  readonly status: number;
  /** the parameter to blame, as it was sent */
  readonly param: string | null;
  readonly details: ReadDetails | null;
  readonly waitSeconds: number;

  constructor({ code, message, remedy, status = 0, param = null, details = null, waitSeconds = 0 }: Refusal) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.status = status;
    this.param = param;
    this.details = details;
    this.waitSeconds = waitSeconds;
  }
}

export const asProblem = (error: unknown): FailedRequest =>
  error instanceof FailedRequest
    ? error
    : new FailedRequest({
        code: 'page',
        message: 'The page could not show this.',
        remedy: `Reload it. (${error instanceof Error ? error.message : error})`,
      });

const UNREACHABLE = {
  code: 'unreachable',
  message: 'The service does not answer.',
  remedy: 'Check the connection, and try again in a moment. Nothing was charged.',
};
/** Of a request that may spend: its answer can be lost on its way, after the charge. */
const UNANSWERED = {
  ...UNREACHABLE,
  code: 'unanswered',
  remedy: 'Whether it was charged stands under Receipts, in a moment: look there before you try again.',
};

/** @param status of what else has answered; 0 without an answer */
export const noAnswer = (maySpend: boolean, status = 0): FailedRequest =>
  new FailedRequest({ ...(maySpend ? UNANSWERED : UNREACHABLE), status });

/** Whether a request failed for want of a network, and nothing can have been charged. */
export const isUnreachable = (problem: unknown): boolean =>
  problem instanceof FailedRequest && problem.code === UNREACHABLE.code && problem.status === 0;

/** The network is not ready at once: what fails so soon after it came back is repeated, too. */
const COMING_BACK_MS = 10_000;
const REPEAT_MS = 1_000;
let onlineAt = Number.NEGATIVE_INFINITY;
addEventListener('online', () => {
  onlineAt = performance.now();
});

/** Calls `repeat` when the browser has a network again. @returns a function that stops this */
export function repeatWhenOnline(repeat: () => void): () => void {
  const isBack = performance.now() - onlineAt < COMING_BACK_MS;
  const timer = isBack ? setTimeout(repeat, REPEAT_MS) : undefined;
  addEventListener('online', repeat);
  return () => {
    clearTimeout(timer);
    removeEventListener('online', repeat);
  };
}

/** Error codes after which another key is needed. */
const OF_KEYS = new Set(['missing_api_key', 'invalid_api_key', 'key_expired', 'key_revoked', 'account_disabled', 'subscription_required']);
export const needsKey = (problem: unknown): problem is FailedRequest =>
  problem instanceof FailedRequest && (problem.status === 401 || OF_KEYS.has(problem.code));

/** Whether a request was refused because it costs more than the reader was told. */
export const isDearer = (error: unknown): boolean => error instanceof FailedRequest && error.param === MAX_CREDITS_HEADER;

/** Passes a refusal on, after asking for the price again if it was the reason. */
export const requoteIfDearer =
  (again: () => void) =>
  (error: unknown): never => {
    if (isDearer(error)) again();
    throw error;
  };
