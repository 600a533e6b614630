/**
 * How many matches of a query a pool holds unchanged, for a pool that owns much. Sending all that it holds takes Elasticsearch seconds, so
 * that the matches are read and looked up here where they are few in comparison, and what was counted before is not counted again while
 * readers see the same records: holdings only grow, and only what was added since is sent. The count is exact in each way.
 */
import { createHash } from 'node:crypto';
import type { HeldView } from '../ledger/heldNumbers.ts';
import { allOf, type Clause } from '../query/clauses.ts';
import type { Longs } from '../query/longs.ts';
import { bodyText } from '../store/elastic/bodyText.ts';
import { unavailable } from '../store/elastic/client.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import { revisionsIn } from './held.ts';

/** A pool that owns at most so many revisions sends them with the query itself. */
export const SENT_WHOLE_MAX = 20_000;
/** Reading a match takes as long as Elasticsearch takes for so many revisions that it is sent. */
const REVISIONS_A_MATCH = 8;
/** Counts begun again because a load was published meanwhile. */
const ATTEMPTS_MAX = 5;

/**
 * Counts the matches together with others that are wanted of the same moment.
 * @param count counts the queries in one round trip; the first is `query`
 * @returns what `count` returned, and the matches whose current revision is held
 * @throws ApiError `search_unavailable`
 */
export async function countUnchanged<T extends { counts: number[] }>(
  store: ProjectStore,
  held: HeldView,
  query: Clause,
  count: (queries: Clause[]) => Promise<T>,
  signal?: AbortSignal,
): Promise<T & { unchangedCount: number }> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const served = await store.servedVersion(signal);
    const set = createHash('sha256')
      .update(`${served}\n${bodyText(query)}`)
      .digest('base64');
    const counted = await countOnce(store, held, { query, set }, count, signal);
    if ((await store.servedVersion(signal)) !== served || !counted) continue;
    held.remember(set, { size: counted.counts[0] ?? 0, held: counted.unchangedCount });
    return counted;
  }
  throw unavailable('What is served changed during every count');
}

/** @returns undefined when the matches changed meanwhile */
async function countOnce<T extends { counts: number[] }>(
  store: ProjectStore,
  held: HeldView,
  { query, set }: { query: Clause; set: string },
  count: (queries: Clause[]) => Promise<T>,
  signal?: AbortSignal,
): Promise<(T & { unchangedCount: number }) | undefined> {
  const known = held.counted(set);
  const added = known?.since.count ? [matchesIn(query, known.since)] : [];
  const counted = await count([query, ...added]);
  const [matchCount = 0, addedCount = 0] = counted.counts;
  if (known?.size === matchCount) return { ...counted, unchangedCount: known.held + addedCount };
  const isShort = matchCount * REVISIONS_A_MATCH < held.size;
  const unchangedCount = isShort ? await lookUp(store, held, query, matchCount, signal) : await countSent(store, held, query, signal);
  return unchangedCount === undefined ? undefined : { ...counted, unchangedCount };
}

const matchesIn = (query: Clause, hashes: Longs): Clause => allOf([query, revisionsIn(hashes)]);

/** Reads the matches and looks each up. @returns undefined when there are not `matchCount` any more */
async function lookUp(
  store: ProjectStore,
  held: HeldView,
  query: Clause,
  matchCount: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  let [read, unchanged] = [0, 0];
  for await (const hashes of store.revisionHashes(query, matchCount, signal)) {
    read += hashes.length;
    for (const hash of hashes) if (held.has(hash)) unchanged += 1;
  }
  return read === matchCount ? unchanged : undefined;
}

/** Sends all that is held, a list at a time; no revision is in two lists. */
async function countSent(store: ProjectStore, held: HeldView, query: Clause, signal?: AbortSignal): Promise<number> {
  let unchanged = 0;
  for (const hashes of held.lists()) {
    const [count = 0] = await store.counts([matchesIn(query, hashes)], signal);
    unchanged += count;
  }
  return unchanged;
}
