/** `POST /analytics/odds`: shares of outcomes and days to decision, by up to two dimensions. */
import { serviceToday } from '../../core/domain/serviceClock.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { allOf, type Clause, range } from '../../core/query/clauses.ts';
import {
  dayAggregations,
  decisionAggregations,
  EARLIEST,
  FIRST_HEARING,
  readDayCounts,
  readHearingCounts,
} from '../../core/query/decisions.ts';
import { type FacetName, type GroupKey, groupLabel, isDate } from '../../core/query/dimensions.ts';
import {
  type Aggregate,
  type Aggregations,
  type Facet,
  facetAggregations,
  GroupsCut,
  groupClause,
  innerAggregate,
} from '../../core/query/facets.ts';
import type { Interval } from '../../core/query/intervals.ts';
import { computeQuantile, estimateSurvival, makeQuartiles, type Quartiles } from '../../core/query/survival.ts';
import type { Actor } from '../../core/search/actor.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import { readUnconfirmed, unconfirmedAggregations } from '../../core/search/unconfirmedFilters.ts';
import { answerQueries, compareKeys, listUnsentDefaults, makeMeta, type QueryAnswer } from './aggregate.ts';
import { type Combination, planCombinations, readCombinations, tooManyGroupsError } from './combinations.ts';
import { hideUnconfirmed } from './hideGroups.ts';
import { type AnalyticsServices, makeGrouping, makeMeteredClause } from './measure.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import {
  BY_OUTCOME,
  hasEnoughDecided,
  makeGroupTable,
  makeOutcomeTable,
  makeShownPairs,
  type OutcomeCounts,
  readOutcomeCounts,
  type ShownOutcomes,
  selectShownRows,
  showOutcomes,
} from './oddsTable.ts';
import { INTERVAL_DEFAULT, ODDS_MAX } from './request.ts';
import { type DecisionDays, describeDays } from './survivalCurve.ts';

interface OddsQuery {
  filters?: Record<string, unknown>;
  by?: FacetName[];
  interval?: Interval;
  since?: string;
  limit?: number;
}
interface OddsBody extends OddsQuery {
  queries?: OddsQuery[];
}

/** Days and hearings of a group in an answer. */
type Durations = (DecisionDays | { daysToDecision: null; curve: null }) & { hearingsToDecision: Quartiles | null };

type Odds = ShownOutcomes & Durations;

/** The parts of the Elasticsearch queries of a request. */
interface QueryParts {
  query: Clause;
  today: string;
  facets: readonly Facet[];
  outcomes: Facet;
  /** matches the records that the pool holds; undefined on plans that do not pay for records */
  held: Clause | undefined;
}

/** The name of the aggregation of the days and hearings of the whole. */
const DAYS_OF_WHOLE = 'days of whole';

/** Groups whose days are counted in one request. */
const GROUPS_AT_ONCE = 50;

const NO_DURATIONS: Durations = { daysToDecision: null, hearingsToDecision: null, curve: null };

/** A group whose outcomes are shown, or the whole, which has no keys; and whether its days and hearings may be shown. */
interface ShownGroup {
  keys: GroupKey[];
  shown: ShownOutcomes;
  hasDays: boolean;
  hasHearings: boolean;
}

async function makeQueryParts(
  services: AnalyticsServices,
  actor: Actor,
  selection: Selection,
  { by = [], interval = INTERVAL_DEFAULT, since }: OddsQuery,
): Promise<QueryParts> {
  const held = await makeMeteredClause(services, actor, selection.query);
  const grouping = (dimension: FacetName) => makeGrouping(dimension, { selection, interval });
  return {
    query: allOf([
      selection.query,
      ...(held && selection.filters.projectIds !== undefined ? [held] : []),
      ...(since === undefined ? [] : [range(FIRST_HEARING, { gte: since })]),
    ]),
    today: selection.context.today,
    facets: by.map(grouping),
    outcomes: grouping('outcome'),
    held,
  };
}

/** Counts the outcomes of the whole, of every group, and of the sums over each of two dimensions; where there are no groups, also the days of the whole. */
async function countOutcomes(services: AnalyticsServices, actor: Actor, selection: Selection, asked: QueryParts, param: string) {
  const { query, facets, outcomes, held, today } = asked;
  const byOutcome = { filter: { match_all: {} }, aggs: facetAggregations(outcomes, held ? {} : EARLIEST) };
  const { aggs, read } = planCombinations(facets, { [BY_OUTCOME]: byOutcome, ...decisionAggregations(today, held) });
  const days = facets.length ? {} : { [DAYS_OF_WHOLE]: { filter: { match_all: {} }, aggs: planDays(asked, [[]]) } };
  const further = { ...days, ...unconfirmedAggregations(selection) };
  const { total, answer } = await services.aggregations.aggregate(query, { ...aggs, ...further }, actor);
  const whole: Combination = { keys: [undefined, undefined], count: total, inside: [answer] };
  const found = [whole, ...readCombinations(facets, read, answer, param)];
  return {
    rows: found.map((one) => readOutcomeCounts(one, outcomes)),
    daysOfWhole: innerAggregate(answer, DAYS_OF_WHOLE),
    unconfirmed: hideUnconfirmed(readUnconfirmed(answer), total, actor),
  };
}

