/** For every error code: requests that provoke it on the demo, the last one with certainty; or why none does. */
import type { ErrorCode } from '../domain/errors.ts';

export type ErrorExample =
  | {
      /** lines for the shell; variables as on the error page */
      curl: readonly string[];
      /** how often the last line is sent */
      times?: number;
    }
  | { why: string };

const get = (path: string, key = 'KEY') => `curl -sg -H "Authorization: Bearer $${key}" "$API${path}"`;
const KEYS = 'http://localhost:8080/api/user/api-keys';

const LATER = (feature: string): ErrorExample => ({ why: `It belongs to ${feature}, which this version does not serve yet.` });
const alerts = LATER('alerts');
const exports = LATER('exports');
const enrichment = LATER('contact finding');

export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  account_disabled: { curl: [get('/account/credits', 'DISABLED')] },
  alert_geography_required: alerts,
  alert_geography_too_broad: alerts,
  alert_limit_reached: alerts,
  credits_exhausted: {
    curl: [
      get('/projects/search?dateRange=all&limit=100&representation=compact', 'TRIAL'),
      get('/projects/search?dateRange=all&limit=100&representation=compact&offset=100', 'TRIAL'),
    ],
  },
  delivery_ledger_unavailable: exports,
  enrichment_allowance_exceeded: enrichment,
  enrichment_incompatible_representation: { curl: [get('/projects/search?include=contacts&representation=compact')] },
  enrichment_ledger_unavailable: enrichment,
  enrichment_requires_async: { curl: [get('/projects/search?include=contacts')] },
  enrichment_requires_paid_plan: { curl: [get('/projects/search?include=contacts', 'TRIAL')] },
  enrichment_unavailable: enrichment,
  export_expired: exports,
  export_not_ready: exports,
  export_unavailable: exports,
  forbidden: {
    curl: [
      `curl -sg -X POST -H "Authorization: Bearer $TEAMMATE" -H 'Content-Type: application/json' -d '{"userId":1}' "${KEYS}/3f8a1c52-7a0e-4a34-9c1f-0b6a0d3d5e11/reassign"`,
    ],
  },
  geographic_access_denied: { curl: [get('/projects/search?states=TX', 'STATE')] },
  idempotency_in_flight: { why: 'It needs two requests at the very same moment; one after the other, the second is a repetition.' },
  idempotency_key_reuse: {
    curl: [
      `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=CO&limit=1"`,
      `curl -sg -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: one-key' "$API/projects/search?states=TX&limit=1"`,
    ],
  },
  insufficient_credits: {
    why: 'The demo has fewer records than its API Only account has credits, and a trial gets a shorter page instead of a refusal.',
  },
  internal_error: { why: 'It is a defect of the service: if you find a request that provokes it, tell us its request id.' },
  invalid_cursor: { curl: [get('/projects/sync?states=CO&dateRange=all&cursor=no-cursor')] },
  invalid_filter: { curl: [get('/projects/search?citis=Boulder&status=aproved')] },
  invalid_request: { curl: [get('/projects/search?limit=none')] },
  key_expired: { why: 'The shortest window of a rotation is an hour: rotate a key with `graceHours` 1 and use the old one after that.' },
  manual_runs_exhausted: alerts,
  method_not_allowed: { curl: ['curl -sg -X POST -H "Authorization: Bearer $KEY" "$API/projects/search"'] },
  missing_api_key: { curl: ['curl -sg "$API/account/credits"'] },
  rate_limit_exceeded: { curl: ['curl -sg "$API/account/credits"'], times: 11 },
  rate_limiter_unavailable: { why: 'It needs a stopped Redis.' },
  resource_not_found: { curl: [get('/projects/999999999')] },
  search_unavailable: { why: 'It needs a stopped or very slow Elasticsearch.' },
  service_unavailable: { curl: [get('/projects/search?format=csv')] },
  sharing_requires_paid_plan: alerts,
  subscription_required: { curl: [get('/account/credits', 'LAPSED')] },
  sync_tie_unresolved: { why: 'It needs more than 10,000 records with one time of change; the loader spreads the times of its own loads.' },
  unauthorized: { curl: [get('/account/credits', 'REVOKED')] },
};
