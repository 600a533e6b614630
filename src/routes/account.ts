import { invalidFilter, type Problem } from '../domain/errors.ts';
import { integer, Unusable } from '../filter/kinds.ts';
import type { RawParameters } from '../filter/parse.ts';
import type { Route } from '../http/route.ts';
import { type AccountServices, accountCredits, accountReceipts, RECEIPTS_MAX } from '../operations/account/account.ts';
import { changePreferences, type PreferenceServices, preferenceProblems, readPreferences } from '../operations/account/preferences.ts';

/** Whole numbers from 1 of the query, by name; undefined where one was not sent. @throws ApiError with every unusable one */
function positives<const N extends string>(query: RawParameters, ...names: N[]): Record<N, number | undefined> {
  const problems: Problem[] = [];
  const values = names.map((name) => {
    const raw = query.get(name);
    try {
      return [name, raw && integer(1, Number.MAX_SAFE_INTEGER).parse(raw, undefined as never)];
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      problems.push({ param: name, code: error.code, message: `${name} ${error.message}`, value: error.extra.value });
      return [name, undefined];
    }
  });
  if (problems.length) throw invalidFilter(problems);
  return Object.fromEntries(values);
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
      handle: ({ principal, query }) => {
        const { limit = RECEIPTS_MAX, before = null } = positives(query, 'limit', 'before');
        return accountReceipts(services, principal, Math.min(limit, RECEIPTS_MAX), before);
      },
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
      problemsOf: (body, principal) => preferenceProblems(services, principal, body),
      handle: ({ principal, body }) => changePreferences(services, principal, body as Record<string, unknown>),
    },
  ];
}
