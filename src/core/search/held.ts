/** Clauses that match the records that a pool holds. */
import type { Principal } from '../domain/principal.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import { anyOf, type Clause } from '../query/clauses.ts';
import { idTerms, longTerms } from '../query/longs.ts';

const NOTHING: Clause = { match_none: {} };

/** Matches every record that was ever delivered to the pool. */
export async function heldClause(holdings: HoldingStore, { teamId }: Pick<Principal, 'teamId'>): Promise<Clause> {
  const { ids } = await holdings.read(teamId);
  return ids.length ? anyOf(idTerms('id', ids)) : NOTHING;
}

/** Matches the records whose current revision was delivered to the pool; they are not billed again. */
export async function paidClause(holdings: HoldingStore, { teamId }: Pick<Principal, 'teamId'>): Promise<Clause> {
  const { revisionLists } = await holdings.read(teamId);
  return revisionLists.length ? anyOf(revisionLists.map((list) => longTerms('derived.revisionHash', list))) : NOTHING;
}
