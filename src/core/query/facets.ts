/** Aggregations that count projects by the groups of a dimension, and how their answers are read. Each project counts once in a group. Pure. */

import { selectOutcomeTexts } from '../domain/process/outcome.ts';
import { OUTCOMES, type ProjectOutcome } from '../domain/process/tokens.ts';
import { LAND_USE_ROLES } from '../domain/record/nested.ts';
import type { LandUseRole } from '../domain/record/statement.ts';
import { anyOf, type Clause, nested, range, terms } from './clauses.ts';
import { type FacetName, facetOf, type Grouping, governmentTokens } from './dimensions.ts';
import { DAY_MS, type Interval, startOf, startOfNext } from './intervals.ts';

export type Aggregations = Record<string, Clause>;

/** An aggregation in an answer of Elasticsearch, with only what is read here: a bucket, or an object that holds buckets. */
export interface Aggregate {
  doc_count?: number;
  key?: string | number;
  key_as_string?: string;
  buckets?: Aggregate[];
  sum_other_doc_count?: number;
  doc_count_error_upper_bound?: number;
  [name: string]: unknown;
}

/** How the groups of one request are counted. */
export interface Facet extends Grouping {
  /** the only keys that form groups: the values of a filter on the same dimension */
  only?: readonly string[] | undefined;
  /** first and last day, `YYYY-MM-DD`, inclusive */
  days?: { gte?: string | undefined; lte?: string | undefined };
  /** roles in which a land use counts */
  roles: readonly LandUseRole[];
  withGovernment: boolean;
  /** the service's date, `YYYY-MM-DD`: outcomes are of a day */
  today: string;
}

export interface Group {
  /** null for the group of projects that state nothing */
  key: string | null;
  count: number;
  /** answers to the aggregations nested in the group */
  inside: Aggregate;
}

/** Groups requested a level. More than a request may ask for, so that a level is never cut short unnoticed. */
export const TERMS_MAX = 50_000;

const LAND_USES = 'derived.landUses';
/** A mapped field that every land use has. */
const ALWAYS_STATED = `${LAND_USES}.type`;
const USE_LEVELS: Partial<Record<FacetName, string>> = { propertyType: 'type', propertySubtype: 'subtype', assetClass: 'assetClass' };

/** The mapped field whose values are the groups. */
export function facetPath(dimension: FacetName): string {
  const { kind, reading } = facetOf(dimension);
  if (kind === 'place') return `derived.${dimension}Id`;
  if (kind === 'use') return `${LAND_USES}.${USE_LEVELS[dimension]}`;
  return kind === 'moment' ? dimension : `derived.evidence.${reading ?? dimension}`;
}

/** Key of the group of projects that state nothing. No token or place id is empty, so one pass counts it with the others. */
const NOT_STATED = '';

const exists = (field: string): Clause => ({ exists: { field } });
const notClause = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });
/** Adds nested aggregations, if there are any. */
const nestAggregations = (aggs: Aggregations) => (Object.keys(aggs).length ? { aggs } : {});

const termsOf = ({ dimension, only }: Facet, without: readonly string[] = []): Clause => ({
  field: facetPath(dimension),
  size: TERMS_MAX,
  ...(only ? { include: only } : without.length ? { exclude: without } : {}),
});

/** Groups by token or place. With a filter on the dimension every project has a value. */
const termGroups = (facet: Facet, inside: Aggregations): Aggregations => ({
  groups: { terms: { ...termsOf(facet), ...(facet.only ? {} : { missing: NOT_STATED }) }, ...nestAggregations(inside) },
});

/**
 * Groups by land use, in the roles that count. `reverse_nested` returns to the projects, so that one with two equal uses counts once.
 * Projects without a use are the remainder, and are counted only when something is aggregated over them.
 */
function useGroups(facet: Facet, inside: Aggregations): Aggregations {
  const path = facetPath(facet.dimension);
  const counted = [...(path === ALWAYS_STATED ? [] : [exists(path)]), ...roleClauses(facet)];
  const projects = { reverse_nested: {}, ...nestAggregations(inside) };
  const groups = { terms: termsOf(facet, facet.withGovernment ? [] : governmentTokens(facet.dimension)), aggs: { projects } };
  const isReckoned = Object.keys(inside).length > 0;
  const rest = facet.only || isReckoned ? {} : { stating: { reverse_nested: {} } };
  return {
    uses: { nested: { path: LAND_USES }, aggs: { counted: { filter: { bool: { filter: counted } }, aggs: { groups, ...rest } } } },
    ...(facet.only || !isReckoned ? {} : { none: { filter: notClause(nested(LAND_USES, counted)), ...nestAggregations(inside) } }),
  };
}

