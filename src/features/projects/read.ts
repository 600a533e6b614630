import { ApiError } from '../../core/domain/errors.ts';
import { scopeOf } from '../../core/domain/principal.ts';
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import type { Actor } from '../../core/search/actor.ts';
import { withStanding } from '../../core/search/charge.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import { selectUnfiltered } from '../../core/search/select.ts';
import { type FoundRecords, type RepeatingServices, type ServedPage, serveAgain, servePage } from '../../core/search/servePage.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import type { PageRequest, ProjectHit } from '../../core/store/elastic/projects.ts';
import type { ReadRequest } from './readRequest.ts';

const projectNotFound = (id: number) =>
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
  const scope = scopeOf(principal);
  const { context } = selectUnfiltered(environmentOf(services).today);
  const queryOf = (projectIds: number[]) => compileFilters({ projectIds, includeGovernmentDecisions: true }, scope, context);
  const hit = await services.store.record(
    id,
    { sameAs: JSON.stringify([scope, context.today]), queryOf, representation, ...fetch },
    signal,
  );
  if (!hit) throw projectNotFound(id);
  return hit;
}

type DeliveringServices = RepeatingServices & Pick<ProjectServices, 'idempotency'>;

interface OneRecord {
  /** the requested id */
  id: number;
  /** text that is equal for equal requests */
  request: string;
  /** the record's hit */
  found: FoundRecords;
}

/**
 * Delivers one record, once for an Idempotency-Key. A repeated request has none if it changed since and that is not paid for.
 * @throws ApiError `resource_not_found` when a repeated request finds another record
 */
export async function deliverOne(services: DeliveringServices, actor: Actor, { id, request, found }: OneRecord): Promise<ServedPage> {
  // A record costs a credit at most, so that only a balance of 0 refuses it, without a quote.
  const quoteOf = () => ({ matchCount: 1, matchCountIsExact: true, countUrl: null });
  return runOnce(services, actor, request, {
    run: (claiming) => servePage(services, claiming, { ...found, quoteOf, mayWithholdPeople: true }),
    replay: async (outcome) => {
      // Since the first answer the record may have been merged into one that was not paid for.
      if (!outcome.ids.includes(found.hits[0]?.project.id ?? id)) throw projectNotFound(outcome.ids[0] ?? id);
      return serveAgain(services, actor, found, outcome);
    },
  });
}

/** `GET /projects/{id}`: one record, by its id or that of a record merged into it; null as `deliverOne` says. @throws ApiError `resource_not_found` */
export async function readProject(
  services: ProjectServices,
  actor: Actor,
  id: number,
  { representation, ...includes }: ReadRequest,
): Promise<OperationAnswer<ServedRecord | null>> {
  const reader = withStanding(services, actor, id);
  const hit = await findProject(services, actor, id, representation, { toShow: true });
  const selection = selectUnfiltered(environmentOf(services).today);
  const found = { hits: [hit], selection, representation, ...includes };
  return makeAnswer(
    await deliverOne(withKnownUnlock(services, reader, id), reader, { id, request: `${id} ${representation}`, found }),
    representation,
  );
}

/** Services that take the record's unlock from the pool's standing. The id may turn out to be of a merged record. */
function withKnownUnlock(services: ProjectServices, { standing }: Actor, id: number): DeliveringServices {
  const { unlocks } = services;
  if (!standing) return services;
  return {
    ...services,
    unlocks: {
      pageUnlocks: async (teamId, ids) => {
        const known = ids.length === 1 && ids[0] === id ? await standing : undefined;
        if (!known) return unlocks.pageUnlocks(teamId, ids);
        return new Map(known.unlock ? [[id, known.unlock]] : []);
      },
    },
  };
}

function makeAnswer(
  { records, creditsUsed, creditsRemaining, delivery, warnings }: ServedPage,
  representation: Representation,
): OperationAnswer<ServedRecord | null> {
  return { data: records[0] ?? null, meta: { representation, creditsUsed, creditsRemaining, delivery, warnings } };
}
