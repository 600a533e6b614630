/** Removes what a killed load left: unfinished sets and versions that were never committed. Readers never saw either. */
import type { StoredProject } from '../src/domain/storedProject.ts';
import { KINDS, type Kind } from '../src/store/indices.ts';
import type { GenerationSet, GenerationStore, Generations } from './generations.ts';
import { toDocument } from './projectDocument.ts';
import { bulkWrite, pages, type StoredVersion, type Write } from './versions.ts';

/** Sets kept beside the served and the previous one: those that wait for activation. Older ones are dropped. */
const isObsolete = (set: GenerationSet, served: GenerationSet | undefined) =>
  !set.served && !set.previous && served !== undefined && set.load < served.load;

/** Call under the load lock. Returns what remains. */
export async function heal(store: GenerationStore, today: string): Promise<Generations> {
  const generations = await store.read();
  for (const set of generations.unfinished) await store.drop(set);
  for (const set of generations.sets) {
    if (isObsolete(set, generations.served)) await store.drop(set);
    else await undoUncommitted(store, set, today);
  }
  const sets = generations.sets.filter((set) => !isObsolete(set, generations.served));
  return { ...generations, sets, unfinished: [] };
}

async function undoUncommitted(store: GenerationStore, set: GenerationSet, today: string): Promise<void> {
  for (const kind of KINDS) {
    const index = store.names.index(kind, set);
    const query = {
      bool: { should: [{ range: { loadedIn: { gt: set.committed } } }, { range: { supersededIn: { gt: set.committed } } }] },
    };
    const { count } = await store.client.count({ index, query });
    if (!count) continue;
    await store.client.indices.refresh({ index });
    await bulkWrite(store.client, undoWrites(store, set, kind, query, today));
    await store.client.indices.refresh({ index });
  }
}

async function* undoWrites(store: GenerationStore, set: GenerationSet, kind: Kind, query: object, today: string): AsyncGenerator<Write> {
  const index = store.names.index(kind, set);
  for await (const page of pages<StoredVersion>(store.client, { index, query, by: 'key' })) {
    for (const version of page) {
      const { supersededIn: _, ...restored } = version;
      if (version.loadedIn > set.committed) yield { operation: 'delete', index, version };
      else
        yield {
          operation: 'index',
          index,
          version,
          document: kind === 'projects' ? toDocument(restored as StoredProject, today) : { ...restored },
        };
    }
  }
}

/** Deletes replaced versions, which no reader can see any more; what a load leaves does not pile up. */
export async function purgeSuperseded(store: GenerationStore, set: GenerationSet): Promise<void> {
  for (const kind of KINDS) {
    const index = store.names.index(kind, set);
    await bulkWrite(store.client, purgeWrites(store, index, set.committed));
  }
}

async function* purgeWrites(store: GenerationStore, index: string, committed: number): AsyncGenerator<Write> {
  const query = { range: { supersededIn: { lte: committed } } };
  for await (const page of pages<StoredVersion>(store.client, { index, query, by: 'key' }))
    for (const version of page) yield { operation: 'delete', index, version };
}
