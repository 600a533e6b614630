/**
 * Stamping for sync: a load into a set that was served before, in which every record that differs from what sync shows is written again, and those
 * that the set lacks leave a trace, so that a copy kept by sync sees them again. One that only filters tell apart keeps its time of change: alerts
 * follow what was written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { KINDS, type Kind, visibleAt } from '../../src/core/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import { unkept } from '../../src/core/store/postgres/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { findByKey, keyPages, keysWithout, newestStampWhere, pages, type StoredVersion } from '../read/versions.ts';
import { bulkWrite, type Write } from '../write/bulkWrite.ts';
import { type Contents, counted } from '../write/contents.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoad } from '../write/generations.ts';
import { chainBefore, Keeping } from '../write/keeping.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { toStatement } from '../write/projectContent.ts';
import { searchedOf } from '../write/projectDocument.ts';
import { contentsBefore, type OpenLineage } from '../write/recordedCommits.ts';
import { earlierRevisions, renamed } from '../write/revise.ts';
import { stampsAbove } from '../write/stamps.ts';
import { hide, removal, supersede, type Trace } from '../write/statementWrites.ts';

export interface StampContext {
  now: () => Date;
  /** `YYYY-MM-DD` */
  today: string;
  /** where what is loaded is kept; null keeps nothing */
  files: GenerationFiles | null;
  opened: OpenLineage;
  onStamping?: ((progress: StampProgress) => void) | undefined;
}

export interface StampProgress {
  /** records that were compared */
  compared: number;
  of: number;
  /** those of them that differ */
  stamped: number;
}

/**
 * Writes into a set what makes it follow `synced`, unseen until the load is committed, and records the commit.
 * @param synced the set that sync shows
 * @returns the number of the load
 */
export async function restampLoad(
  store: GenerationStore,
  generations: Generations,
  { synced, next }: { synced: GenerationSet; next: GenerationSet },
  context: StampContext,
): Promise<number> {
  const number = nextLoad(generations);
  const { contents } = await contentsBefore(store, context.opened, next);
  const chain = await chainBefore(store, context.opened, next, context.files);
  const keeping = context.files && new Keeping(context.files, store.names.prefix, { generation: next.generation, commit: number });
  try {
    return await stampedBy(store, { synced, next, number, contents, chain, keeping }, context);
  } catch (error) {
    await keeping?.abandon();
    throw error;
  }
}

/** A load that stamps. */
interface Stamp {
  synced: GenerationSet;
  next: GenerationSet;
  number: number;
  contents: Contents;
  chain: number | null;
  keeping: Keeping | null;
}

async function stampedBy(
  store: GenerationStore,
  { synced, next, number, contents, chain, keeping }: Stamp,
  context: StampContext,
): Promise<number> {
  const stamps = await stampsAbove(store, context.now(), [synced, next]);
  const writing = (kind: Kind) => store.names.writing(kind, next, number);
  await store.open(next, number);
  const target = { number, writing, stamps, today: context.today, deletesReplaced: false };
  await restamp(store, next, target, { contents, keeping, onStamping: context.onStamping });
  await store.notes(next).dropFiguresAfter(next.committed);
  await store.refresh(next);
  const shown = visibleAt({ committed: number, aborted: next.aborted });
  await context.opened.lineages.record(context.opened.id, {
    ...unkept,
    ...{ commit: number, previous: synced.committed, kind: 'switch', generation: next.generation, setLoad: next.load },
    ...(await keeping?.finish()),
    chain,
    firstStamp: stamps.start,
    newestStamp: await newestStampWhere(store.client, (kind) => store.names.index(kind, next), shown),
    ...contents.recorded(),
    figures: (await store.figures(next)) ?? null,
  });
  keeping?.leave();
  return number;
}

async function restamp(
  store: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  { contents, keeping, onStamping }: { contents: Contents; keeping: Keeping | null } & Pick<StampContext, 'onStamping'>,
): Promise<void> {
  const kindOf = new Map(KINDS.map((kind) => [target.writing(kind), kind] as const));
  for (const writes of [differing(store, next, target, onStamping), lost(store, next, target), traced(store, next, target)]) {
    const noted = keeping ? keeping.note(writes, kindOf) : writes;
    const { created, replaced } = await bulkWrite(store.client, counted(noted, contents, kindOf), { throughAlias: true });
    if (created.length || replaced.length)
      throw new LoadRefused(`Generation ${next.generation} changed while it was compared; run the command again`);
  }
}

