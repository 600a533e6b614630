/** Prices the contacts of a match set: which rows are looked up, for how many credits, and how many look-ups the team has left. */
import { EXPORT_LOOK_UPS_MAX, type LookUpOptions, lookUpStanding } from '../../core/people/enrichment.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';
import { sortClauses } from '../../core/query/sort.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { ContactsPrice } from '../../core/search/price.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import type { SearchRequest } from '../../core/search/searchRequest.ts';
import type { ProjectServices } from '../../core/search/services.ts';
import type { ProjectSets } from '../../core/store/elastic/projectSets.ts';
import { requireUnlocks } from './submit.ts';

export interface ContactsPricing extends Pick<ProjectServices, 'store' | 'now'> {
  sets: ProjectSets;
  unlocks: Pick<UnlockStore, 'pageUnlocks' | 'states' | 'used'>;
  /** records that a file holds at most */
  exportRowsMax: number;
}

interface LookedUpSet extends Pick<SearchRequest, 'selection' | 'sort'> {
  query: Record<string, unknown>;
  options: LookUpOptions;
}

export interface PricedContacts extends ContactsPrice {
  /** the first rows that the pool has not looked up lately */
  projectIds: number[];
}

/** The price of the look-ups that an export of the set would make. @throws ApiError `search_unavailable`, `enrichment_ledger_unavailable` */
export async function priceContacts(
  services: ContactsPricing,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { query, selection, sort, options }: LookedUpSet,
): Promise<PricedContacts> {
  const { sets, unlocks, exportRowsMax } = services;
  const { teamId, plan } = principal;
  const order = sortClauses(sort, await readOrderCap(services, { selection, sort }, signal));
  const records = await sets.revisions({ query, sort: order }, exportRowsMax, signal);
  const { limit, period } = plan.enrichment;
  const members = records.flatMap(({ memberIds }) => memberIds);
  const [states, used] = await requireUnlocks(
    Promise.all([unlocks.states(teamId, members), limit === null ? 0 : unlocks.used(teamId, period === 'lifetime')]),
  );
  const standings = records.map(({ id, memberIds }) => ({ id, ...lookUpStanding(states, memberIds, options.companyOnly) }));
  const wanted = standings.filter(({ isEnriched }) => !isEnriched).slice(0, options.maxProjects ?? EXPORT_LOOK_UPS_MAX);
  const unpaid = wanted.filter(({ isPaid }) => !isPaid).length;
  return {
    projectIds: wanted.map(({ id }) => id),
    lookUps: wanted.length,
    credits: options.companyOnly ? 0 : unpaid * plan.contactCredit,
    lookUpsRemaining: limit === null ? null : Math.max(0, limit - used),
  };
}
