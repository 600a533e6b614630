/** What an AI search is asked with, and everything that is wrong with it as values. Pure. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Included } from '../../core/filter/controls.ts';
import { CANONICAL } from '../../core/filter/names.ts';
import { parseFilterObject } from '../../core/filter/parse.ts';
import { FILTER_NAMES, filterOf } from '../../core/filter/table.ts';
import { readInclude } from '../../core/search/includeProblems.ts';
import { contradiction, wordProblems } from '../../core/search/parameterProblems.ts';
import { denialProblems } from '../../core/search/select.ts';
import { AI_LIMIT_DEFAULT, AI_PLACES_MAX, AI_WINDOW_MAX } from './limits.ts';

export interface AiSearchBody {
  query: string;
  filters?: Record<string, unknown>;
  limit?: number;
  /** at most so many credits may be reserved for contacts */
  maxContactCredits?: number;
  offset?: number;
  include?: Included | Included[];
  notify?: { email?: boolean };
}

export const SYNCHRONOUS_PATH = '/projects/ai-search';
export const JOBS_PATH = `${SYNCHRONOUS_PATH}/jobs`;

const FILTERS = 'filters.';
const PLACE_FILTERS: ReadonlySet<string | undefined> = new Set(FILTER_NAMES.filter((name) => filterOf(name).ofPlaces));

/** All problems of a body other than its shape. */
export function aiSearchProblems(
  body: Readonly<Record<string, unknown>>,
  principal: Pick<Principal, 'licence' | 'plan'>,
  places: Places,
): RequestRefusal[] {
  const reading = parseFilterObject(body.filters === undefined ? {} : body.filters, FILTERS, places);
  return [
    ...reading.problems,
    ...placesProblems(body.filters),
    ...denialProblems(reading, principal, places),
    ...windowProblems(body),
    ...(principal.plan.recordCredit && reading.filters.projectIds && body.offset ? [OFFSET_OF_IDS] : []),
    ...readInclude(body.include, 'contacts').problems,
    ...wordProblems('query', body.query),
  ];
}

/** Values of a list, repeated ones counted: an array, or a text with commas. */
const sizeOf = (value: unknown) =>
  [value].flat().reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.split(',').length : 1), 0);

function placesProblems(filters: unknown): RequestRefusal[] {
  if (typeof filters !== 'object' || filters === null) return [];
  return Object.entries(filters).flatMap(([name, value]): RequestRefusal[] => {
    // `Austin, TX` is one place of two parts
    const size = Array.isArray(value) ? value.length : sizeOf(value);
    if (!PLACE_FILTERS.has(CANONICAL.get(name)) || size <= AI_PLACES_MAX) return [];
    const message = `${FILTERS}${name} has ${size} values; an AI search takes at most ${AI_PLACES_MAX}, repeated ones counted`;
    return [{ param: `${FILTERS}${name}`, code: 'too_many_values', message, answer: 'invalid_filter' }];
  });
}

function windowProblems({ limit = AI_LIMIT_DEFAULT, offset = 0 }: Readonly<Record<string, unknown>>): RequestRefusal[] {
  if (typeof limit !== 'number' || typeof offset !== 'number' || limit + offset <= AI_WINDOW_MAX) return [];
  const message = `offset + limit reaches ${offset + limit}; an AI search reaches ${AI_WINDOW_MAX}. Ask a narrower question`;
  return [contradiction('offset', message, { window: AI_WINDOW_MAX })];
}

/** The first answers are delivered and paid for; an empty page after them would say without charge how many there are. */
const OFFSET_OF_IDS = contradiction(
  'offset',
  'offset takes no projectIds where records cost credits; leave it out, a limit reaches all of them',
);

/** A key asks by a job; only people at a page of ours would wait for an answer. */
export const synchronousProblem = (publicUrl: string): RequestRefusal => ({
  param: 'endpoint',
  code: 'not_supported',
  message: `This endpoint is for the web session; with an API key send POST ${JOBS_PATH} and poll`,
  answer: 'invalid_request',
  details: { asyncEndpoint: `${publicUrl}/v1${JOBS_PATH}` },
});
