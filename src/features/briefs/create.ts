/** Prices and makes briefs. What a brief charges for its precedents is charged by the path that bills pages. */

import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import { throwIfAboveBound } from '../../core/domain/credits.ts';
import { denyPlaces } from '../../core/domain/entitlement.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { RestrictedUse } from '../../core/domain/restriction/schemas.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import type { Actor } from '../../core/search/actor.ts';
import { clampLimit, makeCollectionMeta } from '../../core/search/collection.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import { selectUnfiltered } from '../../core/search/select.ts';
import { type ServedPage, servePage, toPublicRecords } from '../../core/search/servePage.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { choosePrecedents, type GatherServices, gatherBrief, widenRegion } from './gather.ts';
import type { BriefRequest } from './request.ts';
import { PRECEDENTS_USUAL } from './schemas.ts';
import { writeSections } from './sections.ts';
import { findSite } from './site.ts';
import { type BriefEntry, type BriefStore, makeBriefId } from './store.ts';
import type { BriefBody, BriefContent, BriefSite, StoredBrief } from './types.ts';

export interface BriefServices extends GatherServices {
  briefs: BriefStore;
  ledger: Ledger;
}

interface Planned {
  site: BriefSite;
  use: RestrictedUse | null;
  hits: ProjectHit[];
}

/** Finds the place and the precedents. Without a use that of the project counts. @throws ApiError */
async function planBrief(services: BriefServices, actor: Actor, body: BriefBody, read: BriefRequest): Promise<Planned> {
  const found = await widenRegion(services, actor, await findSite(services, actor, body, read));
  const site = { ...found, label: body.place.name ?? found.label };
  const use = read.use ?? site.subject?.use ?? null;
  return { site, use, hits: await choosePrecedents(services, actor, site, use, body.maxPrecedents ?? PRECEDENTS_USUAL) };
}

