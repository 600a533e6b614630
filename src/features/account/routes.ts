import { Type } from 'typebox';
import { flag, nullable, object, place } from '../../core/domain/record/field.ts';
import { integer } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { credits, moment, whole } from '../../http/schemas.ts';
import { type AccountServices, listReceipts, RECEIPTS_MAX, readCredits } from './account.ts';
import { changePreferences, type PreferenceServices, readPreferenceBody, readPreferences } from './preferences.ts';

const text = nullable(Type.String());

const balance = object({
  balance: whole,
  plan: object({ id: Type.String(), label: Type.String(), paid: flag, geography: Type.String() }),
  creditRate: whole,
  contactCreditRate: whole,
  grantedCredits: whole,
  rateLimit: object({ limit: whole, windowSeconds: whole }),
  enrichment: object({ used: whole, limit: nullable(place), remaining: nullable(place), resetsAt: nullable(moment) }),
});

const reset = object({ periodEnd: nullable(moment), resetsAt: nullable(moment) });

const receipt = object({
  id: whole,
  at: moment,
  kind: Type.String(),
  subject: Type.String(),
  amount: credits,
  balance: whole,
  items: whole,
  cause: object({
    requestId: text,
    route: text,
    keyId: text,
    jobId: text,
    alertId: text,
    deliveryId: text,
    idempotencyKey: text,
    note: text,
  }),
});

const places = nullable(Type.Array(Type.Integer()));
const preferences = object({
  propertyTypes: nullable(Type.Array(Type.String())),
  states: places,
  counties: places,
  cities: places,
  website: text,
  updatedAt: nullable(moment),
});

/** One or several values of a filter; null clears the field. */
const values = Type.Unsafe<(string | number)[] | string | null>({
  type: ['array', 'string', 'null'],
  items: { type: ['string', 'integer'] },
  maxItems: 500,
});

export function accountRoutes(services: AccountServices & PreferenceServices): Route[] {
  return [
    route('Account', 'getCredits', 'GET /account/credits', {
      summary: 'Balance, plan, rate limit and allowances',
      answers: [json(balance, { meta: object({ creditsUsed: whole, creditsRemaining: whole, credits: reset }) })],
      handle: ({ principal }) => readCredits(services, principal),
    }),
    route('Account', 'listReceipts', 'GET /account/ledger', {
      summary: 'Receipts: every charge, grant and refund with its cause, newest first',
      query: {
        own: {
          limit: {
            summary: `Receipts a page, 1 to ${RECEIPTS_MAX} (default ${RECEIPTS_MAX}); more is clamped`,
            example: '25',
            kind: integer(1, Number.MAX_SAFE_INTEGER),
            refusal: 'invalid_request',
          },
          before: {
            summary: 'Reads on below this id: `meta.nextBefore` of the last page',
            example: '100',
            kind: integer(1, Number.MAX_SAFE_INTEGER),
            refusal: 'invalid_request',
          },
        },
      },
      answers: [
        json(Type.Array(receipt), {
          meta: object({ limit: whole, pageCount: whole, hasMore: flag, nextBefore: nullable(place), creditsUsed: whole }),
        }),
      ],
      errors: ['invalid_filter'],
      handle: ({ principal, query: { limit = RECEIPTS_MAX, before = null } }) =>
        listReceipts(services, principal, Math.min(limit, RECEIPTS_MAX), before),
    }),
    route('Account', 'getPreferences', 'GET /account/preferences', {
      summary: 'Saved search preferences of the key’s user',
      answers: [json(preferences)],
      handle: ({ principal }) => readPreferences(services, principal),
    }),
    route('Account', 'changePreferences', 'PATCH /account/preferences', {
      summary: 'Change saved search preferences; null clears a field',
      body: object({
        propertyTypes: Type.Optional(values),
        states: Type.Optional(values),
        counties: Type.Optional(values),
        cities: Type.Optional(values),
        website: Type.Optional(nullable(Type.String())),
      }),
      readBody: (body, principal) => readPreferenceBody(services, principal, body),
      answers: [json(preferences)],
      errors: ['invalid_filter', 'geographic_access_denied'],
      example: { body: { states: ['CO'], propertyTypes: ['residential'] } },
      handle: ({ principal, body, read }) => changePreferences(services, principal, body, read),
    }),
  ];
}
