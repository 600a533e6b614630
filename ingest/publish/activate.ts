/**
 * Switches what is served. A generation that was never served is shown to searches and sync in one step; returning to one that was served before
 * takes a second step, in which its records are stamped for sync (publication.ts).
 */

import { secondsSince } from '../../src/core/domain/durations.ts';
import { describeChangedFields } from '../../src/core/store/elastic/mappedFields.ts';
import { FileStoreError } from '../../src/core/store/files/fileStore.ts';
import { UNRECORDED } from '../../src/core/store/postgres/lineageStore.ts';
import { listAcceptedCodes } from '../findings/acceptance.ts';
import type { FindingRules } from '../findings/types.ts';
import { LoadRefused } from '../loadRefused.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber } from '../write/generationSets.ts';
import { readFindings, refuseFindings } from '../write/loadReport.ts';
import { type CurrentLineage, describeFoundCommit, pickContents } from '../write/recordedCommits.ts';
import { publishChange } from './publish.ts';
import { clearDeadLoads, type RepairContext, repairPublication } from './repair.ts';
import { needsStamping, type Stamping, stampServedSet } from './stamping.ts';

interface SwitchContext extends RepairContext {
  /** called with the newly served generation, before its records are stamped for sync */
  onServed?: ((now: ServedNow) => void) | undefined;
}

export interface ServedNow {
  generation: number;
  /** generation that was served before; null for the first */
  replaced: number | null;
  records: number;
  /** true if sync still shows what was served before, until the records are stamped */
  syncFollows: boolean;
  /** true if an interrupted earlier command served it */
  finishes?: boolean;
}

interface Activation extends Omit<ServedNow, 'syncFollows' | 'finishes'> {
  /** time from the start of the command until searches read it; absent if an earlier command served it */
  servedSeconds?: number;
  /** time from then until sync showed it */
  syncedSeconds?: number;
  /** true if an interrupted earlier command had served it */
  finished?: true;
}

/**
 * Serves the newest complete set of a generation. Call it under the load lock.
 * @throws LoadRefused if there is no such set, or its report has a finding that refuses and is not accepted
 */
export async function activateGeneration(
  store: GenerationStore,
  generation: number,
  context: SwitchContext & FindingRules,
): Promise<Activation> {
  const { opened, generations: found } = await repairPublication(context.lineage, store);
  const switching = { ...context, opened };
  const isWanted = (set: GenerationSet) => set.generation === generation;
  const isStamping = needsStamping(found);
  if (isStamping) {
    if (isWanted(found.served)) return finishSwitch(store, found, switching);
    if (isWanted(found.synced)) return returnToSynced(store, found, switching);
    await clearAndStamp(store, switching);
  } else if (found.previous && found.sets.findLast(isWanted) === found.previous)
    return serveEarlierSet(store, found, found.previous, switching);
  const generations = await clearDeadLoads(store, context.today, isStamping ? undefined : found);
  const next = generations.sets.findLast(isWanted);
  if (!next) {
    const known = [...new Set(generations.sets.map((set) => set.generation))].join(', ');
    throw new LoadRefused(`Generation ${generation} is not loaded; ${known ? `loaded: ${known}` : 'nothing is loaded yet'}`);
  }
  if (next.previous) return serveEarlierSet(store, generations, next, switching);
  const { served } = generations;
  if (served && served.load !== next.load) await refuseOutdated(store, served, next);
  if (served?.load !== next.load) await refuseUnaccepted(store, served, next, switching);
  return serveStamped(store, generations, next, switching);
}

/** @throws LoadRefused if a set was never served and lacks what the served generation received since the set was loaded */
async function refuseOutdated(store: GenerationStore, served: GenerationSet, next: GenerationSet): Promise<void> {
  if (next.load > served.load && (await store.openNotes(next).readBase()) !== served.committed)
    throw new LoadRefused(
      `Generation ${next.generation} was not built on what generation ${served.generation} serves now; load its file again, then activate it`,
    );
}

/** @throws LoadRefused if a set that was never served has findings that refuse */
async function refuseUnaccepted(
  store: GenerationStore,
  served: GenerationSet | undefined,
  next: GenerationSet,
  context: Pick<SwitchInProgress, 'opened'> & FindingRules,
): Promise<void> {
  const { accept = [], opened } = context;
  const findings = await readFindings(store, next, served, context);
  refuseFindings(findings, accept, {
    what: `Generation ${next.generation} is not served, since findings have to be accepted first`,
    command: `npm run ingest -- activate ${next.generation}`,
  });
  await opened.lineages.noteAccepted(opened.id, next.committed, listAcceptedCodes(findings));
}

/**
 * Serves the set that was served before, or finishes an interrupted rollback. Call it under the load lock.
 * @throws LoadRefused if there is no such set
 */
