import { sortClauses } from '../../core/query/sort.ts';
import type { Actor } from '../../core/search/actor.ts';
import { readGovernmentWarning } from '../../core/search/governmentWarning.ts';
import { addContactsPrice, type Price, type PriceWithContacts, priceWithUnconfirmed } from '../../core/search/price.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import { withholdDelivered } from '../../core/search/withhold.ts';
import type { CountObserver } from '../../core/store/callWatch.ts';
import { type ContactsPricing, priceContacts, switchedOff } from '../contacts/index.ts';
import type { CountRequest } from './countRequest.ts';

export interface CountServices extends ContactsPricing, ProjectServices {
  unlocks: ContactsPricing['unlocks'];
  counted?: CountObserver | undefined;
  /** whether the operator enabled contact finding */
  findsContacts: boolean;
}

/** Contacts that were found before are free. */
const READ_BACK = { lookUps: 0, credits: 0, lookUpsRemaining: null };

/** A count accepts `projectIds` only; government items are included by another route. */
const SEARCH_INSTEAD = 'GET /projects/search takes includeGovernmentDecisions=true with projectIds';

/** `GET /projects/count`: exact size and price of a whole match set, free of charge and at any balance. @throws ApiError */
export async function countProjects(
  services: CountServices,
  actor: Actor,
  { selection, sort, deliveryMode, contacts: options }: CountRequest,
): Promise<OperationAnswer<Price | PriceWithContacts>> {
  const { principal, signal } = actor;
  if (options && !services.findsContacts) throw switchedOff('include');
  const order = async () => sortClauses(sort, await readOrderCap(services, { selection, sort }, signal));
  const wanted = { query: selection.query, order, max: options ? services.exportRowsMax : 0 };
  const withheld = deliveryMode === 'new' ? await withholdDelivered(services, actor, wanted) : null;
  const query = withheld?.query ?? selection.query;
  const [{ price: priced, unconfirmed }, leftOut, contacts] = await Promise.all([
    priceWithUnconfirmed(services, principal, { query: selection.query, selection, withheld }, signal),
    readGovernmentWarning(services.store, selection, SEARCH_INSTEAD, actor),
    options ? priceContacts(services, actor, { query, selection, sort, options }) : options === null ? READ_BACK : undefined,
  ]);
  services.counted?.(principal.teamId, priced.matchCount);
  return {
    data: contacts ? addContactsPrice(priced, contacts) : priced,
    meta: {
      creditsUsed: 0,
      ...(withheld ? { delivery: { mode: deliveryMode, excludedPreviouslyDelivered: withheld.excluded } } : {}),
      warnings: [...selection.warnings, ...leftOut, ...evidenceWarning(unconfirmed)],
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}
