/**
 * What every command begins with: what is published is compared with what was recorded, put right where a command was killed or an earlier version
 * loaded, and what dead loads left is cleared away. Readers saw none of it.
 */
import { compareLineage, type Disagreement, type Lineage } from '../../src/core/domain/lineage.ts';
import { KINDS, type Kind } from '../../src/core/store/elastic/indices.ts';
import { LoadRefused } from '../loadRefused.ts';
import { recordPages, type StoredVersion } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import { type GenerationSet, type GenerationStore, type Generations, type Renewal, toGenerations } from '../write/generations.ts';
import { toIndexedFields } from '../write/indexedFields.ts';
import { unblockSet } from '../write/makeSets.ts';
import { deletions } from '../write/purge.ts';
import { describeFoundCommit, type Lineages, type OpenLineage } from '../write/recordedCommits.ts';
import { repairedPublication, toPublishedSet } from './publication.ts';
import { showPublication } from './publish.ts';
import { recordRelease } from './release.ts';
import { needsStamping, type StampContext, stampServedSet } from './stamping.ts';

/** No write of a dead load arrives later than this; until then its number stays in the views as one to leave out. */
const LATE_WRITES_MS = 24 * 60 * 60 * 1000;

/** What is loaded, and the lineage that it is part of. */
interface Repaired {
  opened: OpenLineage;
  generations: Generations;
}

export interface RepairContext extends Omit<StampContext, 'opened'> {
  /** where commits are recorded */
  lineage: Lineages;
}

/** How what is served differs from what is recorded; null where it does not. */
export const compareServed = (served: GenerationSet | undefined, lineage: Lineage | null): Disagreement | null =>
  compareLineage(served ? { lineage: served.lineage, commit: served.committed } : null, lineage);

/**
 * Leaves nothing that a command before left half done: what is published is right, dead loads are cleared away, and what is served is stamped for
 * sync. Call it under the load lock, before anything else.
 * @throws LoadRefused as `repairPublication`
 */
export async function repairIndex(store: GenerationStore, context: RepairContext): Promise<Repaired> {
  const { opened } = await repairPublication(context.lineage, store);
  const generations = await clearDeadLoads(store, context.today);
  if (!needsStamping(generations)) return { opened, generations };
  await stampServedSet(store, generations, { ...context, opened });
  return { opened, generations: await store.read() };
}

/**
 * The part of a repair that takes no longer where there is more loaded: the lineage, the row and the aliases. An index that was there before a lineage
 * was kept begins one.
 * @throws LoadRefused where what is served is not what was recorded: it says how, and which command mends it
 */
export async function repairPublication(open: Lineages, store: GenerationStore): Promise<Repaired> {
  const lineages = await open();
  let generations = await store.read();
  const { served } = generations;
  const lineage = await lineages.current();
  const difference = compareServed(served, lineage);
  if (difference) throw new LoadRefused(`${difference.message}. Nothing was changed`, [], { fault: difference.fault });
  const id = lineage?.id ?? (await lineages.begin(served ? await describeFoundCommit(store, served) : null, served !== undefined));
  if (lineage && served && !(await lineages.commitOfSet(id, served))) await lineages.record(id, await describeFoundCommit(store, served));
  const publication = repairedPublication(generations, await lineages.publication(id));
  if (served && (await showPublication(store, generations, { publication, lineage: id }))) generations = await store.read();
  await lineages.notePublished(id, publication);
  await recordRelease(store, { id, lineages }, publication);
  return { opened: { id, lineages, forgotten: await lineages.forgetUnserved(id, generations.sets) }, generations };
}

/**
 * Takes what is served, whatever Postgres has recorded, as the beginning of a new lineage: every cursor of the one before is refused from then
 * on, and sync shows what is served. Call it under the load lock. @throws LoadRefused where nothing is served
 */
export async function adoptServed(open: Lineages, store: GenerationStore): Promise<{ lineage: string; commit: number }> {
  const lineages = await open();
  const generations = await store.read();
  const { served, previous } = generations;
  if (!served)
    throw new LoadRefused(
      'Nothing is served that could be adopted; load a generation, or build the recorded one again: npm run ingest -- rebuild',
    );
  const lineage = await lineages.begin(await describeFoundCommit(store, served), false);
  const adopted = toPublishedSet(served);
  const publication = { served: adopted, previous: previous ? toPublishedSet(previous) : null, synced: adopted };
  await showPublication(store, generations, { publication, lineage });
  await lineages.notePublished(lineage, publication);
  await recordRelease(store, { id: lineage, lineages }, publication);
  return { lineage, commit: served.committed };
}

/** Sets kept besides the served, the previous and the one that sync shows: those that wait for activation. Older ones, and replaced ones, are dropped. */
const isObsolete = (set: GenerationSet, { served, sets }: Generations) =>
  !set.served &&
  !set.previous &&
  set.synced === null &&
  served !== undefined &&
  (set.load < served.load || sets.some(({ generation, load }) => generation === set.generation && load > set.load));

/** Removes unfinished sets, and versions that were never committed. Call it under the load lock. @returns what remains */
export async function clearDeadLoads(store: GenerationStore, today: string): Promise<Generations> {
  const generations = await store.read();
  const isAlive = ({ of }: Renewal) => of === generations.served?.load; // or was cut short: the command that made it knows
  for (const set of [...generations.unfinished, ...generations.renewals.filter((one) => !isAlive(one))]) await store.discard(set);
  for (const set of generations.sets) if (set.copying) await unblockSet(store, set);
  const sets: GenerationSet[] = [];
  for (const set of generations.sets) {
    if (isObsolete(set, generations)) await store.drop(set);
    else {
      await store.addMissingFields(set);
      sets.push(await undoAbortedLoads(store, set, today));
    }
  }
  return toGenerations(sets, [], generations.renewals.filter(isAlive));
}

/**
 * Gives up every load that left the set open, and takes back what aborted loads wrote. Their writes may go on arriving: the views leave
 * them out, and they are taken back the next time.
 */
async function undoAbortedLoads(store: GenerationStore, found: GenerationSet, today: string): Promise<GenerationSet> {
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
  yield* deletions(store, index, aborted('loadedIn'));
  const hidden = { bool: { filter: [aborted('supersededIn')], must_not: [aborted('loadedIn')] } };
  for await (const page of recordPages<StoredVersion>(store.client, { index, query: hidden, by: 'key' })) {
    for (const { version, place } of page) {
      const { supersededIn: _, ...restored } = version;
      yield { operation: 'index', index, version: restored, indexed: toIndexedFields(kind, restored, today), replaces: place };
    }
  }
}
