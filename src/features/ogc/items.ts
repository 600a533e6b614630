/** Features by page and by id, billed like the records of a search. The pages are those of a sync walk, so that every feature can be reached. */
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { CountObserver } from '../../core/store/callWatch.ts';
import type { Reply } from '../../http/declaration.ts';
import { readProject } from '../projects/index.ts';
import { type SyncRequest, type SyncServices, syncProjects } from '../sync/index.ts';
import { collectionLink } from './documents.ts';
import { featuresOf } from './request.ts';

export interface ItemServices extends SyncServices {
  /** called with the number of matches */
  counted?: CountObserver | undefined;
}

/** A page in the order of change, with the total number of matching features. @throws ApiError */
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
