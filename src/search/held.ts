/** Records that a pool holds, in a query. */
import type { Principal } from '../domain/principal.ts';
import { anyOf, type Clause } from '../query/clauses.ts';
import { idTerms } from '../query/longs.ts';
import type { HoldingStore } from '../store/postgres/holdings.ts';

const NOTHING: Clause = { match_none: {} };

/** Matches what the pool was ever delivered. */
export async function heldClause(holdings: HoldingStore, { teamId }: Pick<Principal, 'teamId'>): Promise<Clause> {
  const { ids } = await holdings.of(teamId);
  return ids.length ? anyOf(idTerms('id', ids)) : NOTHING;
}