/** `POST /briefs/price`: what the precedents of the brief would cost now. Free. @throws ApiError */
export async function priceBrief(services: BriefServices, actor: Actor, body: BriefBody, read: BriefRequest) {
  const { hits } = await planBrief(services, actor, body, read);
  const { teamId, plan } = actor.principal;
  const items = hits.map(({ project: { id, contentRevision } }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const held = plan.recordCredit > 0 && items.length ? await services.holdings.pageHoldings(teamId, items) : new Map();
  const billed = plan.recordCredit > 0 ? items.filter(({ id }) => !held.get(id)?.paid).length : 0;
  return { data: { creditsRequired: billed * plan.recordCredit, precedents: hits.length }, meta: { creditsUsed: 0 } };
}

/** Everything of a brief that one state of the records answers: asked again where they were replaced meanwhile. @throws ApiError */
async function writeBrief(
  services: BriefServices,
  actor: Actor,
  body: BriefBody,
  read: BriefRequest,
): Promise<Planned & { content: BriefContent }> {
  for (let attempt = 1; ; attempt++) {
    const [version, release] = await Promise.all([services.store.readServedVersion(actor.signal), services.releases.release()]);
    const planned = await planBrief(services, actor, body, read);
    const gathered = await gatherBrief(services, actor, planned);
    if (attempt < 2 && (await services.store.readServedVersion(actor.signal)) !== version) continue;
    const { site, use, hits } = planned;
    const selection = selectUnfiltered(environmentOf(services).today);
    const content: BriefContent = {
      place: {
        ...body.place,
        label: site.label,
        stateId: site.stateId,
        countyId: site.countyId,
        cityId: site.cityId,
        location: site.point,
      },
      use,
      asOf: (release?.activatedAt ?? services.now()).toISOString(),
      generation: release?.generation ?? null,
      sections: writeSections(gathered),
      precedents: toPublicRecords({ hits, selection, representation: 'compact' }, actor.principal, services.publicUrl, NOBODY),
    };
    return { ...planned, content };
  }
}

/** Charges for the precedents and keeps the brief, both or neither. @throws ApiError `insufficient_credits` with its quote, `credits_exhausted` */
async function chargeBrief(
  services: BriefServices,
  actor: Actor,
  id: string,
  { hits, content }: Planned & { content: BriefContent },
  maxCredits: number | undefined,
): Promise<{ page: ServedPage; brief: StoredBrief }> {
  const { teamId, userId } = actor.principal;
  let brief: StoredBrief | undefined;
  const deliverPage: Ledger['deliverPage'] = (payer, items, terms) => {
    const charge = async (tx: Queryable) => {
      const outcome = await services.ledger.deliverPage(payer, items, { ...terms, truncate: false }, tx);
      if (outcome.outcome !== 'delivered') return { outcome, creditsUsed: undefined };
      throwIfAboveBound('The brief costs', outcome.cost, 'maxCredits', maxCredits);
      return { outcome, creditsUsed: outcome.cost };
    };
    return services.briefs.keepWith({ id, teamId, userId, content }, charge, (kept) => {
      brief = kept;
    });
  };
  const ledger = {
    deliverPage,
    deliverDocument: services.ledger.deliverDocument.bind(services.ledger),
    balance: services.ledger.balance.bind(services.ledger),
  };
  const page = await servePage({ ...services, ledger }, actor, {
    hits,
    selection: selectUnfiltered(environmentOf(services).today),
    representation: 'compact',
    quoteOf: () => ({
      matchCount: hits.length,
      matchCountIsExact: true,
      countUrl: null,
      limitName: 'maxPrecedents',
    }),
    keep: { briefId: id },
  });
  // Free records would be served although nothing could be written, but then nothing is kept.
  if (!brief || !page.delivery.ledgerApplied) throw briefUnkeptError();
  return { page, brief };
}

const briefUnkeptError = () =>
  new ApiError('service_unavailable', 'The brief could not be kept; nothing was charged. Repeat the request shortly.');

const unknownBriefError = (id: string) =>
  new ApiError('resource_not_found', `There is no brief ${id}; a brief is kept for 30 days`, { param: 'id' });

/** As it is answered. */
const viewEntry = ({ createdAt, expiresAt, ...brief }: BriefEntry, publicUrl: string) => ({
  ...brief,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  url: `${publicUrl}/map?brief=${brief.id}`,
});

function viewBrief(brief: StoredBrief, publicUrl: string) {
  const { sections, precedents, ...entry } = brief;
  const delivery = { alreadyExported: true, updatedSinceExport: false, lastExportedAt: brief.createdAt.toISOString(), billed: false };
  return { ...viewEntry(entry, publicUrl), sections, precedents: precedents.map((record) => ({ ...record, delivery })) };
}

/** @throws ApiError `resource_not_found`, `geographic_access_denied` where the licence no longer covers its place */
async function findBrief({ briefs, places }: BriefServices, { principal }: Actor, id: string): Promise<StoredBrief> {
  const brief = await briefs.find(principal.teamId, id);
  if (!brief) throw unknownBriefError(id);
  const { stateId, countyId } = brief.place;
  const denial = denyPlaces(principal, countyId ? { countyIds: [countyId] } : { stateIds: stateId ? [stateId] : [] }, places);
  if (denial) throw denial;
  return brief;
}

type BriefView = ReturnType<typeof viewBrief>;

/**
 * `POST /briefs`: charges for precedents that are new to the pool, as a page of them would; refused whole where they cannot be paid. A repeated
 * request answers the kept brief.
 * @throws ApiError
 */
export function createBrief(
  services: BriefServices,
  actor: Actor,
  body: BriefBody,
  read: BriefRequest,
): Promise<OperationAnswer<BriefView>> {
  return runOnce<OperationAnswer<BriefView>>(services, actor, canonicalJson(body), {
    run: async (claiming) => {
      const written = await writeBrief(services, claiming, body, read);
      const { page, brief } = await chargeBrief(services, claiming, makeBriefId(), written, body.maxCredits);
      const { creditsUsed, creditsRemaining, delivery } = page;
      return { data: viewBrief(brief, services.publicUrl), meta: { creditsUsed, creditsRemaining, delivery } };
    },
    replay: async ({ kept }) => {
      const brief = await findBrief(services, actor, (kept as { briefId: string }).briefId);
      return { data: viewBrief(brief, services.publicUrl), meta: { creditsUsed: 0 } };
    },
  });
}

/** `GET /briefs/{id}`. Free. @throws ApiError `resource_not_found` */
export async function readBriefById(services: BriefServices, actor: Actor, id: string): Promise<OperationAnswer<BriefView>> {
  return { data: viewBrief(await findBrief(services, actor, id), services.publicUrl), meta: { creditsUsed: 0 } };
}

/** `GET /briefs`: without statements. Free. @throws ApiError */
export async function listBriefs({ briefs, publicUrl }: BriefServices, { principal }: Actor, asked: { limit: number; offset: number }) {
  const found = await briefs.list(principal.teamId, clampLimit(asked.limit).limit, asked.offset);
  return {
    data: found.briefs.map((brief) => viewEntry(brief, publicUrl)),
    meta: makeCollectionMeta(asked, found.briefs.length, found.total),
  };
}

/** `DELETE /briefs/{id}`: nothing comes back of what it charged. @throws ApiError `resource_not_found` */
export async function deleteBrief({ briefs }: BriefServices, { principal }: Actor, id: string) {
  if (!(await briefs.delete(principal.teamId, id))) throw unknownBriefError(id);
  return { data: { id, deleted: true as const }, meta: { creditsUsed: 0 } };
}
