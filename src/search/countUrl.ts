import { PROJECT_IDS_MAX } from '../filter/kinds.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
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
 * `projectIds` that a count finds to be exactly the matches of a query; undefined where there are more than a count takes.
 * A count by ids leaves government items out (its warning names them): of such matches it prices the others.
 */
export async function countableIds(
  store: ProjectStore,
  query: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<{ projectIds: number[] } | undefined> {
  const projectIds = await store.ids(query, PROJECT_IDS_MAX + 1, signal);
  return projectIds.length && projectIds.length <= PROJECT_IDS_MAX ? { projectIds } : undefined;
}

/**
 * The parameters under which a count finds exactly the matches of a search. With `projectIds` a count takes no other filter, so that
 * there the matches themselves are named.
 */
export async function countedBy(
  store: ProjectStore,
  { appliedFilters }: Pick<Selection, 'appliedFilters'>,
  { query, deliveryMode, signal }: { query: Record<string, unknown>; deliveryMode: 'all' | 'new'; signal: AbortSignal | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  const { projectIds } = appliedFilters;
  if (projectIds === undefined) return { ...appliedFilters, ...(deliveryMode === 'new' ? { deliveryMode } : {}) };
  return (await countableIds(store, query, signal)) ?? { projectIds };
}
