/** Reads what Postgres has recorded of commits: what a set shows before a load, and the lineage to which a commit is added. */
import { STATED_NAMES } from '../../src/core/domain/record/fields.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import { type CommitRecord, type LineageStore, type RecordedCommit, UNRECORDED } from '../../src/core/store/postgres/lineageStore.ts';
import { recordPages, type Scan } from '../read/versions.ts';
import { type Figures, FigureTally } from './figures.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';
import { readSetContents, SetContents } from './setContents.ts';

/** The lineage to which a command adds commits. */
export interface CurrentLineage {
  id: string;
  lineages: LineageStore;
  /** files of interrupted loads */
  forgotten: readonly string[];
}

/** Opens the tables of lineages when a command first needs them; until then it needs only the load lock. */
export type OpenLineageStore = () => Promise<LineageStore>;

/** Makes the record of a served commit that is not recorded, from what is found in its set. */
export async function describeFoundCommit(store: GenerationStore, set: GenerationSet): Promise<CommitRecord> {
  const newestStamp = await store.readNewestStamp(set);
  return { ...UNRECORDED, commit: set.committed, kind: 'adopted', generation: set.generation, setLoad: set.load, newestStamp };
}

/** Picks what a commit shows, for the record of another commit that shows the same. */
export const pickContents = ({
  chain,
  newestStamp,
  projects,
  documents,
  contacts,
  removals,
  digest,
  figures,
  findings,
  accepted,
  restrictions,
}: Omit<CommitRecord, 'report'>) => ({
  chain,
  newestStamp,
  projects,
  documents,
  contacts,
  removals,
  digest,
  figures,
  findings,
  accepted,
  restrictions,
});

/**
 * How much a set's generation states as of its commit: as recorded, or if it is not recorded, counted.
 * @param recorded its commit, where it was read already
 */
export async function readFigures(
  store: GenerationStore,
  { id, lineages }: CurrentLineage,
  set: GenerationSet,
  recorded?: RecordedCommit,
): Promise<Figures> {
  const { figures } = recorded ?? (await lineages.commitOfSet(id, set)) ?? UNRECORDED;
  if (!figures) return (await countFigures(store, set)).figures;
  const { records, fields } = figures as Figures;
  const order = (name: string) => (STATED_NAMES as readonly string[]).indexOf(name);
  // Postgres sorts keys by their length.
  return { records, fields: Object.fromEntries(Object.entries(fields).sort(([a], [b]) => order(a) - order(b))) };
}

/** Counts how much a set states, from each of its records. */
export async function countFigures(store: GenerationStore, set: GenerationSet): Promise<FigureTally> {
  const tally = new FigureTally();
  const walk: Scan = { index: store.names.completeAlias('projects', set), by: 'id', fields: ['uncovered', 'compact', 'standard', 'full'] };
  for await (const page of recordPages<StoredProject>(store.client, walk)) for (const { version } of page) tally.add(version);
  return tally;
}

/** Reads what a set shows before a load writes into it: as recorded, or if it is not recorded, as found in the set. */
export async function readContentsBefore(
  store: GenerationStore,
  { id, lineages }: CurrentLineage,
  set: GenerationSet,
): Promise<{ contents: SetContents; before: RecordedCommit | undefined }> {
  const before = await lineages.commitOfSet(id, set);
  const contents = before?.digest
    ? new SetContents(before)
    : await readSetContents(store, (kind: Kind) => store.names.completeAlias(kind, set));
  return { contents, before };
}
