/** Clauses that match the records that a pool holds. */
import type { Principal } from '../domain/principal.ts';
import type { HeldView } from '../ledger/heldNumbers.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import { anyOf, type Clause } from '../query/clauses.ts';
import { idTerms, type Longs, longTerms } from '../query/longs.ts';

const NOTHING: Clause = { match_none: {} };

/** Matches every record that was ever delivered to the pool. */
export async function heldClause(holdings: HoldingStore, { teamId }: Pick<Principal, 'teamId'>): Promise<Clause> {
  const ids = await holdings.ids(teamId);
  return ids.length ? anyOf(idTerms('id', ids)) : NOTHING;
}

/** Matches the records whose current revision was delivered to the pool; they are not billed again. */
export async function paidClause(holdings: HoldingStore, { teamId }: Pick<Principal, 'teamId'>): Promise<Clause> {
  return paidIn(await holdings.revisions(teamId));
}

/** Matches the records whose current revision is held. */
export function paidIn(held: HeldView): Clause {
  const lists = [...held.lists()];
  return lists.length ? anyOf(lists.map(revisionsIn)) : NOTHING;
}

/** Matches the records whose current revision is in the list. */
export const revisionsIn = (hashes: Longs): Clause => longTerms('derived.revisionHash', hashes);
