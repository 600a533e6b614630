/** Features by page and by id, billed like the records of a search. The pages are those of a sync walk, so that every feature can be reached. */
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Actor } from '../../core/search/actor.ts';
import { pricedSelection, readPaidIds } from '../../core/search/byIds.ts';
import type { Reply } from '../../http/declaration.ts';
import { readProject } from '../projects/index.ts';
import { type SyncRequest, type SyncServices, syncProjects } from '../sync/index.ts';
import { collectionLink } from './collections.ts';
import { featuresOf } from './request.ts';

export type ItemServices = SyncServices;

/** A page in the order of change, with the total number of matching features: among ids of records that cost credits, of those held. @throws ApiError */
export async function listItems(services: ItemServices, actor: Actor, request: SyncRequest): Promise<Reply<ServedRecord[]>> {
  const { selection } = request;
  const { principal, signal } = actor;
  const query = featuresOf(selection.query);
  const isByIds = pricedSelection(selection, principal.plan) !== selection;
  const paid = isByIds ? (await readPaidIds(services, actor, { ...selection, query })).length : 0;
  const [{ data, meta }, [counted = 0]] = await Promise.all([
    syncProjects(services, actor, request),
    isByIds ? [] : services.store.counts([query], signal),
  ]);
  if (!isByIds) services.counted?.(principal.teamId, counted);
  const { billed } = meta.delivery as { billed: number };
  const matchCount = isByIds ? Math.max(paid + billed, data.length) : counted;
  return { data, meta: { ...meta, matchCount, matchCountIsExact: true }, links: [collectionLink(services.publicUrl)] };
}

/** @throws ApiError `resource_not_found` */
export async function readItem(
  services: ItemServices,
  actor: Actor,
  id: number,
  { representation, withDerived }: Pick<SyncRequest, 'representation' | 'withDerived'>,
): Promise<Reply<ServedRecord | null>> {
  const answer = await readProject(services, actor, id, { representation, withDerived });
  return { ...answer, links: [collectionLink(services.publicUrl)] };
}
