/** Clauses that match the records that a pool holds. */
import type { Principal } from '../domain/principal.ts';
import type { HeldView } from '../ledger/heldNumbers.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import { anyOf, type Clause } from '../query/clauses.ts';
import { Longs, longTerms } from '../query/longs.ts';
import type { HeldField, ProjectStore } from '../store/elastic/projects.ts';
import { findHeldMatches, isQuicklyRead, SENT_WHOLE_MAX } from './countHeld.ts';

/** Of fewer records that cost credits and that the pool does not hold, nothing is said without charge: it could be said of one. */
export const UNHELD_SHOWN_MIN = 5;

const NOTHING: Clause = { match_none: {} };

interface HeldServices {
  holdings: HoldingStore;
  store: ProjectStore;
}

/**
 * Matches every record that was ever delivered to the pool.
 * @param query among its matches; others may be left out
 * @throws ApiError
 */
export async function makeHeldClause(
  { holdings, store }: HeldServices,
  { teamId }: Pick<Principal, 'teamId'>,
  query: Clause,
  signal?: AbortSignal,
): Promise<Clause> {
  return makeClauseWithin(store, await holdings.readRecords(teamId), { query, field: 'id' }, signal);
}

/**
 * Matches the records whose current revision was delivered to the pool; they are not billed again.
 * @param query among its matches; others may be left out
 * @throws ApiError
 */
export async function paidClause(
  { holdings, store }: HeldServices,
  { teamId }: Pick<Principal, 'teamId'>,
  query: Clause,
  signal?: AbortSignal,
): Promise<Clause> {
  return makeClauseWithin(store, await holdings.revisions(teamId), { query, field: 'derived.revisionHash' }, signal);
}

/** For a pool that owns many records, sends only those that match, unless too many match. */
async function makeClauseWithin(
  store: ProjectStore,
  held: HeldView,
  { query, field }: { query: Clause; field: HeldField },
  signal: AbortSignal | undefined,
): Promise<Clause> {
  if (held.size <= SENT_WHOLE_MAX) return heldNumbersClause(field, held);
  const [matchCount = 0] = await store.counts([query], signal);
  const few = isQuicklyRead(held, matchCount) ? await findHeldMatches(store, held, { query, field, matchCount }, signal) : undefined;
  return few ? numbersClause(field, few) : heldNumbersClause(field, held);
}

/** Matches the records that have one of these numbers. */
function numbersClause(field: HeldField, numbers: readonly string[]): Clause {
  const list = new Longs();
  list.add(numbers);
  return list.count ? longTerms(field, list) : NOTHING;
}

/** Matches the records that have a held number. */
export function heldNumbersClause(field: HeldField, held: Pick<HeldView, 'lists'>): Clause {
  const lists = [...held.lists()];
  return lists.length ? anyOf(lists.map((list) => longTerms(field, list))) : NOTHING;
}
