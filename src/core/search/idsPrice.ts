/**
 * `X-Service-Max-Credits` on a selection by ids. A refusal states a price, which must not reveal the content of records that were not paid
 * for.
 */
import { throwIfAboveMax } from '../domain/credits.ts';
import { compileFilters } from '../filter/compile.ts';
import { namesIn } from '../filter/table.ts';
import type { Actor } from './actor.ts';
import { type Pricing, priceMatches } from './price.ts';
import type { Selection } from './select.ts';

/**
 * Refuses a selection by ids that costs more than the request allows. With other filters, the price of the matches would reveal, free of
 * charge, what a record says; a count refuses that combination too. So the ids are priced without the other filters, which costs at least
 * as much.
 * @param recordsMax most records that the request delivers
 * @throws ApiError `invalid_request` with the price
 */
export async function throwIfIdsAboveMax(
  pricing: Pricing,
  { principal, maxCredits, signal }: Actor,
  { selection, recordsMax }: { selection: Selection; recordsMax: number },
): Promise<void> {
  // Other filters select among the ids by the content of their records.
  const { projectIds, includeGovernmentDecisions, ...others } = selection.filters;
  const rate = principal.plan.recordCredit;
  if (maxCredits === undefined || !rate || !projectIds || !namesIn(others).length) return;
  const flag = includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions };
  const query = compileFilters({ projectIds, ...flag }, selection.scope, selection.context);
  const { creditsRequired } = await priceMatches(pricing, principal, query, signal);
  throwIfAboveMax(Math.min(creditsRequired, recordsMax * rate), maxCredits);
}
