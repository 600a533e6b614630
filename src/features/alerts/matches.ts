/**
 * The matches of an alert, read free of charge: in their current revision, or on a metered plan in the one that the pool holds; and
 * dismissals.
 */

import { deliveryOf } from '../../core/domain/credits.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { unmatched } from '../../core/domain/record/publicParts.ts';
import {
  type FetchedProject,
  makeServiceLink,
  type PublicRecord,
  representRecord,
  type ViewOptions,
} from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { NOBODY, readPeopleView } from '../../core/search/shownPeople.ts';
import { fetchHits } from '../../core/store/elastic/projects.ts';
import { type ShownEvidence, toShownEvidence } from '../aiSearch/index.ts';
import { type AlertServices, knownAlert } from './manage.ts';
import type { HeldRecord, StoredMatch } from './matchStore.ts';
import type { NewBecause } from './newlyRead.ts';
import { listShownMatches, matchOf, type Reader, selectPageOfMatches } from './shownMatches.ts';

interface MatchQuery {
  deliveryId?: string;
  limit?: number;
  offset?: number;
  representation?: Representation;
}

export type Match = PublicRecord & {
  deliveryId: string;
  dismissed: boolean;
  whyThisMatched: string | null;
  matchEvidence: ShownEvidence[] | null;
  changedFields: string[] | null;
  newBecause: NewBecause | null;
};

/**
 * `GET /alerts/{id}/matches`: everything delivered and not dismissed, or with `deliveryId` everything that one run delivered.
 * @throws ApiError `resource_not_found`, `search_unavailable`
 */
export async function readMatches(
  services: AlertServices,
  actor: Actor,
  id: string,
  { deliveryId, limit: asked = COLLECTION_LIMIT_MAX, offset = 0, representation = 'standard' }: MatchQuery,
): Promise<OperationAnswer<Match[]>> {
  await knownAlert(services, actor, id);
  const limit = Math.min(asked, COLLECTION_LIMIT_MAX);
  const { runs } = services;
  if (deliveryId !== undefined && !(await runs.findDelivery(id, deliveryId)))
    throw new ApiError('resource_not_found', `The alert has no delivery '${deliveryId.slice(0, 80)}'`, { param: 'deliveryId' });
  const shown = await listShownMatches(services, actor, id, deliveryId);
  const page = await selectPageOfMatches(services, shown, { limit, offset }, actor.signal);
  const { query } = shown.recordsOf(page.ids);
  const hits = await fetchHits(services.store, { query, size: page.ids.length, representation, signal: actor.signal });
  const projects = hits.map(({ project }) => project);
  const records = await readRecords(services, actor, id, { projects, ids: page.ids, representation });
  const place = new Map(page.ids.map((matchId, i) => [matchId, i]));
  const ordered = records.sort((a, b) => (place.get(a.matchId) ?? 0) - (place.get(b.matchId) ?? 0));
  const data = ordered.map(({ record }) => (deliveryId === undefined ? record : { ...record, deliveryId }));
  return { data, meta: { ...makeCollectionMeta({ limit: asked, offset }, data.length, page.total), representation } };
}

interface FoundMatches {
  projects: readonly FetchedProject[];
  /** ids of the matches under which they are shown */
  ids: readonly number[];
  representation: Representation;
}

/**
 * Records of matches, in the order of the projects. Nothing is charged: on a metered plan, a revision that the pool does not hold is
 * replaced by the stored compact record.
 */
