import type { RawParameters } from '../filter/parse.ts';
import { type Answer, type Caller, environmentOf, type ProjectServices } from './caller.ts';
import { price } from './price.ts';
import { parseCount } from './request.ts';

/** `GET /projects/count`: exact size and price of a whole match set, free of charge and at any balance. @throws ApiError */
export async function countProjects(
  services: ProjectServices,
  { principal, signal }: Caller,
  raw: RawParameters,
): Promise<Answer<Record<string, unknown>>> {
  const selection = parseCount(raw, principal, environmentOf(services));
  return {
    data: { ...(await price(services, principal, selection.query, signal)) },
    meta: {
      creditsUsed: 0,
      warnings: selection.warnings,
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}
