/**
 * Stamping a set for sync: a load into a set that was served before, which writes what makes it follow what sync shows, unseen until one step shows it
 * to searches and to sync. Whatever ends it early, the next command begins it again.
 */
import { type Kind, visibleAt } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import { unkept } from '../../src/core/store/postgres/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { newestStampWhere } from '../read/versions.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoad } from '../write/generations.ts';
import { chainBefore, Keeping, recordedWriter } from '../write/keeping.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { purgeUnread } from '../write/purge.ts';
import { contentsBefore, type OpenLineage } from '../write/recordedCommits.ts';
import { stampsAbove } from '../write/stamps.ts';
import { isStamping, shownPublication } from './publication.ts';
import { publish } from './publish.ts';
import { type StampProgress, stampWrites } from './stampWrites.ts';

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
}

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
  const { contents } = await contentsBefore(store, opened, next);
  const chain = await chainBefore(store, opened, next, files);
  const keeping = files && new Keeping(files, store.names.prefix, { generation: next.generation, commit });
  try {
    const stamps = await stampsAbove(store, context.now(), [synced, next]);
    const writing = (kind: Kind) => store.names.writing(kind, next, commit);
    const target: WriteTarget = { number: commit, writing, stamps, today, deletesReplaced: false };
    const write = recordedWriter(store, writing, { contents, keeping });
    await store.open(next, commit);
    const { created, replaced } = await write(stampWrites(store, next, target, context.onStamping));
    if (created.length || replaced.length)
      throw new LoadRefused(`Generation ${next.generation} changed while it was compared; run the command again`);
    await store.notes(next).dropFiguresAfter(next.committed);
    await store.refresh(next);
    const shown = visibleAt({ committed: commit, aborted: next.aborted });
    const record = {
      ...unkept,
      commit,
      previous: synced.committed,
      kind: 'switch' as const,
      generation: next.generation,
      setLoad: next.load,
      ...(await keeping?.finish()),
      chain,
      firstStamp: stamps.start,
      newestStamp: await newestStampWhere(store.client, (kind) => store.names.index(kind, next), shown),
      ...contents.recorded(),
      figures: (await store.figures(next)) ?? null,
    };
    await publish({ ...context, store }, generations, { way: 'commit', set: next, commit, closes: commit }, { record, keeping });
  } catch (error) {
    await keeping?.abandon();
    throw error;
  }
  await purgeUnread(store, { ...next, committed: commit }).catch(() => undefined); // the next increment does it
}
