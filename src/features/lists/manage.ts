/** Saved lists: created, read, changed, deleted; projects added and removed. All free; only results are metered. */
import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import { ApiError, refusalOf } from '../../core/domain/errors.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import type { AccountStore } from '../../core/identity/accounts.ts';
import { findShareProblems, type Member, mergeShare, PRIVATE, type Share } from '../../core/identity/share.ts';
import { type Actor, claimOf } from '../../core/search/actor.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import { answerOnce, runOnce } from '../../core/search/idempotentRequests.ts';
import { priceMatches } from '../../core/search/price.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { changeProblems, type ListBody, type NewListParts } from './request.ts';
import type { ListStore } from './store.ts';
import type { StoredList } from './types.ts';
import { type ListView, listView } from './view.ts';

export interface ListServices extends ProjectServices {
  lists: ListStore;
  accounts: AccountStore;
}

export type ListChangesBody = Partial<Pick<ListBody, 'name' | 'description' | 'filters' | 'polygon' | 'columns' | 'share'>>;

type Whose = Pick<Actor, 'principal' | 'signal'>;

const listNotFound = (id: string) =>
  new ApiError('resource_not_found', `There is no list '${id}', or it is not shared with you`, { param: 'id' });

/**
 * The list with an id.
 * @throws ApiError `resource_not_found`, also for a list of another team or one that is not shared with the key's user
 */
export async function findList({ lists }: Pick<ListServices, 'lists'>, { principal }: Whose, id: string): Promise<StoredList> {
  const found = await lists.find(principal, id);
  if (!found) throw listNotFound(id);
  return found;
}

/** The selection of a list's projects. Government items are included, since they were added by id. */
export async function selectMembers(services: Pick<ListServices, 'lists' | 'places' | 'now'>, { principal }: Whose, id: string) {
  const { projectIds, notes } = await services.lists.readProjects(id);
  const selection = selectionOf({ projectIds, includeGovernmentDecisions: true }, principal, environmentOf(services).today);
  return { ...selection, notes };
}

/** Number and price of the list's projects that are served and covered by the licence. */
async function priceList(services: ListServices, actor: Whose, list: StoredList): Promise<Pick<ListView, 'projectCount' | 'results'>> {
  if (list.projectCount === null) return { projectCount: null, results: null };
  const { query } = await selectMembers(services, actor, list.id);
  const { matchCount, billableRecordCount, creditsRequired } = await priceMatches(services, actor.principal, query, actor.signal);
  return { projectCount: matchCount, results: { billable: { records: billableRecordCount, credits: creditsRequired } } };
}

async function makeView(services: ListServices, actor: Whose, list: StoredList, roster: readonly Member[]): Promise<ListView> {
  const { projectCount, results } = await priceList(services, actor, list);
  return listView({ ...list, projectCount }, roster, results, services);
}

/** The lists, each with the number of its projects that are served and covered by the licence. */
async function withProjectCounts(services: ListServices, actor: Whose, lists: readonly StoredList[]): Promise<StoredList[]> {
  const ofProjects = lists.filter(({ projectCount }) => projectCount);
  if (!ofProjects.length) return [...lists];
  const selections = await Promise.all(ofProjects.map(({ id }) => selectMembers(services, actor, id)));
  const queries = selections.map(({ query }) => query);
  const counts = await services.store.counts(queries, actor.signal);
  const countOf = new Map(ofProjects.map(({ id }, i) => [id, counts[i] ?? 0]));
  return lists.map((list) => ({ ...list, projectCount: countOf.get(list.id) ?? list.projectCount }));
}

async function readView(services: ListServices, actor: Whose, id: string): Promise<ListView> {
  const [list, roster] = await Promise.all([findList(services, actor, id), services.accounts.readRoster(actor.principal.teamId)]);
  return makeView(services, actor, list, roster);
}

const isNew = { share: PRIVATE };

/** Checks a share and merges it with the stored one. @throws ApiError with all of its problems */
function parseShare(
  sent: Partial<Share> | undefined,
  { share, createdBy }: { share: Share; createdBy?: number },
  roster: readonly Member[],
  { principal }: Whose,
): Share {
  const problems = findShareProblems(sent ?? {}, share, roster, principal);
  if (sent && problems.length) throw refusalOf(problems);
  const { userId } = principal;
  return mergeShare(share, sent, { createdBy: createdBy ?? userId, changedBy: userId });
}

/** A body and its parsed parts, without problems. */
interface ReadList {
  body: ListBody;
  parts: NewListParts;
}

