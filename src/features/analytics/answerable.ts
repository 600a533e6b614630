/** `GET /coverage/answerable`: which fields, bodies and years of a selection carry an answer, and what is missing. Hidden like the groups of analytics. */
import { scopeOf } from '../../core/domain/principal.ts';
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import { allOf, type Clause, range } from '../../core/query/clauses.ts';
import { FIRST_HEARING } from '../../core/query/decisions.ts';
import { type FacetName, facetOf, MEASUREMENTS, nameInWords } from '../../core/query/dimensions.ts';
import { type Aggregate, type Aggregations, type Facet, GroupsCut, innerAggregate } from '../../core/query/facets.ts';
import { countContributors, countUnheld, statisticsAggregations } from '../../core/query/statistics.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { Selection } from '../../core/search/select.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { readUnconfirmed, unconfirmedAggregations } from '../../core/search/unconfirmedFilters.ts';
import type { CountObserver } from '../../core/store/callWatch.ts';
import { makeMeta } from './aggregate.ts';
import type { BodyServices } from './bodies.ts';
import { type Combination, planCombinations, readCombinations, tooManyGroupsError } from './combinations.ts';
import { hideSmallGroups, hideUnconfirmed, type MeasuredGroups } from './hideGroups.ts';
import { type AnalyticsServices, makeGrouping, makeMeteredClause } from './measure.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import { type Metric, nameMetric } from './request.ts';

export type AnswerableServices = AnalyticsServices & Pick<BodyServices, 'freshness'> & { counted?: CountObserver | undefined };

export interface Answerable {
  matchCount: number;
  /** `stated` and `share` are null where they would rest on too few records */
  fields: { name: string; stated: number | null; share: number | null }[];
  bodies: { bodyKey: string; from: string; to: string; lastExtractedAt: string | null }[];
  years: { year: number; records: number }[];
  missing: string[];
}

/** Fields with words, whose groups are counted as analytics counts them. */
const WORD_FIELDS = [
  'decisionBody',
  'decisionType',
  'requestType',
  'staffRecommendation',
  'voteResult',
  'existingZoning',
  'proposedZoning',
] as const satisfies readonly FacetName[];
/** Names of the field as the page calls it. */
const FIELDS: readonly FacetName[] = [...WORD_FIELDS, ...MEASUREMENTS];

/** Most bodies of an answer, those that most records name. */
export const ANSWERED_BODIES_MAX = 100;

const COUNTS: readonly Metric[] = MEASUREMENTS.map((field) => ({ op: 'count', field }));
const LATEST_MEETING = 'derived.meetingDate';

/** Of each body the first and the latest past hearing of records that name it, and on how many these rest. */
function bodyAggregations(today: string, held: Clause | undefined): Aggregations {
  const past = (aggs: Aggregations) => ({ filter: range(LATEST_MEETING, { lte: today }), aggs });
  const day = (field: string) => ({ field, format: 'yyyy-MM-dd' });
  const days = { last: { max: day(LATEST_MEETING) }, first: { min: day(FIRST_HEARING) }, oldest: { min: day(LATEST_MEETING) } };
  return {
    bodies: {
      terms: { field: 'derived.bodies', size: ANSWERED_BODIES_MAX, min_doc_count: MINIMUM_GROUP_SIZE },
      aggs: { past: past({ ...days, ...(held ? { unheld: { filter: { bool: { must_not: [held] } } } } : {}) }) },
    },
  };
}

type Plan = ReturnType<typeof planCombinations>;
interface Counting {
  facets: readonly Facet[];
  plan: Plan;
}

/** The whole and each table of groups, side by side in one request. */
function planCounting(selection: Selection, held: Clause | undefined): Record<string, Counting> {
  const counted = (facet: Facet): Counting => ({ facets: [facet], plan: planCombinations([facet], {}) });
  const statistics = statisticsAggregations({
    fields: MEASUREMENTS,
    summed: [],
    medians: [],
    held,
    today: selection.context.today,
  });
  return {
    measured: { facets: [], plan: planCombinations([], statistics) },
    ...Object.fromEntries(WORD_FIELDS.map((field) => [field, counted(makeGrouping(field, { selection, interval: 'year' }))])),
    years: counted(makeGrouping('meetingDate', { selection, interval: 'year' })),
  };
}

/** How many records state a field with words: all except the group that states nothing, which may be hidden. */
function countStated({ groups, suppressed }: MeasuredGroups, matchCount: number): number | null {
  const silent = groups.find(({ keys }) => keys[0] === null);
  if (silent) return matchCount - silent.count;
  return suppressed ? null : matchCount;
}

/** Whether a number of records may be shown to a plan: where records cost credits, also of those that the pool does not hold. */
const isEnough = (all: number, unheld: number) => all >= MINIMUM_GROUP_SIZE && (unheld === 0 || unheld >= MINIMUM_GROUP_SIZE);

const textOf = (aggregate: Aggregate) => aggregate.value_as_string as string | undefined;