export async function rollBackGeneration(store: GenerationStore, context: SwitchContext): Promise<Activation> {
  const { opened, generations } = await repairPublication(context.lineage, store);
  const switching = { ...context, opened };
  if (needsStamping(generations)) return finishSwitch(store, generations, switching);
  if (!generations.previous) throw new LoadRefused('There is no earlier generation to roll back to');
  return serveEarlierSet(store, generations, generations.previous, switching);
}

interface SwitchInProgress extends SwitchContext {
  opened: CurrentLineage;
}

/** Finishes an interrupted rollback. */
async function finishSwitch(store: GenerationStore, stamping: Stamping, switching: SwitchInProgress): Promise<Activation> {
  const { served, synced } = stamping;
  const done = { generation: served.generation, replaced: synced.generation, records: await store.countRecords('projects', served) };
  switching.onServed?.({ ...done, syncFollows: true, finishes: true });
  return { ...done, finished: true, ...(await clearAndStamp(store, switching)) };
}

/** Removes what killed loads left, then stamps what is served. @throws LoadRefused that names what is served meanwhile */
async function clearAndStamp(store: GenerationStore, switching: SwitchInProgress): Promise<Pick<Activation, 'syncedSeconds'>> {
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
 * Serves a set that was served before, and then stamps its records for sync.
 * @throws LoadRefused if a field of the set has another type than this version writes
 */
async function serveEarlierSet(
  store: GenerationStore,
  found: Generations,
  next: GenerationSet,
  switching: SwitchInProgress,
): Promise<Activation> {
  const { served } = found;
  const { changed } = await store.addMissingFields(next);
  if (changed.length) {
    const remedy = 'load its file as a generation with a higher number, npm run ingest -- load FILE --activate. Nothing was changed';
    throw new LoadRefused(`This version cannot go back to generation ${next.generation}: ${describeChangedFields(changed, remedy)}`);
  }
  if (!served) return serveStamped(store, found, next, switching);
  const began = performance.now();
  const ready = next.writers.length ? await store.abandon(next) : next;
  await serveUnstamped(store, found, ready, switching, served.committed);
  const done = { generation: next.generation, replaced: served.generation, records: await store.countRecords('projects', next) };
  const servedSeconds = secondsSince(began);
  switching.onServed?.({ ...done, syncFollows: true });
  return { ...done, servedSeconds, ...(await clearAndStamp(store, switching)) };
}

/** Returns, while a set is being stamped, to the one that sync still shows, for which no record has to be stamped. */
async function returnToSynced(store: GenerationStore, stamping: Stamping, switching: SwitchInProgress): Promise<Activation> {
  const { served, synced } = stamping;
  const began = performance.now();
  await serveUnstamped(store, stamping, synced, switching, null);
  const servedSeconds = secondsSince(began);
  await clearDeadLoads(store, switching.today);
  return {
    generation: synced.generation,
    replaced: served.generation,
    records: await store.countRecords('projects', synced),
    servedSeconds,
    syncedSeconds: servedSeconds,
  };
}

/**
 * Serves a set unchanged, under a new commit, since the served commit never goes back to an earlier one.
 * @param previous commit that sync continues to show; null if it belongs to the set itself
 */
async function serveUnstamped(
  store: GenerationStore,
  generations: Generations,
  next: GenerationSet,
  { opened, assertLocked }: SwitchInProgress,
  previous: number | null,
): Promise<void> {
  const commit = nextLoadNumber(generations);
  const before = (await opened.lineages.commitOfSet(opened.id, next)) ?? (await describeFoundCommit(store, next));
  const { generation, load: setLoad } = next;
  const record = { ...UNRECORDED, ...pickContents(before), commit, previous, kind: 'switch' as const, generation, setLoad };
  await publishChange({ store, opened, assertLocked }, generations, { way: 'return', set: next, commit }, { record });
}

/** Serves a set whose stamps are greater than those of what is served. */
async function serveStamped(
  store: GenerationStore,
  generations: Generations,
  next: GenerationSet,
  switching: SwitchInProgress,
): Promise<Activation> {
  const { served } = generations;
  const began = performance.now();
  if (served?.load !== next.load) {
    const { opened, assertLocked } = switching;
    // A commit that a restore of Postgres lost is recorded as found.
    const record = (await opened.lineages.commitOfSet(opened.id, next)) ? null : await describeFoundCommit(store, next);
    const change = { way: 'serve' as const, set: next, commit: next.committed };
    await publishChange({ store, opened, assertLocked }, generations, change, { record });
  }
  const servedSeconds = secondsSince(began);
  const done = { generation: next.generation, replaced: served?.generation ?? null, records: await store.countRecords('projects', next) };
  switching.onServed?.({ ...done, syncFollows: false });
  return { ...done, servedSeconds, syncedSeconds: servedSeconds };
}