/** What is shown of the whole and of each group, in the order of their rows; undefined if it is hidden. */
type ShowRows = (rows: readonly OutcomeCounts[]) => Promise<(Omit<ShownGroup, 'keys'> | undefined)[]>;

/** Where records are free, a group is shown whole. Days and hearings need as many decisions, since fewer say nothing of others. */
const showFreeRows: ShowRows = async (rows) =>
  rows.map((row) => {
    if (!hasEnoughDecided(row)) return undefined;
    const { days, hearings } = row.contributors;
    return { shown: { ...showOutcomes(row), since: row.earliest }, hasDays: isEnough(days.all), hasHearings: isEnough(hearings.all) };
  });

/** Where records cost credits, no number may reveal fewer than five of them. */
function showMeteredRows(
  { places, visibilities }: AnalyticsServices,
  { facets, outcomes }: QueryParts,
  all: readonly OutcomeCounts[],
  signal: AbortSignal | undefined,
): ShowRows {
  return async (rows) => {
    const byGroups = await visibilities.decide(makeGroupTable(all, facets, places), signal);
    const positionOf = new Map(all.map((row, position) => [row, position]));
    const positions = rows.map((row) => positionOf.get(row) as number);
    const hidden = positions.slice(1).flatMap((position, group) => (byGroups.counts[position] ? [] : [group]));
    const table = makeOutcomeTable(rows, facets, outcomes, places, hidden);
    const visible = await visibilities.decide(table.weighed, signal);
    const isVisible = (statistic: number, row: number) => byGroups.statistics[statistic]?.[positions[row] as number] === true;
    const isShown = rows.map((_, row) => isVisible(0, row));
    const shownRows = selectShownRows(rows, isShown, table, visible);
    for (const pair of await visibilities.findPairsToHide(makeShownPairs(rows, shownRows, table), signal)) shownRows[pair + 1] = undefined;
    return shownRows.map(
      (shown, row) => shown && { shown: { ...shown, since: null }, hasDays: isVisible(1, row), hasHearings: isVisible(2, row) },
    );
  };
}

/** Decides what is shown of the whole and of each group; the rest is hidden. */
async function selectShownGroups(
  services: AnalyticsServices,
  all: readonly OutcomeCounts[],
  asked: QueryParts,
  signal: AbortSignal | undefined,
) {
  const { facets, held } = asked;
  const [whole] = all as [OutcomeCounts];
  const rows = [whole, ...all.filter(({ keys }) => facets.length > 0 && facets.every((_, i) => keys[i] !== undefined))];
  const show = held ? showMeteredRows(services, asked, all, signal) : showFreeRows;
  const each = (await show(rows)).map(
    (shown, i): ShownGroup | undefined => shown && { ...shown, keys: (rows[i] as OutcomeCounts).keys.filter((key) => key !== undefined) },
  );
  const [total, ...groups] = each;
  return { total, groups: groups.filter((group) => group !== undefined), isAnyHidden: each.includes(undefined) && whole.count > 0 };
}

/** The clause that selects a group; for the whole, everything. */
const clauseOf = (facets: readonly Facet[], keys: readonly GroupKey[]): Clause =>
  keys.length ? allOf(keys.map((key, i) => groupClause(facets[i] as Facet, key === null ? null : String(key)))) : { match_all: {} };

/** The aggregations of days and hearings of groups, which `readDays` reads. */
function planDays({ today, facets, held }: QueryParts, groups: readonly (readonly GroupKey[])[]): Aggregations {
  const filters = Object.fromEntries(groups.map((keys, i) => [`group ${i}`, clauseOf(facets, keys)]));
  const counted = { counted: { filters: { filters }, aggs: dayAggregations(today) } };
  return { ...counted, ...(held && { unheld: { filter: { bool: { must_not: [held] } }, aggs: counted } }) };
}

function readDays({ today, held }: QueryParts, groups: readonly ShownGroup[], answer: Aggregate): Durations[] {
  const countedIn = (from: Aggregate, i: number) =>
    innerAggregate(innerAggregate(innerAggregate(from, 'counted'), 'buckets'), `group ${i}`);
  return groups.map((group, i) =>
    makeDurations(group, countedIn(answer, i), held && countedIn(innerAggregate(answer, 'unheld'), i), today),
  );
}

/** Counts days and hearings of groups, in one request if the buckets of all fit into an answer, otherwise in several. */
async function countDays(
  services: AnalyticsServices,
  actor: Actor,
  asked: QueryParts,
  groups: readonly ShownGroup[],
): Promise<Durations[]> {
  if (!groups.length) return [];
  if (groups.length > GROUPS_AT_ONCE) return countDaysInHalves(services, actor, asked, groups);
  try {
    const plan = planDays(
      asked,
      groups.map(({ keys }) => keys),
    );
    return readDays(asked, groups, (await services.aggregations.aggregate(asked.query, plan, actor)).answer);
  } catch (error) {
    if (error instanceof GroupsCut && groups.length > 1) return countDaysInHalves(services, actor, asked, groups);
    throw error;
  }
}

