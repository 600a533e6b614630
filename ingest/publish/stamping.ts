/**
 * Stamps a served set for sync. It works like a load into that set, or into a copy of it if much differs: it writes what makes the set follow what sync
 * shows, and one step shows the result to searches and sync. If it is interrupted, the next command starts it again.
 */
import { type Kind, type SetName, visibilityFilter } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import { UNRECORDED } from '../../src/core/store/postgres/lineageStore.ts';
import { LoadRefused } from '../loadRefused.ts';
import { newestStampOf } from '../read/versions.ts';
import { CommitFiles, continueChain, makeRecordingWriter } from '../write/commitFiles.ts';
import { findForeignChanges } from '../write/conflicts.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber } from '../write/generationSets.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { canBeCopied, copySet } from '../write/makeSets.ts';
import { purgeReplacedVersions } from '../write/purge.ts';
import { type CurrentLineage, readContentsBefore, readFigures } from '../write/recordedCommits.ts';
import { readStamps } from '../write/stamps.ts';
import { derivePublication, isStamping } from './publication.ts';
import { publishChange } from './publish.ts';
import { findRangesToStamp, type RangesToStamp, type StampProgress, stampWrites } from './stampWrites.ts';

export interface StampContext {
  now: () => Date;
  /** `YYYY-MM-DD` */
  today: string;
  /** where generation files and state files are kept; null keeps none */
  files: GenerationFiles | null;
  opened: CurrentLineage;
  /** throws once the load lock is lost; asked before each change of what is served */
  assertLocked?: (() => void) | undefined;
  onStamping?: ((progress: StampProgress) => void) | undefined;
  /** number of differing versions from which a copy of the set is stamped instead; `COPIED_FROM` by default */
  copiedFrom?: number | undefined;
}

/** Writing fewer versions is faster than making four indices. */
const COPIED_FROM = 1_000;

/** The loaded sets while the served one has to be stamped. */
export interface Stamping extends Generations {
  served: GenerationSet;
  synced: GenerationSet;
}

export const needsStamping = (generations: Generations): generations is Stamping => isStamping(derivePublication(generations));

/** Stamps what is served against what sync shows, and shows it to sync. */
export async function stampServedSet(store: GenerationStore, generations: Stamping, context: StampContext): Promise<void> {
  const { served: next, synced } = generations;
  const { opened, files, today } = context;
  const commit = nextLoadNumber(generations);
  const ranges = await findRangesToStamp(store, next);
  const { contents, before } = await readContentsBefore(store, opened, next);
  const chain = await continueChain(store, opened, next, files);
  const { stamps } = await readStamps(store, context.now(), synced, next);
  const { set, isCopy } = await openStampTarget(store, next, commit, countVersions(ranges) >= (context.copiedFrom ?? COPIED_FROM));
  const commitFiles = files && new CommitFiles(files, store.names.prefix, { generation: next.generation, commit });
  try {
    const writing = (kind: Kind) => store.names.writeAlias(kind, set, commit);
    const target: WriteTarget = { number: commit, writing, stamps, today, deletesReplaced: isCopy };
    const { write, refresh } = makeRecordingWriter(store, set, writing, { contents, commitFiles });
    const { replaced } = await write(stampWrites(store, { next, ranges }, target, context.onStamping));
    const foreign = await findForeignChanges(store, { set, number: commit }, replaced);
    if (foreign.length) throw new LoadRefused(`Generation ${next.generation} changed while it was compared; run the command again`);
    await refresh();
    const shown = visibilityFilter({ committed: commit, aborted: next.aborted });
    const record = {
      ...UNRECORDED,
      commit,
      previous: isCopy ? next.committed : synced.committed,
      kind: 'switch' as const,
      generation: next.generation,
      setLoad: set.load,
      ...(await commitFiles?.finish()),
      chain: isCopy && chain !== null ? commit : chain,
      copiesPrevious: isCopy && chain !== null,
      firstStamp: stamps.start,
      newestStamp: await newestStampOf(store.client, (kind) => store.names.indexName(kind, set), shown),
      ...contents.toRecord(),
      figures: await readFigures(store, opened, next),
      ...(before ? { findings: before.findings, accepted: before.accepted, restrictions: before.restrictions } : {}),
      report: (await opened.lineages.readReport(opened.id, next)) ?? null,
    };
    const change = { way: isCopy ? 'renew' : 'commit', set: { ...set, aborted: next.aborted }, commit, closes: commit } as const;
    await publishChange({ ...context, store }, generations, change, { record, commitFiles });
  } catch (error) {
    await commitFiles?.abandon();
    if (isCopy) await store.discard(set).catch(() => undefined); // the next command does
    throw error;
  }
  if (!isCopy) await purgeReplacedVersions(store, { ...next, committed: commit }).catch(() => undefined); // the next increment does it
}

/** The set into which stamping writes. */
interface StampTarget {
  /** a copy of the set, or the set itself */
  set: SetName;
  isCopy: boolean;
}

const countVersions = ({ projects, removals }: RangesToStamp) =>
  [...projects, ...removals].reduce((sum, { versions }) => sum + versions, 0);

/**
 * Opens the set to write into: a copy, which is served in place of the set afterwards. Nobody searches it meanwhile, so that replaced versions are
 * deleted immediately. It is the set itself if no copy is wanted or possible.
 */
async function openStampTarget(store: GenerationStore, next: GenerationSet, commit: number, isCopyWanted: boolean): Promise<StampTarget> {
  const copy = { generation: next.generation, load: commit };
  const isCopied = async () =>
    isCopyWanted &&
    (await store.openNotes(next).isOfThisVersion()) &&
    (await canBeCopied(store, next)) &&
    (await copySet(store, copy, next));
  if (await isCopied()) return { set: copy, isCopy: true };
  await store.open(next, commit);
  return { set: { generation: next.generation, load: next.load }, isCopy: false };
}
