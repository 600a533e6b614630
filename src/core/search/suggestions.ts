/** Why nothing matched: for each filter, how many records match without it. */
import type { Principal } from '../domain/principal.ts';
import { type FilterName, filterOf, namesIn } from '../filter/table.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import { type Selection, selectionOf } from './select.ts';

export interface Suggestion {
  /** the filter to leave out; for `dateRange`, send `all` */
  without: FilterName;
  /** what a count of the other filters says: those that this one replaced take effect, and defaults that it switched off */
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
  { principal, signal }: { principal: Pick<Principal, 'licence'>; signal?: AbortSignal | undefined },
  { filters, sent, context }: Pick<Selection, 'filters' | 'sent' | 'context'>,
): Promise<Suggestion[] | undefined> {
  const names = namesIn(filters).filter(excludesRecords);
  if (filters.projectIds !== undefined || !names.length) return undefined;
  const leaveOut = (name: FilterName) => ({ ...sent, [name]: name === 'dateRange' ? 'all' : undefined });
  const queries = names.map((name) => selectionOf(leaveOut(name), principal, context.today).query);
  const counts = await store.counts(queries, signal);
  return names.map((without, i) => ({ without, matchCount: counts[i] ?? 0 })).sort((a, b) => b.matchCount - a.matchCount);
}
