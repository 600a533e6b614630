/**
 * Decides whether a full generation is loaded into a copy of its base set, so that only differences are written. The set is filled from scratch
 * if the base has few records or another form, or if rebuilding the base would take twice as many writes as it has records.
 */
import type { RecordedCommit } from '../../src/core/store/postgres/lineageStore.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';
import type { LoadContext } from './loadContext.ts';
import { canBeCopied } from './makeSets.ts';
import type { CurrentLineage } from './recordedCommits.ts';

const REBUILD_MOST = 2;
/** Writing fewer records is faster than copying four indices. */
const COPIED_FROM = 300;

export async function shouldCopyBase(
  store: GenerationStore,
  { id, lineages }: CurrentLineage,
  base: GenerationSet,
  { files, copiedFrom = COPIED_FROM }: Pick<LoadContext, 'files' | 'copiedFrom'>,
): Promise<boolean> {
  const found = await lineages.commitOfSet(id, base);
  if (found?.digest && recordsOf(found) < copiedFrom) return false;
  if (!(await store.openNotes(base).isOfThisVersion()) || !(await canBeCopied(store, base))) return false;
  if (!files) return true;
  const commits = await lineages.listCommits(id, base.committed);
  const writes = commits.reduce((sum, { stateLines }) => sum + (stateLines ?? 0), 0);
  const last = commits.at(-1);
  return last !== undefined && writes < REBUILD_MOST * recordsOf(last);
}

const recordsOf = ({ projects, documents, contacts, removals }: RecordedCommit) =>
  (projects ?? 0) + (documents ?? 0) + (contacts ?? 0) + (removals ?? 0);
