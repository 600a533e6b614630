/**
 * Switching what is served. A generation that was never served is served to searches and to sync at once; going back to one that was served before
 * takes a second step, in which it is stamped for sync (publication.ts).
 */

import { secondsSince } from '../../src/core/domain/durations.ts';
import { isContentHash } from '../../src/core/domain/record/revision.ts';
import { changedFieldsText } from '../../src/core/store/elastic/mappedFields.ts';
import { FileStoreError } from '../../src/core/store/files/fileStore.ts';
import { UNRECORDED } from '../../src/core/store/postgres/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { lossOf, lossTexts } from '../write/figures.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber } from '../write/generations.ts';
import { describeFoundCommit, type OpenLineage, pickContents } from '../write/recordedCommits.ts';
import { publishChange } from './publish.ts';
import { clearDeadLoads, type RepairContext, repairPublication } from './repair.ts';
import { needsStamping, type Stamping, stampServedSet } from './stamping.ts';

interface SwitchContext extends RepairContext {
  /** called with what is served now, before anything is stamped for sync */
  onServed?: ((now: ServedNow) => void) | undefined;
}

export interface ServedNow {
  generation: number;
  /** generation that was served before; null for the first */
  replaced: number | null;
  records: number;
  /** true where sync shows what was served before until its records are stamped */
  syncFollows: boolean;
  /** true where a command before served it, and was cut short */
  finishes?: boolean;
}

interface Activation extends Omit<ServedNow, 'syncFollows' | 'finishes'> {
  /** from the beginning of the command's work until searches were answered from it; absent where a command before had served it */
  servedSeconds?: number;
  /** from then on until sync showed it, too */
  syncedSeconds?: number;
  /** true where a command before had served it, and was cut short */
  finished?: true;
}

/**
 * Serves the newest whole set of a generation. Call under the load lock.
 * @param acceptLoss serves it also where it states a tenth fewer records or filled fields than what is served
 * @throws LoadRefused when there is none, or it lost too much
 */
export async function activateGeneration(
  store: GenerationStore,
  generation: number,
  context: SwitchContext,
  { acceptLoss = false }: { acceptLoss?: boolean } = {},
): Promise<Activation> {
  const { opened, generations: found } = await repairPublication(context.lineage, store);
  const switching = { ...context, opened };
  const isWanted = (set: GenerationSet) => set.generation === generation;
  if (needsStamping(found)) {
    if (isWanted(found.served)) return finishSwitch(store, found, switching);
    if (isWanted(found.synced)) return returnToSynced(store, found, switching);
    await clearAndStamp(store, switching);
  } else if (found.previous && found.sets.findLast(isWanted) === found.previous)
    return serveEarlierSet(store, found, found.previous, switching);
  const generations = await clearDeadLoads(store, context.today);
  const next = generations.sets.findLast(isWanted);
  if (!next) {
    const known = [...new Set(generations.sets.map((set) => set.generation))].join(', ');
    throw new LoadRefused(`Generation ${generation} is not loaded; ${known ? `loaded: ${known}` : 'nothing is loaded yet'}`);
  }
  if (next.previous) return serveEarlierSet(store, generations, next, switching);
  const { served } = generations;
  if (served && served.load !== next.load) {
    await refuseOutdated(store, served, next);
    if (!acceptLoss) await refuseLoss(store, served, next);
  }
  return serveStamped(store, generations, next, switching);
}

/** @throws LoadRefused when a set has never been served and lacks what the served generation received since it was built */
async function refuseOutdated(store: GenerationStore, served: GenerationSet, next: GenerationSet): Promise<void> {
  if (next.load > served.load && (await store.notes(next).builtOn()) !== served.committed)
    throw new LoadRefused(
      `Generation ${next.generation} was not built on what generation ${served.generation} serves now; load its file again, then activate it`,
    );
}

/** @throws LoadRefused with the figures when a set states too little compared with what is served, or when that cannot be known */
async function refuseLoss(store: GenerationStore, served: GenerationSet, next: GenerationSet): Promise<void> {
  const [now, then] = [await store.figures(next), await store.figures(served)];
  const remedy = `Is its file complete? If so: npm run ingest -- activate ${next.generation} --accept-loss`;
  if (!now || !then)
    throw new LoadRefused(
      `Generation ${next.generation} is not served: how much generation ${now ? served.generation : next.generation} states is not known, since an early version loaded it. ${remedy}`,
    );
  const loss = lossOf(now, then);
  if (!loss) return;
  throw new LoadRefused(
    `Generation ${next.generation} is not served: it states at least a tenth less than generation ${served.generation}, which is served. ${remedy}`,
    lossTexts(loss),
    { generation: next.generation, servedGeneration: served.generation, loss },
  );
}

/**
 * Serves the set that was served before; where a switch back was cut short, finishes that one. Call under the load lock.
 * @throws LoadRefused when there is none
 */
export async function rollBackGeneration(store: GenerationStore, context: SwitchContext): Promise<Activation> {
  const { opened, generations } = await repairPublication(context.lineage, store);
  const switching = { ...context, opened };
  if (needsStamping(generations)) return finishSwitch(store, generations, switching);
  if (!generations.previous) throw new LoadRefused('There is no earlier generation to roll back to');
  return serveEarlierSet(store, generations, generations.previous, switching);
}

/** A switch under way. */
interface Switching extends SwitchContext {
  opened: OpenLineage;
}

/** The rest of a switch back that was cut short. */
async function finishSwitch(store: GenerationStore, stamping: Stamping, switching: Switching): Promise<Activation> {
  const { served, synced } = stamping;
  const done = { generation: served.generation, replaced: synced.generation, records: await store.count('projects', served) };
  switching.onServed?.({ ...done, syncFollows: true, finishes: true });
  return { ...done, finished: true, ...(await clearAndStamp(store, switching)) };
}

