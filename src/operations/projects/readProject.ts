import { ApiError } from '../../domain/errors.ts';
import { scopeOf } from '../../domain/principal.ts';
import type { PublicRecord } from '../../domain/record/represent.ts';
import type { Representation } from '../../domain/record/statement.ts';
import { compileFilters } from '../../filter/compile.ts';
import { ROLES_OF } from '../../filter/use.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from '../../search/caller.ts';
import { countUrlOf } from '../../search/countUrl.ts';
import { deliver, type PageDelivery, redeliver } from '../../search/delivery.ts';
import { once } from '../../search/idempotency.ts';
import { deliveredRecords, publicRecords, viewOf } from '../../search/page.ts';
import type { ProjectHit } from '../../store/elastic/projects.ts';

const missing = (id: number) =>
  new ApiError('resource_not_found', `There is no project ${id}, or this key may not see it`, { param: 'id' });

/** One record, by its id or that of a record merged into it. @throws ApiError `resource_not_found`, also where the licence hides it */
export async function findProject(
  services: ProjectServices,
  { principal, signal }: Caller,
  id: number,
  representation: Representation,
  alsoFetch: readonly string[] = [],
): Promise<ProjectHit> {
  const context = { roles: ROLES_OF.primary_or_secondary, today: environmentOf(services).today };
  const { hits } = await services.store.page({
    query: compileFilters({ projectIds: [id], includeGovernmentDecisions: true }, scopeOf(principal), context),
    sort: [{ id: 'desc' }],
    size: 1,
    representation,
    alsoFetch,
    count: false,
    signal,
  });
  const [hit] = hits;
  if (!hit) throw missing(id);
  return hit;
}

/** `GET /projects/{id}`: one record, by its id or that of a record merged into it. @throws ApiError `resource_not_found` */
export async function readProject(
  services: ProjectServices,
  caller: Caller,
  id: number,
  representation: Representation,
): Promise<Answer<PublicRecord>> {
  const hit = await findProject(services, caller, id, representation);
  const projects = [hit.project];
  const countUrl = countUrlOf(services.publicUrl, { projectIds: [id] });
  const answer = (delivery: PageDelivery): Answer<PublicRecord> => {
    const selection = { filters: {}, roles: ROLES_OF.primary_or_secondary, meetingCap: environmentOf(services).today };
    const records = publicRecords([hit], selection, viewOf(services, caller, { representation }));
    const [record] = deliveredRecords(records, delivery.deliveries);
    const { creditsUsed, creditsRemaining, meta } = delivery;
    return { data: record as PublicRecord, meta: { representation, creditsUsed, creditsRemaining, delivery: meta, warnings: [] } };
  };
  return once(services, caller, `${id} ${representation}`, {
    run: async (claimed) =>
      answer(await deliver(services, claimed, projects, () => ({ matchCount: 1, matchCountIsExact: true, countUrl }))),
    replay: async (outcome) => {
      // Since the first answer the record may have been merged into another, which was not paid for.
      if (!outcome.ids.includes(hit.project.id)) throw missing(outcome.ids[0] ?? id);
      return answer(await redeliver(services, caller, projects, outcome));
    },
  });
}
