/**
 * Switching what is served. A switch is one atomic change of aliases; before it, records whose content differs between the two sets
 * are stamped anew in the set that is about to be served, so that a copy kept by sync sees them again (decisions §3).
 */
import type { StoredProject } from '../src/domain/storedProject.ts';
import { KINDS } from '../src/store/indices.ts';
import type { GenerationSet, GenerationStore, Generations } from './generations.ts';
import { heal } from './heal.ts';
import { LoadRefused } from './load.ts';
import { toDocument } from './projectDocument.ts';
import { Stamps } from './stamps.ts';
import { bulkWrite, findByKey, pages, type StoredVersion, type Write } from './versions.ts';

interface Clock {
  now: () => Date;
  today: string;
}

export interface Activation {
  generation: number;
  /** generation that was served before; null for the first */
  replaced: number | null;
  records: number;
}

/** Serves the newest whole set of a generation. Call under the load lock. @throws LoadRefused when there is none */
export async function activate(store: GenerationStore, generation: number, clock: Clock): Promise<Activation> {
  const generations = await heal(store, clock.today);
  const next = generations.sets.findLast((set) => set.generation === generation);
  if (!next) {
    const known = [...new Set(generations.sets.map((set) => set.generation))].join(', ');
    throw new LoadRefused(`Generation ${generation} is not loaded; ${known ? `loaded: ${known}` : 'nothing is loaded yet'}`);
  }
  return switchTo(store, generations, next, clock);
}

/** Serves the set that was served before. Call under the load lock. @throws LoadRefused when there is none */
export async function rollback(store: GenerationStore, clock: Clock): Promise<Activation> {
  const generations = await heal(store, clock.today);
  if (!generations.previous) throw new LoadRefused('There is no earlier generation to roll back to');
  return switchTo(store, generations, generations.previous, clock);
}

async function switchTo(store: GenerationStore, generations: Generations, next: GenerationSet, clock: Clock): Promise<Activation> {
  const { served } = generations;
  if (served && served.load !== next.load) {
    const built = await builtOn(store, next);
    if (built === undefined || built !== served.committed) {
      if (next.load > served.load)
        throw new LoadRefused(
          `Generation ${next.generation} was loaded before generation ${served.generation} received its last increment; load its file again, then activate it`,
        );
      await restamp(store, served, next, clock);
    }
  }
  await store.serve(next, generations);
  return { generation: next.generation, replaced: served?.generation ?? null, records: await store.count('projects', next) };
}

/** The commit that a full generation was compared with when it was loaded. */
async function builtOn(store: GenerationStore, set: GenerationSet): Promise<number | undefined> {
  const index = store.names.index('projects', set);
  const mappings = await store.client.indices.getMapping({ index });
  const base: unknown = mappings[index]?.mappings._meta?.base;
  return typeof base === 'number' ? base : undefined;
}

/** Makes a set that was served earlier, or beside, newer than what is served, wherever the two differ. */
async function restamp(store: GenerationStore, served: GenerationSet, next: GenerationSet, clock: Clock): Promise<void> {
  const stamps = new Stamps(clock.now(), await store.highWater(served));
  const index = KINDS.map((kind) => store.names.index(kind, next));
  await bulkWrite(store.client, restampWrites(store, served, next, stamps, clock.today));
  await bulkWrite(store.client, lostWrites(store, served, next, stamps));
  await store.client.indices.refresh({ index });
}

async function* restampWrites(
  store: GenerationStore,
  served: GenerationSet,
  next: GenerationSet,
  stamps: Stamps,
  today: string,
): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', next), by: 'id' })) {
    const known = await findByKey<StoredProject>(
      client,
      names.whole('projects', served),
      page.map((project) => project.key),
    );
    for (const project of page) {
      if (known.get(project.key)?.contentRevision === project.contentRevision) continue;
      const stamped = { ...project, lastUpdated: stamps.next() };
      yield { operation: 'index', index: names.index('projects', next), version: stamped, document: toDocument(stamped, today) };
    }
  }
}

/** Records that only the served set has leave a trace of their removal. */
async function* lostWrites(store: GenerationStore, served: GenerationSet, next: GenerationSet, stamps: Stamps): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', served), by: 'id' })) {
    const kept = await findByKey<StoredVersion>(
      client,
      names.whole('projects', next),
      page.map((project) => project.key),
    );
    for (const { key, id, standard } of page) {
      if (kept.has(key)) continue;
      const version = { key, loadedIn: next.committed };
      const place = {
        ...(standard.stateId ? { stateId: String(standard.stateId) } : {}),
        ...(standard.countyId ? { countyId: String(standard.countyId) } : {}),
      };
      yield {
        operation: 'index',
        index: names.index('removals', next),
        version,
        document: { ...version, id, at: stamps.next(), ...place },
      };
    }
  }
}
