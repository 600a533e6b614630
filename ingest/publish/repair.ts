/**
 * Every command begins with a repair: it compares what is published with what was recorded, corrects it after a killed command, and removes
 * what dead loads left. Readers see none of it.
 */
import { compareWithLineage, type Disagreement, type Lineage } from '../../src/core/domain/lineage.ts';
import { KINDS, type Kind } from '../../src/core/store/elastic/indices.ts';
import { LoadRefused } from '../loadRefused.ts';
import { recordPages, type StoredVersion } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import { type GenerationSet, type GenerationStore, type Generations, type Renewal, toGenerations } from '../write/generationSets.ts';
import { toIndexedFields } from '../write/indexedFields.ts';
import { unblockSet } from '../write/makeSets.ts';
import { makeDeletions } from '../write/purge.ts';
import { type CurrentLineage, describeFoundCommit, type OpenLineageStore } from '../write/recordedCommits.ts';
import { deriveRepairedPublication, toPublishedSet } from './publication.ts';
import { showPublication } from './publish.ts';
import { recordRelease } from './release.ts';
import { needsStamping, type StampContext, stampServedSet } from './stamping.ts';

/** Latest arrival of a dead load's writes; until then the views exclude its number. */
const LATE_WRITES_MS = 24 * 60 * 60 * 1000;

/** The loaded sets after a repair, and their lineage. */
interface Repaired {
  opened: CurrentLineage;
  generations: Generations;
}

export interface RepairContext extends Omit<StampContext, 'opened'> {
  /** where commits are recorded */
  lineage: OpenLineageStore;
}

/** How the served set differs from what is recorded; null if it does not. */
export const compareServed = (served: GenerationSet | undefined, lineage: Lineage | null): Disagreement | null =>
  compareWithLineage(served ? { lineage: served.lineage, commit: served.committed } : null, lineage);

/**
 * Completes or undoes whatever earlier commands left unfinished: the publication is right, dead loads are removed, and the served set is stamped
 * for sync. Call it under the load lock, before anything else.
 * @throws LoadRefused as `repairPublication`
 */
export async function repairIndex(store: GenerationStore, context: RepairContext): Promise<Repaired> {
  const { opened, generations: found } = await repairPublication(context.lineage, store);
  const generations = await clearDeadLoads(store, context.today, found);
  if (!needsStamping(generations)) return { opened, generations };
  await stampServedSet(store, generations, { ...context, opened });
  return { opened, generations: await store.read() };
}

/**
 * The part of a repair whose time does not depend on the amount of data: the lineage, the row and the aliases. The first load begins a lineage.
 * @throws LoadRefused if the served set is not the recorded one, with the difference and the command that corrects it
 */
export async function repairPublication(open: OpenLineageStore, store: GenerationStore): Promise<Repaired> {
  const lineages = await open();
  let generations = await store.read();
  const { served } = generations;
  const lineage = await lineages.readCurrent();
  const difference = compareServed(served, lineage);
  if (difference) throw new LoadRefused(`${difference.message}. Nothing was changed`, [], { fault: difference.fault });
  const id = lineage?.id ?? (await lineages.begin(null));
  if (served && !(await lineages.commitOfSet(id, served))) await lineages.record(id, await describeFoundCommit(store, served));
  const publication = deriveRepairedPublication(generations, await lineages.readPublication(id));
  if (served && (await showPublication(store, generations, { publication, lineage: id }))) generations = await store.read();
  await lineages.notePublished(id, publication);
  await recordRelease(store, { id, lineages }, publication);
  return { opened: { id, lineages, forgotten: await lineages.deleteUnserved(id, generations.sets) }, generations };
}

/**
 * Begins a new lineage with what is served, whatever Postgres has recorded: cursors of the old lineage are refused, and sync shows the served set.
 * Call it under the load lock.
 * @throws LoadRefused if nothing is served
 */
export async function adoptServed(open: OpenLineageStore, store: GenerationStore): Promise<{ lineage: string; commit: number }> {
  const lineages = await open();
  const generations = await store.read();
  const { served, previous } = generations;
  if (!served)
    throw new LoadRefused(
      'Nothing is served that could be adopted; load a generation, or build the recorded one again: npm run ingest -- rebuild',
    );
  const lineage = await lineages.begin(await describeFoundCommit(store, served));
  const adopted = toPublishedSet(served);
  const publication = { served: adopted, previous: previous ? toPublishedSet(previous) : null, synced: adopted };
  await showPublication(store, generations, { publication, lineage });
  await lineages.notePublished(lineage, publication);
  await recordRelease(store, { id: lineage, lineages }, publication);
  return { lineage, commit: served.committed };
}

/** Whether nothing shows a set: it waits to be served, or is obsolete. */
export const isUnshown = ({ served, previous, synced }: GenerationSet): boolean => !served && !previous && synced === null;

/** Whether a set can be dropped: nothing shows it, and it is older than the served set, or its generation was loaded again. */
export const isObsolete = (set: GenerationSet, { served, sets }: Pick<Generations, 'served' | 'sets'>): boolean =>
  isUnshown(set) &&
  served !== undefined &&
  (set.load < served.load || sets.some(({ generation, load }) => generation === set.generation && load > set.load));

/** Removes unfinished sets, and versions that were never committed. Call it under the load lock. @returns the remaining sets */
export async function clearDeadLoads(store: GenerationStore, today: string, found?: Generations): Promise<Generations> {
  const generations = found ?? (await store.read());
  const isAlive = ({ of }: Renewal) => of === generations.served?.load; // or was cut short: the command that made it knows
  for (const set of [...generations.unfinished, ...generations.renewals.filter((one) => !isAlive(one))]) await store.discard(set);
  for (const set of generations.sets) if (set.copying) await unblockSet(store, set);
  const sets: GenerationSet[] = [];
  for (const set of generations.sets) {
    if (isObsolete(set, generations)) await store.drop(set);
    else {
      const { changed: changedFields } = await store.addMissingFields(set);
      sets.push({ ...(await undoAbortedLoads(store, set, today)), changedFields });
    }
  }
  return toGenerations(sets, [], generations.renewals.filter(isAlive));
}

/**
 * Gives up every load that may still write into the set, and undoes what aborted loads wrote. Writes that arrive later are excluded by the views,
 * and undone by the next repair.
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
  const index = store.names.indexName(kind, set);
  const aborted = (field: 'loadedIn' | 'supersededIn') => ({ terms: { [field]: [...set.aborted] } });
  yield* makeDeletions(store, index, aborted('loadedIn'));
  const hidden = { bool: { filter: [aborted('supersededIn')], must_not: [aborted('loadedIn')] } };
  for await (const page of recordPages<StoredVersion>(store.client, { index, query: hidden, by: 'key' })) {
    for (const { version, place } of page) {
      const { supersededIn: _, ...restored } = version;
      yield { operation: 'index', index, version: restored, indexed: toIndexedFields(kind, restored, today), replaces: place };
    }
  }
}
