/** What the next run of an alert would deliver: matches that are new to it or changed, found among what changed since its last run. */
import type { AlertPosition, StoredAlert } from '../../domain/alerts.ts';
import { NOTHING_SEEN } from '../../domain/alerts.ts';
import type { Principal } from '../../domain/principal.ts';
import { allOf, anyOf, range, terms } from '../../query/clauses.ts';
import { sortClauses } from '../../query/sort.ts';
import type { Selection } from '../../search/select.ts';
import { type Environment, environmentOf, type ProjectServices } from '../../search/services.ts';
import type { ChangeFeed, FeedPage } from '../../store/elastic/changeFeed.ts';
import type { ProjectSets } from '../../store/elastic/projectSets.ts';
import type { AlertMatchStore } from '../../store/postgres/alertMatches.ts';
import { planWithin, type QuestionPlan } from '../aiSearch/questionPlan.ts';
import type { Screener } from '../aiSearch/screener.ts';
import { orderCap } from '../projects/searchProjects.ts';
import { criteriaSelection, readCriteria } from './criteria.ts';

export interface CandidateServices extends Pick<ProjectServices, 'store' | 'places' | 'now'> {
  changes: ChangeFeed;
  sets: ProjectSets;
  matches: AlertMatchStore;
  screener: Screener;
}

export interface Candidates {
  selection: Selection;
  /** finds exactly what the alert would deliver, or with a plan may deliver */
  query: Record<string, unknown>;
  /** what a candidate has to confirm besides; null without a requirement */
  plan: QuestionPlan | null;
  /** from where changes are looked at */
  position: AlertPosition;
}

/** Beyond these of one day the rest is let in by the next run that has room. */
const LET_IN_MAX = 10_000;
const NEWEST_MEETING = { field: 'meetingDate', direction: 'desc' } as const;
/** Alerts deliver records; what was removed does not concern them. */
const NO_REMOVALS = [8_640_000_000_000_000, 0] as const;

type Of = Pick<Principal, 'licence'>;

const licenceText = ({ licence }: Of) => JSON.stringify(licence);
const isoOf = (ms: number) => new Date(ms).toISOString();

/**
 * @param alert whose filters have no problems
 * @param environment places, and the service day of the run
 * @param byFilters leaves the requirement unread; what it has refused stays refused
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function candidatesOf(
  services: CandidateServices,
  alert: Pick<StoredAlert, 'id' | 'filters' | 'specificRequirement' | 'position'>,
  principal: Of,
  environment: Environment = environmentOf(services),
  signal?: AbortSignal,
  byFilters = false,
): Promise<Candidates> {
  const { today, places } = environment;
  const reading = readCriteria(alert.filters, places);
  const on = async (day: string) => {
    const selection = criteriaSelection(reading, principal, day);
    if (byFilters || alert.specificRequirement === null) return { selection, plan: null, query: selection.query };
    const understanding = await services.screener.understand(alert.specificRequirement, { today: day, places }, signal);
    const plan = planWithin(selection, understanding, places);
    return { selection, plan, query: allOf(plan.filters) };
  };
  const found = await on(today);
  const { position } = alert;
  const refused = revisionClause(await services.matches.refused(alert.id, alert.specificRequirement));
  // Another licence, like other filters, looks everywhere once.
  if (position.until === null || position.day === null || position.licence !== licenceText(principal)) {
    const query = without(found.query, [revisionClause(await services.matches.deliveredSince(alert.id, null)), refused]);
    return { ...found, query, position: { ...NOTHING_SEEN, seen: position.seen } };
  }
  const changed = range('lastUpdated', { gt: isoOf(position.until) });
  const delivered = revisionClause(await services.matches.deliveredSince(alert.id, new Date(position.until)));
  const then = position.day === today ? found.query : (await on(position.day)).query;
  if (JSON.stringify(then) === JSON.stringify(found.query))
    return { ...found, query: without(allOf([found.query, changed]), [delivered, refused]), position };
  // Date windows end today: a new day lets in records that have not changed.
  const letIn = { bool: { filter: [found.query], must_not: [then] } };
  const revisions = await services.sets.revisions({ query: letIn, sort: [{ id: 'asc' }] }, LET_IN_MAX, signal);
  const before = await services.matches.deliveredAsTheyAre(alert.id, revisions);
  const news = allOf([found.query, anyOf([changed, letIn])]);
  const query = without(news, [delivered, refused, ...(before.length ? [terms('id', before)] : [])]);
  return { ...found, query, position };
}

const revisionClause = (hashes: readonly string[]) => (hashes.length ? terms('derived.revisionHash', hashes) : null);

function without(query: Record<string, unknown>, clauses: readonly (Record<string, unknown> | null)[]): Record<string, unknown> {
  const must_not = clauses.filter((clause) => clause !== null);
  return must_not.length ? { bool: { filter: [query], must_not } } : query;
}

/** The first of them, newest meeting first, with how many there are and how far the index went then. @throws ApiError `search_unavailable` */
export async function firstCandidates(
  services: CandidateServices,
  { selection, query, position }: Candidates,
  size: number,
  signal?: AbortSignal,
): Promise<FeedPage> {
  const cap = await orderCap(services, { selection, sort: NEWEST_MEETING }, signal);
  return services.changes.page(
    { query, sort: sortClauses(NEWEST_MEETING, cap), size, representation: 'compact', count: true, ...(signal ? { signal } : {}) },
    { removed: NO_REMOVALS, departed: null, seen: position.seen, highWater: position.until },
  );
}

/** Where the next run begins once everything up to here was delivered. */
export const positionAfter = ({ position, selection }: Candidates, { highWater, seen }: FeedPage, principal: Of): AlertPosition => ({
  until: highWater === null ? position.until : Date.parse(highWater),
  seen,
  day: selection.context.today,
  licence: licenceText(principal),
});
