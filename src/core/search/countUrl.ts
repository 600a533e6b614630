import type { LookUpOptions } from '../people/enrichment.ts';
import type { SortChoice } from '../query/sort.ts';
import type { Selection } from './select.ts';

const urlOf = (path: string) => (publicUrl: string, parameters: Readonly<Record<string, unknown>>) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return `${publicUrl}/v1/projects/${path}?${query}`;
};

/** URL of the free count of these parameters. */
export const countUrlOf = urlOf('count');

/** URL of the search with these parameters. */
export const searchUrlOf = urlOf('search');

/** URL of the walk with these parameters. */
export const walkUrlOf = urlOf('sync');

/**
 * The parameters of a count that finds the matches of a search. With `projectIds` a count accepts no other filter. It then gets the ids
 * that were sent, never those that match, which would reveal what their records say.
 */
export function countParameters(
  { appliedFilters }: Pick<Selection, 'appliedFilters'>,
  deliveryMode: 'all' | 'new',
): Record<string, unknown> {
  const { projectIds } = appliedFilters;
  const filters = projectIds === undefined ? appliedFilters : { projectIds };
  return { ...filters, ...(deliveryMode === 'new' ? { deliveryMode } : {}) };
}

/**
 * Whether that count has the same matches: beside `projectIds` it takes no other filter, and which of the ids these match is not revealed.
 */
export const isCounted = ({ appliedFilters }: Pick<Selection, 'appliedFilters'>): boolean =>
  appliedFilters.projectIds === undefined ||
  Object.entries(appliedFilters).every(([name, value]) => name === 'projectIds' || (name === 'dateRange' && value === 'all'));

/**
 * The parameters that make a count price contacts too.
 * @param sort order of the rows; the first rows are looked up. Newest meeting first by default
 */
export function contactParameters(options: LookUpOptions, sort?: SortChoice): Record<string, unknown> {
  const isUsual = !sort || (sort.field === 'meetingDate' && sort.direction === 'desc');
  return {
    include: 'contacts',
    ...(Object.values(options).some((value) => value !== undefined) ? { contactOptions: options } : {}),
    ...(isUsual ? {} : { sort: sort.field, order: sort.direction }),
  };
}
