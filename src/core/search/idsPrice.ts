/** `X-Service-Max-Credits` on a selection by ids: its refusal prices what it is about to refuse, and must not say what an id has not been paid for. */
import { throwIfAboveMax } from '../domain/credits.ts';
import { compileFilters } from '../filter/compile.ts';
import { namesIn } from '../filter/table.ts';
import type { Actor } from './actor.ts';
import { type Pricing, price } from './price.ts';
import type { Selection } from './select.ts';

/**
 * With another filter beside `projectIds` the price of the matches would tell, free of charge, what a record says that its id names: a count
 * refuses that too. So that it tells nothing, the ids are priced without the other filters, which is at least as much.
 * @param recordsMax that the request delivers at most
 * @throws ApiError `invalid_request` with that price where it is above what the request may cost
 */
export async function throwIfIdsAboveMax(
  pricing: Pricing,
  { principal, maxCredits, signal }: Actor,
  { selection, recordsMax }: { selection: Selection; recordsMax: number },
): Promise<void> {
  // The others choose among the ids by what their records say.
  const { projectIds, includeGovernmentDecisions, ...others } = selection.filters;
  const rate = principal.plan.recordCredit;
  if (maxCredits === undefined || !rate || !projectIds || !namesIn(others).length) return;
  const flag = includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions };
  const query = compileFilters({ projectIds, ...flag }, selection.scope, selection.context);
  const { creditsRequired } = await price(pricing, principal, query, signal);
  throwIfAboveMax(Math.min(creditsRequired, recordsMax * rate), maxCredits);
}
