/** Publishes a change, the only way in which readers come to see other content. The states are described in publication.ts. */
import { isDeepStrictEqual } from 'node:util';
import type { CommitRecord } from '../../src/core/store/postgres/lineageStore.ts';
import type { CommitFiles } from '../write/commitFiles.ts';
import type { GenerationStore, Generations } from '../write/generationSets.ts';
import type { CurrentLineage } from '../write/recordedCommits.ts';
import { type Change, derivePublication, derivePublicationAfter, makeAliasChanges, type Step } from './publication.ts';
import { recordRelease } from './release.ts';

interface Publisher {
  store: GenerationStore;
  opened: Pick<CurrentLineage, 'id' | 'lineages'>;
  /** throws once the load lock is lost; asked before each change */
  assertLocked?: (() => void) | undefined;
}

interface Recording {
  /** record of the new commit; null if it is already recorded */
  record: CommitRecord | null;
  /** files of the commit, which are kept once it is recorded */
  commitFiles?: CommitFiles | null;
}

/**
 * Publishes a change, of a set that is refreshed. Call it under the load lock. If it is killed at any point, the next command finds the aliases of the old or the new
 * publication, and both in the row.
 * @throws Error if the load was given up meanwhile, or another command changed what is served
 */
export async function publishChange(
  { store, opened: { id, lineages }, assertLocked }: Publisher,
  generations: Generations,
  change: Change,
  { record, commitFiles }: Recording = { record: null },
): Promise<void> {
  const publication = derivePublicationAfter(derivePublication(generations), change);
  assertLocked?.();
  await lineages.beginPublishing(id, publication, record);
  commitFiles?.markRecorded();
  await showPublication(store, generations, { publication, lineage: id, change });
  await lineages.notePublished(id, publication);
  await recordRelease(store, { id, lineages }, publication);
}

/** Shows a publication, if it is not shown yet. @returns false if nothing had to be changed */
export async function showPublication(store: GenerationStore, generations: Generations, step: Step): Promise<boolean> {
  const actions = makeAliasChanges(store.names, generations, step);
  if (!actions.length) return false;
  const { publication, change } = step;
  const isChanged = ({ sets }: Generations) =>
    !change || sets.some(({ load, committed }) => load === change.set.load && committed === change.commit);
  await store.changeAliases(actions, (now) => isDeepStrictEqual(derivePublication(now), publication) && isChanged(now));
  return true;
}
