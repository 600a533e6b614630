/** The features: pages of a walk, which reach every one, and one by its id. Billed as the same records are elsewhere. */
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { CountObserver } from '../../core/store/watch.ts';
import type { Reply } from '../../http/declaration.ts';
import { readProject } from '../projects/index.ts';
import { type SyncRequest, type SyncServices, syncProjects } from '../sync/index.ts';
import { collectionLink } from './documents.ts';
import { featuresOf } from './request.ts';

export interface ItemServices extends SyncServices {
  /** the number of matches is a count like any other */
  counted?: CountObserver | undefined;
}

/** One page in the order of change, and how many features match in all. @throws ApiError */
export async function listItems(services: ItemServices, actor: Actor, request: SyncRequest): Promise<Reply<ServedRecord[]>> {
  const [{ data, meta }, [matchCount = 0]] = await Promise.all([
    syncProjects(services, actor, request),
    services.store.counts([featuresOf(request.selection.query)], actor.signal),
  ]);
  services.counted?.(actor.principal.teamId, matchCount);
  return { data, meta: { ...meta, matchCount, matchCountIsExact: true }, links: [collectionLink(services.publicUrl)] };
}

/** @throws ApiError `resource_not_found` */
export async function readItem(
  services: ItemServices,
  actor: Actor,
  id: number,
  representation: Representation,
): Promise<Reply<ServedRecord>> {
  const answer = await readProject(services, actor, id, { representation, withContacts: false });
  return { ...answer, links: [collectionLink(services.publicUrl)] };
}
