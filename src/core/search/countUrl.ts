import type { LookUpOptions } from '../people/enrichment.ts';
import type { SortChoice } from '../query/sort.ts';
import type { Selection } from './select.ts';

const urlOf = (path: string) => (publicUrl: string, parameters: Readonly<Record<string, unknown>>) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return `${publicUrl}/v1/projects/${path}?${query}`;
};

/** Where these parameters are counted, free of charge. */
export const countUrlOf = urlOf('count');

/** Where they are searched. */
export const searchUrlOf = urlOf('search');

/**
 * The parameters under which a count finds the matches of a search. With `projectIds` a count takes no other filter: there the ids that
 * were sent are named, never those that match, which would say of each what its record holds.
 */
export function countedBy({ appliedFilters }: Pick<Selection, 'appliedFilters'>, deliveryMode: 'all' | 'new'): Record<string, unknown> {
  const { projectIds } = appliedFilters;
  const filters = projectIds === undefined ? appliedFilters : { projectIds };
  return { ...filters, ...(deliveryMode === 'new' ? { deliveryMode } : {}) };
}

/**
 * What a count takes besides them to price contacts too.
 * @param sort of the rows, of which the first are looked up; the newest meeting unless given
 */
export function contactsCounted(options: LookUpOptions, sort?: SortChoice): Record<string, unknown> {
  const isUsual = !sort || (sort.field === 'meetingDate' && sort.direction === 'desc');
  return {
    include: 'contacts',
    ...(Object.values(options).some((value) => value !== undefined) ? { contactOptions: options } : {}),
    ...(isUsual ? {} : { sort: sort.field, order: sort.direction }),
  };
}