async function countDaysInHalves(
  services: AnalyticsServices,
  actor: Actor,
  asked: QueryParts,
  groups: readonly ShownGroup[],
): Promise<Durations[]> {
  const middle = Math.ceil(groups.length / 2);
  const halves = [groups.slice(0, middle), groups.slice(middle)];
  return (await Promise.all(halves.map((half) => countDays(services, actor, asked, half)))).flat();
}

const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);

/** Whether a statistic rests on enough records. Checked again, since these counts are of a later moment than those that decided. */
const isEnough = (all: number, unheld?: number) =>
  all >= MINIMUM_GROUP_SIZE && (unheld === undefined || unheld === 0 || unheld >= MINIMUM_GROUP_SIZE);

/** The days and hearings of a group. @param unheld the same counts of records that the pool does not hold, on plans that pay for records */
function makeDurations({ hasDays, hasHearings }: ShownGroup, answer: Aggregate, unheld: Aggregate | undefined, today: string): Durations {
  const steps = estimateSurvival(readDayCounts(answer, today));
  const unheldDecided = new Map((unheld ? estimateSurvival(readDayCounts(unheld, today)) : []).map(({ days, decided }) => [days, decided]));
  const decided = sum(steps.map((step) => step.decided));
  const showsDays = hasDays && isEnough(decided, unheld && sum(unheldDecided.values()));
  const weighed = steps.map((step) => ({ ...step, unheld: unheldDecided.get(step.days) ?? 0 }));
  const hearings = readHearingCounts(answer);
  const showsHearings = hasHearings && isEnough(sum(hearings.values()), unheld && sum(readHearingCounts(unheld).values()));
  return {
    ...(showsDays ? describeDays(weighed, unheld !== undefined) : { daysToDecision: null, curve: null }),
    hearingsToDecision: showsHearings ? makeQuartiles((passed) => computeQuantile(hearings, passed)) : null,
  };
}

/**
 * `POST /analytics/odds`: free, and never identifies a record.
 * @param readings of the filters of each query
 * @throws ApiError
 */
export const findOdds = (services: AnalyticsServices, actor: Actor, body: OddsBody, readings: readonly ParameterReading[]) =>
  answerQueries<OddsQuery, Odds>(body, readings, (query, reading, at) => answerQuery(services, actor, query, reading, `${at}by`));

/**
 * Two round trips: outcomes of every group, then days of those that are shown; one for the whole alone.
 * @param param the field of the body that names the dimensions
 */
async function answerQuery(
  services: AnalyticsServices,
  actor: Actor,
  body: OddsQuery,
  { filters, warnings }: ParameterReading,
  param: string,
): Promise<QueryAnswer<Odds>> {
  const { by = [], interval = INTERVAL_DEFAULT, limit = ODDS_MAX } = body;
  const selection = selectionOf(filters, actor.principal, serviceToday(services.now()), warnings);
  const asked = await makeQueryParts(services, actor, selection, body);
  try {
    const { rows, daysOfWhole, unconfirmed } = await countOutcomes(services, actor, selection, asked, param);
    const { total, groups, isAnyHidden } = await selectShownGroups(services, rows, asked, actor.signal);
    // Their order tells no more than their numbers.
    const sizeOf = ({ shown }: ShownGroup) => (asked.held ? shown.n : (shown.decided ?? 0));
    const ordered = groups.toSorted((a, b) => sizeOf(b) - sizeOf(a) || compareKeys(a, b));
    const shown = [...(total ? [total] : []), ...ordered.slice(0, limit)];
    const counting = shown.filter(({ hasDays, hasHearings }) => hasDays || hasHearings);
    const counted = by.length ? await countDays(services, actor, asked, counting) : readDays(asked, counting, daysOfWhole);
    const oddsOf = (group: ShownGroup): Odds => ({ ...group.shown, ...(counted[counting.indexOf(group)] ?? NO_DURATIONS) });
    const totals = total ? oddsOf(total) : null;
    const named = <T>(values: readonly T[]) => Object.fromEntries(by.map((dimension, i) => [dimension, values[i] as T]));
    const labels = (keys: readonly GroupKey[]) => asked.facets.map((facet, i) => groupLabel(facet, keys[i] ?? null, services.places));
    const listed = by.length ? shown.slice(total ? 1 : 0) : shown;
    const defaults = { limit, ...(by.some(isDate) ? { interval } : {}) };
    return {
      data: { groups: listed.map((group) => ({ keys: named(group.keys), labels: named(labels(group.keys)), ...oddsOf(group) })), totals },
      meta: {
        ...makeMeta(selection, by, { suppressed: isAnyHidden, unconfirmed }, listUnsentDefaults(defaults, body)),
        truncated: ordered.length > limit,
      },
    };
  } catch (error) {
    if (error instanceof GroupsCut) throw tooManyGroupsError(undefined, param);
    throw error;
  }
}
