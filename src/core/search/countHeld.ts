/**
 * How many matches of a query a pool holds, for a pool that owns much: by their current revisions, or as records whatever their revision. Sending all that it holds takes Elasticsearch seconds, so
 * that the matches are read and looked up here if they are few in comparison, and what was counted before is not counted again while
 * readers see the same records: holdings only grow, and only what was added since is sent. The count is exact in each way.
 */
import { createHash } from 'node:crypto';
import type { HeldView } from '../ledger/heldNumbers.ts';
import { allOf, type Clause } from '../query/clauses.ts';
import { longTerms } from '../query/longs.ts';
import { toBodyText } from '../store/elastic/bodyText.ts';
import { searchUnavailable } from '../store/elastic/client.ts';
import type { HeldField, ProjectStore } from '../store/elastic/projects.ts';

/** A pool that owns at most so many sends them with the query itself. */
export const SENT_WHOLE_MAX = 20_000;
/** Reading a match takes as long as Elasticsearch takes for so many numbers that it is sent. */
const NUMBERS_A_MATCH = 8;
/** Counts begun again because a load was published meanwhile. */
const ATTEMPTS_MAX = 5;

/** The matches of a query, by a number of each that may be held. */
interface NumberedMatches {
  query: Clause;
  field: HeldField;
}

/**
 * Counts the matches together with others that are wanted of the same moment.
 * @param count counts the queries in one round trip; the first is `query`
 * @returns what `count` returned, and how many matches are held
 * @throws ApiError `search_unavailable`
 */
export async function countHeld<T extends { counts: number[] }>(
  store: ProjectStore,
  held: HeldView,
  { query, field }: NumberedMatches,
  count: (queries: Clause[]) => Promise<T>,
  signal?: AbortSignal,
): Promise<T & { heldCount: number }> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const served = await store.readServedVersion(signal);
    const set = makeMatchesKey(served, query);
    const counted = await countOnce(store, held, { query, field, set }, count, signal);
    if ((await store.readServedVersion(signal)) !== served || !counted) continue;
    held.remember(set, { size: counted.counts[0] ?? 0, held: counted.heldCount });
    return counted;
  }
  throw searchUnavailable('What is served changed during every count');
}

/** @returns undefined when the matches changed meanwhile */
async function countOnce<T extends { counts: number[] }>(
  store: ProjectStore,
  held: HeldView,
  { query, field, set }: NumberedMatches & { set: string },
  count: (queries: Clause[]) => Promise<T>,
  signal?: AbortSignal,
): Promise<(T & { heldCount: number }) | undefined> {
  const known = held.counted(set);
  const added = known?.since.count ? [allOf([query, longTerms(field, known.since)])] : [];
  const counted = await count([query, ...added]);
  const [matchCount = 0, addedCount = 0] = counted.counts;
  if (known?.size === matchCount) return { ...counted, heldCount: known.held + addedCount };
  const heldCount = isQuicklyRead(held, matchCount)
    ? (await findHeldMatches(store, held, { query, field, matchCount }, signal))?.length
    : await countSent(store, held, { query, field }, signal);
  return heldCount === undefined ? undefined : { ...counted, heldCount };
}

/** A name of what the query matches now. @param served the version of what is served */
export const makeMatchesKey = (served: string, query: Clause): string =>
  createHash('sha256')
    .update(`${served}\n${toBodyText(query)}`)
    .digest('base64');

/** Whether the matches are read in less time than all that is held is sent. */
export const isQuicklyRead = (held: HeldView, matchCount: number): boolean => matchCount * NUMBERS_A_MATCH < held.size;

/**
 * Reads the matches and looks each up.
 * @returns the numbers that are held; undefined when there are not `matchCount` matches any more
 * @throws ApiError `search_unavailable`
 */
export async function findHeldMatches(
  store: ProjectStore,
  held: HeldView,
  { query, field, matchCount }: NumberedMatches & { matchCount: number },
  signal?: AbortSignal,
): Promise<string[] | undefined> {
  let read = 0;
  const found: string[] = [];
  for await (const numbers of store.listNumbers(field, query, matchCount, signal)) {
    read += numbers.length;
    for (const number of numbers) if (held.has(number)) found.push(number);
  }
  return read === matchCount ? found : undefined;
}

/** Sends all that is held, a list at a time; no number is in two lists. */
async function countSent(store: ProjectStore, held: HeldView, { query, field }: NumberedMatches, signal?: AbortSignal): Promise<number> {
  let counted = 0;
  for (const numbers of held.lists()) {
    const [count = 0] = await store.counts([allOf([query, longTerms(field, numbers)])], signal);
    counted += count;
  }
  return counted;
}
