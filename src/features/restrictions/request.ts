/** Parameters and bodies of the routes of restrictions. Places are read as the filters of a search read them. Pure. */
import { type RequestRefusal, refusalOf } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { RESTRICTION_KINDS, RESTRICTION_STATUSES, type RestrictedUse } from '../../core/domain/restriction/schemas.ts';
import * as vocabulary from '../../core/domain/vocabulary.ts';
import { type Period, period } from '../../core/filter/dates.ts';
import { choice, choices, type PlainKind, parseToken } from '../../core/filter/kinds.ts';
import { parseFilterObject, valueRefusal } from '../../core/filter/parse.ts';
import type { Raw, ValueProblem } from '../../core/filter/raw.ts';
import { resolveFilters } from '../../core/filter/resolve.ts';
import { FILTERS, type FilterName, type FilterValues, namesIn } from '../../core/filter/table.ts';
import { denialProblems, parseParameters } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { OwnParameter } from '../../http/declaration.ts';
import { collectionQuery } from '../../http/pageSchemas.ts';

/** Filters of a search that restrictions take, too. */
const SHARED_FILTERS = [
  'states',
  'counties',
  'cities',
  'bbox',
  'circle',
  'polygon',
  'propertyTypes',
  'propertySubtypes',
  'assetClasses',
] as const satisfies readonly FilterName[];
type SharedFilter = (typeof SHARED_FILTERS)[number];

/** A filter's value as it was sent: it is parsed together with the others, which may narrow it. */
const asSent = (name: SharedFilter): OwnParameter<Raw> => {
  const { summary, example, kind } = FILTERS[name];
  const sent: PlainKind<Raw> = { schema: kind.schema, parse: (raw) => ({ value: raw }), echo: (value) => value };
  return { summary, example: String(example), kind: sent };
};

/** Any of these words, under the name that the list has in answers, too. */
function namedChoices<const T extends string>(title: string, words: readonly T[]): PlainKind<T[]> {
  const kind = choices(words.length, ...words);
  return { ...kind, schema: { ...kind.schema, items: { ...(kind.schema.items as object), title } } };
}

export const RESTRICTION_SORTS = ['lastUpdated', 'adoptedOn', 'ends'] as const;

export const LIST_QUERY = {
  ...(Object.fromEntries(SHARED_FILTERS.map((name) => [name, asSent(name)])) as Record<SharedFilter, OwnParameter<Raw>>),
  statuses: {
    summary: 'Status on the day asked, any of them',
    example: 'in_force,extended',
    kind: namedChoices('RestrictionStatus', RESTRICTION_STATUSES),
  },
  kinds: { summary: 'Kinds, any of them', example: 'moratorium', kind: namedChoices('RestrictionKind', RESTRICTION_KINDS) },
  inForceOn: { summary: 'In force on this day; `status` is that of the day', example: '2026-11-20', kind: period },
  endsFrom: { summary: 'Ends on this day or later', example: '2026-11-20', kind: period },
  endsTo: { summary: 'Ends on this day or earlier', example: '2027-02-28', kind: period },
  sort: {
    summary: '`lastUpdated` (default) and `adoptedOn`: newest first; `ends`: what ends next first',
    example: 'ends',
    kind: { ...choice(...RESTRICTION_SORTS), schema: { type: 'string', enum: [...RESTRICTION_SORTS], title: 'RestrictionSort' } },
  },
  ...collectionQuery('Restrictions'),
} as const;

export interface ListRequest {
  filters: FilterValues;
  statuses?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
  inForceOn?: Period | undefined;
  endsFrom?: Period | undefined;
  endsTo?: Period | undefined;
  sort?: (typeof RESTRICTION_SORTS)[number] | undefined;
}

const badRequest = (param: string, code: string, message: string): RequestRefusal => ({ param, code, message, answer: 'invalid_request' });

const FEED_PREFIX = 'filters.';

