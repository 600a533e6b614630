/**
 * What sync shows, and how it follows what is served. Searches and sync read through aliases of their own. A load and a switch to a generation that
 * was never served move both in one atomic step, since their records are stamped above all that was served. A switch back takes two steps:
 *
 *   same      sync shows what is served
 *   stamping  a set that was served before is served again, as it stands (`serveBefore`); sync, and alerts with it, still show what was served
 *             until then, and a mark on the served set says so. The records that differ are stamped meanwhile, unseen
 *   same      one step commits them, shows the set to sync and takes the mark away (`commitStamped`)
 *
 * A loader that dies while it stamps leaves everything as it is: the next command that loads or switches begins there (`begin`). Sync never shows a
 * set whose records are not stamped. An earlier version knows of none of this:
 *
 *   absent    it loaded the index: sync reads what is served, until the first command of this version makes its aliases
 *   apart     it loaded after a command of this version: sync is refused (`compareSynced`), until the next command of this version mends it
 */

import { LoadRefused } from '../loadRefused.ts';
import type { GenerationSet, GenerationStore, Generations } from '../write/generations.ts';
import type { Lineages, OpenLineage } from '../write/recordedCommits.ts';
import { heal, purgeUnread } from './heal.ts';
import { openLineage } from './openLineage.ts';
import { restampLoad, type StampContext } from './restamp.ts';

export interface SwitchContext extends Omit<StampContext, 'opened'> {
  /** where commits are recorded */
  lineage: Lineages;
  /** throws once the load lock is lost; asked before each switch */
  assertLocked?: (() => void) | undefined;
}

/** What is loaded, its lineage, and nothing that a command before left half done. */
export interface Begun {
  opened: OpenLineage;
  generations: Generations;
}

/** What is loaded while a served set is being stamped. */
export interface Stamping extends Generations {
  served: GenerationSet;
  synced: GenerationSet;
}

export const isStamping = (generations: Generations): generations is Stamping =>
  generations.served?.stamping === true && generations.synced !== undefined;

/**
 * Opens the lineage, clears away what killed loads left, and finishes the stamping that one left. Call it under the load lock, before anything else.
 * @throws LoadRefused where what is served is not what was recorded
 */
export async function begin(store: GenerationStore, context: SwitchContext): Promise<Begun> {
  const opened = await openLineage(context.lineage, store);
  await mendSync(store);
  const generations = await heal(store, context.today);
  if (!isStamping(generations)) return { opened, generations };
  await stampServed(store, generations, { ...context, opened });
  return { opened, generations: await store.read() };
}

/**
 * Shows to sync what is served where it has no aliases yet, and where an earlier version moved what is served alone: that stamps its records above
 * what was served until then, which sync showed. Where a mark says that this was not so, what is served is to be stamped.
 * @throws LoadRefused where it is not known any more what sync showed
 */
export async function mendSync(store: GenerationStore): Promise<Generations> {
  const generations = await store.read();
  const { served, synced, sets } = generations;
  if (!served) return generations;
  const isMarked = sets.some(({ stamping }) => stamping);
  if (served.stamping && !synced)
    throw new LoadRefused(
      'The records that are served were not stamped for sync, and the generation that sync showed is gone. Accept what is served with npm run ingest -- adopt: every copy kept by sync has to be built again',
    );
  if (isMarked && synced && synced.load !== served.load) {
    if (served.stamping) return generations;
    await store.markStamping(served, generations);
  } else if (isMarked || served.synced !== served.committed) await store.showToSync(served, generations);
  else return generations;
  return store.read();
}

/** Stamps what is served against what sync shows, and shows it to sync in one step. Whatever ends it early, the next command goes on with it. */
export async function stampServed(
  store: GenerationStore,
  generations: Stamping,
  context: StampContext & Pick<SwitchContext, 'assertLocked'>,
): Promise<void> {
  const { served, synced } = generations;
  const { id, lineages } = context.opened;
  const load = await restampLoad(store, generations, { synced, next: served }, context);
  context.assertLocked?.();
  await store.commitStamped(served, generations, load);
  await lineages.markServed(id, { load: served.load, committed: load });
  await purgeUnread(store, { ...served, committed: load }).catch(() => undefined); // the next increment does it
}
