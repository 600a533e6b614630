/**
 * Switching what is served. A switch is one atomic change of aliases. Going back to a set that was served before is a load into that
 * set, committed by the switch itself: records whose content differs are stamped again, and those that it lacks leave a trace, so that
 * a copy kept by sync sees them again.
 */
import type { StoredProject } from '../../src/domain/record/storedProject.ts';
import { KINDS, type Kind, visibleAt } from '../../src/store/elastic/indices.ts';
import type { GenerationFiles } from '../../src/store/files/generationFiles.ts';
import { unkept } from '../../src/store/postgres/lineage.ts';
import { chainBefore, Keeping } from '../keep/keeping.ts';
import { type Contents, counted } from '../lineage/contents.ts';
import { asFound, contentsBefore, type Lineages, type OpenLineage, openLineage } from '../lineage/openLineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { bulkWrite, type Write } from '../sets/bulkWrite.ts';
import { addIfFilled, type Figures, FigureTally, lossOf, lossTexts } from '../sets/figures.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoad } from '../sets/generations.ts';
import { toStatement } from '../sets/projectContent.ts';
import { findByKey, keysWithout, newestStampWhere, pages, type StoredVersion } from '../sets/versions.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { toDocument } from '../write/projectDocument.ts';
import { earlierRevisions, renamed } from '../write/revise.ts';
import { stampsAbove } from '../write/stamps.ts';
import { hide, removal, supersede, type Trace } from '../write/statementWrites.ts';
import { heal, purgeSuperseded } from './heal.ts';

interface Clock {
  now: () => Date;
  today: string;
  /** where commits are recorded */
  lineage: Lineages;
  /** where what is loaded is kept; null keeps nothing */
  files: GenerationFiles | null;
  /** throws once the load lock is lost; asked before the switch */
  assertLocked?: () => void;
}

export interface Activation {
  generation: number;
  /** generation that was served before; null for the first */
  replaced: number | null;
  records: number;
}

/**
 * Serves the newest whole set of a generation. Call under the load lock.
 * @param acceptLoss serves it also where it states a tenth fewer records or filled fields than what is served
 * @throws LoadRefused when there is none, or it lost too much
 */
export async function activate(
  store: GenerationStore,
  generation: number,
  clock: Clock,
  { acceptLoss = false }: { acceptLoss?: boolean } = {},
): Promise<Activation> {
  const opened = await openLineage(clock.lineage, store);
  const generations = await heal(store, clock.today);
  const next = generations.sets.findLast((set) => set.generation === generation);
  if (!next) {
    const known = [...new Set(generations.sets.map((set) => set.generation))].join(', ');
    throw new LoadRefused(`Generation ${generation} is not loaded; ${known ? `loaded: ${known}` : 'nothing is loaded yet'}`);
  }
  const { served } = generations;
  if (served && served.load !== next.load && !next.previous) {
    await refuseOutdated(store, served, next);
    if (!acceptLoss) await refuseLoss(store, served, next);
  }
  return switchTo(store, generations, next, { ...clock, opened });
}

/** @throws LoadRefused when a set has never been served and lacks what the served generation received since it was built */
async function refuseOutdated(store: GenerationStore, served: GenerationSet, next: GenerationSet): Promise<void> {
  if (next.load > served.load && (await store.builtOn(next)) !== served.committed)
    throw new LoadRefused(
      `Generation ${next.generation} was not built on what generation ${served.generation} serves now; load its file again, then activate it`,
    );
}

/** @throws LoadRefused with the figures when a set states too little compared with what is served */
async function refuseLoss(store: GenerationStore, served: GenerationSet, next: GenerationSet): Promise<void> {
  const [now, then] = [await figuresOf(store, next), await figuresOf(store, served)];
  const loss = lossOf(now.figures, then.figures);
  if (!loss) return;
  const uncounted = [now, then].some(({ counted }) => counted)
    ? [
        'an earlier version of this program loaded one of them: its records that state nothing but identity and classification are not counted',
      ]
    : [];
  throw new LoadRefused(
    `Generation ${next.generation} is not served: it states at least a tenth less than generation ${served.generation}, which is served. Is its file complete? If so: npm run ingest -- activate ${next.generation} --accept-loss`,
    [...lossTexts(loss), ...uncounted],
    { generation: next.generation, servedGeneration: served.generation, loss },
  );
}

/** The figures that a set keeps or, where it was made before any were kept, those that are counted now, record by record. */
async function figuresOf(store: GenerationStore, set: GenerationSet): Promise<{ figures: Figures; counted: boolean }> {
  const kept = await store.figures(set);
  if (kept) return { figures: kept, counted: false };
  const tally = new FigureTally();
  for await (const page of pages<StoredProject>(store.client, { index: store.names.whole('projects', set), by: 'id' }))
    for (const { version } of page) addIfFilled(tally, version);
  return { figures: tally.figures, counted: true };
}

/** Serves the set that was served before. Call under the load lock. @throws LoadRefused when there is none */
export async function rollback(store: GenerationStore, clock: Clock): Promise<Activation> {
  const opened = await openLineage(clock.lineage, store);
  const generations = await heal(store, clock.today);
  if (!generations.previous) throw new LoadRefused('There is no earlier generation to roll back to');
  return switchTo(store, generations, generations.previous, { ...clock, opened });
}

/** A switch under way. */
interface Switching extends Clock {
  opened: OpenLineage;
}