async function* differing(
  store: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  onStamping: StampContext['onStamping'],
): AsyncGenerator<Write> {
  const { client, names } = store;
  const progress = { compared: 0, of: await store.count('projects', next), stamped: 0 };
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', next), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const known = await findByKey<StoredProject>(client, names.synced('projects'), keys, [], COMPARED);
    const rewritten = page.filter(({ version }) => known.get(version.key)?.version.loadedIn !== version.loadedIn);
    const before = await findByKey<StoredProject>(
      client,
      names.synced('projects'),
      rewritten.map(({ version }) => version.key),
    );
    const changed = rewritten.filter(({ version }) => !isAsServed(version, before.get(version.key)?.version, target.today));
    for (const found of changed) {
      const stamped = stampedAgain(found.version, before.get(found.version.key)?.version, target);
      yield { operation: 'create', index: target.writing('projects'), version: stamped, indexed: searchedOf(stamped, target.today) };
      yield supersede(target, found);
    }
    progress.compared += page.length;
    progress.stamped += changed.length;
    onStamping?.({ ...progress });
  }
}

/** A version has the number of its load wherever it was copied to. */
const COMPARED = ['key', 'loadedIn'];

/** True where a copy and an alert have nothing to learn: equal content, reported at the same time and found by the same filters. */
const isAsServed = (version: StoredProject, now: StoredProject | undefined, today: string) =>
  now?.contentRevision === version.contentRevision &&
  now.lastUpdated === version.lastUpdated &&
  isDeepStrictEqual(searchedOf(now, today), searchedOf(version, today));

/**
 * A version that is served again in place of `now`. Equal content keeps the time at which it was reported: a copy that has not read that far
 * yet still has to see it. Its evidence is that of its own generation and of those before; what a later one stated is none.
 */
function stampedAgain(version: StoredProject, now: StoredProject | undefined, target: WriteTarget): StoredProject {
  const { contentHash: _, earlierRevisions: __, ...rest } = version;
  const { unchanged, ...revision } = renamed(now, version);
  const lastUpdated = now && unchanged ? now.lastUpdated : target.stamps.next();
  const earlier = earlierRevisions(now, toStatement(version), revision, lastUpdated);
  return { ...rest, ...revision, loadedIn: target.number, lastUpdated, ...(earlier.length ? { earlierRevisions: earlier } : {}) };
}

/** Records that only sync shows leave a trace of their removal. */
async function* lost(store: GenerationStore, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  const walk = { index: names.synced('projects'), by: 'id' } as const;
  const kept = keyPages<number>(client, { index: names.whole('projects', next), by: 'id' });
  for await (const keys of keysWithout(client, walk, [kept])) {
    const removed = await findByKey<StoredProject>(client, walk.index, keys);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of removed.values()) {
      const earlier = traces.get(version.key);
      yield removal(target, version, {
        mergedInto: earlier?.version.mergedInto,
        absorbed: earlier?.version.absorbed,
      });
      if (earlier) yield hide(target, 'removals', earlier);
    }
  }
}

/** Traces that only sync shows, or shows of a later time, go along, for a copy that has not read them yet. */
async function* traced(store: GenerationStore, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<Trace>(client, { index: names.synced('removals'), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const back = await findByKey<StoredVersion>(client, names.whole('projects', next), keys, [], ['key']);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of page) {
      const earlier = traces.get(version.key);
      if (back.has(version.key) || (earlier && earlier.version.at >= version.at)) continue;
      const { absorbed: _, ...removed } = version;
      const absorbed = earlier?.version.absorbed;
      const trace = { ...removed, loadedIn: target.number, ...(absorbed ? { absorbed } : {}) };
      yield { operation: 'create', index: target.writing('removals'), version: trace };
      if (earlier) yield hide(target, 'removals', earlier);
    }
  }
}