export async function readRecords(
  services: AlertServices,
  { principal }: Reader,
  alertId: string,
  { projects, ids, representation }: FoundMatches,
): Promise<{ matchId: number; record: Match }[]> {
  const { teamId, plan } = principal;
  const wanted = new Set(ids);
  const matchIds = projects.map((project) => matchOf(project, (id) => wanted.has(id)) ?? project.id);
  const matches = await services.matches.find(alertId, matchIds);
  const absorbed = matchIds.flatMap((id, i) => (id === projects[i]?.id ? [] : [{ id, contentRevision: matches.get(id)?.revision ?? '' }]));
  const items = [...projects, ...absorbed].map(({ id, contentRevision }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const [held, people] = await Promise.all([
    services.holdings.pageHoldings(teamId, items),
    readPeopleView(services, { teamId, projects, representation }),
  ]);
  const options = makeViewOptions(services, { representation, people, companyDetails: plan.paid });
  const learned: HeldRecord[] = [];
  const records = projects.map((project, i) => {
    const matchId = matchIds[i] ?? project.id;
    const match = matches.get(matchId);
    const own = held.get(project.id);
    const { revision = null, lastAt } = own ?? held.get(matchId) ?? {};
    const isShown = plan.recordCredit === 0 || own?.paid === true;
    if (isShown && plan.recordCredit > 0 && match && match.shownRevision !== project.contentRevision)
      learned.push({ projectId: matchId, revision: project.contentRevision, record: toCompactRecord(services, project) });
    const record = isShown ? representRecord(project, options) : readHeldRecord(services, project, match);
    const delivery = deliveryOf({ revision, lastDelivered: lastAt?.toISOString() ?? null }, project.contentRevision, false);
    const { deliveryId = '', dismissed = false, finding, changedFields = null, newBecause = null } = match ?? {};
    const why = { whyThisMatched: finding?.whyThisMatched ?? null, matchEvidence: finding ? toShownEvidence(finding.evidence) : null };
    return { matchId, record: Object.assign(record, { delivery, deliveryId, dismissed, changedFields, newBecause, ...why }) };
  });
  if (learned.length) await services.matches.storeHeldRevisions(alertId, learned);
  return records;
}

type ViewServices = Pick<AlertServices, 'publicUrl' | 'places' | 'now'>;

const makeViewOptions = (
  services: ViewServices,
  shown: Pick<ViewOptions, 'representation' | 'people' | 'companyDetails'>,
): ViewOptions => ({
  ...shown,
  publicUrl: services.publicUrl,
  meetingCap: environmentOf(services).today,
  today: environmentOf(services).today,
  matchedOn: unmatched,
});

export const toCompactRecord = (services: ViewServices, project: FetchedProject): PublicRecord =>
  representRecord(project, makeViewOptions(services, { representation: 'compact', people: NOBODY, companyDetails: false }));

/** The stored compact record, under its current id; if the match is gone meanwhile, only the record's identity. */
function readHeldRecord(services: ViewServices, { id, contentRevision }: FetchedProject, match: StoredMatch | undefined): PublicRecord {
  const lastUpdated = match?.lastUpdated.toISOString() ?? '';
  const record = match?.shown ?? toCompactRecord(services, { id, contentRevision, lastUpdated, compact: {} as FetchedProject['compact'] });
  return { ...record, id, serviceLink: makeServiceLink(id, services.publicUrl) };
}

/**
 * `POST` and `DELETE /alerts/{id}/dismissals/{projectId}`.
 * @throws ApiError `resource_not_found` for a record that is not a match of the alert, `search_unavailable`
 */
export async function dismiss(
  services: AlertServices,
  actor: Actor,
  id: string,
  { projectId, dismissed }: { projectId: number; dismissed: boolean },
): Promise<OperationAnswer<{ projectId: number; dismissed: boolean }>> {
  await knownAlert(services, actor, id);
  // All of them together: the list of the alert holds each of its own.
  const ids = new Set([projectId, ...(await listMemberIds(services, actor, projectId))]);
  const isMatch = await services.matches.dismiss(id, [...ids], dismissed);
  if (!isMatch) throw new ApiError('resource_not_found', `Project ${projectId} is no match of this alert`, { param: 'projectId' });
  return { data: { projectId, dismissed }, meta: { creditsUsed: 0 } };
}

/** The ids under which a record may be a match: its own, and those merged into it. */
async function listMemberIds(services: AlertServices, { principal, signal }: Actor, id: number): Promise<number[]> {
  const { query } = selectionOf({ projectIds: [id], includeGovernmentDecisions: true }, principal, environmentOf(services).today);
  return (await services.store.listMembers(query, 1, signal)).flatMap(({ memberIds }) => memberIds);
}
