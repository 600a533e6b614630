/** `/analytics/*`: free aggregates and rankings, which never contain a record. */
import { type TSchema, Type } from 'typebox';
import { flag, named, nullable, object, oneOf, optional } from '../../core/domain/record/field.ts';
import { DIMENSIONS, type FacetName, MEASUREMENTS, OPERATIONS } from '../../core/query/dimensions.ts';
import { INTERVALS } from '../../core/query/intervals.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { filtersField } from '../../http/filterFields.ts';
import { filterEchoSchemas, MATCH_WARNINGS } from '../../http/pageSchemas.ts';
import { anyText, warnings, whole } from '../../http/schemas.ts';
import { REFERENCE_KEYWORD } from '../../http/schemaWords.ts';
import { aggregate } from './aggregate.ts';
import { listDatasets } from './datasets.ts';
import type { AnalyticsServices } from './measure.ts';
import { findOdds } from './odds.ts';
import { rankGroups } from './rankings.ts';
import {
  DATASET,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  ODDS_DIMENSIONS,
  ODDS_MAX,
  QUERIES_MAX,
  RANKS_MAX,
  readAggregate,
  readOdds,
  readRanking,
} from './request.ts';

const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

const names = (title: string, values: readonly FacetName[]) =>
  Type.Unsafe<FacetName>({ type: 'string', enum: [...values], title, [REFERENCE_KEYWORD]: '/v1/analytics/datasets' });
const dimension = names('Dimension', DIMENSIONS);
const interval = described(named('Interval', oneOf(...INTERVALS)), 'Of the dates among the dimensions; month unless given');
const direction = named('Order', oneOf('asc', 'desc'));
const metric = object({
  op: described(named('Statistic', oneOf(...OPERATIONS)), 'What is reckoned of each group'),
  field: optional(described(names('Measurement', MEASUREMENTS), 'Needed by all but count, which then counts the records that state it')),
});
const filters = filtersField('Filters', 'The filters of GET /projects/search', 'object');

const aggregateQuery = {
  dataset: optional(oneOf(DATASET)),
  filters: optional(filters),
  groupBy: optional(Type.Array(dimension, { maxItems: 2, uniqueItems: true })),
  interval: optional(interval),
  metrics: optional(Type.Array(metric, { minItems: 1, maxItems: 5 })),
  order: optional(
    object({ by: described(anyText, '`count`, `key`, or the name of a metric such as `sum_acreage`'), direction: optional(direction) }),
  ),
  limit: optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Groups at most; ${LIMIT_DEFAULT} unless given` })),
};
/** A body, or several in one request. @param name of one */
const severalOf = <Q extends Record<string, TSchema>>(name: string, query: Q) =>
  object({
    ...query,
    queries: optional(
      Type.Array(named(name, object(query)), {
        minItems: 1,
        maxItems: QUERIES_MAX,
        description: 'Several questions in one request, in place of the other fields; their answers are `results`',
      }),
    ),
  });
const aggregateBody = severalOf('AggregateQuery', aggregateQuery);

const rankingBody = object({
  filters: optional(filters),
  dimension: described(dimension, 'What the groups are made by'),
  interval: optional(interval),
  metric: described(metric, 'What the groups are ranked by'),
  order: optional(described(direction, 'desc unless given')),
  limit: optional(Type.Integer({ minimum: 1, maximum: RANKS_MAX, description: `Ranks at most; ${RANKS_MAX} unless given` })),
});

const oddsBody = severalOf('OddsQuery', {
  filters: optional(filters),
  by: optional(
    Type.Array(names('OddsDimension', ODDS_DIMENSIONS), { maxItems: 2, uniqueItems: true, description: 'What the groups are made by' }),
  ),
  interval: optional(interval),
  since: optional(
    Type.String({ format: 'date', description: 'Only projects whose first hearing was on this day or later; the others are in no figure' }),
  ),
  limit: optional(Type.Integer({ minimum: 1, maximum: ODDS_MAX, description: `Groups at most; ${ODDS_MAX} unless given` })),
});

export const groupKey = Type.Unsafe<string | number | null>({
  type: ['string', 'integer', 'null'],
  description: 'Token, id of a place, or first day of an interval; null for what is not stated',
});
/** Objects by dimension or metric: their keys are data. */
const objectOf = (schema: TSchema) => Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: schema });
const number = nullable(Type.Number());
const totals = object({ count: whole, metrics: objectOf(number) });
const group = object({ keys: objectOf(groupKey), labels: objectOf(anyText), ...totals.properties });

const shareNumber = Type.Number({ minimum: 0, maximum: 1 });
const share = described(nullable(shareNumber), 'Four decimals; null where it is joined with others in `other`');
const shareInterval = nullable(Type.Array(shareNumber, { minItems: 2, maxItems: 2 }));
const quartile = nullable(whole);
const quartiles = { p25: quartile, p50: quartile, p75: quartile };
const METERED = 'null only on plans that pay for records';
const outcomes = <S extends TSchema>(of: S) => ({ approved: of, denied: of, withdrawn: of, stalled: of, soft_denial: of });
const oddsFields = {
  n: described(whole, 'Records that are decided or given up, of which the shares are'),
  decided: described(nullable(whole), `Records that are approved, denied or withdrawn; ${METERED}`),
  undecided: described(nullable(whole), `Records that are pending; ${METERED}`),
  givenUp: described(nullable(whole), `Records that are stalled or softly denied; ${METERED}`),
  outcomes: described(object(outcomes(share)), 'Shares of `n`; with `other` they add up to 1'),
  other: described(
    nullable(shareNumber),
    'Share of the outcomes that are null: on plans that pay for records, one of one to four records is joined with the next smallest',
  ),
  intervals: described(object({ ...outcomes(shareInterval), other: shareInterval }), 'Bounds of each share: Wilson, 95 %'),
  since: described(
    nullable(Type.String({ format: 'date' })),
    `The earliest first hearing of the \`n\` records; null also where none states one`,
  ),
  daysToDecision: described(
    nullable(object({ ...quartiles, basis: Type.Literal('kaplan_meier') })),
    'First days of the curve on which three quarters, half and a quarter are undecided at most; null where it never comes to that',
  ),
  hearingsToDecision: described(nullable(object(quartiles)), 'Hearings of what was approved or denied'),
  curve: described(
    nullable(Type.Array(object({ days: whole, undecidedShare: shareNumber }))),
    'Exact share undecided after so many days, 100 points at most; before the first decision it is 1. On plans that pay for records there are five decisions or more from point to point',
  ),
};
const odds = object(oddsFields);
const oddsGroup = object({ keys: objectOf(groupKey), labels: objectOf(anyText), ...oddsFields });

