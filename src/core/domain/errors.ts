/** Every error code of the contract: its HTTP status, what it means and what to do (src/docs/errors.md). */
export interface ErrorDescription {
  /** HTTP status */
  status: number;
  meaning: string;
  remedy: string;
}

export const ERRORS = {
  account_disabled: {
    status: 401,
    meaning: 'The key resolved, and its account is disabled.',
    remedy: 'Rotating the key does not help; contact support.',
  },
  alert_geography_required: {
    status: 403,
    meaning: 'The alert would be left without geography on a plan that is narrower than nationwide. Nothing was saved.',
    remedy: 'Name states, counties or cities of the licence.',
  },
  alert_geography_too_broad: {
    status: 403,
    meaning: 'The alert names more states or localities than the plan allows.',
    remedy: 'Stay within details.maxStates and details.maxLocalities.',
  },
  alert_limit_reached: {
    status: 403,
    meaning: 'The team holds the largest number of active alerts.',
    remedy: 'Pause or delete one first.',
  },
  credits_exhausted: {
    status: 402,
    meaning: 'The balance cannot pay for even one record, and the answer would bill. Nothing was delivered or charged.',
    remedy: 'Wait for the monthly reset, or add credits. Records that you hold unchanged are still free.',
  },
  delivery_ledger_unavailable: {
    status: 503,
    meaning: 'A CSV search cannot read the delivery history. Nothing was queued or reserved.',
    remedy: 'Retry with backoff.',
  },
  enrichment_allowance_exceeded: {
    status: 402,
    meaning: 'The job exceeds the monthly allowance; the whole request was refused.',
    remedy: 'See details.allowance; send fewer ids or wait for resetsAt.',
  },
  enrichment_incompatible_representation: {
    status: 400,
    meaning: 'include=contacts with a representation that carries no contact fields.',
    remedy: 'Use representation=standard or full.',
  },
  enrichment_ledger_unavailable: {
    status: 503,
    meaning: 'The ledger of purchased projects cannot be read.',
    remedy: 'Retry with backoff; nothing was charged.',
  },
  enrichment_requires_async: {
    status: 400,
    meaning: 'include=contacts on a synchronous JSON read would have to look contacts up.',
    remedy: 'Send contactOptions={"cachedOnly":true}, or use one of details.endpoints.',
  },
  enrichment_requires_paid_plan: {
    status: 402,
    meaning: 'Contacts need a paid plan or a live trial. Nothing was charged.',
    remedy: 'Upgrade the plan.',
  },
  enrichment_unavailable: { status: 501, meaning: 'Contact finding is not enabled in this environment.', remedy: 'Leave contacts out.' },
  export_expired: { status: 409, meaning: 'The file was removed after its retention.', remedy: 'Queue the export again.' },
  export_not_ready: { status: 409, meaning: 'The export is not finished.', remedy: 'Poll until status is ready.' },
  export_unavailable: {
    status: 409,
    meaning: 'The finished file cannot be read back; its credits were refunded.',
    remedy: 'Queue the export again.',
  },
  feed_gone: { status: 410, meaning: 'The alert of the feed was deleted.', remedy: 'Remove the feed from your reader.' },
  forbidden: {
    status: 403,
    meaning: 'The account may not do this.',
    remedy: "Ask the team's owner, or see the message for the limit that was met.",
  },
  geographic_access_denied: {
    status: 403,
    meaning: 'A state or county lies outside the licence.',
    remedy: 'Stay within details.allowedStates, or leave geography out to search the whole licence.',
  },
  idempotency_in_flight: {
    status: 409,
    meaning: 'A request with the same Idempotency-Key is being processed.',
    remedy: 'Wait for Retry-After seconds and repeat it.',
  },
  idempotency_key_reuse: {
    status: 409,
    meaning: 'The Idempotency-Key was used with another body or other filters.',
    remedy: 'Use a new key.',
  },
  insufficient_credits: {
    status: 402,
    meaning: 'The page costs more than the balance; it was refused whole.',
    remedy: 'Repeat it with details.quote.affordableRecordCount as limit.',
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed. Nothing was charged.',
    remedy: 'Retry; tell us the request id if it happens again.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The sync cursor is malformed, or belongs to other filters, another licence or an index that was replaced.',
    remedy: 'Follow details.recovery: repeat without the cursor.',
  },
  invalid_filter: {
    status: 400,
    meaning: 'A parameter is unknown or its value cannot be used. Nothing was charged.',
    remedy: 'details.problems lists every one of them, with suggestions.',
  },
  invalid_request: {
    status: 400,
    meaning: 'A parameter, header or body cannot be used here.',
    remedy: 'See error.param and details.supported.',
  },
  key_expired: { status: 401, meaning: 'A rotated key reached the end of its window.', remedy: 'Use its replacement.' },
  manual_runs_exhausted: {
    status: 429,
    meaning: 'The manual runs of this alert are used up for today.',
    remedy: 'Wait until details.resetsAt.',
  },
  method_not_allowed: { status: 405, meaning: 'The path does not take this method.', remedy: 'See the Allow header.' },
  missing_api_key: {
    status: 401,
    meaning: 'No credential, or one that is no key of this service.',
    remedy: 'Send Authorization: Bearer <API_KEY> or X-API-Key.',
  },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The file has no part that Range asks for.',
    remedy: 'Ask within details.sizeBytes, or leave Range out.',
  },
  rate_limit_exceeded: {
    status: 429,
    meaning:
      'More requests than the allowance of the last 60 seconds; or, with details.waiting, more jobs of a kind than a team may have waiting.',
    remedy: 'Wait for Retry-After seconds.',
  },
  rate_limiter_unavailable: { status: 503, meaning: 'The rate limiter cannot be reached.', remedy: 'Retry after Retry-After seconds.' },
  resource_not_found: {
    status: 404,
    meaning: 'The id does not exist or is not visible to this key; both answer alike.',
    remedy: 'Check the id and the licence.',
  },
  search_unavailable: {
    status: 503,
    meaning: 'The search backend cannot be reached or was late. Never reported as zero matches.',
    remedy: 'Retry with backoff.',
  },
  service_unavailable: { status: 503, meaning: 'A part of the service cannot answer right now.', remedy: 'Retry with backoff.' },
  sharing_requires_paid_plan: {
    status: 403,
    meaning: 'Sharing with a team needs a paid plan. Nothing was applied.',
    remedy: 'Create the alert as private.',
  },
  subscription_required: {
    status: 402,
    meaning: 'The key is valid; its account has no active plan or trial.',
    remedy: 'Reactivate the plan; the key works again then.',
  },
  sync_tie_unresolved: {
    status: 503,
    meaning: 'Too many records share one last-updated timestamp.',
    remedy: 'Split the walk by geography, as details.suggestion says.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The key did not resolve: revoked, mistyped, or of a closed account.',
    remedy: 'Check the key, or make a new one.',
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with a request. */
export interface Problem {
  /** as it was sent; in a body the path to it, such as `notify.phone`; null where no parameter or header is to blame */
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

/** A problem as a value, with the code of the answer that it leads, and what such an answer says besides. */
export interface Refusal extends Problem {
  answer: ErrorCode;
  details?: Record<string, unknown>;
}

/** Problems that one answer lists at most. */
export const PROBLEMS_MAX = 100;

export interface ErrorContext {
  /** the offending parameter or header */
  param?: string | null;
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
  /** every 400 has `problems[]`, bounded whoever throws it */
  readonly details: Record<string, unknown> | null;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.param = context.param ?? null;
    const alone = this.status === 400 ? { problems: [{ param: this.param, code, message }] } : undefined;
    const details = context.details || alone ? { ...alone, ...context.details } : null;
    this.details = details && boundedProblems(details);
    this.headers = context.headers ?? {};
  }
}

function boundedProblems(details: Record<string, unknown>): Record<string, unknown> {
  const { problems } = details;
  if (!Array.isArray(problems) || problems.length <= PROBLEMS_MAX) return details;
  return { ...details, problems: problems.slice(0, PROBLEMS_MAX), moreProblems: problems.length - PROBLEMS_MAX };
}

/**
 * A problem of a filter goes first, then every other that is a 400: what lies outside the licence or the plan is told by its own code only
 * when nothing else is wrong.
 */
function rankOf({ answer }: Refusal): number {
  if (answer === 'invalid_filter') return 0;
  return { 400: 1, 403: 2 }[ERRORS[answer].status as number] ?? 3;
}

/**
 * One answer for everything that is wrong with a request (src/docs/errors.md). Its code, `param` and further details are
 * those of the problem that ranks first; among equals of the one found first.
 * @param found at least one
 */
export function refusalOf(found: readonly Refusal[]): ApiError {
  const [lead] = [...found].sort((a, b) => rankOf(a) - rankOf(b)) as [Refusal];
  const problems = found.map(({ answer: _, details: _details, ...problem }): Problem => problem);
  const more = found.length > 1 ? ` (and ${found.length - 1} more: see details.problems)` : '';
  const listed = found.length > 1 || ERRORS[lead.answer].status === 400 ? { problems } : {};
  const details = { ...listed, ...lead.details };
  return new ApiError(lead.answer, `${lead.message}${more}`, { param: lead.param, ...(Object.keys(details).length ? { details } : {}) });
}

/** Unusable parameters, as one answer. @param problems at least one */
export const invalidFilter = (problems: readonly Problem[]): ApiError =>
  refusalOf(problems.map((problem) => ({ ...problem, answer: 'invalid_filter' })));
