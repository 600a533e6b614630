/**
 * Every error of the contract, a row each: its status, what it means, what to do, and a request that is answered with it (src/docs/errors.md).
 * The reference, the document, the page of errors and the test that provokes them follow.
 */
import type { TSchema } from 'typebox';
import { DETAILS } from './errorDetails.ts';

export type ErrorExample =
  | {
      /** lines for the shell that make the variables of the requests, beyond those of the error page */
      before?: readonly string[];
      /** requests, as lines for the shell */
      curl: readonly string[];
      /** how often the last line is sent */
      times?: number;
      /** Markdown: the further conditions of the refusal; without it, the last line is always refused */
      needs?: string;
    }
  | { why: string };

export interface ErrorDescription {
  /** HTTP status */
  status: number;
  meaning: string;
  remedy: string;
  /** JSON Schema of `details`; null if the error has none */
  details: TSchema | null;
  /** requests that provoke it, or why none does */
  example: ErrorExample;
}

/** Stands for the root of the service that shows the page. */
export const DEMO_URL = 'http://localhost:8080';

const get = (path: string, key = 'KEY') => `curl -sg -H "Authorization: Bearer $${key}" "$API${path}"`;
const KEYS = `${DEMO_URL}/api/user/api-keys`;
const JSON_BODY = `-H 'Content-Type: application/json'`;

const post = (path: string, body: unknown, key = 'KEY') =>
  `curl -sg -X POST -H "Authorization: Bearer $${key}" ${JSON_BODY} -d '${JSON.stringify(body)}' "$API${path}"`;
const lookUp = (projectIds: readonly number[], key?: string) =>
  post('/enrichments', { projectIds }, key).replace(' -d ', " -H 'Idempotency-Key: look-up-1' -d ");
/** An export that is queued, its id in `$ID`. */
const QUEUED = [`ID=$(${post('/exports', { filters: {} })} | node -p 'JSON.parse(fs.readFileSync(0)).data.id')`];
const DOWNLOAD = [get('/exports/$ID/download')];