/** Clears away what killed loads left, then stamps what is served. @throws LoadRefused that says what is served meanwhile */
async function clearAndStamp(store: GenerationStore, switching: Switching): Promise<Pick<Activation, 'syncedSeconds'>> {
  const began = performance.now();
  const generations = await clearDeadLoads(store, switching.today);
  if (needsStamping(generations)) {
    const text = `Generation ${generations.served.generation} is served; sync still shows generation ${generations.synced.generation}, until npm run ingest -- rollback has finished`;
    await stampServedSet(store, generations, switching).catch((error: unknown) => {
      if (error instanceof LoadRefused) throw new LoadRefused(`${error.message}. ${text}`, error.problems, error.details);
      if (error instanceof FileStoreError) throw new LoadRefused(`${error.message}. ${text}`);
      throw error;
    });
  }
  return { syncedSeconds: secondsSince(began) };
}

/**
 * Serves a set that was served before: at once, and stamps its records for sync afterwards. @throws LoadRefused where its contents have names of
 * early versions, under which pools hold them, while a load since has given them others: it would be billed again
 */
async function serveEarlierSet(store: GenerationStore, found: Generations, next: GenerationSet, switching: Switching): Promise<Activation> {
  const { served } = found;
  const { changed } = await store.addMissingFields(next);
  if (changed.length) {
    const remedy = 'load its file as a generation with a higher number, npm run ingest -- load FILE --activate. Nothing was changed';
    throw new LoadRefused(`This version cannot go back to generation ${next.generation}: ${changedFieldsText(changed, remedy)}`);
  }
  if (!served) return serveStamped(store, found, next, switching);
  if ((await hasOlderRevisionNames(store, served)) || (await hasOlderRevisionNames(store, next)))
    throw new LoadRefused(
      `Generation ${next.generation} cannot be served again as it stands: contents have names that early versions gave, and pools would pay for them twice. ` +
        'Load its file as a generation with a higher number, npm run ingest -- load FILE --activate: nobody pays again. Nothing was changed',
    );
  const began = performance.now();
  const ready = next.writers.length ? await store.abandon(next) : next;
  await serveUnstamped(store, found, ready, switching, served.committed);
  const done = { generation: next.generation, replaced: served.generation, records: await store.count('projects', next) };
  const servedSeconds = secondsSince(began);
  switching.onServed?.({ ...done, syncFollows: true });
  return { ...done, servedSeconds, ...(await clearAndStamp(store, switching)) };
}

/** Goes back, while a set is being stamped, to the one that sync still shows: no record has to be stamped for that. */
async function returnToSynced(store: GenerationStore, stamping: Stamping, switching: Switching): Promise<Activation> {
  const { served, synced } = stamping;
  const began = performance.now();
  await serveUnstamped(store, stamping, synced, switching, null);
  const servedSeconds = secondsSince(began);
  await clearDeadLoads(store, switching.today);
  return {
    generation: synced.generation,
    replaced: served.generation,
    records: await store.count('projects', synced),
    servedSeconds,
    syncedSeconds: servedSeconds,
  };
}

/**
 * Serves a set as it stands, under a commit of its own that changes nothing of it: what is served never goes back to an earlier commit.
 * @param previous commit that sync goes on showing; null where that is of the set itself
 */
async function serveUnstamped(
  store: GenerationStore,
  generations: Generations,
  next: GenerationSet,
  { opened, assertLocked }: Switching,
  previous: number | null,
): Promise<void> {
  const commit = nextLoadNumber(generations);
  const before = (await opened.lineages.commitOfSet(opened.id, next)) ?? (await describeFoundCommit(store, next));
  const { generation, load: setLoad } = next;
  const record = { ...UNRECORDED, ...pickContents(before), commit, previous, kind: 'switch' as const, generation, setLoad };
  await publishChange({ store, opened, assertLocked }, generations, { way: 'return', set: next, commit }, { record });
}

/** True where a set names any content as early versions did. Names of this version are next to each other in their order: two of them tell. */
async function hasOlderRevisionNames({ client, names }: GenerationStore, set: GenerationSet): Promise<boolean> {
  const firstName = async (order: 'asc' | 'desc') => {
    const { hits } = await client.search({
      index: names.whole('projects', set),
      size: 1,
      track_total_hits: false,
      sort: [{ contentRevision: order }],
      stored_fields: '_none_',
    });
    return hits.hits.flatMap(({ sort }) => sort ?? []);
  };
  return [...(await firstName('asc')), ...(await firstName('desc'))].some((name) => !isContentHash(String(name)));
}

/** Serves a set that is stamped above what is served. */
async function serveStamped(
  store: GenerationStore,
  generations: Generations,
  next: GenerationSet,
  switching: Switching,
): Promise<Activation> {
  const { served } = generations;
  const began = performance.now();
  if (served?.load !== next.load) {
    const { opened, assertLocked } = switching;
    // A set that a version before this one loaded, and that has waited since, is recorded as it is found.
    const record = (await opened.lineages.commitOfSet(opened.id, next)) ? null : await describeFoundCommit(store, next);
    const change = { way: 'serve' as const, set: next, commit: next.committed };
    await publishChange({ store, opened, assertLocked }, generations, change, { record });
  }
  const servedSeconds = secondsSince(began);
  const done = { generation: next.generation, replaced: served?.generation ?? null, records: await store.count('projects', next) };
  switching.onServed?.({ ...done, syncFollows: false });
  return { ...done, servedSeconds, syncedSeconds: servedSeconds };
}