const roleClauses = ({ roles }: Facet): Clause[] => (roles.length === LAND_USE_ROLES.length ? [] : [terms(`${LAND_USES}.role`, roles)]);

/** Counts projects without a date in an aggregation of its own: a histogram with `missing` took up to twice as long. */
const withoutDate = (dimension: FacetName, inside: Aggregations): Clause => ({
  missing: { field: facetPath(dimension) },
  ...nestAggregations(inside),
});

/** Of the first days by which groups of dates are named. */
const DAY_FORMAT = 'yyyy-MM-dd';

/** Groups moments by interval in UTC, as the filters of times read periods. */
const momentGroups = ({ dimension, interval }: Facet, inside: Aggregations): Aggregations => ({
  groups: {
    date_histogram: {
      field: facetPath(dimension),
      calendar_interval: interval,
      format: DAY_FORMAT,
      min_doc_count: 1,
    },
    ...nestAggregations(inside),
  },
  none: withoutDate(dimension, inside),
});

interface Span {
  /** the whole intervals: the first day of the first one, and the day after the last one */
  whole: { min?: string; max?: string } | null;
  /** partly covered intervals at the edges of the range */
  parts: { start: string; days: { gte?: string; lte?: string } }[];
}

/**
 * Splits a range of days into whole intervals and the parts of intervals at its ends. The parts are counted by day, since a project may
 * also have hearings outside the range.
 */
function splitRange(interval: Interval, { gte, lte }: NonNullable<Facet['days']>): Span {
  const isStart = gte === undefined || startOf(interval, gte) === gte;
  const after = lte === undefined ? undefined : startOfNext(interval, lte);
  const isEnd = lte === undefined || startOf(interval, nextDay(lte)) === nextDay(lte);
  if (gte !== undefined && lte !== undefined && startOf(interval, gte) === startOf(interval, lte) && !(isStart && isEnd))
    return { whole: null, parts: [{ start: startOf(interval, gte), days: { gte, lte } }] };
  const min = gte === undefined ? undefined : isStart ? gte : startOfNext(interval, gte);
  const max = lte === undefined ? undefined : isEnd ? after : startOf(interval, lte);
  const parts = [
    ...(isStart || gte === undefined ? [] : [{ start: startOf(interval, gte), days: { gte, lte: dayBefore(startOfNext(interval, gte)) } }]),
    ...(isEnd || lte === undefined ? [] : [{ start: startOf(interval, lte), days: { gte: startOf(interval, lte), lte } }]),
  ];
  const isNone = min !== undefined && max !== undefined && min >= max;
  return { whole: isNone ? null : { ...(min ? { min } : {}), ...(max ? { max } : {}) }, parts };
}

const shiftDay = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
const nextDay = (day: string) => shiftDay(day, 1);
const dayBefore = (day: string) => shiftDay(day, -1);

/** Groups days by interval. A merged project counts in the interval of each of its hearings, as filters match any of them. */
function dayGroups({ dimension, interval = 'month', days = {} }: Facet, inside: Aggregations): Aggregations {
  const field = facetPath(dimension);
  const { whole, parts } = splitRange(interval, days);
  const isBounded = days.gte !== undefined || days.lte !== undefined;
  const histogram = {
    field,
    calendar_interval: interval,
    format: DAY_FORMAT,
    min_doc_count: 1,
    ...(whole && Object.keys(whole).length ? { hard_bounds: whole } : {}),
  };
  return {
    ...(whole ? { groups: { date_histogram: histogram, ...nestAggregations(inside) } } : {}),
    ...(isBounded ? {} : { none: withoutDate(dimension, inside) }),
    ...Object.fromEntries(parts.map((part) => [`part ${part.start}`, { filter: range(field, part.days), ...nestAggregations(inside) }])),
  };
}

/** The clauses for projects with an outcome on a day. @param field that holds texts of outcomes */
export function outcomeClauses(field: string, outcome: ProjectOutcome, today: string): Clause[] {
  const found = selectOutcomeTexts(outcome, today);
  return 'text' in found ? [terms(field, [found.text])] : found.ranges.map((bounds) => range(field, bounds));
}

