/** `deliveryMode=new`: leaves out and counts every record that was ever delivered to the pool, even if it changed. */

import type { Principal } from '../domain/principal.ts';
import type { Unconfirmed } from '../domain/warnings.ts';
import type { HeldView } from '../ledger/heldNumbers.ts';
import { allOf, anyOf, type Clause, terms } from '../query/clauses.ts';
import { idTerms } from '../query/longs.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import { countHeld, makeMatchesKey, SENT_WHOLE_MAX } from './countHeld.ts';
import { makeHeldClause } from './held.ts';
import type { Selection } from './select.ts';
import type { ProjectServices } from './services.ts';
import { countConfirming, unconfirmedAggregations } from './unconfirmedFilters.ts';

/** Matches that are read at a time while new ones are looked for; the last number repeats. */
const READ_AT_ONCE = [500, 2_000, 10_000];

/** What is left of a selection. */
export interface Withheld {
  /** matches what is left; for a pool that owns many records only the first matches, with their total number in `left` */
  query: Clause;
  /** matches that were left out */
  excluded: number;
  left?: number;
}

/** The matches that are wanted: the first ones in an order that ends with the id. */
interface Wanted {
  query: Clause;
  order: () => Promise<Record<string, unknown>[]>;
  max: number;
}

type WithholdingServices = Pick<ProjectServices, 'holdings' | 'store'>;

/** The pool that was delivered records before. */
interface Holder {
  principal: Pick<Principal, 'teamId'>;
  signal?: AbortSignal | undefined;
}

/** @throws ApiError */
export async function withholdDelivered(
  { holdings, store }: WithholdingServices,
  { principal, signal }: Holder,
  wanted: Wanted,
): Promise<Withheld> {
  const { query } = wanted;
  const held = await holdings.readRecords(principal.teamId);
  if (!held.size) return { query, excluded: 0 };
  if (held.size <= SENT_WHOLE_MAX) {
    // As numbers, which a search for records takes.
    const clause = anyOf(
      idTerms(
        'id',
        [...held.lists()].flatMap((list) => list.toNumbers()),
      ),
    );
    const [excluded = 0] = await store.counts([allOf([query, clause])], signal);
    return { query: without(query, clause), excluded };
  }
  const count = async (queries: Clause[]) => ({ counts: await store.counts(queries, signal) });
  const { counts, heldCount: excluded } = await countHeld(store, held, { query, field: 'id' }, count, signal);
  const left = Math.max(0, (counts[0] ?? 0) - excluded);
  const ids = left && wanted.max ? await findFirstNew(store, held, wanted, signal) : [];
  return { query: allOf([query, terms('id', ids)]), excluded, left };
}

const without = (query: Clause, held: Clause): Clause => ({ bool: { filter: [query], must_not: [held] } });

/**
 * The first matches that are not held. If reading them found none but held ones at the beginning, that is remembered until other records
 * are served: a pool that takes what is new page by page goes on there.
 */
async function findFirstNew(store: ProjectStore, held: HeldView, wanted: Wanted, signal?: AbortSignal): Promise<number[]> {
  const { query, max } = wanted;
  const order = await wanted.order();
  const served = await store.readServedVersion(signal);
  const name = makeMatchesKey(`${served} ${JSON.stringify(order)}`, query);
  const found: number[] = [];
  let after = held.heldBefore(name);
  for (let reads = 0; found.length < max; reads++) {
    const size = READ_AT_ONCE[Math.min(reads, READ_AT_ONCE.length - 1)] as number;
    const read = await store.listPlaces({ query, sort: order, size, after }, signal);
    const firstNew = read.findIndex(({ id }) => !held.has(String(id)));
    const lastHeld = read.at(firstNew === -1 ? -1 : firstNew - 1);
    if (!found.length && firstNew !== 0 && lastHeld && (await store.readServedVersion(signal)) === served)
      held.noteHeldBefore(name, lastHeld.place);
    for (const { id } of read) if (found.length < max && !held.has(String(id))) found.push(id);
    if (read.length < size) break;
    after = read.at(-1)?.place;
  }
  return found;
}

/** Counts the unconfirmed matches that are left for a pool that owns many records; there are few of them. @throws ApiError */
export async function countUnconfirmedLeft(
  { holdings, store }: WithholdingServices,
  { principal, signal }: Holder,
  query: Clause,
  selection: Pick<Selection, 'filters' | 'context'>,
): Promise<Unconfirmed | null> {
  const { unconfirmed } = unconfirmedAggregations(selection);
  if (!unconfirmed) return null;
  const few = allOf([query, unconfirmed.filter as Clause]);
  const held = await makeHeldClause({ holdings, store }, principal, few, signal);
  return (await countConfirming(store, [without(few, held)], selection, signal)).unconfirmed;
}