/** `POST /lists`. @throws ApiError */
export async function createList(services: ListServices, actor: Actor, { body, parts }: ReadList): Promise<OperationAnswer<ListView>> {
  const { principal } = actor;
  const id = await runOnce(services, actor, canonicalJson([principal.userId, body]), {
    run: async (claiming) => {
      const roster = await services.accounts.readRoster(principal.teamId);
      const share = parseShare(body.share, isNew, roster, actor);
      const sent = [...new Set(body.projectIds ?? [])];
      const { found, notFound } = await readCurrentIds(services, actor, sent);
      if (notFound.length) throw unknownProjectsError(notFound);
      const { name, description = null, filters = null, columns = null } = body;
      const list = { ...parts, name, description, filters, columns, share, projectIds: [...new Set(found.values())] };
      return services.lists.create(principal, list, claimOf(claiming));
    },
    replay: async ({ kept }) => (kept as { listId: string }).listId,
  });
  return { data: await readView(services, actor, id), meta: { creditsUsed: 0 } };
}

/** Refuses a new list: it is saved with all of its projects or not at all. */
function unknownProjectsError(ids: readonly number[]): ApiError {
  return refusalOf(
    ids.map((id) => ({
      param: 'projectIds',
      code: 'not_found',
      message: `There is no project ${id}, or this key may not see it`,
      value: id,
      answer: 'invalid_request',
    })),
  );
}

/** `GET /lists`: those of the key's user and those shared with them, newest first, or those deleted that can be restored; not priced. */
export async function listLists(
  services: ListServices,
  actor: Whose,
  asked: { limit?: number; offset?: number; deleted?: boolean },
): Promise<OperationAnswer<ListView[]>> {
  const { lists, accounts } = services;
  const { principal } = actor;
  const { limit = COLLECTION_LIMIT_MAX, offset = 0, deleted = false } = asked;
  const [page, roster] = await Promise.all([
    lists.list(principal, { limit: Math.min(limit, COLLECTION_LIMIT_MAX), offset, deleted }),
    accounts.readRoster(principal.teamId),
  ]);
  const data = (await withProjectCounts(services, actor, page.lists)).map((list) => listView(list, roster, null, services));
  return { data, meta: makeCollectionMeta({ limit, offset }, data.length, page.total) };
}

/** `GET /lists/{id}`, with what its results would charge. @throws ApiError `resource_not_found` */
export async function readList(services: ListServices, actor: Actor, id: string): Promise<OperationAnswer<ListView>> {
  return { data: await readView(services, actor, id), meta: { creditsUsed: 0 } };
}

/** `PATCH /lists/{id}`: sent values replace stored ones. @throws ApiError */
export async function changeList(
  services: ListServices,
  actor: Actor,
  id: string,
  { body, parts }: { body: ListChangesBody; parts: Partial<Pick<NewListParts, 'polygon'>> },
): Promise<OperationAnswer<ListView>> {
  const [list, roster] = await Promise.all([findList(services, actor, id), services.accounts.readRoster(actor.principal.teamId)]);
  if (list.kind === 'alert')
    throw new ApiError('invalid_request', 'The list of an alert follows the alert; change that', {
      param: 'id',
      details: { alertId: list.alertId },
    });
  const problems = changeProblems(list, body, services.places);
  if (problems.length) throw refusalOf(problems);
  const { share: sent, polygon: _, ...others } = body;
  const changes = { ...others, ...parts, ...(sent ? { share: parseShare(sent, list, roster, actor) } : {}) };
  const changed = await services.lists.change(actor.principal, id, changes);
  if (!changed) throw listNotFound(id);
  return { data: await makeView(services, actor, changed, roster), meta: { creditsUsed: 0 } };
}

/** `DELETE /lists/{id}`. @throws ApiError `resource_not_found`, `invalid_request` for the list of an alert */
export async function deleteList(
  services: ListServices,
  actor: Actor,
  id: string,
): Promise<OperationAnswer<{ id: string; deleted: true }>> {
  const list = await findList(services, actor, id);
  const isGone = await services.lists.remove(actor.principal, id);
  if (!isGone && list.kind === 'alert')
    throw new ApiError('invalid_request', 'This list goes with its alert; delete the alert instead', {
      param: 'id',
      details: { alertId: list.alertId },
    });
  if (!isGone) throw listNotFound(id);
  return { data: { id, deleted: true }, meta: { creditsUsed: 0 } };
}

/**
 * `POST /lists/{id}/restore`: a deleted list as it was; one that is not deleted stays as it is.
 * @throws ApiError `resource_not_found` also 30 days after the deletion, `invalid_request` when the team has the maximum of lists
 */
export async function restoreList(services: ListServices, actor: Actor, id: string): Promise<OperationAnswer<ListView>> {
  await answerOnce<null>(services, actor, id, async (keep) => {
    if (!(await services.lists.restore(actor.principal, id, keep))) throw listNotFound(id);
    return null;
  });
  return { data: await readView(services, actor, id), meta: { creditsUsed: 0 } };
}

