import { invalidFilter } from '../domain/errors.ts';
import { integer, Unusable } from '../filter/kinds.ts';
import type { RawParameters } from '../filter/parse.ts';
import type { Route } from '../http/route.ts';
import { type AccountServices, accountCredits, accountReceipts, RECEIPTS_MAX } from '../search/account.ts';
import { changePreferences, type PreferenceServices, readPreferences } from '../search/preferences.ts';

/** A whole number from 1 of the query, or undefined when it was not sent. */
function positive(query: RawParameters, name: string): number | undefined {
  const raw = query.get(name);
  if (raw === undefined) return undefined;
  try {
    return integer(1, Number.MAX_SAFE_INTEGER).parse(raw, undefined as never);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw invalidFilter([{ param: name, code: error.code, message: `${name} ${error.message}`, value: error.value }]);
  }
}

const LIST = { type: ['array', 'string', 'null'], items: { type: ['string', 'integer'] }, maxItems: 500 };

export function accountRoutes(services: AccountServices & PreferenceServices): Route[] {
  return [
    {
      method: 'get',
      path: '/account/credits',
      summary: 'Balance, plan, rate limit and allowances',
      query: [],
      handle: ({ principal }) => accountCredits(services, principal),
    },
    {
      method: 'get',
      path: '/account/ledger',
      summary: 'Receipts: every charge, grant and refund with its cause, newest first',
      query: ['limit', 'before'],
      handle: ({ principal, query }) =>
        accountReceipts(
          services,
          principal,
          Math.min(positive(query, 'limit') ?? RECEIPTS_MAX, RECEIPTS_MAX),
          positive(query, 'before') ?? null,
        ),
    },
    {
      method: 'get',
      path: '/account/preferences',
      summary: 'Saved search preferences of the key’s user',
      query: [],
      handle: ({ principal }) => readPreferences(services, principal),
    },
    {
      method: 'patch',
      path: '/account/preferences',
      summary: 'Change saved search preferences; null clears a field',
      query: [],
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { propertyTypes: LIST, states: LIST, counties: LIST, cities: LIST, website: { type: ['string', 'null'] } },
      },
      handle: ({ principal, body }) => changePreferences(services, principal, body as Record<string, unknown>),
    },
  ];
}
