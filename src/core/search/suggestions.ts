/** Why nothing matched: how many records each filter alone keeps out. */
import { compileFilters } from '../filter/compile.ts';
import { type FilterName, filterOf, namesIn } from '../filter/table.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { Selection } from './select.ts';

export interface Suggestion {
  /** the filter that would be left out; for `dateRange` send `all` */
  without: FilterName;
  /** what the same filters without it match */
  matchCount: number;
}

/** Filters that keep records out; others say how those are meant. */
const selects = (name: FilterName) => filterOf(name).must !== undefined || filterOf(name).mustNot !== undefined;

/**
 * Counts what a selection that matches nothing would match without each of its filters, in one request: what counts of these selections say.
 * Undefined where a count would refuse: filters on records that are named by their ids.
 * @throws ApiError `search_unavailable`
 */
export async function suggestionsFor(
  { store }: { store: Pick<ProjectStore, 'counts'> },
  { filters, scope, context }: Pick<Selection, 'filters' | 'scope' | 'context'>,
  signal?: AbortSignal,
): Promise<Suggestion[] | undefined> {
  const sent = namesIn(filters).filter(selects);
  if (filters.projectIds !== undefined || !sent.length) return undefined;
  const queries = sent.map((name) => compileFilters({ ...filters, [name]: undefined }, scope, context));
  const counts = await store.counts(queries, signal);
  return sent.map((without, i) => ({ without, matchCount: counts[i] ?? 0 })).sort((a, b) => b.matchCount - a.matchCount);
}