async function readBodies(
  { freshness }: Pick<AnswerableServices, 'freshness'>,
  { principal }: Actor,
  answer: Aggregate,
  isMetered: boolean,
): Promise<Answerable['bodies']> {
  const found = (innerAggregate(answer, 'bodies').buckets ?? []).flatMap((bucket) => {
    const past = innerAggregate(bucket, 'past');
    const [from] = ['first', 'oldest'].flatMap((name) => textOf(innerAggregate(past, name)) ?? []).sort();
    const to = textOf(innerAggregate(past, 'last'));
    const unheld = isMetered ? (innerAggregate(past, 'unheld').doc_count ?? 0) : 0;
    return from && to && isEnough(past.doc_count ?? 0, unheld) ? [{ bodyKey: String(bucket.key), from, to }] : [];
  });
  if (!found.length) return [];
  const named = found.map(({ bodyKey }) => readBodyKey(bodyKey));
  const known = await freshness.list(scopeOf(principal), {
    states: [...new Set(named.map(({ stateId }) => stateId))],
    decisionBodies: [...new Set(named.flatMap(({ body }) => body ?? []))],
  });
  const extracted = new Map(known.map(({ bodyKey, lastExtractedAt }) => [bodyKey, lastExtractedAt]));
  return found.map((body) => ({ ...body, lastExtractedAt: extracted.get(body.bodyKey)?.toISOString() ?? null }));
}

const labelOf = (field: FacetName) =>
  MEASUREMENTS.includes(field) && facetOf(field).reading ? facetOf(field).summary : nameInWords(field);

/** What the selection cannot answer, a sentence each. Pure. */
export function describeMissing({ matchCount, fields, bodies, years }: Omit<Answerable, 'missing'>, isHidden: boolean): string[] {
  if (!matchCount) return ['No records match, so nothing is known.'];
  if (matchCount < MINIMUM_GROUP_SIZE) return [`Fewer than ${MINIMUM_GROUP_SIZE} records match: what they state is not counted.`];
  const silent = fields.filter(({ stated }) => stated === 0).map(({ name }) => labelOf(name as FacetName).toLowerCase());
  const gaps = isHidden ? [] : years.slice(1).flatMap(({ year }, i) => listYearsBetween(years[i]?.year ?? year, year));
  return [
    ...(silent.length ? [`No record states: ${silent.join('; ')}.`] : []),
    ...(gaps.length ? [`No meeting is on record in ${gaps.join(', ')}.`] : []),
    ...(bodies.length ? [] : ['No decision body of one place is named by enough of the records to be shown.']),
  ];
}

const listYearsBetween = (from: number, to: number) => Array.from({ length: Math.max(0, to - from - 1) }, (_, i) => from + 1 + i);

/** Counts in one round trip. @throws ApiError */
export async function findAnswerable(
  services: AnswerableServices,
  actor: Actor,
  selection: Selection,
): Promise<OperationAnswer<Answerable>> {
  const held = await makeMeteredClause(services, actor, selection.query);
  const query = held && selection.filters.projectIds !== undefined ? allOf([selection.query, held]) : selection.query;
  const counting = planCounting(selection, held);
  const each = Object.entries(counting).map(([name, { plan }]) => [name, { filter: { match_all: {} }, aggs: plan.aggs }]);
  const aggs = { ...Object.fromEntries(each), ...bodyAggregations(selection.context.today, held), ...unconfirmedAggregations(selection) };
  const { total, answer } = await services.aggregations.aggregate(query, aggs, actor).catch((error) => {
    throw error instanceof GroupsCut ? tooManyGroupsError(undefined, 'filters') : error;
  });
  services.counted?.(actor.principal.teamId, total);
  const isShown = total >= MINIMUM_GROUP_SIZE;
  const measure = async (name: string) => {
    const { facets, plan } = counting[name] as Counting;
    const inside = innerAggregate(answer, name);
    const whole: Combination = { keys: [undefined, undefined], count: total, inside: [inside] };
    const found = [whole, ...readCombinations(facets, plan.read, { ...inside, doc_count: total }, 'filters')];
    const metrics = facets.length ? [] : COUNTS;
    return hideSmallGroups(services, found, facets, { metrics, isMetered: held !== undefined, signal: actor.signal });
  };
  const [measured, byYear, words, bodies] = await Promise.all([
    measure('measured'),
    measure('years'),
    Promise.all(WORD_FIELDS.map(measure)),
    isShown ? readBodies(services, actor, answer, held !== undefined) : [],
  ]);
  const inside = innerAggregate(answer, 'measured');
  const countMeasured = (field: FacetName) =>
    countContributors(inside, field) || countUnheld(inside, field)
      ? (measured.totals?.metrics[nameMetric({ op: 'count', field })] ?? null)
      : 0;
  const statedOf = (field: FacetName, i: number) =>
    i < words.length ? countStated(words[i] as MeasuredGroups, total) : countMeasured(field);
  const fields = FIELDS.map((name, i) => {
    const stated = isShown ? statedOf(name, i) : total ? null : 0;
    return { name, stated, share: stated === null || !total ? null : Number((stated / total).toFixed(4)) };
  });
  const years = byYear.groups.flatMap(({ keys: [key], count }) => (key ? [{ year: Number(String(key).slice(0, 4)), records: count }] : []));
  const counted = { matchCount: total, fields, bodies, years: years.sort((a, b) => a.year - b.year) };
  const isAnyHidden = [measured, byYear, ...words].some(({ suppressed }) => suppressed);
  const unconfirmed = hideUnconfirmed(readUnconfirmed(answer), total, actor);
  return {
    data: { ...counted, missing: describeMissing(counted, byYear.suppressed) },
    meta: { creditsUsed: 0, ...makeMeta(selection, [], { suppressed: isAnyHidden, unconfirmed }, {}) },
  };
}
