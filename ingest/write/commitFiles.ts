/** The files that loads keep in the store of generations: the generation file as loaded, and a state file of what it changed. */
import { createReadStream } from 'node:fs';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { KINDS, type Kind, type SetName } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { CommitRecord } from '../../src/core/store/postgres/lineageStore.ts';
import { recordPages, type StoredVersion, UNIQUE_FIELD } from '../read/versions.ts';
import { bulkWrite, type Conflicts, type Write } from './bulkWrite.ts';
import { FigureTally } from './figures.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';
import { type CurrentLineage, describeFoundCommit } from './recordedCommits.ts';
import { countWrites, SetContents } from './setContents.ts';
import { noteWrites, StateWriter } from './stateFile.ts';

type KeptFields = Pick<CommitRecord, 'keptIn' | 'sourceFile' | 'stateFile' | 'stateSha256' | 'stateLines'>;

const GZIP = /\.gz$/i;

interface SetWriter {
  write: (writes: AsyncIterable<Write>) => Promise<Conflicts>;
  /** makes what was written searchable, on every shard copy */
  refresh: () => Promise<void>;
}

/** Makes what sends a load's writes to its set, counts them, and notes them in the state file if one is kept. */
export function makeRecordingWriter(
  store: GenerationStore,
  set: SetName,
  writing: (kind: Kind) => string,
  { contents, commitFiles }: { contents: SetContents; commitFiles: CommitFiles | null },
): SetWriter {
  const kindOf = new Map(KINDS.map((kind) => [writing(kind), kind] as const));
  const unsearchable = new Set<Kind>();
  const write = (writes: AsyncIterable<Write>) => {
    const noted = commitFiles ? commitFiles.noteWrites(writes, kindOf) : writes;
    return bulkWrite(store.client, countWrites(noted, contents, kindOf, unsearchable), { throughAlias: true });
  };
  const refresh = async () => {
    if (unsearchable.size) await store.refresh(set, [...unsearchable]);
    unsearchable.clear();
  };
  return { write, refresh };
}

/** The files of one commit while its load runs. */
export class CommitFiles {
  readonly #files: GenerationFiles;
  readonly #name: string;
  readonly #state: StateWriter;
  readonly #written: string[] = [];
  #isRecorded = false;

  constructor(files: GenerationFiles, prefix: string, { generation, commit }: { generation: number; commit: number }) {
    this.#files = files;
    this.#name = nameOf(prefix, generation, commit);
    this.#state = new StateWriter(files.store, `${this.#name}.state.zst`);
  }

  /** Passes writes through and notes them in the state file. @param kindOf the kind for each name that is written through */
  noteWrites(writes: AsyncIterable<Write>, kindOf: ReadonlyMap<string, Kind>): AsyncIterable<Write> {
    return noteWrites(writes, this.#state, kindOf);
  }

  /** Completes the files; call it before the commit. @param source path of the generation file; absent for a switch @throws FileStoreError */
  async finish(source?: string): Promise<KeptFields> {
    const { store, place } = this.#files;
    const stateFile = `${this.#name}.state.zst`;
    const state = await this.#state.finish();
    this.#written.push(stateFile);
    const sourceFile = source === undefined ? null : `${this.#name}.ndjson${GZIP.test(source) ? '.gz' : ''}`;
    if (source !== undefined && sourceFile !== null) {
      await store.write(sourceFile, createReadStream(source), new AbortController().signal);
      this.#written.push(sourceFile);
    }
    return { keptIn: place, sourceFile, stateFile, ...state };
  }

  /** Notes that the commit is recorded: `abandon` no longer deletes the files, which are deleted together with their record. */
  markRecorded(): void {
    this.#isRecorded = true;
  }

  /** Deletes the files, unless their commit has been recorded. */
  async abandon(): Promise<void> {
    if (this.#isRecorded) return;
    await this.#state.abandon();
    for (const name of this.#written) await this.#files.store.delete(name).catch(() => undefined); // nothing names it
  }
}

const nameOf = (prefix: string, generation: number, commit: number) => `${prefix}-g${generation}-c${commit}`;
const REST_OF_NAME = /^-g\d+-c\d+(\.whole)?\.(state\.zst|ndjson(\.gz)?)$/;

/** Whether a name is that of a file kept by loads into the indices with this prefix. */
export const isKeptFile = (prefix: string, name: string): boolean =>
  name.startsWith(prefix) && REST_OF_NAME.test(name.slice(prefix.length));

/**
 * Stores everything that a set shows, if the files from which it was made are not kept, since it was loaded while keeping was switched off.
 * @returns the chain of commits that begins with it
 */
async function keepWholeSet(
  store: GenerationStore,
  { id, lineages }: CurrentLineage,
  set: GenerationSet,
  files: GenerationFiles,
): Promise<number> {
  const stateFile = `${nameOf(store.names.prefix, set.generation, set.committed)}.whole.state.zst`;
  const state = new StateWriter(files.store, stateFile);
  const contents = new SetContents();
  const tally = new FigureTally();
  try {
    for (const kind of KINDS) {
      for await (const page of recordPages<StoredVersion>(store.client, {
        index: store.names.completeAlias(kind, set),
        by: UNIQUE_FIELD[kind],
      })) {
        for (const { version } of page) {
          contents.add(kind, version);
          if (kind === 'projects') tally.add(version as StoredProject);
          await state.addVersion(kind, JSON.stringify(version));
        }
      }
    }
    const kept = { chain: set.committed, keptIn: files.place, stateFile, ...(await state.finish()), ...contents.toRecord() };
    await lineages.noteKept(id, set.committed, { ...kept, figures: tally.figures });
    return set.committed;
  } catch (error) {
    await state.abandon();
    throw error;
  }
}

/** The chain to which the next commit of a set belongs; begins a chain if the set has none. null if no files are kept. */
export async function continueChain(
  store: GenerationStore,
  opened: CurrentLineage,
  set: GenerationSet,
  files: GenerationFiles | null,
): Promise<number | null> {
  if (!files) return null;
  const known = await opened.lineages.commitOfSet(opened.id, set);
  if (!known) await opened.lineages.record(opened.id, await describeFoundCommit(store, set));
  return known?.chain ?? keepWholeSet(store, opened, set, files);
}

/** Deletes files of interrupted loads, and of sets that are neither served nor may be served again. */
export async function dropUnneededFiles(
  opened: CurrentLineage,
  sets: readonly GenerationSet[],
  files: GenerationFiles | null,
): Promise<void> {
  if (!files) return;
  // A file that cannot be deleted now is deleted by the next load, or by `prune`.
  for (const name of opened.forgotten) await files.store.delete(name).catch(() => undefined);
  await opened.lineages.dropKept(opened.id, sets, (name) => files.store.delete(name)).catch(() => undefined);
}