/** Groups by the outcome that the indexed facts give on a day. A project has several only by what several generations stated of it. */
function outcomeGroups({ dimension, only, today }: Facet, inside: Aggregations): Aggregations {
  const clauses = OUTCOMES.map((outcome): [ProjectOutcome, Clause] => [
    outcome,
    anyOf(outcomeClauses(facetPath(dimension), outcome, today)),
  ]);
  const groups = Object.fromEntries(clauses.filter(([outcome]) => !only || only.includes(outcome)));
  const none = { filter: { bool: { must_not: clauses.map(([, clause]) => clause) } }, ...nestAggregations(inside) };
  return { groups: { filters: { filters: groups, keyed: false }, ...nestAggregations(inside) }, ...(only ? {} : { none }) };
}

/** The aggregations that count the groups of a dimension. @param inside aggregations over the projects of each group */
export function facetAggregations(facet: Facet, inside: Aggregations): Aggregations {
  switch (facetOf(facet.dimension).kind) {
    case 'use':
      return useGroups(facet, inside);
    case 'outcome':
      return outcomeGroups(facet, inside);
    case 'moment':
      return momentGroups(facet, inside);
    case 'day':
      return dayGroups(facet, inside);
    default:
      return termGroups(facet, inside);
  }
}

const statedKeyClause = (field: string, key: string | null): Clause => (key === null ? notClause(exists(field)) : terms(field, [key]));

function dayClause({ dimension, interval = 'month', days = {} }: Facet, start: string): Clause {
  const last = dayBefore(startOfNext(interval, start));
  const gte = days.gte && days.gte > start ? days.gte : start;
  return range(facetPath(dimension), { gte, lte: days.lte && days.lte < last ? days.lte : last });
}

/** Matches the projects of a group. @param key as in `Group` @throws Error for an outcome, whose groups are made of several clauses */
export function groupClause(facet: Facet, key: string | null): Clause {
  const { dimension, interval = 'month' } = facet;
  const path = facetPath(dimension);
  switch (facetOf(dimension).kind) {
    case 'outcome':
      throw new Error('The groups of outcomes have no clause here.');
    case 'use': {
      const counted = [...roleClauses(facet), key === null ? exists(path) : terms(path, [key])];
      return key === null ? notClause(nested(LAND_USES, counted)) : nested(LAND_USES, counted);
    }
    case 'moment':
      return key === null
        ? notClause(exists(path))
        : { range: { [path]: { gte: key, lt: startOfNext(interval, key), format: DAY_FORMAT } } };
    case 'day':
      return key === null ? notClause(exists(path)) : dayClause(facet, key);
    default:
      return statedKeyClause(path, key);
  }
}

export const innerAggregate = (aggregate: Aggregate, name: string): Aggregate => (aggregate[name] ?? {}) as Aggregate;

/** Thrown when Elasticsearch returned only some of a level's groups. */
export class GroupsCut extends Error {}

function bucketsOf({ buckets = [], sum_other_doc_count: others = 0, doc_count_error_upper_bound: error = 0 }: Aggregate): Aggregate[] {
  if (others || error) throw new GroupsCut();
  return buckets;
}

/**
 * Reads the groups with at least one project from the answer to `facetAggregations`.
 * @param answer its `doc_count` is the number of projects
 * @throws GroupsCut when there are more than `TERMS_MAX`, so that counts from several shards could be wrong
 */
export function readGroups(facet: Facet, answer: Aggregate): Group[] {
  const isUse = facetOf(facet.dimension).kind === 'use';
  const counted = innerAggregate(innerAggregate(answer, 'uses'), 'counted');
  const holder = innerAggregate(isUse ? counted : answer, 'groups');
  const found = bucketsOf(holder).map((bucket): Group => {
    const inside = isUse ? innerAggregate(bucket, 'projects') : bucket;
    const key = String(bucket.key_as_string ?? bucket.key);
    return { key: key === NOT_STATED ? null : key, count: inside.doc_count ?? 0, inside };
  });
  const parts = Object.keys(answer).filter((name) => name.startsWith('part '));
  for (const name of parts)
    found.push({
      key: name.slice('part '.length),
      count: innerAggregate(answer, name).doc_count ?? 0,
      inside: innerAggregate(answer, name),
    });
  if (answer.none) found.push({ key: null, count: innerAggregate(answer, 'none').doc_count ?? 0, inside: innerAggregate(answer, 'none') });
  if (counted.stating)
    found.push({ key: null, count: (answer.doc_count ?? 0) - (innerAggregate(counted, 'stating').doc_count ?? 0), inside: {} });
  return found.filter(({ count }) => count > 0);
}
