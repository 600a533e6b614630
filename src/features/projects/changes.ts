/** What changed in a record: names of fields, and their values in revisions that the pool holds, so that it gets nothing new. */
import { findStepsSince, listChangedFields } from '../../core/domain/record/earlierRevisions.ts';
import { unmatched } from '../../core/domain/record/publicParts.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Actor } from '../../core/search/actor.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { makePeopleWarnings, readPeopleView } from '../../core/search/shownPeople.ts';
import { listFieldChanges, type RevisionChange } from './fieldChanges.ts';
import { findProject } from './read.ts';

interface ProjectChanges {
  /** the served record; the survivor if the id of a merged record was requested */
  id: number;
  current: { contentRevision: string; lastUpdated: string };
  /** what was last delivered to the pool; null if never */
  owned: { contentRevision: string; firstDeliveredAt: string; lastDeliveredAt: string } | null;
  /** null if the pool was never delivered the record */
  changed: boolean | null;
  /** all fields changed since the owned revision; null when that revision is too old to be remembered */
  fields: string[] | null;
  /** the remembered changes since the oldest revision that the pool holds, or all of them where records are free; oldest first */
  changes: RevisionChange[];
  /** what reading the record now would cost */
  nextRead: { billed: boolean; credits: number };
}

/** `GET /projects/{id}/changes`: explains why a record bills again, free of charge. @throws ApiError `resource_not_found` */
export async function explainChanges(services: ProjectServices, actor: Actor, id: number): Promise<OperationAnswer<ProjectChanges>> {
  const { project } = await findProject(services, actor, id, 'full', { alsoFetch: ['earlierRevisions'] });
  const { teamId, plan } = actor.principal;
  const { contentRevision, lastUpdated, earlierRevisions = [] } = project;
  const held = await services.holdings.recordHolding(teamId, project.id);
  const isFree = plan.recordCredit === 0;
  const isHeld = (revision: string) => held?.hashes.includes(revisionHash(project.id, revision)) ?? false;
  const since = held ? findStepsSince(held.revision, contentRevision, earlierRevisions) : null;
  const first = isFree ? 0 : earlierRevisions.findIndex(({ revision }) => isHeld(revision));
  const steps = first < 0 ? [] : earlierRevisions.slice(first);
  const { changes, warnings } = await listShownChanges(services, actor, project, {
    steps,
    mayShow: (revision) => isFree || isHeld(revision),
  });
  const isOlder = held?.superseded.includes(revisionHash(project.id, contentRevision)) ?? false;
  const credits = isHeld(contentRevision) || isOlder ? 0 : plan.recordCredit;
  return {
    data: {
      id: project.id,
      current: { contentRevision, lastUpdated },
      owned: held
        ? { contentRevision: held.revision, firstDeliveredAt: held.firstAt.toISOString(), lastDeliveredAt: held.lastAt.toISOString() }
        : null,
      changed: held ? held.revision !== contentRevision : null,
      fields: since && listChangedFields(since),
      changes,
      nextRead: { billed: credits > 0, credits },
    },
    meta: { creditsUsed: 0, warnings },
  };
}

/** The changes with their values, without people whom the pool may not see. */
async function listShownChanges(
  services: ProjectServices,
  { principal: { teamId, plan } }: Actor,
  project: FetchedProject,
  { steps, mayShow }: { steps: readonly EarlierRevision[]; mayShow: (revision: string) => boolean },
): Promise<{ changes: RevisionChange[]; warnings: Warning[] }> {
  if (!steps.length) return { changes: [], warnings: [] };
  const people = await readPeopleView(services, { teamId, projects: [project], representation: 'full', mayWithhold: true });
  const warnings = makePeopleWarnings(people);
  const { publicUrl } = services;
  const { today } = environmentOf(services);
  const view = { publicUrl, meetingCap: today, today, matchedOn: unmatched, companyDetails: plan.paid, people };
  const withheld = warnings.length ? (['contacts', 'companyEnrichment'] as const) : [];
  return { changes: listFieldChanges(project, steps, { view, mayShow, withheld }), warnings };
}
