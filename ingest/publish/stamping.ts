/**
 * Stamping a set for sync: a load into a set that was served before, or where much differs into a copy of it, which writes what makes it follow what sync shows, unseen until one step
 * shows it to searches and to sync. Whatever ends it early, the next command begins it again.
 */
import { type Kind, type SetName, visibleAt } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import { unkept } from '../../src/core/store/postgres/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { newestStampWhere } from '../read/versions.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoad } from '../write/generations.ts';
import { chainBefore, Keeping, recordedWriter } from '../write/keeping.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { canBeCopied, copySet, endFilling } from '../write/makeSets.ts';
import { purgeUnread } from '../write/purge.ts';
import { contentsBefore, type OpenLineage } from '../write/recordedCommits.ts';
import { stampsAbove } from '../write/stamps.ts';
import { isStamping, shownPublication } from './publication.ts';
import { publish } from './publish.ts';
import { type StampedRanges, type StampProgress, stampedRanges, stampWrites } from './stampWrites.ts';

export interface StampContext {
  now: () => Date;
  /** `YYYY-MM-DD` */
  today: string;
  /** where what is loaded is kept; null keeps nothing */
  files: GenerationFiles | null;
  opened: OpenLineage;
  /** throws once the load lock is lost; asked before each change of what is served */
  assertLocked?: (() => void) | undefined;
  onStamping?: ((progress: StampProgress) => void) | undefined;
  /** versions that may differ, from which on they are stamped in a copy of the set; `COPIED_FROM` unless given */
  copiedFrom?: number | undefined;
}

/** Fewer are written sooner than four indices are made. */
const COPIED_FROM = 1_000;

/** What is loaded while a served set is to be stamped. */
export interface Stamping extends Generations {
  served: GenerationSet;
  synced: GenerationSet;
}

export const needsStamping = (generations: Generations): generations is Stamping => isStamping(shownPublication(generations));

/** Stamps what is served against what sync shows, and shows it to sync. */
export async function stampServed(store: GenerationStore, generations: Stamping, context: StampContext): Promise<void> {
  const { served: next, synced } = generations;
  const { opened, files, today } = context;
  const commit = nextLoad(generations);
  const ranges = await stampedRanges(store, next);
  const { contents } = await contentsBefore(store, opened, next);
  const chain = await chainBefore(store, opened, next, files);
  const stamps = await stampsAbove(store, context.now(), [synced, next]);
  const { set, isCopy } = await openStamped(store, next, commit, countVersions(ranges) >= (context.copiedFrom ?? COPIED_FROM));
  const keeping = files && new Keeping(files, store.names.prefix, { generation: next.generation, commit });
  try {
    const writing = (kind: Kind) => store.names.writing(kind, set, commit);
    const target: WriteTarget = { number: commit, writing, stamps, today, deletesReplaced: isCopy };
    const write = recordedWriter(store, writing, { contents, keeping });
    const { created, replaced } = await write(stampWrites(store, { next, ranges }, target, context.onStamping));
    if (created.length || replaced.length)
      throw new LoadRefused(`Generation ${next.generation} changed while it was compared; run the command again`);
    await closeStamped(store, next, { set, isCopy, commit });
    const shown = visibleAt({ committed: commit, aborted: next.aborted });
    const record = {
      ...unkept,
      commit,
      previous: isCopy ? next.committed : synced.committed,
      kind: 'switch' as const,
      generation: next.generation,
      setLoad: set.load,
      ...(await keeping?.finish()),
      chain: isCopy && chain !== null ? commit : chain,
      copiesPrevious: isCopy && chain !== null,
      firstStamp: stamps.start,
      newestStamp: await newestStampWhere(store.client, (kind) => store.names.index(kind, set), shown),
      ...contents.recorded(),
      figures: (await store.figures(next)) ?? null,
    };
    const change = { way: isCopy ? 'renew' : 'commit', set: { ...set, aborted: next.aborted }, commit, closes: commit } as const;
    await publish({ ...context, store }, generations, change, { record, keeping });
  } catch (error) {
    await keeping?.abandon();
    if (isCopy) await store.discard(set).catch(() => undefined); // the next command does
    throw error;
  }
  if (!isCopy) await purgeUnread(store, { ...next, committed: commit }).catch(() => undefined); // the next increment does it
}

/** What is written into while a set is stamped. */
interface Stamped {
  /** a copy of the set, or the set itself */
  set: SetName;
  isCopy: boolean;
}

const countVersions = ({ projects, removals }: StampedRanges) =>
  [...projects, ...removals].reduce((sum, { versions }) => sum + versions, 0);

/**
 * Opens what is written into: a copy that comes to be served in place of the set, in which what is replaced is deleted at once, and nothing is searched
 * meanwhile. The set itself where that is not wanted, or where it cannot be copied.
 */
async function openStamped(store: GenerationStore, next: GenerationSet, commit: number, isCopyWanted: boolean): Promise<Stamped> {
  const copy = { generation: next.generation, load: commit };
  const isCopied = async () =>
    isCopyWanted && (await store.notes(next).isOfThisVersion()) && (await canBeCopied(store, next)) && (await copySet(store, copy, next));
  if (await isCopied()) return { set: copy, isCopy: true };
  await store.open(next, commit);
  return { set: { generation: next.generation, load: next.load }, isCopy: false };
}

/** When all is written: it can be searched, and states what the set stated before. */
async function closeStamped(
  store: GenerationStore,
  next: GenerationSet,
  { set, isCopy, commit }: Stamped & { commit: number },
): Promise<void> {
  const figures = await store.figures(next);
  if (!isCopy) await store.notes(next).dropFiguresAfter(next.committed);
  else if (figures) await store.notes(set).keepFigures(undefined, commit, figures);
  if (isCopy) await endFilling(store, set);
  await store.refresh(set);
}