export const ERRORS = {
  account_disabled: {
    status: 401,
    meaning: 'The key resolved, and its account is disabled.',
    remedy: 'Rotating the key does not help; contact support.',
    details: null,
    example: { curl: [get('/account/credits', 'DISABLED')] },
  },
  alert_geography_required: {
    status: 403,
    meaning: 'The alert would be left without geography on a plan that is narrower than nationwide. Nothing was saved.',
    remedy: 'Name states, counties or cities of the licence.',
    details: DETAILS.amongProblems,
    example: { curl: [post('/alerts', { name: 'Everywhere' }, 'STATE')] },
  },
  alert_geography_too_broad: {
    status: 403,
    meaning: 'The alert names more states or localities than the plan allows.',
    remedy: 'Stay within details.maxStates and details.maxLocalities.',
    details: DETAILS.alertPlaces,
    example: {
      needs: 'With more than 50 counties of the licence in place of the one:',
      curl: [post('/alerts', { name: 'Many counties', filters: { counties: [8013] } }, 'STATE')],
    },
  },
  alert_limit_reached: {
    status: 403,
    meaning: 'The team holds the largest number of active alerts.',
    remedy: 'Pause or delete one first.',
    details: DETAILS.activeAlerts,
    example: { curl: [post('/alerts', { name: 'One of many', filters: { states: ['CO'] } }, 'STATE')], times: 26 },
  },
  credits_exhausted: {
    status: 402,
    meaning: 'The balance cannot pay for even one record, and the answer would bill. Nothing was delivered or charged.',
    remedy:
      'Credits of a month come again on the 1st, UTC; those of a trial are given once, and more need a plan. Records that you hold unchanged are still free.',
    details: null,
    example: {
      curl: [
        get('/projects/search?dateRange=all&limit=100&representation=compact', 'TRIAL'),
        get('/projects/search?dateRange=all&limit=100&representation=compact&offset=100', 'TRIAL'),
      ],
    },
  },
  delivery_ledger_unavailable: {
    status: 503,
    meaning: 'A CSV search cannot read the delivery history. Nothing was queued or reserved.',
    remedy: 'Retry with backoff.',
    details: null,
    example: { needs: 'While Postgres reads keys and not the ledger:', curl: [post('/exports', { filters: {} })] },
  },
  enrichment_allowance_exceeded: {
    status: 402,
    meaning: 'The job exceeds the look-ups that are left of the month, or of the trial; the whole request was refused.',
    remedy:
      'Send no more ids than details.allowance.remaining, or wait for its resetsAt; where that is null, the look-ups are granted once.',
    details: DETAILS.allowance,
    example: {
      needs: 'Where the trial has credits left for these records, which it has to hold:',
      curl: [
        get('/projects/search?projectIds=1001,1002,1003,1004,1005,1006', 'TRIAL'),
        lookUp([1001, 1002, 1003, 1004, 1005, 1006], 'TRIAL'),
      ],
    },
  },
  enrichment_incompatible_representation: {
    status: 400,
    meaning: 'include=contacts with a representation that carries no contact fields.',
    remedy: 'Use representation=standard or full.',
    details: DETAILS.contactFields,
    example: { curl: [get('/projects/search?include=contacts&representation=compact')] },
  },
  enrichment_ledger_unavailable: {
    status: 503,
    meaning: 'The ledger of purchased projects cannot be read.',
    remedy: 'Retry with backoff; nothing was charged.',
    details: null,
    example: { needs: 'While Postgres reads keys and not what was unlocked:', curl: [lookUp([2229])] },
  },
  enrichment_requires_async: {
    status: 400,
    meaning: 'include=contacts on a synchronous JSON read would have to look contacts up.',
    remedy: 'Send contactOptions={"cachedOnly":true}, or use one of details.endpoints.',
    details: DETAILS.needsJob,
    example: { curl: [get('/projects/search?include=contacts')] },
  },
  enrichment_requires_paid_plan: {
    status: 402,
    meaning: 'Contacts need a paid plan or a live trial. Nothing was charged.',
    remedy: 'Upgrade the plan.',
    details: DETAILS.amongProblems,
    example: {
      why: 'Every paid plan and the live trial find contacts; a lapsed plan answers `subscription_required` to everything.',
    },
  },
  enrichment_unavailable: {
    status: 501,
    meaning: 'Contact finding is not enabled in this environment.',
    remedy: 'Leave contacts out.',
    details: null,
    example: { needs: 'Where the service looks no contacts up:', curl: [lookUp([2229])] },
  },
  export_expired: {
    status: 409,
    meaning: 'The file was removed after its retention.',
    remedy: 'Queue the export again.',
    details: null,
    example: { needs: '7 days after the export was ready:', before: QUEUED, curl: DOWNLOAD },
  },
  export_not_ready: {
    status: 409,
    meaning: 'The export is not finished.',
    remedy: 'Poll until status is ready.',
    details: DETAILS.unfinished,
    example: { before: QUEUED, curl: DOWNLOAD },
  },
  export_unavailable: {
    status: 409,
    meaning: 'The finished file cannot be read back; details.creditsRefunded is what came back for it.',
    remedy: 'Queue the export again.',
    details: DETAILS.refund,
    example: { needs: 'Once the file of a ready export was lost:', before: QUEUED, curl: DOWNLOAD },
  },
  feed_gone: {
    status: 410,
    meaning: 'The alert of the feed was deleted.',
    remedy: 'Remove the feed from your reader.',
    details: null,
    example: {
      needs: 'With the secret of a feed whose alert was deleted in `$SECRET`:',
      curl: [`curl -sg "${DEMO_URL}/feeds/rss/$SECRET"`],
    },
  },
  forbidden: {
    status: 403,
    meaning: 'The account may not do this.',
    remedy: "Ask the team's owner, or see the message for the limit that was met.",
    details: DETAILS.ceiling,
    example: {
      curl: [
        `curl -sg -X POST -H "Authorization: Bearer $TEAMMATE" -H 'Content-Type: application/json' -d '{"userId":1}' "${KEYS}/3f8a1c52-7a0e-4a34-9c1f-0b6a0d3d5e11/reassign"`,
      ],
    },
  },
  geographic_access_denied: {
    status: 403,
    meaning: 'A state or county lies outside the licence.',
    remedy: 'Stay within details.allowedStates, or leave geography out to search the whole licence.',
    details: DETAILS.geography,
    example: { curl: [get('/projects/search?states=TX', 'STATE')] },
  },
  idempotency_in_flight: {
    status: 409,
    meaning: 'A request with the same Idempotency-Key is being processed.',
    remedy: 'Wait for Retry-After seconds and repeat it.',
    details: null,
    example: {
      needs: 'The requests have to meet; one that comes after the first has been answered is a repetition.',
      curl: [
        'for i in $(seq 20); do curl -sg -H "Authorization: Bearer $KEY" -H "Idempotency-Key: at-once-$$" "$API/projects/search?dateRange=all&representation=full" & done; wait',
      ],
    },
  },
  idempotency_key_reuse: {
    status: 409,
    meaning: 'The Idempotency-Key was used with another body or other filters.',
    remedy: 'Use a new key.',
    details: null,
    example: {
      curl: [
        `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=CO&limit=1"`,
        `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=TX&limit=1"`,
      ],
    },
  },
  insufficient_credits: {
    status: 402,
    meaning: 'The page costs more than the balance; it was refused whole.',
    remedy: 'Repeat it with details.quote.affordableRecordCount as limit.',
    details: DETAILS.price,
    example: {
      curl: [get('/projects/search?dateRange=all&limit=10&representation=compact', 'SMALL')],
    },
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed. Nothing was charged.',
    remedy: 'Retry; tell us the request id if it happens again.',
    details: null,
    example: { why: 'It is a defect of the service: if you find a request that provokes it, tell us its request id.' },
  },
  invalid_cursor: {
    status: 400,
    meaning:
      'A cursor of sync is malformed, or belongs to other filters, another licence or an index that was replaced; one of events is malformed or of another team, or events behind it are kept no longer.',
    remedy: 'Follow details.recovery: repeat without the cursor.',
    details: DETAILS.cursor,
    example: { curl: [get('/projects/sync?states=CO&dateRange=all&cursor=no-cursor')] },
  },
  invalid_filter: {
    status: 400,
    meaning: 'A parameter is unknown or its value cannot be used. Nothing was charged.',
    remedy: 'details.problems lists every one of them, with suggestions.',
    details: DETAILS.problems,
    example: { curl: [get('/projects/search?citis=Boulder&status=aproved')] },
  },
  invalid_request: {
    status: 400,
    meaning: 'A parameter, header or body cannot be used here.',
    remedy: 'See error.param and details.supported.',
    details: DETAILS.invalidRequest,
    example: { curl: [get('/projects/search?limit=none')] },
  },
  key_expired: {
    status: 401,
    meaning: 'A rotated key reached the end of its window.',
    remedy: 'Use its replacement.',
    details: null,
    example: {
      needs: 'The shortest window of a rotation is an hour: the last line is refused after that. `$ID` is the id of the key `$OLD`.',
      curl: [
        `curl -sg -X POST -H "Authorization: Bearer $OLD" ${JSON_BODY} -d '{"graceHours":1}' "${KEYS}/$ID/rotate"`,
        get('/account/credits', 'OLD'),
      ],
    },
  },
  manual_runs_exhausted: {
    status: 429,
    meaning: 'The manual runs of this alert are used up for today.',
    remedy: 'Wait until details.resetsAt.',
    details: DETAILS.runs,
    example: {
      before: [
        `ID=$(${post('/alerts', { name: 'Often', filters: { projectIds: [2229] } }, 'API_ONLY')} | node -p 'JSON.parse(fs.readFileSync(0)).data.id')`,
      ],
      curl: [1, 2, 3, 4].map(
        (n) => `curl -sg -X POST -H "Authorization: Bearer $API_ONLY" -H 'Idempotency-Key: run-${n}' "$API/alerts/$ID/run"`,
      ),
    },
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not take this method.',
    remedy: 'See the Allow header.',
    details: null,
    example: { curl: ['curl -sg -X POST -H "Authorization: Bearer $KEY" "$API/projects/search"'] },
  },
  missing_api_key: {
    status: 401,
    meaning: 'No credential, or one that is no key of this service.',
    remedy: 'Send Authorization: Bearer <API_KEY> or X-API-Key.',
    details: null,
    example: { curl: ['curl -sg "$API/account/credits"'] },
  },
  not_acceptable: {
    status: 406,
    meaning: 'The records are served in none of the forms that Accept takes. Nothing was charged.',
    remedy: 'Send one of details.supported, or no Accept header.',
    details: DETAILS.supported,
    example: { curl: ['curl -sg -H "Authorization: Bearer $KEY" -H "Accept: application/xml" "$API/projects/search"'] },
  },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The file has no part that Range asks for.',
    remedy: 'Ask within details.sizeBytes, or leave Range out.',
    details: DETAILS.size,
    example: {
      needs: 'Once the export is ready:',
      before: QUEUED,
      curl: [get('/exports/$ID/download').replace(' "$API', ` -H 'Range: bytes=999999999-' "$API`)],
    },
  },
  rate_limit_exceeded: {
    status: 429,
    meaning:
      'More requests than the allowance of the last 60 seconds; or, with details.waiting, more jobs, matches or analyses than a team may have waiting.',
    remedy: 'Wait for Retry-After seconds.',
    details: DETAILS.rate,
    example: { curl: ['curl -sg "$API/account/credits"'], times: 11 },
  },
  rate_limiter_unavailable: {
    status: 503,
    meaning: 'The rate limiter cannot be reached.',
    remedy: 'Retry after Retry-After seconds.',
    details: null,
    example: { needs: 'While Redis is stopped:', curl: [get('/account/credits')] },
  },
  request_timeout: {
    status: 408,
    meaning:
      'The request did not arrive in time: its body has to be whole 15 seconds after its head, unless the operator sets another time. Nothing was charged.',
    remedy: 'Send the body at once, and repeat the request on a new connection.',
    details: null,
    example: { why: 'A client that stops in the middle of its body provokes it.' },
  },
  resource_not_found: {
    status: 404,
    meaning: 'The id does not exist or is not visible to this key; both answer alike.',
    remedy: 'Check the id and the licence.',
    details: null,
    example: { curl: [get('/projects/999999999')] },
  },
  search_unavailable: {
    status: 503,
    meaning: 'The search backend cannot be reached or was late. Never reported as zero matches.',
    remedy: 'Retry with backoff.',
    details: null,
    example: { needs: 'While Elasticsearch is stopped:', curl: [get('/projects/search?states=CO')] },
  },
  service_unavailable: {
    status: 503,
    meaning: 'A part of the service cannot answer right now.',
    remedy: 'Retry with backoff.',
    details: DETAILS.outage,
    example: { needs: 'While Postgres is stopped:', curl: [get('/account/credits')] },
  },
  sharing_requires_paid_plan: {
    status: 403,
    meaning: 'Sharing with a team needs a paid plan. Nothing was applied.',
    remedy: 'Create the alert as private.',
    details: DETAILS.amongProblems,
    example: { curl: [post('/lists', { name: 'Ours', projectIds: [2229], share: { mode: 'team' } }, 'TRIAL')] },
  },
  subscription_required: {
    status: 402,
    meaning: 'The key is valid; its account has no active plan or trial.',
    remedy: 'Reactivate the plan; the key works again then.',
    details: null,
    example: { curl: [get('/account/credits', 'LAPSED')] },
  },
  snapshot_in_progress: {
    status: 409,
    meaning: 'A snapshot of the team is queued or being built, and a team has one at a time. Nothing was queued or reserved.',
    remedy: 'Wait until details.snapshotId is ready, or cancel it.',
    details: DETAILS.snapshot,
    example: {
      needs: 'The first snapshot must not be ready yet:',
      before: [post('/snapshots', { filters: {} })],
      curl: [post('/snapshots', { filters: {} })],
    },
  },
  sync_tie_unresolved: {
    status: 503,
    meaning: 'Too many records share one last-updated timestamp.',
    remedy: 'Split the walk by geography, as details.suggestion says.',
    details: DETAILS.tie,
    example: {
      needs: 'The loader gives 100 records one time, and 10,000 may have one. Where more do:',
      curl: [get('/projects/sync?states=CO&dateRange=all&limit=5')],
    },
  },
  unauthorized: {
    status: 401,
    meaning: 'The key did not resolve: revoked, mistyped, or of a closed account.',
    remedy: 'Check the key, or make a new one.',
    details: null,
    example: { curl: [get('/account/credits', 'REVOKED')] },
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERRORS;
