/**
 * Makes the served set again in the form of this version (its mapping, its shards, all that is searched), out of the set itself: aside, while
 * searches and loads go on, and served in its place by one step once it shows the same. No record, revision or time of change is another one, so
 * that cursors go on and nobody is billed. A run that is cut short leaves what is served untouched; the next one begins from the start.
 */
import { KINDS } from '../../src/core/store/elastic/indices.ts';
import { type CommitRecord, UNRECORDED } from '../../src/core/store/postgres/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import { publishChange } from '../publish/publish.ts';
import { type RepairContext, repairIndex } from '../publish/repair.ts';
import { newestStampOf } from '../read/versions.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber, type Renewal } from '../write/generations.ts';
import { createSet, finalWriterNumber, sealRenewal } from '../write/makeSets.ts';
import { type OpenLineage, readContentsBefore } from '../write/recordedCommits.ts';
import { readSetContents } from '../write/setContents.ts';
import { writeDifferences } from './writeDifferences.ts';

/** Passes while loads go on: each has what was loaded during the one before, which gets less. */
const PASSES_MAX = 5;
/** What the last pass, for which loads wait, may still have to write. */
const LAST_PASS_MAX = 1_000;

export interface RenewContext extends Omit<RepairContext, 'assertLocked'> {
  store: GenerationStore;
  /** runs its work under the load lock, as soon as that is free */
  locked: <T>(work: (assertLocked: () => void) => Promise<T>) => Promise<T>;
  onProgress?: (done: RenewProgress) => void;
}

export interface RenewProgress {
  /** counted from 1 */
  pass: number;
  /** versions of what is served that were compared in it */
  compared: number;
  of: number;
}

export interface Renewed {
  generation: number;
  records: number;
  seconds: number;
  /** for which loads had to wait */
  lockedSeconds: number;
}

/**
 * Only one at a time may run. @throws LoadRefused where nothing is served, another set waits to be, or another one came to be served meanwhile
 */
export async function renewServedSet(context: RenewContext): Promise<Renewed> {
  const { store, locked } = context;
  const started = performance.now();
  const { source, target } = await locked(() => startRenewal(context));
  try {
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const { changed } = await runPass(context, source, target, pass);
      if (changed <= LAST_PASS_MAX) break;
      assertServed(await store.read(), target);
    }
    let lockedAt = 0;
    const records = await locked(async (assertLocked) => {
      lockedAt = performance.now();
      return finishRenewal(context, target, assertLocked);
    });
    const ended = performance.now();
    const tenths = (ms: number) => Math.round(ms / 100) / 10;
    return { generation: target.generation, records, seconds: tenths(ended - started), lockedSeconds: tenths(ended - lockedAt) };
  } catch (error) {
    const isUnderWay = await store.read().then(
      ({ served, renewals, unfinished }) =>
        served?.load === target.load ||
        (served?.load === target.of && [...renewals, ...unfinished].some(({ load }) => load === target.load)),
      () => true,
    );
    await store.discard(target).catch(() => undefined); // the next run does
    if (isUnderWay || error instanceof LoadRefused) throw error;
    throw overtakenError(error);
  }
}

const overtakenError = (cause?: unknown) =>
  Object.assign(
    new LoadRefused(
      'Another set has come to be served meanwhile; what is served was not changed. Where it still has to be made again, run this again',
    ),
    { cause },
  );

/** Makes the empty set. */
async function startRenewal(context: RenewContext): Promise<{ source: GenerationSet; target: Renewal }> {
  const { store } = context;
  const { generations } = await repairIndex(store, context);
  const { served, renewals } = generations;
  if (!served) throw new LoadRefused('Nothing is served that could be made again; load a generation');
  refuseWaiting(generations);
  for (const left of renewals) await store.discard(left);
  const target = { generation: served.generation, load: nextLoadNumber(generations), of: served.load };
  await createSet(store, target, null, served.load);
  return { source: served, target };
}

/** A set that waits was compared with what is served now, as it is numbered now. */
function refuseWaiting({ served, sets }: Generations): void {
  const waiting = sets.find((set) => !set.served && !set.previous && set.load > (served?.load ?? 0));
  if (waiting)
    throw new LoadRefused(
      `Generation ${waiting.generation} is loaded and waits to be served; serve it first: npm run ingest -- activate ${waiting.generation}. Nothing was changed`,
    );
}

function assertServed({ served, renewals }: Generations, target: Renewal): void {
  if (served?.load !== target.of || !renewals.some(({ load }) => load === target.load)) throw overtakenError();
}

async function runPass({ store, today, onProgress }: RenewContext, from: GenerationSet, to: Renewal, pass: number) {
  const counts = await Promise.all(KINDS.map((kind) => store.count(kind, from)));
  const of = counts.reduce((sum, count) => sum + count, 0);
  let compared = 0;
  return writeDifferences({
    store,
    from,
    to,
    today,
    writer: to.load,
    onCompared: (more) => {
      compared += more;
      onProgress?.({ pass, compared, of });
    },
  });
}

/** What loads changed meanwhile, and the switch. @returns records that are served */
async function finishRenewal(context: RenewContext, target: Renewal, assertLocked: () => void): Promise<number> {
  const { store } = context;
  const { opened, generations } = await repairIndex(store, { ...context, assertLocked });
  assertServed(generations, target);
  refuseWaiting(generations);
  const served = generations.served as GenerationSet;
  await sealRenewal(store, target);
  await writeDifferences({ ...context, from: served, to: target, writer: finalWriterNumber(target) });
  const record = await renewalRecord(store, opened, { served, target, commit: nextLoadNumber(generations) });
  const change = { way: 'renew' as const, set: { ...target, aborted: [] }, commit: record.commit, closes: finalWriterNumber(target) };
  await publishChange({ store, opened, assertLocked }, generations, change, { record });
  return store.count('projects', target);
}

/** @throws Error where the two sets differ, with the figures of both */
async function renewalRecord(
  store: GenerationStore,
  opened: OpenLineage,
  { served, target, commit }: { served: GenerationSet; target: Renewal; commit: number },
): Promise<CommitRecord> {
  const { contents, before } = await readContentsBefore(store, opened, served);
  const made = (await readSetContents(store, (kind) => store.names.index(kind, target))).recorded();
  const wanted = contents.recorded();
  if (JSON.stringify(made) !== JSON.stringify(wanted))
    throw new Error(
      `What was made differs from what is served; nothing was changed: ${JSON.stringify(made)}, not ${JSON.stringify(wanted)}`,
    );
  const newestStamp = await newestStampOf(store.client, (kind) => store.names.index(kind, target));
  const figures = (await store.figures(served)) ?? null;
  if (figures) await store.notes(target).keepFigures(undefined, commit, figures);
  return {
    ...UNRECORDED,
    commit,
    previous: served.committed,
    kind: 'rebuild',
    generation: target.generation,
    setLoad: target.load,
    chain: before?.chain ?? null,
    newestStamp,
    figures,
    ...made,
  };
}
