/** What changed in a record since the pool was last delivered it: names of fields alone, so that nothing is delivered by it. */
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import { findProject } from './read.ts';

interface ProjectChanges {
  /** the record that is served; the survivor where the id of a merged one was asked */
  id: number;
  current: { contentRevision: string; lastUpdated: string };
  /** what the pool was last delivered; null where it never was */
  owned: { contentRevision: string; firstDeliveredAt: string; lastDeliveredAt: string } | null;
  /** null where nothing is owned to compare with */
  changed: boolean | null;
  /** every field that a change since the owned revision touched; null where the owned revision is too old to be remembered */
  fields: string[] | null;
  /** the changes since the owned revision, oldest first; as many as are remembered */
  changes: { at: string; fields: string[] }[];
  /** what reading the record now would bill */
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

/** From the last time that the record was as the pool has it until now; null where that is not remembered. */
function stepsSince(owned: string, current: string, earlier: readonly EarlierRevision[]): readonly EarlierRevision[] | null {
  if (owned === current) return [];
  const from = earlier.findLastIndex(({ revision }) => revision === owned);
  return from < 0 ? null : earlier.slice(from);
}
