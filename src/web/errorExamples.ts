/** For every error code: requests that provoke it on the demo, or why none does. */
import type { ErrorCode } from '../core/domain/errors.ts';

export type ErrorExample =
  | {
      /** lines for the shell that make the variables of the requests, beyond those of the error page */
      before?: readonly string[];
      /** requests, as lines for the shell */
      curl: readonly string[];
      /** how often the last line is sent */
      times?: number;
      /** Markdown: what has to be so besides; without it the last line is certain to be refused */
      needs?: string;
    }
  | { why: string };

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

export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  account_disabled: { curl: [get('/account/credits', 'DISABLED')] },
  alert_geography_required: { curl: [post('/alerts', { name: 'Everywhere' }, 'STATE')] },
  alert_geography_too_broad: {
    needs: 'With more than 50 counties of the licence in place of the one:',
    curl: [post('/alerts', { name: 'Many counties', filters: { counties: [8013] } }, 'STATE')],
  },
  alert_limit_reached: { curl: [post('/alerts', { name: 'One of many', filters: { states: ['CO'] } }, 'STATE')], times: 26 },
  credits_exhausted: {
    curl: [
      get('/projects/search?dateRange=all&limit=100&representation=compact', 'TRIAL'),
      get('/projects/search?dateRange=all&limit=100&representation=compact&offset=100', 'TRIAL'),
    ],
  },
  delivery_ledger_unavailable: { needs: 'While Postgres reads keys and not the ledger:', curl: [post('/exports', { filters: {} })] },
  enrichment_allowance_exceeded: {
    needs: 'Where the trial has credits left for these records, which it has to hold:',
    curl: [
      get('/projects/search?projectIds=1001,1002,1003,1004,1005,1006', 'TRIAL'),
      lookUp([1001, 1002, 1003, 1004, 1005, 1006], 'TRIAL'),
    ],
  },
  enrichment_incompatible_representation: { curl: [get('/projects/search?include=contacts&representation=compact')] },
  enrichment_ledger_unavailable: { needs: 'While Postgres reads keys and not what was unlocked:', curl: [lookUp([2229])] },
  enrichment_requires_async: { curl: [get('/projects/search?include=contacts')] },
  enrichment_requires_paid_plan: {
    why: 'Every paid plan and the live trial find contacts; a lapsed plan answers `subscription_required` to everything.',
  },
  enrichment_unavailable: { needs: 'With `CONTACT_PROVIDER_URL=off npm run demo`:', curl: [lookUp([2229])] },
  export_expired: { needs: '7 days after the export was ready:', before: QUEUED, curl: DOWNLOAD },
  export_not_ready: { before: QUEUED, curl: DOWNLOAD },
  export_unavailable: { needs: 'Once the file of a ready export is gone from `.stack/exports`:', before: QUEUED, curl: DOWNLOAD },
  feed_gone: {
    needs: 'With the secret of a feed whose alert was deleted in `$SECRET`:',
    curl: [`curl -sg "${DEMO_URL}/feeds/rss/$SECRET"`],
  },
  forbidden: {
    curl: [
      `curl -sg -X POST -H "Authorization: Bearer $TEAMMATE" -H 'Content-Type: application/json' -d '{"userId":1}' "${KEYS}/3f8a1c52-7a0e-4a34-9c1f-0b6a0d3d5e11/reassign"`,
    ],
  },
  geographic_access_denied: { curl: [get('/projects/search?states=TX', 'STATE')] },
  idempotency_in_flight: {
    needs: 'The requests have to meet; one that comes after the first has been answered is a repetition.',
    curl: [
      'for i in $(seq 20); do curl -sg -H "Authorization: Bearer $KEY" -H "Idempotency-Key: at-once-$$" "$API/projects/search?dateRange=all&representation=full" & done; wait',
    ],
  },
  idempotency_key_reuse: {
    curl: [
      `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=CO&limit=1"`,
      `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=TX&limit=1"`,
    ],
  },
  insufficient_credits: {
    before: [
      `SMALL=$(npm run -s admin -- --json team create --name Small --plan api_only --monthly-credits 3 --owner Small | node -p 'JSON.parse(fs.readFileSync(0)).secret')`,
    ],
    curl: [get('/projects/search?dateRange=all&limit=10&representation=compact', 'SMALL')],
  },
  internal_error: { why: 'It is a defect of the service: if you find a request that provokes it, tell us its request id.' },
  invalid_cursor: { curl: [get('/projects/sync?states=CO&dateRange=all&cursor=no-cursor')] },
  invalid_filter: { curl: [get('/projects/search?citis=Boulder&status=aproved')] },
  invalid_request: { curl: [get('/projects/search?limit=none')] },
  key_expired: {
    needs: 'The shortest window of a rotation is an hour: the last line is refused after that. `$ID` is the id of the key `$OLD`.',
    curl: [
      `curl -sg -X POST -H "Authorization: Bearer $OLD" ${JSON_BODY} -d '{"graceHours":1}' "${KEYS}/$ID/rotate"`,
      get('/account/credits', 'OLD'),
    ],
  },
  manual_runs_exhausted: {
    before: [
      `ID=$(${post('/alerts', { name: 'Often', filters: { projectIds: [2229] } }, 'API_ONLY')} | node -p 'JSON.parse(fs.readFileSync(0)).data.id')`,
    ],
    curl: [1, 2, 3, 4].map(
      (n) => `curl -sg -X POST -H "Authorization: Bearer $API_ONLY" -H 'Idempotency-Key: run-${n}' "$API/alerts/$ID/run"`,
    ),
  },
  method_not_allowed: { curl: ['curl -sg -X POST -H "Authorization: Bearer $KEY" "$API/projects/search"'] },
  missing_api_key: { curl: ['curl -sg "$API/account/credits"'] },
  range_not_satisfiable: {
    needs: 'Once the export is ready:',
    before: QUEUED,
    curl: [get('/exports/$ID/download').replace(' "$API', ` -H 'Range: bytes=999999999-' "$API`)],
  },
  rate_limit_exceeded: { curl: ['curl -sg "$API/account/credits"'], times: 11 },
  rate_limiter_unavailable: { needs: 'While Redis is stopped:', curl: [get('/account/credits')] },
  resource_not_found: { curl: [get('/projects/999999999')] },
  search_unavailable: { needs: 'While Elasticsearch is stopped:', curl: [get('/projects/search?states=CO')] },
  service_unavailable: { needs: 'While Postgres is stopped:', curl: [get('/account/credits')] },
  sharing_requires_paid_plan: { curl: [post('/lists', { name: 'Ours', projectIds: [2229], share: { mode: 'team' } }, 'TRIAL')] },
  subscription_required: { curl: [get('/account/credits', 'LAPSED')] },
  sync_tie_unresolved: {
    needs: 'The loader gives 100 records one time, and 10,000 may have one. With `SYNC_TIE_LIMIT=10 npm run demo`:',
    curl: [get('/projects/sync?states=CO&dateRange=all&limit=5')],
  },
  unauthorized: { curl: [get('/account/credits', 'REVOKED')] },
};
