/** Loads a few records into indices in memory: the proof writes the documents, while publishing and repairing is the loader's own code. */
import { publishChange } from '../../../ingest/publish/publish.ts';
import { repairPublication } from '../../../ingest/publish/repair.ts';
import { needsStamping } from '../../../ingest/publish/stamping.ts';
import { newestStampOf } from '../../../ingest/read/versions.ts';
import { type GenerationSet, GenerationStore, type Generations, nextLoadNumber } from '../../../ingest/write/generationSets.ts';
import { type CurrentLineage, describeFoundCommit, pickContents } from '../../../ingest/write/recordedCommits.ts';
import { makeStampsAbove, type Stamps } from '../../../ingest/write/stamps.ts';
import { IndexNames, KINDS, type SetName, visibilityFilter } from '../../../src/core/store/elastic/indices.ts';
import { type CommitRecord, LineageStore, UNRECORDED } from '../../../src/core/store/postgres/lineageStore.ts';
import type { Database } from '../../../src/core/store/postgres/pool.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import type { Doc, SearchMemory } from './searchMemory.ts';

export const PREFIX = 'proof';
export const names = new IndexNames(PREFIX);

export interface RecordChange {
  id: number;
  what: 'state' | 'delete';
  /** version of the stated content */
  version: number;
}

export interface SmallLoad {
  way: 'increment' | 'full' | 'rollback';
  changes: RecordChange[];
}

type Kept = readonly [key: string, doc: Doc];
const FIRST: SetName = { generation: 1, load: 0 };

/** What a load needs to write and publish. */
interface Loading {
  memory: SearchMemory;
  store: GenerationStore;
  opened: CurrentLineage;
  now: () => Date;
}

export async function runLoad(memory: SearchMemory, database: Database, now: () => Date, { way, changes }: SmallLoad): Promise<void> {
  const store = new GenerationStore(memory.client as unknown as Elastic, names);
  const lineages = new LineageStore(database, PREFIX);
  const { opened } = await repairPublication(async () => lineages, store);
  const loading = { memory, store, opened, now };
  for (const set of (await store.read()).sets) if (set.writers.length) await store.abandon(set);
  const found = await store.read();
  if (needsStamping(found)) await stampServed(loading, found, found);
  const generations = await store.read();
  const { served, previous } = generations;
  if (way === 'rollback') {
    if (served && previous) await switchBack(loading, generations, served, previous);
  } else if (served && way === 'increment') await loadIncrement(loading, generations, served, changes);
  else await loadFull(loading, generations, changes);
}

async function readShown({ store }: Loading, alias: string): Promise<Kept[]> {
  const { hits } = await store.client.search<Doc>({ index: alias, size: 1_000 });
  return hits.hits.map(({ _id, _source }) => [String(_id), _source as Doc]);
}

async function openSet({ store }: Loading, set: SetName, load: number): Promise<void> {
  await store.changeAliases(
    KINDS.map((kind) => ({ add: { index: names.indexName(kind, set), alias: names.writeAlias(kind, set, load) } })),
  );
}

const statementOf = (id: number, version: number, load: number, stamps: Stamps): Kept => [
  `${id}-${load}`,
  { id, contentRevision: `${version}`.repeat(8) + id, lastUpdated: stamps.next(), loadedIn: load },
];
/** @param lastUpdated of the version that was removed */
const removalOf = ({ id, lastUpdated }: Doc, at: string, load: number): Kept => [`${id}-${load}`, { id, at, lastUpdated, loadedIn: load }];
const supersede = (kept: readonly Kept[], load: number): Kept[] => kept.map(([key, doc]) => [key, { ...doc, supersededIn: load }]);

interface Writes {
  projects: Kept[];
  removals: Kept[];
}

/** The documents that changes produce. @param keeps whether unchanged documents are in the set already */
function writesOf(
  changes: readonly RecordChange[],
  projects: readonly Kept[],
  removals: readonly Kept[],
  load: number,
  stamps: Stamps,
): Writes {
  const writes: Writes = { projects: [], removals: [] };
  const last = new Map(changes.map((change) => [change.id, change]));
  for (const { id, what, version } of last.values()) {
    const before = projects.filter(([, doc]) => doc.id === id);
    const traces = removals.filter(([, doc]) => doc.id === id);
    const [removed] = what === 'delete' ? before : [];
    if (removed) {
      writes.projects.push(...supersede(before, load));
      writes.removals.push(removalOf(removed[1], stamps.next(), load));
    }
    const isSame = before.some(([, doc]) => doc.contentRevision === `${version}`.repeat(8) + id);
    if (what === 'state' && !isSame) {
      writes.projects.push(...supersede(before, load), statementOf(id, version, load, stamps));
      writes.removals.push(...supersede(traces, load));
    }
  }
  return writes;
}

async function writeAll({ memory }: Loading, set: SetName, { projects, removals }: Writes): Promise<void> {
  await memory.write(names.indexName('projects', set), projects);
  if (removals.length) await memory.write(names.indexName('removals', set), removals);
}

