/** Records of a page that was committed before under an idempotency key, as they are now. */
import { terms, withinScope } from '../query/clauses.ts';
import type { ProjectHit } from '../store/elastic/projects.ts';
import type { Caller, ProjectServices } from './caller.ts';
import { evidencePaths } from './page.ts';
import type { SearchRequest } from './request.ts';

/** In the order of `ids`, without those that are gone or that the licence no longer shows. @throws ApiError `search_unavailable` */
export async function recordsAgain(
  { store }: ProjectServices,
  { signal }: Caller,
  { selection, representation }: Pick<SearchRequest, 'selection' | 'representation'>,
  ids: readonly number[],
): Promise<ProjectHit[]> {
  if (!ids.length) return [];
  const { hits } = await store.page({
    // The filters select nothing here; their named clauses still tell by which evidence a record matches.
    query: { bool: { filter: [terms('id', ids), ...withinScope(selection.scope)], should: [selection.query] } },
    sort: [{ id: 'asc' }],
    size: ids.length,
    representation,
    alsoFetch: evidencePaths(selection.filters),
    count: false,
    signal,
  });
  const place = new Map(ids.map((id, i) => [id, i]));
  return [...hits].sort((a, b) => (place.get(a.project.id) ?? 0) - (place.get(b.project.id) ?? 0));
}