/** Projects are added to and removed from membership lists only. */
async function throwUnlessMembership(services: ListServices, actor: Whose, id: string): Promise<void> {
  const { kind } = await findList(services, actor, id);
  if (kind !== 'membership')
    throw new ApiError(
      'invalid_request',
      `The projects of a list of kind '${kind}' follow from what it stands for; make a membership list`,
      {
        param: 'id',
        details: { kind },
      },
    );
}

interface FoundIds {
  /** sent id → id of the record that has it now */
  found: Map<number, number>;
  /** id of each of these records → its own and those of the records merged into it, each of which a list may hold */
  families: Map<number, readonly number[]>;
  notFound: number[];
}

/** The current record of each id, within the licence; the id of a merged record means its survivor. */
async function readCurrentIds(services: ListServices, { principal, signal }: Whose, ids: readonly number[]): Promise<FoundIds> {
  if (!ids.length) return { found: new Map(), families: new Map(), notFound: [] };
  const { query } = selectionOf({ projectIds: [...ids], includeGovernmentDecisions: true }, principal, environmentOf(services).today);
  const hits = await services.store.listMembers(query, ids.length, signal);
  const current = new Map(hits.flatMap(({ id, memberIds }) => memberIds.map((member) => [member, id] as const)));
  const found = new Map(ids.flatMap((id) => (current.has(id) ? [[id, current.get(id) as number] as const] : [])));
  const families = new Map(hits.map(({ id, memberIds }) => [id, memberIds]));
  return { found, families, notFound: ids.filter((id) => !found.has(id)) };
}

interface AddedProjects {
  added: number[];
  alreadyPresent: number[];
  notFound: number[];
}

/** `POST /lists/{id}/projects`: reports each id as it was sent; repeating the request adds nothing. @throws ApiError */
export async function addProjects(
  services: ListServices,
  actor: Actor,
  id: string,
  sent: readonly number[],
): Promise<OperationAnswer<AddedProjects>> {
  await throwUnlessMembership(services, actor, id);
  const data = await answerOnce<AddedProjects>(services, actor, [id, sent], async (keep) => {
    const { found, families, notFound } = await readCurrentIds(services, actor, [...new Set(sent)]);
    const answer = (insertedIds: readonly number[]): AddedProjects => {
      const inserted = new Set(insertedIds);
      const [added, alreadyPresent]: [number[], number[]] = [[], []];
      // If two ids mean one record, only the first is reported as added.
      for (const [asked, current] of found) (inserted.delete(current) ? added : alreadyPresent).push(asked);
      return { added, alreadyPresent, notFound };
    };
    return answer(await services.lists.addProjects(id, families, (tx, inserted) => keep(tx, answer(inserted))));
  });
  return { data, meta: { creditsUsed: 0 } };
}

/**
 * `PATCH /lists/{id}/projects/{projectId}`: why the project is followed; for everyone who sees the list.
 * @throws ApiError `resource_not_found` when the list does not hold the project
 */
export async function noteProject(
  services: ListServices,
  actor: Actor,
  { id, projectId }: { id: string; projectId: number },
  note: string | null,
): Promise<OperationAnswer<{ projectId: number; note: string | null }>> {
  await throwUnlessMembership(services, actor, id);
  const { families } = await readCurrentIds(services, actor, [projectId]);
  const text = note?.trim() || null;
  if (!(await services.lists.setNote(id, [projectId, ...[...families.values()].flat()], text)))
    throw new ApiError('resource_not_found', `The list has no project ${projectId}`, { param: 'projectId' });
  return { data: { projectId, note: text }, meta: { creditsUsed: 0 } };
}

/** Notes by the ids of the records as they are now. */
export async function readCurrentNotes(
  services: ListServices,
  actor: Whose,
  notes: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const { found } = await readCurrentIds(services, actor, [...notes.keys()]);
  return new Map([...found].map(([sent, current]) => [current, notes.get(sent) ?? '']));
}

/** `DELETE /lists/{id}/projects/{projectId}`: removes the record by whichever of its ids the list holds. @throws ApiError */
export async function removeProject(
  services: ListServices,
  actor: Actor,
  id: string,
  projectId: number,
): Promise<OperationAnswer<{ projectId: number; removed: boolean }>> {
  await throwUnlessMembership(services, actor, id);
  const { families } = await readCurrentIds(services, actor, [projectId]);
  const removed = await services.lists.removeProjects(id, [projectId, ...[...families.values()].flat()]);
  return { data: { projectId, removed }, meta: { creditsUsed: 0 } };
}
