/** Errors as values and as answers: what a refusal carries, and how several problems make one answer (src/docs/errors.md). */
import { ERRORS, type ErrorCode } from './errorTable.ts';

export type { ErrorCode };

/** One thing that is wrong with a request. */
export interface RequestProblem {
  /** as it was sent; in a body the path to it, such as `notify.phone`; null if no parameter or header is to blame */
  param: string | null;
  code: string;
  message: string;
  value?: unknown;
  didYouMean?: string;
  /** the values nearest to an unknown one, the nearest first */
  nearest?: readonly string[];
  /** path of the route that lists every value */
  reference?: string;
  candidates?: unknown[];
}

/** A problem as a value, with the error code and the details of the answer if it is the first problem. */
export interface RequestRefusal extends RequestProblem {
  answer: ErrorCode;
  details?: Record<string, unknown>;
}

/** Problems that one answer lists at most. */
export const PROBLEMS_MAX = 100;

interface ErrorContext {
  /** the offending parameter or header */
  param?: string | null;
  details?: Record<string, unknown>;
  /** extra response headers, such as Retry-After or Allow */
  headers?: Record<string, string>;
  cause?: unknown;
  /** an expected refusal, possibly thousands a second: not logged as a failure */
  isByDesign?: boolean;
}

/** A refusal that the client is meant to see; anything else that is thrown is a defect and answers `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  /** every 400 has `problems[]`, bounded whoever throws it */
  readonly details: Record<string, unknown> | null;
  readonly headers: Record<string, string>;
  readonly isByDesign: boolean;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.param = context.param ?? null;
    const alone = this.status === 400 ? { problems: [{ param: this.param, code, message }] } : undefined;
    const details = context.details || alone ? { ...alone, ...context.details } : null;
    this.details = details && limitProblems(details);
    this.headers = context.headers ?? {};
    this.isByDesign = context.isByDesign ?? false;
  }
}

/** Awaits work; an outage of what it needs is answered with a code of its own. @throws ApiError */
export async function renameOutage<T>(work: Promise<T>, code: ErrorCode, message: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'service_unavailable') throw error;
    throw new ApiError(code, message, { headers: error.headers, cause: error });
  }
}

function limitProblems(details: Record<string, unknown>): Record<string, unknown> {
  const { problems } = details;
  if (!Array.isArray(problems) || problems.length <= PROBLEMS_MAX) return details;
  return { ...details, problems: problems.slice(0, PROBLEMS_MAX), moreProblems: problems.length - PROBLEMS_MAX };
}

/**
 * A problem of a filter goes first, then every other that is a 400: what lies outside the licence or the plan is told by its own code only
 * when nothing else is wrong.
 */
function rankOf({ answer }: RequestRefusal): number {
  if (answer === 'invalid_filter') return 0;
  return { 400: 1, 403: 2 }[ERRORS[answer].status as number] ?? 3;
}

/**
 * One answer for everything that is wrong with a request (src/docs/errors.md). Its code, `param` and further details are
 * those of the problem that ranks first; among equals of the one found first.
 * @param found at least one
 */
export function refusalOf(found: readonly RequestRefusal[]): ApiError {
  const [lead] = [...found].sort((a, b) => rankOf(a) - rankOf(b)) as [RequestRefusal];
  const problems = found.map(({ answer: _, details: _details, ...problem }): RequestProblem => problem);
  const more = found.length > 1 ? ` (and ${found.length - 1} more: see details.problems)` : '';
  const listed = found.length > 1 || ERRORS[lead.answer].status === 400 ? { problems } : {};
  const details = { ...listed, ...lead.details };
  return new ApiError(lead.answer, `${lead.message}${more}`, { param: lead.param, ...(Object.keys(details).length ? { details } : {}) });
}

/** Unusable parameters, as one answer. @param problems at least one */
export const makeInvalidFilterError = (problems: readonly RequestProblem[]): ApiError =>
  refusalOf(problems.map((problem) => ({ ...problem, answer: 'invalid_filter' })));
