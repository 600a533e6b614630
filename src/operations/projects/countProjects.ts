import type { RawParameters } from '../../filter/parse.ts';
import type { Actor } from '../../search/actor.ts';
import { evidenceWarning } from '../../search/evidence.ts';
import { governmentWarning } from '../../search/governmentWarning.ts';
import { type Price, priceConfirming } from '../../search/price.ts';
import { type Answer, environmentOf, type ProjectServices } from '../../search/services.ts';
import { parseCount } from './countRequest.ts';
import { withhold } from './withhold.ts';

/** Hears of every count that was answered: who asked, and how many records matched. */
export type CountObserver = (teamId: number, matches: number) => void;

/** A count takes `projectIds` alone: to have government items with it takes another route. */
const SEARCH_INSTEAD = 'GET /projects/search takes includeGovernmentDecisions=true with projectIds';

/** `GET /projects/count`: exact size and price of a whole match set, free of charge and at any balance. @throws ApiError */
export async function countProjects(
  services: ProjectServices & { counted?: CountObserver | undefined },
  actor: Actor,
  raw: RawParameters,
): Promise<Answer<Price>> {
  const { principal, signal } = actor;
  const { selection, deliveryMode } = parseCount(raw, principal, environmentOf(services));
  const withheld = deliveryMode === 'new' ? await withhold(services, actor, selection.query) : null;
  const [{ price: priced, unconfirmed }, leftOut] = await Promise.all([
    priceConfirming(services, principal, { query: withheld?.query ?? selection.query, selection }, signal),
    governmentWarning(services.store, selection, SEARCH_INSTEAD, actor),
  ]);
  services.counted?.(principal.teamId, priced.matchCount);
  return {
    data: { ...priced },
    meta: {
      creditsUsed: 0,
      ...(withheld ? { delivery: { mode: deliveryMode, excludedPreviouslyDelivered: withheld.excluded } } : {}),
      warnings: [...selection.warnings, ...leftOut, ...evidenceWarning(unconfirmed)],
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}