/** The filters of a feed, with problems that name their place in the body. */
export function readFeedFilters(
  sent: unknown,
  principal: Pick<Principal, 'licence'>,
  { places }: Pick<Environment, 'places'>,
): { filters: FilterValues; problems: RequestRefusal[] } {
  const reading = parseFilterObject(sent, FEED_PREFIX, places);
  const others = namesIn(reading.filters).filter((name) => !SHARED_FILTERS.some((shared) => shared === name));
  const message = (name: string) => `A feed of restrictions takes ${SHARED_FILTERS.join(', ')}, not ${name}; leave it out`;
  return {
    filters: reading.filters,
    problems: [
      ...reading.problems,
      ...others.map((name) => ({
        ...badRequest(`${FEED_PREFIX}${name}`, 'not_supported', message(name)),
        answer: 'invalid_filter' as const,
      })),
      ...denialProblems(reading, principal, places),
    ],
  };
}

/** Filters that were sent, read as a search reads them. @throws ApiError with every problem */
export function readSharedFilters(sent: Partial<Record<SharedFilter, Raw>>, principal: Principal, environment: Environment): FilterValues {
  const raw = new Map(SHARED_FILTERS.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]] as const])));
  const { filters } = parseParameters(raw, {}, principal, environment, () => []);
  return resolveFilters({ ...filters, dateRange: 'all' }).filters;
}

export interface CheckBody {
  projectId?: number;
  point?: { lat: number; lng: number };
  county?: string | number;
  city?: string | number;
  uses?: { type: string; subtype?: string | null; assetClass?: string | null }[];
  on?: string;
}

const SUBJECTS = ['projectId', 'point', 'county', 'city'] as const;

const IN_BODY = { kind: { schema: {} }, refusal: 'invalid_request' } as const;

/** A use by tokens or labels of the Building Type tree. @param at its path in the body */
export function readUse(sent: NonNullable<CheckBody['uses']>[number], at: string): { use?: RestrictedUse; problems: RequestRefusal[] } {
  const levels = [
    ['type', vocabulary.propertyTypes, sent.type],
    ['subtype', vocabulary.propertySubtypes, sent.subtype],
    ['assetClass', vocabulary.assetClasses, sent.assetClass],
  ] as const;
  const problems = levels.flatMap(([level, terms, text]) => {
    const parsed = text || level === 'type' ? parseToken(terms, text ?? '') : { value: null };
    const refuse = (problem: ValueProblem) =>
      valueRefusal(`${at}.${level}`, IN_BODY, { ...problem, message: `'${problem.value}' is not in the Building Type tree` }, true);
    return 'problems' in parsed ? parsed.problems.map(refuse) : [];
  });
  if (problems.length) return { problems };
  const subtype = sent.subtype ? vocabulary.propertySubtypes.find(sent.subtype) : undefined;
  const assetClass = sent.assetClass ? vocabulary.assetClasses.find(sent.assetClass) : undefined;
  const type = vocabulary.propertyTypes.find(sent.type)?.token as string;
  if ((subtype && subtype.type !== type) || (assetClass && (assetClass.type !== type || (subtype && assetClass.subtype !== subtype.token))))
    return { problems: [badRequest(at, 'invalid_value', `${at} names levels that do not lie under one another`)] };
  return { use: { type, subtype: subtype?.token ?? assetClass?.subtype ?? null, assetClass: assetClass?.token ?? null }, problems: [] };
}

/** The uses of a body. @throws ApiError with every problem of the body */
export function readCheckedUses(body: CheckBody): RestrictedUse[] {
  const subjects = SUBJECTS.filter((name) => body[name] !== undefined);
  const read = (body.uses ?? []).map((use, i) => readUse(use, `uses.${i}`));
  const problems = [
    ...(subjects.length === 1 ? [] : [badRequest(subjects[1] ?? 'projectId', 'invalid_value', `Send one of ${SUBJECTS.join(', ')}`)]),
    ...read.flatMap((one) => one.problems),
  ];
  if (problems.length) throw refusalOf(problems);
  return read.flatMap(({ use }) => use ?? []);
}
