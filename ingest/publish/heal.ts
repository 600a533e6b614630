/** Removes what a killed load left: unfinished sets and versions that were never committed. Readers never saw either. */
import { KINDS, type Kind } from '../../src/core/store/elastic/indices.ts';
import { greatest, pages, type StoredVersion } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import { type GenerationSet, type GenerationStore, type Generations, generationsOf, type Renewal } from '../write/generations.ts';
import { indexedOf } from '../write/indexedFields.ts';

/** No write of a dead load arrives later than this; until then its number stays in the views as one to leave out. */
const LATE_WRITES_MS = 24 * 60 * 60 * 1000;

/** All of a version that its deletion needs. */
const IDENTITY = ['key', 'loadedIn'];

/** Sets kept besides the served, the previous and the one that sync shows: those that wait for activation. Older ones, and replaced ones, are dropped. */
const isObsolete = (set: GenerationSet, { served, sets }: Generations) =>
  !set.served &&
  !set.previous &&
  set.synced === null &&
  served !== undefined &&
  (set.load < served.load || sets.some(({ generation, load }) => generation === set.generation && load > set.load));

/** Call under the load lock. Returns what remains. */
export async function heal(store: GenerationStore, today: string): Promise<Generations> {
  const generations = await store.read();
  const isAlive = ({ of }: Renewal) => of === generations.served?.load; // or was cut short: who made it knows
  for (const set of [...generations.unfinished, ...generations.renewals.filter((one) => !isAlive(one))]) await store.discard(set);
  for (const set of generations.sets) if (set.copying) await store.release(set);
  const sets: GenerationSet[] = [];
  for (const set of generations.sets) {
    if (isObsolete(set, generations)) await store.drop(set);
    else {
      await store.addMissingFields(set);
      sets.push(await undoAborted(store, set, today));
    }
  }
  return generationsOf(sets, [], generations.renewals.filter(isAlive));
}

/**
 * Gives up every load that left the set open, and takes back what aborted loads wrote. Their writes may go on arriving: the views leave
 * them out, and they are taken back the next time.
 */
async function undoAborted(store: GenerationStore, found: GenerationSet, today: string): Promise<GenerationSet> {
  const set = found.writers.length ? await store.abandon(found) : found;
  if (!set.aborted.length) return set;
  await store.refresh(set);
  for (const kind of KINDS) await bulkWrite(store.client, undoWrites(store, set, kind, today));
  await store.refresh(set);
  const oldest = Date.now() - LATE_WRITES_MS;
  const aborted = set.aborted.filter((load) => load > oldest);
  if (aborted.length === set.aborted.length) return set;
  await store.setView(set, { ...set, aborted });
  return { ...set, aborted };
}

async function* undoWrites(store: GenerationStore, set: GenerationSet, kind: Kind, today: string): AsyncGenerator<Write> {
  const index = store.names.index(kind, set);
  const aborted = (field: 'loadedIn' | 'supersededIn') => ({ terms: { [field]: [...set.aborted] } });
  for await (const page of pages<StoredVersion>(store.client, { index, query: aborted('loadedIn'), by: 'key', fields: IDENTITY }))
    for (const { version } of page) yield { operation: 'delete', index, version };
  const hidden = { bool: { filter: [aborted('supersededIn')], must_not: [aborted('loadedIn')] } };
  for await (const page of pages<StoredVersion>(store.client, { index, query: hidden, by: 'key' })) {
    for (const { version, place } of page) {
      const { supersededIn: _, ...restored } = version;
      yield { operation: 'index', index, version: restored, indexed: indexedOf(kind, restored, today), replaces: place };
    }
  }
}

/** A search that began before a commit may still look for what the commit replaced; none lasts longer than this. */
const READERS_GONE_MS = 60_000;

/** Deletes replaced versions of a set whose view before its last commit nobody reads. */
export async function purgeSuperseded(store: GenerationStore, set: GenerationSet): Promise<void> {
  for (const kind of KINDS) await purge(store, set, kind, { lte: set.committed });
}

/**
 * Deletes replaced versions of a served set that no reader can see any more, so that they do not pile up: a load's number is the time at
 * which it began, and what the loads before it replaced was committed by then.
 */
export async function purgeUnread(store: GenerationStore, set: GenerationSet): Promise<void> {
  for (const kind of KINDS) {
    const settled = replacedBy(set, { lte: Math.min(set.committed, Date.now() - READERS_GONE_MS) });
    const last = await greatest(store.client, store.names.index(kind, set), 'supersededIn', settled);
    if (last !== null) await purge(store, set, kind, { lt: last });
  }
}

const replacedBy = (set: GenerationSet, loads: { lt?: number; lte?: number }) => ({
  bool: { filter: [{ range: { supersededIn: loads } }], must_not: [{ terms: { supersededIn: [...set.aborted] } }] },
});

async function purge(store: GenerationStore, set: GenerationSet, kind: Kind, loads: { lt?: number; lte?: number }): Promise<void> {
  await bulkWrite(store.client, purgeWrites(store, set, kind, replacedBy(set, loads)));
}

async function* purgeWrites(store: GenerationStore, set: GenerationSet, kind: Kind, query: object): AsyncGenerator<Write> {
  const index = store.names.index(kind, set);
  for await (const page of pages<StoredVersion>(store.client, { index, query, by: 'key', fields: IDENTITY }))
    for (const { version } of page) yield { operation: 'delete', index, version };
}