async function recordOf({ store }: Loading, set: SetName, commit: number, more: Partial<CommitRecord>, aborted: readonly number[] = []) {
  await store.refresh(set);
  const shown = visibilityFilter({ committed: commit, aborted });
  const newestStamp = await newestStampOf(store.client, (kind) => names.indexName(kind, set), shown);
  return { ...UNRECORDED, commit, kind: 'load' as const, generation: set.generation, setLoad: set.load, newestStamp, ...more };
}

async function loadIncrement(
  loading: Loading,
  generations: Generations,
  set: GenerationSet,
  changes: readonly RecordChange[],
): Promise<void> {
  const { store, now } = loading;
  const commit = nextLoadNumber(generations);
  await openSet(loading, set, commit);
  const stamps = await makeStampsAbove(store, now(), [set]);
  const projects = await readShown(loading, names.completeAlias('projects', set));
  const removals = await readShown(loading, names.completeAlias('removals', set));
  await writeAll(loading, set, writesOf(changes, projects, removals, commit, stamps));
  const record = await recordOf(loading, set, commit, { previous: set.committed, firstStamp: stamps.start }, set.aborted);
  await publishChange(loading, generations, { way: 'commit', set, commit, closes: commit }, { record });
}

async function loadFull(loading: Loading, generations: Generations, changes: readonly RecordChange[]): Promise<void> {
  const { store, now } = loading;
  const { served } = generations;
  const load = nextLoadNumber(generations);
  const set = { generation: (served?.generation ?? FIRST.generation - 1) + 1, load, aborted: [] };
  await openSet(loading, set, load);
  const stamps = await makeStampsAbove(store, now(), [served]);
  const before = served ? await readShown(loading, names.completeAlias('projects', served)) : [];
  const traces = served ? await readShown(loading, names.completeAlias('removals', served)) : [];
  const { projects, removals } = writesOf(changes, before, traces, load, stamps);
  const changed = new Set([...projects, ...removals].map(([, { id }]) => id));
  const copied = (kept: readonly Kept[]) =>
    kept.filter(([, { id }]) => !changed.has(id)).map(([key, doc]): Kept => [key, { ...doc, loadedIn: load }]);
  const fresh = (kept: readonly Kept[]) => kept.filter(([, doc]) => doc.supersededIn === undefined);
  await writeAll(loading, set, { projects: [...copied(before), ...fresh(projects)], removals: [...copied(traces), ...fresh(removals)] });
  const record = await recordOf(loading, set, load, { previous: served?.committed ?? null, firstStamp: stamps.start });
  await publishChange(loading, generations, { way: 'serve', set, commit: load, closes: load }, { record });
}

/** Does what `rollback` does: serves a set as it is, then stamps it for sync. */
async function switchBack(loading: Loading, generations: Generations, served: GenerationSet, next: GenerationSet): Promise<void> {
  const { store, opened } = loading;
  const commit = nextLoadNumber(generations);
  const before = (await opened.lineages.commitOfSet(opened.id, next)) ?? (await describeFoundCommit(store, next));
  const { generation, load: setLoad } = next;
  const record = {
    ...UNRECORDED,
    ...pickContents(before),
    commit,
    previous: served.committed,
    kind: 'switch' as const,
    generation,
    setLoad,
  };
  await publishChange(loading, generations, { way: 'return', set: next, commit }, { record });
  const shown = await store.read();
  if (needsStamping(shown)) await stampServed(loading, shown, shown);
}

/** Stamps records of the served set that differ from those that sync shows, then lets sync show the served set. */
async function stampServed(
  loading: Loading,
  generations: Generations,
  { served: next, synced }: { served: GenerationSet; synced: GenerationSet },
): Promise<void> {
  const { store, now } = loading;
  const commit = nextLoadNumber(generations);
  const stamps = await makeStampsAbove(store, now(), [synced, next]);
  await openSet(loading, next, commit);
  const [projects, removals] = [
    await readShown(loading, names.completeAlias('projects', next)),
    await readShown(loading, names.completeAlias('removals', next)),
  ];
  const [were, traces] = [await readShown(loading, names.syncedAlias('projects')), await readShown(loading, names.syncedAlias('removals'))];
  const shown = new Map(were.map(([, doc]) => [doc.id, doc.contentRevision]));
  const ids = new Set(projects.map(([, { id }]) => id));
  const differing = projects.filter(([, doc]) => shown.get(doc.id) !== doc.contentRevision);
  const stamped = differing.map(([, doc]): Kept => [`${doc.id}-${commit}`, { ...doc, lastUpdated: stamps.next(), loadedIn: commit }]);
  const known = new Set(removals.map(([, { id }]) => id));
  const gone = were.filter(([, { id }]) => !ids.has(id)).map(([, doc]) => removalOf(doc, stamps.next(), commit));
  const carried = traces.filter(([, { id }]) => !ids.has(id) && !known.has(id)).map(([, doc]) => removalOf(doc, String(doc.at), commit));
  await writeAll(loading, next, { projects: [...supersede(differing, commit), ...stamped], removals: [...gone, ...carried] });
  const record = await recordOf(
    loading,
    next,
    commit,
    { kind: 'switch', previous: synced.committed, firstStamp: stamps.start },
    next.aborted,
  );
  await publishChange(loading, generations, { way: 'commit', set: next, commit, closes: commit }, { record });
}
