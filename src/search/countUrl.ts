import type { Selection } from './request.ts';

/** Where the free count of a selection is. Beside `projectIds` a count takes no other filter, so that those alone are named. */
export function countUrlOf(publicUrl: string, { appliedFilters }: Pick<Selection, 'appliedFilters'>): string {
  const { projectIds, includeGovernmentDecisions } = appliedFilters;
  const byId = { projectIds, ...(includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions }) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(projectIds === undefined ? appliedFilters : byId))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return `${publicUrl}/v1/projects/count?${query}`;
}
