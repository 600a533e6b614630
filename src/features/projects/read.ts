import { ApiError } from '../../core/domain/errors.ts';
import { scopeOf } from '../../core/domain/principal.ts';
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import type { Actor } from '../../core/search/actor.ts';
import { countUrlOf } from '../../core/search/countUrl.ts';
import { once } from '../../core/search/idempotency.ts';
import { unsearched } from '../../core/search/select.ts';
import { type FoundRecords, type ServedPage, serveAgain, servePage } from '../../core/search/servePage.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import type { PageRequest, ProjectHit } from '../../core/store/elastic/projects.ts';
import type { ReadRequest } from './readRequest.ts';

const missing = (id: number) =>
  new ApiError('resource_not_found', `There is no project ${id}, or this key may not see it`, { param: 'id' });

/**
 * Finds a record by its id or that of a record merged into it.
 * @throws ApiError `resource_not_found`, also when the licence does not cover it
 */
export async function findProject(
  services: ProjectServices,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  id: number,
  representation: Representation,
  fetch: Pick<PageRequest, 'alsoFetch' | 'toShow'> = {},
): Promise<ProjectHit> {
  const { context } = unsearched(environmentOf(services).today);
  const { hits } = await services.store.page({
    query: compileFilters({ projectIds: [id], includeGovernmentDecisions: true }, scopeOf(principal), context),
    sort: [{ id: 'desc' }],
    size: 1,
    representation,
    ...fetch,
    count: false,
    signal,
  });
  const [hit] = hits;
  if (!hit) throw missing(id);
  return hit;
}

interface OneRecord {
  /** the requested id */
  id: number;
  /** text that is equal for equal requests */
  request: string;
  /** the record's hit */
  found: FoundRecords;
}

/**
 * Delivers one record, once for an Idempotency-Key.
 * @throws ApiError `resource_not_found` when a repeated request finds another record
 */
export async function deliverOne(services: ProjectServices, actor: Actor, { id, request, found }: OneRecord): Promise<ServedPage> {
  const quoteOf = () => ({ matchCount: 1, matchCountIsExact: true, countUrl: countUrlOf(services.publicUrl, { projectIds: [id] }) });
  return once(services, actor, request, {
    run: (claiming) => servePage(services, claiming, { ...found, quoteOf, mayWithholdPeople: true }),
    replay: async (outcome) => {
      // Since the first answer the record may have been merged into another one, which was not paid for.
      if (!outcome.ids.includes(found.hits[0]?.project.id ?? id)) throw missing(outcome.ids[0] ?? id);
      return serveAgain(services, actor, found, outcome);
    },
  });
}

/** `GET /projects/{id}`: one record, by its id or that of a record merged into it. @throws ApiError `resource_not_found` */
export async function readProject(
  services: ProjectServices,
  actor: Actor,
  id: number,
  { representation, withContacts }: ReadRequest,
): Promise<OperationAnswer<ServedRecord>> {
  const hit = await findProject(services, actor, id, representation, { toShow: true });
  const selection = unsearched(environmentOf(services).today);
  const found = { hits: [hit], selection, representation, withContacts };
  return answer(await deliverOne(services, actor, { id, request: `${id} ${representation}`, found }), representation);
}

function answer(
  { records, creditsUsed, creditsRemaining, delivery, warnings }: ServedPage,
  representation: Representation,
): OperationAnswer<ServedRecord> {
  return { data: records[0] as ServedRecord, meta: { representation, creditsUsed, creditsRemaining, delivery, warnings } };
}
