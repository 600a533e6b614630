/**
 * Decides whether a full generation is loaded into a copy of its base set, so that only differences are written. The set is filled from scratch
 * if the base has another form, or if rebuilding the base would take twice as many writes as it has records.
 */
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { RecordedCommit } from '../../src/core/store/postgres/lineageStore.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';
import { canBeCopied } from './makeSets.ts';
import type { CurrentLineage } from './recordedCommits.ts';

const REBUILD_MOST = 2;

export async function shouldCopyBase(
  store: GenerationStore,
  { id, lineages }: CurrentLineage,
  base: GenerationSet,
  files: GenerationFiles | null,
): Promise<boolean> {
  if (!(await store.openNotes(base).isOfThisVersion()) || !(await canBeCopied(store, base))) return false;
  if (!files) return true;
  const commits = await lineages.listCommits(id, base.committed);
  const writes = commits.reduce((sum, { stateLines }) => sum + (stateLines ?? 0), 0);
  const last = commits.at(-1);
  return last !== undefined && writes < REBUILD_MOST * recordsOf(last);
}

const recordsOf = ({ projects, documents, contacts, removals }: RecordedCommit) =>
  (projects ?? 0) + (documents ?? 0) + (contacts ?? 0) + (removals ?? 0);
