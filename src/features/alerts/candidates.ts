/** Candidates of an alert's next run: records indexed since its last run that are new to the alert or changed. */

import { createHash } from 'node:crypto';
import type { Principal } from '../../core/domain/principal.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { allOf, anyOf, type Clause, range, terms } from '../../core/query/clauses.ts';
import { sortClauses } from '../../core/query/sort.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import {
  dayOfSelection,
  parseSelectionDay,
  pinRestrictions,
  type Selection,
  type ServedRestrictions,
  selectByRestrictions,
} from '../../core/search/select.ts';
import { type Environment, environmentOf, type ProjectServices } from '../../core/search/services.ts';
import { evidencePaths } from '../../core/search/unconfirmedFilters.ts';
import type { ChangeFeed, FeedPage } from '../../core/store/elastic/changeFeed.ts';
import type { ProjectSets } from '../../core/store/elastic/projectSets.ts';
import { candidateFilters, makePlanWithin, type QuestionPlan, type Screener } from '../aiSearch/index.ts';
import { selectByCriteria } from './criteria.ts';
import type { AlertMatchStore } from './matchStore.ts';
import { makeLongHeardClause, makeNewlyReadClause } from './newlyRead.ts';
import { type AlertPosition, NOTHING_SEEN } from './position.ts';
import type { StoredAlert } from './types.ts';

export interface CandidateServices extends Pick<ProjectServices, 'store' | 'places' | 'now'>, ServedRestrictions {
  changes: ChangeFeed;
  sets: ProjectSets;
  matches: AlertMatchStore;
  screener: Screener;
  /** a record that was last heard more days before a run is no news */
  newlyReadDays: number;
}

export interface Candidates {
  selection: Selection;
  /** matches exactly what the alert would deliver; with a plan, what it may deliver */
  query: Record<string, unknown>;
  /** the question that a candidate has to confirm; null without a requirement */
  plan: QuestionPlan | null;
  /** the position up to which the alert has seen all changes; only later ones are searched */
  position: AlertPosition;
}

/** With more changed records than this, everything that the alert ever delivered is excluded, instead of comparing each record. */
const COMPARED_MAX = 10_000;
/** The order of records in a run and in a feed. */
export const NEWEST_MEETING = { field: 'meetingDate', direction: 'desc' } as const;
/** A position after every removal, since alerts deliver no removals. */
const NO_REMOVALS = [8_640_000_000_000_000, 0] as const;

type Of = Pick<Principal, 'licence'>;

const hashCriteria = ({ query }: Pick<Selection, 'query'>) => createHash('sha256').update(JSON.stringify(query)).digest('base64url');

/** An alert and its parsed filters, without problems. */
export interface AlertWithCriteria {
  alert: StoredAlert;
  criteria: ParameterReading;
}

/**
 * The candidates of an alert.
 * @param environment places, and the service day of the run
 * @param byFilters ignores the requirement; revisions that it refused stay excluded
 * @throws ApiError `search_unavailable`, ScreenerUnavailable
 */