async function switchTo(store: GenerationStore, generations: Generations, next: GenerationSet, clock: Switching): Promise<Activation> {
  const { served } = generations;
  const { id, lineages } = clock.opened;
  const load = served && served.load !== next.load ? await restampLoad(store, generations, served, next, clock) : undefined;
  if (load === undefined && served?.load !== next.load) await recordUnknown(store, clock.opened, next);
  clock.assertLocked?.();
  await store.serve(next, generations, id, load);
  await lineages.markServed(id, { load: next.load, committed: load ?? next.committed });
  if (load !== undefined) await purgeSuperseded(store, { ...next, committed: load }).catch(() => undefined); // hidden already
  return { generation: next.generation, replaced: served?.generation ?? null, records: await store.count('projects', next) };
}

/** A set that a version before this one loaded, and that has waited since, is recorded as it is found. */
async function recordUnknown(store: GenerationStore, { id, lineages }: OpenLineage, set: GenerationSet): Promise<void> {
  if (!(await lineages.ofSet(id, set))) await lineages.record(id, await asFound(store, set));
}

/** The load that makes `next` newer than what is served, to be committed with the switch; undefined where it is newer already. */
async function restampLoad(
  store: GenerationStore,
  generations: Generations,
  served: GenerationSet,
  next: GenerationSet,
  clock: Switching,
): Promise<number | undefined> {
  if ((await store.builtOn(next)) === served.committed && !next.previous) return undefined;
  const number = nextLoad(generations);
  const { contents } = await contentsBefore(store, clock.opened, next);
  const chain = await chainBefore(store, clock.opened, next, clock.files);
  const keeping = clock.files && new Keeping(clock.files, store.names.prefix, { generation: next.generation, commit: number });
  const stamps = await stampsAbove(store, clock.now(), [served, next]);
  const writing = (kind: Kind) => store.names.writing(kind, next, number);
  await store.open(next, number);
  const target = { number, writing, stamps, today: clock.today };
  await restamp(store, served, next, target, { contents, keeping }).catch(async (error) => {
    await keeping?.abandon();
    throw error;
  });
  await store.dropUncommittedFigures(next);
  await store.refresh(next);
  const shown = visibleAt({ committed: number, aborted: next.aborted });
  await clock.opened.lineages.record(clock.opened.id, {
    ...unkept,
    ...{ commit: number, previous: served.committed, kind: 'switch', generation: next.generation, setLoad: next.load },
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
  served: GenerationSet,
  next: GenerationSet,
  target: WriteTarget,
  { contents, keeping }: { contents: Contents; keeping: Keeping | null },
): Promise<void> {
  const of = { load: target.number, kindOf: new Map(KINDS.map((kind) => [target.writing(kind), kind] as const)) };
  for (const writes of [differing(store, served, next, target), lost(store, served, next, target), traced(store, served, next, target)]) {
    const { created, replaced } = await bulkWrite(store.client, counted(keeping ? keeping.note(writes, of) : writes, contents, of), {
      throughAlias: true,
    });
    if (created.length || replaced.length)
      throw new LoadRefused(`Generation ${next.generation} changed while it was compared; nothing was switched, run the command again`);
  }
}

async function* differing(store: GenerationStore, served: GenerationSet, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', next), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const known = await findByKey<StoredProject>(client, names.whole('projects', served), keys, [], COMPARED);
    const changed = page.filter(({ version }) => !isAsServed(version, known.get(version.key)?.version));
    const before = await findByKey<StoredProject>(
      client,
      names.whole('projects', served),
      changed.map(({ version }) => version.key),
    );
    for (const found of changed) {
      const stamped = stampedAgain(found.version, before.get(found.version.key)?.version, target);
      yield { operation: 'create', index: target.writing('projects'), version: stamped, document: toDocument(stamped, target.today) };
      yield supersede(target, found);
    }
  }
}

const COMPARED = ['key', 'contentRevision', 'lastUpdated'];

/** True where a copy has nothing to learn: equal content, reported at the same time. */
const isAsServed = (version: StoredProject, now: StoredProject | undefined) =>
  now?.contentRevision === version.contentRevision && now.lastUpdated === version.lastUpdated;

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

/** Records that only the served set has leave a trace of their removal. */
async function* lost(store: GenerationStore, served: GenerationSet, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  const walk = { index: names.whole('projects', served), by: 'id' } as const;
  for await (const keys of keysWithout(client, walk, [{ index: names.whole('projects', next), by: 'id' }])) {
    const removed = await findByKey<StoredProject>(client, walk.index, keys);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of removed.values()) {
      const earlier = traces.get(version.key);
      yield removal(target, version, { mergedInto: earlier?.version.mergedInto });
      if (earlier) yield hide(target, 'removals', earlier);
    }
  }
}

/** Traces that only the served set has, or has of a later time, go along, for a copy that has not read them yet. */
async function* traced(store: GenerationStore, served: GenerationSet, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<Trace>(client, { index: names.whole('removals', served), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const back = await findByKey<StoredVersion>(client, names.whole('projects', next), keys, [], ['key']);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of page) {
      const earlier = traces.get(version.key);
      if (back.has(version.key) || (earlier && earlier.version.at >= version.at)) continue;
      const trace = { ...version, loadedIn: target.number };
      yield { operation: 'create', index: target.writing('removals'), version: trace, document: trace };
      if (earlier) yield hide(target, 'removals', earlier);
    }
  }
}
