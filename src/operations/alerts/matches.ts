/** What an alert has delivered, read again free of charge with the content of today; dismissals. */
import { deliveryOf } from '../../domain/credits.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/principal.ts';
import { type PublicRecord, represent } from '../../domain/record/represent.ts';
import { revisionHash } from '../../domain/record/revisionHash.ts';
import type { Representation } from '../../domain/record/schemas.ts';
import { COLLECTION_LIMIT_MAX } from '../../filter/controls.ts';
import type { Actor } from '../../search/actor.ts';
import { collectionPage } from '../../search/collection.ts';
import { peopleOf } from '../../search/people.ts';
import { selectionOf } from '../../search/select.ts';
import { deliveredHits } from '../../search/servePage.ts';
import { type Answer, environmentOf } from '../../search/services.ts';
import type { StoredMatch } from '../../store/postgres/alertMatches.ts';
import { type ShownEvidence, shownEvidence } from '../aiSearch/aiSearchView.ts';
import { type AlertServices, knownAlert } from './alerts.ts';

export interface MatchQuery {
  deliveryId?: string;
  limit?: number;
  offset?: number;
  representation?: Representation;
}

/** A record with how it came to be a match. */
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
): Promise<Answer<Match[]>> {
  await knownAlert(services, actor, id);
  const limit = Math.min(asked, COLLECTION_LIMIT_MAX);
  const { matches, runs } = services;
  if (deliveryId !== undefined && !(await runs.delivery(id, deliveryId)))
    throw new ApiError('resource_not_found', `The alert has no delivery '${deliveryId.slice(0, 80)}'`, { param: 'deliveryId' });
  const page =
    deliveryId === undefined ? await matches.undismissed(id, limit, offset) : await matches.ofDelivery(id, deliveryId, limit, offset);
  const data = await recordsOf(services, actor, page.matches, representation);
  return { data, meta: { ...collectionPage({ limit: asked, offset }, page.matches.length, page.total), representation } };
}

/** Those that are there and inside the licence, in the order of the matches. What the team holds of each is said; nothing is charged. */
export async function recordsOf(
  services: AlertServices,
  actor: Pick<Actor, 'signal'> & { principal: Pick<Principal, 'teamId' | 'plan' | 'licence'> },
  matches: readonly StoredMatch[],
  representation: Representation,
): Promise<Match[]> {
  const { principal } = actor;
  const selection = selectionOf({ includeGovernmentDecisions: true }, principal, environmentOf(services).today);
  const ids = matches.map(({ projectId }) => projectId);
  const hits = await deliveredHits(services, actor, { selection, representation }, ids);
  const projects = hits.map(({ project }) => project);
  const items = projects.map(({ id, contentRevision }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const [held, people] = await Promise.all([
    services.holdings.ofPage(principal.teamId, items),
    peopleOf(services, { teamId: principal.teamId, projects, representation }),
  ]);
  const match = new Map(matches.map((one) => [one.projectId, one]));
  const options = {
    ...{ representation, publicUrl: services.publicUrl, meetingCap: selection.meetingCap, people },
    matchedOn: () => [],
    companyDetails: principal.plan.paid,
  };
  return projects.map((project) => {
    const { revision = null, lastAt } = held.get(project.id) ?? {};
    const delivery = deliveryOf({ revision, lastDelivered: lastAt?.toISOString() ?? null }, project.contentRevision, false);
    const { deliveryId = '', dismissed = false, finding } = match.get(project.id) ?? {};
    const why = { whyThisMatched: finding?.whyThisMatched ?? null, matchEvidence: finding ? shownEvidence(finding.evidence) : null };
    return Object.assign(represent(project, options), { delivery, deliveryId, dismissed, ...why });
  });
}

/** `POST` and `DELETE /alerts/{id}/dismissals/{projectId}`. @throws ApiError `resource_not_found` for what is no match of the alert */
export async function dismiss(
  services: AlertServices,
  actor: Actor,
  id: string,
  { projectId, dismissed }: { projectId: number; dismissed: boolean },
): Promise<Answer<{ projectId: number; dismissed: boolean }>> {
  await knownAlert(services, actor, id);
  if (!(await services.matches.dismiss(id, projectId, dismissed)))
    throw new ApiError('resource_not_found', `Project ${projectId} is no match of this alert`, { param: 'projectId' });
  return { data: { projectId, dismissed }, meta: { creditsUsed: 0 } };
}
