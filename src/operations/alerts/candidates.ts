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
import { orderCap } from '../projects/searchProjects.ts';
import { criteriaSelection, readCriteria } from './criteria.ts';

export interface CandidateServices extends Pick<ProjectServices, 'store' | 'places' | 'now'> {
  changes: ChangeFeed;
  sets: ProjectSets;
  matches: AlertMatchStore;
}

export interface Candidates {
  selection: Selection;
  /** finds exactly what the alert would deliver */
  query: Record<string, unknown>;
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
 */
export async function candidatesOf(
  services: CandidateServices,
  alert: Pick<StoredAlert, 'id' | 'filters' | 'position'>,
  principal: Of,
  environment: Environment = environmentOf(services),
  signal?: AbortSignal,
): Promise<Candidates> {
  const { today, places } = environment;
  const reading = readCriteria(alert.filters, places);
  const on = (day: string) => criteriaSelection(reading, principal, day);
  const selection = on(today);
  const { position } = alert;
  // Another licence, like other filters, looks everywhere once.
  if (position.until === null || position.day === null || position.licence !== licenceText(principal)) {
    const query = without(selection.query, [deliveredClause(await services.matches.deliveredSince(alert.id, null))]);
    return { selection, query, position: { ...NOTHING_SEEN, seen: position.seen } };
  }
  const changed = range('lastUpdated', { gt: isoOf(position.until) });
  const delivered = deliveredClause(await services.matches.deliveredSince(alert.id, new Date(position.until)));
  const then = on(position.day).query;
  if (JSON.stringify(then) === JSON.stringify(selection.query))
    return { selection, query: without(allOf([selection.query, changed]), [delivered]), position };
  // Date windows end today: a new day lets in records that have not changed.
  const letIn = { bool: { filter: [selection.query], must_not: [then] } };
  const revisions = await services.sets.revisions({ query: letIn, sort: [{ id: 'asc' }] }, LET_IN_MAX, signal);
  const before = await services.matches.deliveredAsTheyAre(alert.id, revisions);
  const query = without(allOf([selection.query, anyOf([changed, letIn])]), [delivered, ...(before.length ? [terms('id', before)] : [])]);
  return { selection, query, position };
}

const deliveredClause = (hashes: readonly string[]) => (hashes.length ? terms('derived.revisionHash', hashes) : null);

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
