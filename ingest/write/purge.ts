/** Deletes versions that no reader sees any more. */
import { readGreatestValue, recordPages, type StoredVersion } from '../read/versions.ts';
import { bulkWrite, type Write } from './bulkWrite.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';

/** The fields of a version that its deletion needs. */
const IDENTITY = ['key', 'loadedIn'];

/** Longest duration of a search: one that began before a commit may still read what the commit replaced. */
const READERS_GONE_MS = 60_000;

/**
 * Deletes replaced versions of a served set that no reader can see any more, so that they do not accumulate. A load's number is the time at
 * which it began; whatever earlier loads replaced was committed by then.
 */
export async function purgeReplacedVersions(store: GenerationStore, set: GenerationSet): Promise<void> {
  const settled = replacedBy(set, { lte: Math.min(set.committed, Date.now() - READERS_GONE_MS) });
  const readLast = (indices: string[]) => readGreatestValue(store.client, indices, 'supersededIn', settled);
  if ((await readLast(store.listIndices(set))) === null) return;
  for (const index of store.listIndices(set)) {
    const last = await readLast([index]);
    if (last !== null) await bulkWrite(store.client, makeDeletions(store, index, replacedBy(set, { lt: last })));
  }
}

const replacedBy = (set: GenerationSet, loads: { lt?: number; lte?: number }) => ({
  bool: { filter: [{ range: { supersededIn: loads } }], must_not: [{ terms: { supersededIn: [...set.aborted] } }] },
});

/** Yields deletions of all versions of an index that match a query. */
export async function* makeDeletions({ client }: GenerationStore, index: string, query: object): AsyncGenerator<Write> {
  for await (const page of recordPages<StoredVersion>(client, { index, query, by: 'key', fields: IDENTITY }))
    for (const { version } of page) yield { operation: 'delete', index, version };
}
