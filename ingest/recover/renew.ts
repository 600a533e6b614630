/**
 * Renews the served set: makes it again, from itself, in the form of this version (mapping, shards, searched fields), while searches and loads go on.
 * One step serves the new set when it shows the same content. Records, revisions and times of change stay the same, so that cursors stay valid and
 * nobody is billed. An interrupted run leaves what is served unchanged; the next run starts from the beginning.
 */
import { KINDS } from '../../src/core/store/elastic/indices.ts';
import { type CommitRecord, UNRECORDED } from '../../src/core/store/postgres/lineageStore.ts';
import { LoadRefused } from '../loadRefused.ts';
import { publishChange } from '../publish/publish.ts';
import { type RepairContext, repairIndex } from '../publish/repair.ts';
import { newestStampOf } from '../read/versions.ts';
import { type GenerationSet, type GenerationStore, type Generations, nextLoadNumber, type Renewal } from '../write/generationSets.ts';
import { createSet, finalWriterNumber, sealRenewal } from '../write/makeSets.ts';
import { type CurrentLineage, readContentsBefore, readFigures } from '../write/recordedCommits.ts';
import { readSetContents } from '../write/setContents.ts';
import { writeDifferences } from './writeDifferences.ts';

/** Most passes while loads go on. Each handles what was loaded during the one before, which gets less and less. */
const PASSES_MAX = 5;
/** Most versions left to write for the last pass, for which loads have to wait. */
const LAST_PASS_MAX = 1_000;

export interface RenewContext extends Omit<RepairContext, 'assertLocked'> {
  store: GenerationStore;
  /** runs work under the load lock, once it is free */
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
  /** time for which loads had to wait */
  lockedSeconds: number;
}

/**
 * Only one renewal may run at a time.
 * @throws LoadRefused if nothing is served, another set waits for activation, or another set was served meanwhile
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

/** Creates the empty set. */
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

/** Refuses a renewal while a set waits for activation, since that set refers to the served one by its number. */
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
  const counts = await Promise.all(KINDS.map((kind) => store.countRecords(kind, from)));
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

/** Runs the last pass, and serves the new set. @returns number of served records */
async function finishRenewal(context: RenewContext, target: Renewal, assertLocked: () => void): Promise<number> {
  const { store } = context;
  const { opened, generations } = await repairIndex(store, { ...context, assertLocked });
  assertServed(generations, target);
  refuseWaiting(generations);
  const served = generations.served as GenerationSet;
  await sealRenewal(store, target);
  await writeDifferences({ ...context, from: served, to: target, writer: finalWriterNumber(target) });
  const record = await makeRenewalRecord(store, opened, { served, target, commit: nextLoadNumber(generations) });
  const change = { way: 'renew' as const, set: { ...target, aborted: [] }, commit: record.commit, closes: finalWriterNumber(target) };
  await publishChange({ store, opened, assertLocked }, generations, change, { record });
  return store.countRecords('projects', target);
}

/** Makes the commit's record. @throws Error with both figures if the two sets differ */
async function makeRenewalRecord(
  store: GenerationStore,
  opened: CurrentLineage,
  { served, target, commit }: { served: GenerationSet; target: Renewal; commit: number },
): Promise<CommitRecord> {
  const { contents, before } = await readContentsBefore(store, opened, served);
  const made = (await readSetContents(store, (kind) => store.names.indexName(kind, target))).toRecord();
  const wanted = contents.toRecord();
  if (JSON.stringify(made) !== JSON.stringify(wanted))
    throw new Error(
      `What was made differs from what is served; nothing was changed: ${JSON.stringify(made)}, not ${JSON.stringify(wanted)}`,
    );
  const newestStamp = await newestStampOf(store.client, (kind) => store.names.indexName(kind, target));
  return {
    ...UNRECORDED,
    commit,
    previous: served.committed,
    kind: 'rebuild',
    generation: target.generation,
    setLoad: target.load,
    chain: before?.chain ?? null,
    newestStamp,
    figures: await readFigures(store, opened, served),
    ...(before ? { findings: before.findings, accepted: before.accepted, restrictions: before.restrictions } : {}),
    report: (await opened.lineages.readReport(opened.id, served)) ?? null,
    ...made,
  };
}