const rank = object({ rank: whole, key: groupKey, label: anyText, count: whole, value: Type.Number() });

const metaFields = {
  suppressedGroups: described(flag, 'Whether groups were hidden; never how many'),
  truncated: described(flag, 'Whether `limit` cut the groups'),
  ...filterEchoSchemas(...MATCH_WARNINGS.filter((code) => code !== 'government_decisions_excluded')),
};
const meta = object({ creditsUsed: whole, ...metaFields });

/** Answers to a body, and to its `queries`. @param name of one of these */
const answersOf = <A extends Record<string, TSchema>>(name: string, answer: A) =>
  object({
    ...answer,
    results: optional(
      described(
        Type.Array(named(name, object({ ...answer, meta: object(metaFields) }))),
        'Of `queries`, in their order; `groups` and `totals` are then empty, and `meta` says what holds for any of them',
      ),
    ),
  });

const dataset = object({
  id: anyText,
  label: anyText,
  description: anyText,
  dimensions: Type.Array(object({ id: anyText, label: anyText })),
  metrics: Type.Array(object({ op: anyText, fields: Type.Array(anyText) })),
  fields: Type.Array(object({ id: anyText, label: anyText })),
  filters: Type.Array(anyText),
  intervals: Type.Array(anyText),
  suppression: object({ minimumGroupSize: whole }),
  median: object({ exactUpTo: whole, beyond: anyText }),
  maxGroups: whole,
});

const ERRORS = ['invalid_filter', 'geographic_access_denied', 'search_unavailable', 'service_unavailable'] as const;

export function analyticsRoutes(services: AnalyticsServices): Route[] {
  return [
    route('Analytics', 'aggregateProjects', 'POST /analytics/aggregate', {
      summary: 'Counts and statistics of a selection by up to two dimensions',
      description: `Groups under 5 are hidden, and others with them where they would give one away. \`queries\` asks for up to ${QUERIES_MAX} aggregates at once, counted as one request.`,
      body: aggregateBody,
      readBody: (body, principal) => readAggregate(body, principal, environmentOf(services)),
      answers: [json(answersOf('AggregateResult', { groups: Type.Array(group), totals: nullable(totals) }), { meta })],
      errors: ERRORS,
      example: { body: { filters: { states: ['CO'] }, groupBy: ['county', 'meetingDate'], metrics: [{ op: 'sum', field: 'acreage' }] } },
      handle: ({ actor, body, read }) => aggregate(services, actor, body, read),
    }),
    route('Analytics', 'rankGroups', 'POST /analytics/rankings', {
      summary: 'The groups of one dimension, ranked by one metric',
      body: rankingBody,
      readBody: (body, principal) => readRanking(body, principal, environmentOf(services)),
      answers: [json(Type.Array(rank), { meta })],
      errors: ERRORS,
      example: { body: { dimension: 'county', metric: { op: 'sum', field: 'totalUnitCount' }, limit: 10 } },
      handle: ({ actor, body, read }) => rankGroups(services, actor, body, read),
    }),
    route('Analytics', 'getOdds', 'POST /analytics/odds', {
      summary: 'What becomes of projects, and how many days it takes, by up to two dimensions',
      description:
        'Shares of outcomes with their intervals, and days and hearings until the decision, in which undecided projects count for as long as they are known to be so. A group needs five decided records. `queries` asks for several at once, counted as one request.',
      body: oddsBody,
      readBody: (body, principal) => readOdds(body, principal, environmentOf(services)),
      answers: [json(answersOf('OddsResult', { groups: Type.Array(oddsGroup), totals: nullable(odds) }), { meta })],
      errors: ERRORS,
      example: { body: { filters: { states: ['CO'], dateRange: 'all' }, by: ['decisionBody', 'propertyType'] } },
      handle: ({ actor, body, read }) => findOdds(services, actor, body, read),
    }),
    route('Analytics', 'listDatasets', 'GET /analytics/datasets', {
      summary: 'What analytics can answer',
      lifetime: { seconds: 3600, scope: 'private' },
      answers: [json(Type.Array(dataset), { meta: object({ creditsUsed: whole, warnings: warnings() }) })],
      handle: () => ({ data: listDatasets(), meta: { creditsUsed: 0, warnings: [] } }),
    }),
  ];
}