export async function findCandidates(
  services: CandidateServices,
  { alert, criteria }: AlertWithCriteria,
  principal: Of,
  environment: Environment = environmentOf(services),
  signal?: AbortSignal,
  byFilters = false,
): Promise<Candidates> {
  const { today, places } = environment;
  const selectionOn = (selectionDay: string) => {
    const { today: day, restrictionLists } = parseSelectionDay(selectionDay);
    return selectByRestrictions(selectByCriteria(criteria, principal, day), restrictionLists);
  };
  const on = async (selection: Selection) => {
    if (byFilters || alert.specificRequirement === null) return { selection, plan: null, query: selection.query };
    const understanding = await services.screener.understand(alert.specificRequirement, { today: selection.context.today, places }, signal);
    const plan = makePlanWithin(selection, understanding, places);
    return { selection, plan, query: allOf(candidateFilters(plan)) };
  };
  const found = await on(await pinRestrictions(selectionOn(today), services));
  const { load, day, criteria: searched } = alert.position;
  const refused = revisionClause(await services.matches.listRejectedRevisions(alert.id, alert.specificRequirement));
  // When the selection changed, such as by another licence, everything is searched once.
  if (load === null || day === null || searched !== hashCriteria(selectionOn(day))) {
    const position = { ...NOTHING_SEEN, seen: alert.position.seen };
    const delivered = revisionClause(await services.matches.listDeliveredHashes(alert.id));
    const query = without(found.query, [delivered, refused, await makeUnwantedClause(services, alert, position, today)]);
    return { ...found, query, position };
  }
  const indexed = range('loadedIn', { gt: load });
  const then = day === dayOfSelection(found.selection.context) ? found.query : (await on(selectionOn(day))).query;
  // Date windows end today, and other restrictions bind other records: both add records that were not indexed again.
  const letIn = JSON.stringify(then) === JSON.stringify(found.query) ? [] : [{ bool: { filter: [found.query], must_not: [then] } }];
  const news = allOf([found.query, anyOf([indexed, ...letIn])]);
  const delivered = await makeDeliveredClause(services, alert, news, signal);
  const unwanted = await makeUnwantedClause(services, alert, alert.position, today);
  return { ...found, query: without(news, [delivered, refused, unwanted]), position: alert.position };
}

/** Matches the newly read records that the alert does not want; null if it wants them. They are neither delivered, judged nor charged. */
async function makeUnwantedClause(
  { matches, newlyReadDays }: CandidateServices,
  { id, includeNewlyRead }: StoredAlert,
  position: AlertPosition,
  today: string,
): Promise<Clause | null> {
  if (includeNewlyRead) return null;
  return makeNewlyReadClause(makeLongHeardClause(today, newlyReadDays), position, await matches.listDeliveredIds(id));
}

/** A clause that matches at least those results of a query that the alert delivered in the same revision. */
async function makeDeliveredClause(
  { sets, matches }: CandidateServices,
  { id }: Pick<StoredAlert, 'id'>,
  query: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<Clause | null> {
  const revisions = await sets.revisions({ query, sort: [{ id: 'asc' }] }, COMPARED_MAX, signal);
  if (revisions.length === COMPARED_MAX) return revisionClause(await matches.listDeliveredHashes(id));
  const ids = await matches.findUnchanged(id, revisions);
  return ids.length ? terms('id', ids) : null;
}

const revisionClause = (hashes: readonly string[]) => (hashes.length ? terms('derived.revisionHash', hashes) : null);

function without(query: Record<string, unknown>, clauses: readonly (Record<string, unknown> | null)[]): Record<string, unknown> {
  const must_not = clauses.filter((clause) => clause !== null);
  return must_not.length ? { bool: { filter: [query], must_not } } : query;
}

/**
 * The first candidates, newest meeting first, with their total number and the newest change in the index.
 * @throws ApiError `search_unavailable`
 */
export async function readFirstCandidates(
  services: CandidateServices,
  { selection, query, position }: Candidates,
  size: number,
  signal?: AbortSignal,
): Promise<FeedPage> {
  const cap = await readOrderCap(services, { selection, sort: NEWEST_MEETING }, signal);
  return services.changes.readPage(
    {
      query,
      sort: sortClauses(NEWEST_MEETING, cap),
      size,
      representation: 'compact',
      count: true,
      toConfirm: [...evidencePaths(selection.filters), 'earlierRevisions.revision', 'earlierRevisions.changed'],
      ...(signal ? { signal } : {}),
    },
    { removed: NO_REMOVALS, departed: null, seen: position.seen, highWater: position.until, load: position.load },
  );
}

/** The position of the next run after everything up to here was delivered. */
export const advancePosition = ({ position, selection }: Candidates, { load, highWater, seen }: FeedPage): AlertPosition => ({
  load,
  until: highWater === null ? position.until : Date.parse(highWater),
  seen,
  day: dayOfSelection(selection.context),
  criteria: hashCriteria(selection),
});
