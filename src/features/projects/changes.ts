/** What changed in a record since it was last delivered to the pool: names of fields only, so that nothing is delivered. */
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import { findProject } from './read.ts';

interface ProjectChanges {
  /** the served record; the survivor if the id of a merged record was requested */
  id: number;
  current: { contentRevision: string; lastUpdated: string };
  /** what was last delivered to the pool; null if never */
  owned: { contentRevision: string; firstDeliveredAt: string; lastDeliveredAt: string } | null;
  /** null when the pool never got the record */
  changed: boolean | null;
  /** all fields changed since the owned revision; null when that revision is too old to be remembered */
  fields: string[] | null;
  /** the remembered changes since the owned revision, oldest first */
  changes: { at: string; fields: string[] }[];
  /** what reading the record now would cost */
  nextRead: { billed: boolean; credits: number };
}

/** `GET /projects/{id}/changes`: explains why a record bills again, free of charge. @throws ApiError `resource_not_found` */
export async function projectChanges(services: ProjectServices, actor: Actor, id: number): Promise<OperationAnswer<ProjectChanges>> {
  const { project } = await findProject(services, actor, id, 'compact', { alsoFetch: ['earlierRevisions'] });
  const { teamId, plan } = actor.principal;
  const { contentRevision, lastUpdated } = project;
  const held = await services.holdings.recordHolding(teamId, project.id, revisionHash(project.id, contentRevision));
  const steps = held ? stepsSince(held.revision, contentRevision, project.earlierRevisions ?? []) : null;
  const credits = held?.paid ? 0 : plan.recordCredit;
  return {
    data: {
      id: project.id,
      current: { contentRevision, lastUpdated },
      owned: held
        ? { contentRevision: held.revision, firstDeliveredAt: held.firstAt.toISOString(), lastDeliveredAt: held.lastAt.toISOString() }
        : null,
      changed: held ? held.revision !== contentRevision : null,
      fields: steps && [...new Set(steps.flatMap((step) => step.changed))].sort(),
      changes: (steps ?? []).map(({ replacedAt, changed }) => ({ at: replacedAt, fields: changed })),
      nextRead: { billed: credits > 0, credits },
    },
    meta: { creditsUsed: 0 },
  };
}

/** The changes since the record last had the owned revision; null when that is not remembered. */
function stepsSince(owned: string, current: string, earlier: readonly EarlierRevision[]): readonly EarlierRevision[] | null {
  if (owned === current) return [];
  const from = earlier.findLastIndex(({ revision }) => revision === owned);
  return from < 0 ? null : earlier.slice(from);
}
