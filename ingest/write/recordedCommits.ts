/** What Postgres records of commits: what a set showed before a load, and what it will show once the load is committed. */
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import { type CommitRecord, type LineageStore, type RecordedCommit, UNRECORDED } from '../../src/core/store/postgres/lineage.ts';
import type { GenerationSet, GenerationStore } from './generations.ts';
import { readSetContents, SetContents } from './setContents.ts';

/** The lineage that a command adds to. */
export interface OpenLineage {
  id: string;
  lineages: LineageStore;
  /** files of loads that were cut short */
  forgotten: readonly string[];
}

/** Opens the tables when a command needs them first: until then nothing has to be there but the load lock. */
export type Lineages = () => Promise<LineageStore>;

/** The record of a commit that is there and of which nothing is known. */
export async function describeFoundCommit(store: GenerationStore, set: GenerationSet): Promise<CommitRecord> {
  const newestStamp = await store.newestStamp(set);
  return { ...UNRECORDED, commit: set.committed, kind: 'adopted', generation: set.generation, setLoad: set.load, newestStamp };
}

/** What a commit shows, for the record of another one that shows the same. */
export const pickContents = ({ chain, newestStamp, projects, documents, contacts, removals, digest, figures }: CommitRecord) => ({
  chain,
  newestStamp,
  projects,
  documents,
  contacts,
  removals,
  digest,
  figures,
});

/** What a set shows before a load writes into it: as it was recorded, else as it is found. */
export async function readContentsBefore(
  store: GenerationStore,
  { id, lineages }: OpenLineage,
  set: GenerationSet,
): Promise<{ contents: SetContents; before: RecordedCommit | undefined }> {
  const before = await lineages.commitOfSet(id, set);
  const contents = before?.digest ? new SetContents(before) : await readSetContents(store, (kind: Kind) => store.names.whole(kind, set));
  return { contents, before };
}
