/**
 * Whether a full generation is loaded into a copy of the set that it builds on, so that only what differs is written. A set is filled anew where
 * the one before has another form, or where building it again would take twice as many writes as it has records.
 */
import type { GenerationFiles } from '../../src/store/files/generationFiles.ts';
import type { OpenLineage } from '../lineage/openLineage.ts';
import type { GenerationSet, GenerationStore } from '../sets/generations.ts';

/** @returns how many versions were written into copies since a set was filled anew; undefined where the set is not to be copied */
export async function copiedChanges(
  store: GenerationStore,
  { id, lineages }: OpenLineage,
  base: GenerationSet,
  files: GenerationFiles | null,
): Promise<number | undefined> {
  if (!(await store.isOfThisVersion(base)) || !(await store.canBeCopied(base)) || !(await store.figures(base))) return undefined;
  if (!files) return 0;
  const known = await lineages.ofSet(id, base);
  if (!known?.chain) return undefined;
  const changes = (await lineages.commit(id, known.chain))?.copiedChanges ?? 0;
  return changes < (known.projects ?? 0) ? changes : undefined;
}
