/** What an alert has delivered, read again free of charge: as it is today, or on a metered plan as the pool holds it; dismissals. */

import { deliveryOf } from '../../core/domain/credits.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { unmatched } from '../../core/domain/record/lists.ts';
import { type FetchedProject, type PublicRecord, represent, serviceLinkOf, type ViewOptions } from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { Actor } from '../../core/search/actor.ts';
import { collectionPage } from '../../core/search/collection.ts';
import { NOBODY, peopleOf } from '../../core/search/people.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { type ShownEvidence, shownEvidence } from '../aiSearch/index.ts';
import { type AlertServices, knownAlert } from './manage.ts';
import type { HeldRecord, StoredMatch } from './matchStore.ts';
import { matchOf, pageOfMatches, type Reader, shownMatches } from './shownMatches.ts';

interface MatchQuery {
  deliveryId?: string;
  limit?: number;
  offset?: number;
  representation?: Representation;
}

/** A record with why and by which delivery it is a match. */
export type Match = PublicRecord & {
  deliveryId: string;
  dismissed: boolean;
  whyThisMatched: string | null;
  matchEvidence: ShownEvidence[] | null;
};

/**
 * `GET /alerts/{id}/matches`: everything that was delivered and not dismissed, or with `deliveryId` what one run delivered.
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
  if (deliveryId !== undefined && !(await runs.delivery(id, deliveryId)))
    throw new ApiError('resource_not_found', `The alert has no delivery '${deliveryId.slice(0, 80)}'`, { param: 'deliveryId' });
  const shown = await shownMatches(services, actor, id, deliveryId);
  const page = await pageOfMatches(services, shown, { limit, offset }, actor.signal);
  const found = await services.store.page({
    query: shown.recordsOf(page.ids).query,
    sort: [{ id: 'asc' }],
    size: page.ids.length,
    representation,
    count: false,
    signal: actor.signal,
  });
  const projects = found.hits.map(({ project }) => project);
  const records = await recordsOf(services, actor, id, { projects, ids: page.ids, representation });
  const place = new Map(page.ids.map((matchId, i) => [matchId, i]));
  const ordered = records.sort((a, b) => (place.get(a.matchId) ?? 0) - (place.get(b.matchId) ?? 0));
  const data = ordered.map(({ record }) => (deliveryId === undefined ? record : { ...record, deliveryId }));
  return { data, meta: { ...collectionPage({ limit: asked, offset }, data.length, page.total), representation } };
}

interface FoundMatches {
  projects: readonly FetchedProject[];
  /** of the matches that they are shown by */
  ids: readonly number[];
  representation: Representation;
}

/**
 * Records of matches, in the order of the projects. Nothing is charged: on a metered plan a revision that the pool does not hold is replaced by the
 * compact record that it holds.
 */
export async function recordsOf(
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
    peopleOf(services, { teamId, projects, representation }),
  ]);
  const options = viewOf(services, { representation, people, companyDetails: plan.paid });
  const learned: HeldRecord[] = [];
  const records = projects.map((project, i) => {
    const matchId = matchIds[i] ?? project.id;
    const match = matches.get(matchId);
    const own = held.get(project.id);
    const { revision = null, lastAt } = own ?? held.get(matchId) ?? {};
    const isShown = plan.recordCredit === 0 || own?.paid === true;
    if (isShown && plan.recordCredit > 0 && match && match.shownRevision !== project.contentRevision)
      learned.push({ projectId: matchId, revision: project.contentRevision, record: compactRecord(services, project) });
    const record = isShown ? represent(project, options) : heldRecord(services, project, match);
    const delivery = deliveryOf({ revision, lastDelivered: lastAt?.toISOString() ?? null }, project.contentRevision, false);
    const { deliveryId = '', dismissed = false, finding } = match ?? {};
    const why = { whyThisMatched: finding?.whyThisMatched ?? null, matchEvidence: finding ? shownEvidence(finding.evidence) : null };
    return { matchId, record: Object.assign(record, { delivery, deliveryId, dismissed, ...why }) };
  });
  if (learned.length) await services.matches.hold(alertId, learned);
  return records;
}

type ViewServices = Pick<AlertServices, 'publicUrl' | 'places' | 'now'>;

const viewOf = (services: ViewServices, shown: Pick<ViewOptions, 'representation' | 'people' | 'companyDetails'>): ViewOptions => ({
  ...shown,
  publicUrl: services.publicUrl,
  meetingCap: environmentOf(services).today,
  matchedOn: unmatched,
});

/** What an alert stores of a record that it delivers. */
export const compactRecord = (services: ViewServices, project: FetchedProject): PublicRecord =>
  represent(project, viewOf(services, { representation: 'compact', people: NOBODY, companyDetails: false }));

/** The compact record that the pool holds, under its present id; where a version before stored none, its place in the index alone. */
function heldRecord(services: ViewServices, { id, contentRevision }: FetchedProject, match: StoredMatch | undefined): PublicRecord {
  const lastUpdated = match?.lastUpdated.toISOString() ?? '';
  const record = match?.shown ?? compactRecord(services, { id, contentRevision, lastUpdated, compact: {} as FetchedProject['compact'] });
  return { ...record, id, serviceLink: serviceLinkOf(id, services.publicUrl) };
}

/** `POST` and `DELETE /alerts/{id}/dismissals/{projectId}`. @throws ApiError `resource_not_found` for what is no match of the alert */
export async function dismiss(
  services: AlertServices,
  actor: Actor,
  id: string,
  { projectId, dismissed }: { projectId: number; dismissed: boolean },
): Promise<OperationAnswer<{ projectId: number; dismissed: boolean }>> {
  await knownAlert(services, actor, id);
  const isMatch =
    (await services.matches.dismiss(id, [projectId], dismissed)) ||
    (await services.matches.dismiss(id, await membersOf(services, actor, projectId), dismissed));
  if (!isMatch) throw new ApiError('resource_not_found', `Project ${projectId} is no match of this alert`, { param: 'projectId' });
  return { data: { projectId, dismissed }, meta: { creditsUsed: 0 } };
}

/** Ids that were merged into a record: it is shown for those of them that are matches. */
async function membersOf(services: AlertServices, { principal, signal }: Actor, id: number): Promise<number[]> {
  const { query } = selectionOf({ projectIds: [id], includeGovernmentDecisions: true }, principal, environmentOf(services).today);
  return (await services.store.members(query, 1, signal)).flatMap(({ memberIds }) => memberIds);
}
