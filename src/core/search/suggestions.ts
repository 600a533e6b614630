/** Why nothing matched: for each filter, how many records match without it. */
import { compileFilters } from '../filter/compile.ts';
import { type FilterName, filterOf, namesIn } from '../filter/table.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { Selection } from './select.ts';

export interface Suggestion {
  /** the filter to leave out; for `dateRange`, send `all` */
  without: FilterName;
  /** matches of the other filters */
  matchCount: number;
}

/** Whether a filter excludes records; some only change how others are applied. */
const excludesRecords = (name: FilterName) => filterOf(name).must !== undefined || filterOf(name).mustNot !== undefined;

/**
 * For a selection without matches, counts the matches without each of its filters, in one request. Undefined for filters on records named
 * by ids, which a count refuses too.
 * @throws ApiError `search_unavailable`
 */
export async function countSuggestions(
  { store }: { store: Pick<ProjectStore, 'counts'> },
  { filters, scope, context }: Pick<Selection, 'filters' | 'scope' | 'context'>,
  signal?: AbortSignal,
): Promise<Suggestion[] | undefined> {
  const sent = namesIn(filters).filter(excludesRecords);
  if (filters.projectIds !== undefined || !sent.length) return undefined;
  const queries = sent.map((name) => compileFilters({ ...filters, [name]: undefined }, scope, context));
  const counts = await store.counts(queries, signal);
  return sent.map((without, i) => ({ without, matchCount: counts[i] ?? 0 })).sort((a, b) => b.matchCount - a.matchCount);
}
