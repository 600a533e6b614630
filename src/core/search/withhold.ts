import { allOf, anyOf } from '../query/clauses.ts';
import { idTerms } from '../query/longs.ts';
import type { Actor } from './actor.ts';
import type { ProjectServices } from './services.ts';

/** `deliveryMode=new`: leaves out and counts every record that was ever delivered to the pool, even if it changed. */
export async function withhold(
  { holdings, store }: Pick<ProjectServices, 'holdings' | 'store'>,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  query: Record<string, unknown>,
): Promise<{ query: Record<string, unknown>; excluded: number }> {
  const ids = await holdings.ids(principal.teamId);
  if (!ids.length) return { query, excluded: 0 };
  const [excluded = 0] = await store.counts([allOf([query, anyOf(idTerms('id', ids))])], signal);
  return { query: withholdFrom(query, ids), excluded };
}

/** Excludes these records from a query. */
export function withholdFrom(query: Record<string, unknown>, ids: readonly number[]): Record<string, unknown> {
  return ids.length ? { bool: { filter: [query], must_not: idTerms('id', ids) } } : query;
}
