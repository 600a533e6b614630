/** Accepts an enrichment: decides which projects are looked up, reserves credits and allowance, and queues the job; all or nothing. */
import { nextMonth } from '../../core/domain/credits.ts';
import { ApiError, renameOutage } from '../../core/domain/errors.ts';
import { scopeOf } from '../../core/domain/principal.ts';
import { compileFilters } from '../../core/filter/compile.ts';
import { ROLES_OF } from '../../core/filter/use.ts';
import { allowanceView, type LookUpOptions, lookUpStanding, type WantedProject } from '../../core/people/enrichment.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { unreservedError } from '../../core/search/delivery.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { fetchHits } from '../../core/store/elastic/projects.ts';
import { enrichmentJob } from './job.ts';
import type { EnrichmentStore } from './store.ts';
import { type Enrichment, enrichmentView } from './view.ts';

export interface EnrichmentServices extends ProjectServices {
  enrichments: EnrichmentStore;
  unlocks: UnlockStore;
  /** false if the operator switched contact finding off */
  findsContacts: boolean;
}

/** @param param the parameter that asks for contacts */
export const switchedOff = (param: string | null = null) =>
  new ApiError('enrichment_unavailable', 'Contact finding is not enabled in this environment; nothing was charged.', { param });

/** `POST /enrichments`. @throws ApiError */
export async function submitEnrichment(
  services: EnrichmentServices,
  actor: Actor,
  body: { projectIds: number[]; contactOptions?: LookUpOptions; notify?: { email?: boolean } },
): Promise<OperationAnswer<Enrichment>> {
  const { projectIds, contactOptions = {} } = body;
  const ids = [...new Set(projectIds)];
  const same = JSON.stringify([ids, Object.entries(contactOptions).sort()]);
  const data = await runOnce(services, actor, same, {
    run: (claiming) => accept(services, claiming, ids, contactOptions),
    replay: async ({ kept }) => enrichmentView(await services.enrichments.readKept(actor.principal, kept), services.publicUrl),
  });
  return { data, meta: { creditsUsed: 0 } };
}

/** `GET /enrichments/{id}`. @throws ApiError `resource_not_found` */
export async function readEnrichment(
  { enrichments, publicUrl }: EnrichmentServices,
  { principal }: Pick<Actor, 'principal'>,
  id: string,
): Promise<OperationAnswer<Enrichment>> {
  return { data: enrichmentView(await enrichments.read(principal, id), publicUrl), meta: { creditsUsed: 0 } };
}

async function accept(services: EnrichmentServices, actor: Actor, ids: readonly number[], options: LookUpOptions): Promise<Enrichment> {
  if (!services.findsContacts) throw switchedOff();
  const { plan } = actor.principal;
  const { accepted, unpaid, ...skipped } = await disposed(services, actor, ids, options);
  const reserve = options.companyOnly ? 0 : unpaid * plan.contactCredit;
  const payload = { projects: accepted, options, rate: plan.contactCredit };
  const answer = await services.enrichments.accept(enrichmentJob, payerOf(actor), {
    payload,
    skipped,
    allowance: plan.enrichment,
    credits: reserve,
  });
  if (answer.outcome === 'accepted') return enrichmentView(answer.row, services.publicUrl);
  if (answer.outcome === 'no_allowance') throw noAllowance(actor, accepted.length, answer.used, services.now());
  throw unreservedError(answer, 'The look-ups reserve', 'Send fewer ids.', {
    matchCount: accepted.length,
    matchCountIsExact: true,
    creditRate: plan.contactCredit,
    creditsRequired: reserve,
    affordableRecordCount: accepted.length - unpaid + answer.balance,
    countUrl: null, // a count prices the records, too
  });
}

/** @param now from which the day of the next reset follows */
export function noAllowance({ principal }: Pick<Actor, 'principal'>, requested: number, used: number, now: Date): ApiError {
  const { limit, period } = principal.plan.enrichment;
  const allowance = allowanceView({ used, limit, resetsAt: period === 'month' ? nextMonth(now) : null });
  const message = `${requested} look-ups are more than the ${allowance.remaining} that are left of the allowance; nothing was queued. Send fewer ids.`;
  return new ApiError('enrichment_allowance_exceeded', message, { details: { requested, allowance } });
}

interface Disposition {
  accepted: WantedProject[];
  alreadyEnriched: number[];
  notPurchased: number[];
  notFound: number[];
  /** accepted projects without an email or phone that the pool has paid for */
  unpaid: number;
}

/** The current record of each id, with its own id and those merged into it. */
async function recordsOf(services: EnrichmentServices, { principal, signal }: Actor, ids: readonly number[]) {
  const context = { roles: ROLES_OF.primary_or_secondary, today: environmentOf(services).today };
  const query = compileFilters({ projectIds: [...ids], includeGovernmentDecisions: true }, scopeOf(principal), context);
  const hits = await fetchHits(services.store, { query, size: ids.length, representation: 'compact', signal });
  const families = hits.map(({ project: { id, compact } }) => ({ id, family: compact.mergedFrom ?? [id] }));
  return new Map(families.flatMap((one) => one.family.map((member) => [member, one] as const)));
}

async function disposed(
  services: EnrichmentServices,
  actor: Actor,
  ids: readonly number[],
  { companyOnly = false }: LookUpOptions,
): Promise<Disposition> {
  const { teamId, plan } = actor.principal;
  const records = await recordsOf(services, actor, ids);
  const members = [...new Set([...records.values()].flatMap(({ family }) => family))];
  const [held, states] = await requireUnlocks(
    Promise.all([services.holdings.heldAmong(teamId, members), services.unlocks.states(teamId, members)]),
  );
  const made: Disposition = { accepted: [], alreadyEnriched: [], notPurchased: [], notFound: [], unpaid: 0 };
  const taken = new Set<number>();
  for (const askedId of ids) {
    const record = records.get(askedId);
    const { isEnriched, isPaid } = lookUpStanding(states, record?.family ?? [], companyOnly);
    if (!record) made.notFound.push(askedId);
    else if (plan.enrichmentNeedsPurchase && !record.family.some((member) => held.has(member))) made.notPurchased.push(askedId);
    else if (isEnriched) made.alreadyEnriched.push(askedId);
    // A second id of the same record is a repetition, like the same id sent twice.
    else if (!taken.has(record.id)) {
      taken.add(record.id);
      made.accepted.push({ askedId, projectId: record.id });
      if (!isPaid) made.unpaid += 1;
    }
  }
  return made;
}

/** Reads what the pool has unlocked, which decides what is charged; without it nothing is accepted. @throws ApiError `enrichment_ledger_unavailable` */
export const requireUnlocks = <T>(work: Promise<T>): Promise<T> =>
  renameOutage(work, 'enrichment_ledger_unavailable', 'What the pool holds cannot be read right now; nothing was charged. Retry shortly.');
