/** What the contacts of a match set cost: which of its rows are looked up, for how many credits, and how many look-ups are left. */
import type { LookUpOptions } from '../../domain/enrichment.ts';
import { EXPORT_LOOK_UPS_MAX } from '../../domain/exports.ts';
import { sortClauses } from '../../query/sort.ts';
import type { Actor } from '../../search/actor.ts';
import type { ContactsPrice } from '../../search/price.ts';
import type { ProjectServices } from '../../search/services.ts';
import type { ProjectSets } from '../../store/elastic/projectSets.ts';
import type { UnlockStore } from '../../store/postgres/unlocks.ts';
import { orderCap } from '../projects/searchProjects.ts';
import type { SearchRequest } from '../projects/searchRequest.ts';
import { ledgerOf } from './submitEnrichment.ts';

export interface ContactsPricing extends Pick<ProjectServices, 'store' | 'now'> {
  sets: ProjectSets;
  unlocks: Pick<UnlockStore, 'ofPage' | 'states' | 'used'>;
  /** records that a file holds at most */
  exportRowsMax: number;
}

export interface LookedUpSet extends Pick<SearchRequest, 'selection' | 'sort'> {
  query: Record<string, unknown>;
  options: LookUpOptions;
}

export interface PricedContacts extends ContactsPrice {
  /** the first rows that the pool has not looked up lately */
  projectIds: number[];
}

/** Of what an export of the set would look up. @throws ApiError `search_unavailable`, `enrichment_ledger_unavailable` */
export async function priceContacts(
  services: ContactsPricing,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { query, selection, sort, options }: LookedUpSet,
): Promise<PricedContacts> {
  const { sets, unlocks, exportRowsMax } = services;
  const { teamId, plan } = principal;
  const order = sortClauses(sort, await orderCap(services, { selection, sort }, signal));
  const ids = (await sets.revisions({ query, sort: order }, exportRowsMax, signal)).map(({ id }) => id);
  const { limit, period } = plan.enrichment;
  const [known, used] = await ledgerOf(
    Promise.all([unlocks.states(teamId, ids), limit === null ? 0 : unlocks.used(teamId, period === 'lifetime')]),
  );
  const isDone = (id: number) => known.get(id)?.recent && (options.companyOnly || known.get(id)?.opens !== 'companies');
  const projectIds = ids.filter((id) => !isDone(id)).slice(0, options.maxProjects ?? EXPORT_LOOK_UPS_MAX);
  const unpaid = projectIds.filter((id) => !known.get(id)?.received).length;
  return {
    projectIds,
    lookUps: projectIds.length,
    credits: options.companyOnly ? 0 : unpaid * plan.contactCredit,
    lookUpsRemaining: limit === null ? null : Math.max(0, limit - used),
  };
}
