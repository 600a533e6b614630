/** Every error code of the contract with its HTTP status (specification "Errors"), and the one error class that carries them. */
export const ERROR_STATUS = {
  account_disabled: 401,
  alert_geography_required: 403,
  alert_geography_too_broad: 403,
  alert_limit_reached: 403,
  credits_exhausted: 402,
  delivery_ledger_unavailable: 503,
  enrichment_allowance_exceeded: 402,
  enrichment_incompatible_representation: 400,
  enrichment_ledger_unavailable: 503,
  enrichment_requires_async: 400,
  enrichment_requires_paid_plan: 402,
  enrichment_unavailable: 501,
  export_expired: 409,
  export_not_ready: 409,
  export_unavailable: 409,
  forbidden: 403,
  geographic_access_denied: 403,
  idempotency_in_flight: 409,
  idempotency_key_reuse: 409,
  insufficient_credits: 402,
  internal_error: 500,
  invalid_cursor: 400,
  invalid_filter: 400,
  invalid_request: 400,
  key_expired: 401,
  manual_runs_exhausted: 429,
  method_not_allowed: 405,
  missing_api_key: 401,
  rate_limit_exceeded: 429,
  rate_limiter_unavailable: 503,
  resource_not_found: 404,
  search_unavailable: 503,
  service_unavailable: 503,
  sharing_requires_paid_plan: 403,
  subscription_required: 402,
  sync_tie_unresolved: 503,
  unauthorized: 401,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One unusable parameter of a request (decisions §4). */
export interface Problem {
  param: string;
  code: string;
  message: string;
  value?: unknown;
  didYouMean?: string;
  candidates?: unknown[];
}

export interface ErrorContext {
  /** the offending parameter or header */
  param?: string;
  details?: Record<string, unknown>;
  /** extra response headers, such as Retry-After or Allow */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal that the client is meant to see; anything else that is thrown is a defect and answers `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  readonly details: Record<string, unknown> | null;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.param = context.param ?? null;
    this.details = context.details ?? null;
    this.headers = context.headers ?? {};
  }
}

/** Every unusable parameter of a request in one answer (specification "GET /projects/search"). */
export function invalidFilter(problems: readonly Problem[]): ApiError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: see details.problems)` : '';
  return new ApiError('invalid_filter', `${first?.message ?? 'A filter is unusable.'}${more}`, {
    ...(first ? { param: first.param } : {}),
    details: { problems: [...problems] },
  });
}
