/**
 * Loads one generation file. A full generation goes into a set of indices of its own, filled from scratch or a copy of the one before; an increment
 * writes new versions into the set of its generation, unseen until the last step commits them all at once. Until that step nothing that is
 * served has changed, so a load killed anywhere can simply be run again. Its number is never used again: what it sent last may arrive after its death.
 */

import { errors } from '@elastic/elasticsearch';
import { KINDS, type SetName, visibleAt } from '../src/core/store/elastic/indices.ts';
import { LoadLockLost } from '../src/core/store/postgres/loadLock.ts';
import { LoadRefused, refusedIfBlocked } from './loadRefused.ts';
import { publish } from './publish/publish.ts';
import { clearDeadLoads, repair } from './publish/repair.ts';
import { headerProblems } from './read/headerCheck.ts';
import { lineFormOf } from './read/lineHash.ts';
import { type LineSource, openLines, UnreadableFile } from './read/lines.ts';
import { type GenerationHeader, parseLine } from './read/parseLine.ts';
import { RejectFile } from './read/rejects.ts';
import { bulkWrite } from './write/bulkWrite.ts';
import { carryOver } from './write/carryOver.ts';
import { commitRecord } from './write/commitRecord.ts';
import { refuseDuplicates, refuseForeign } from './write/conflicts.ts';
import { Contents, counted } from './write/contents.ts';
import { isToBeCopied } from './write/copying.ts';
import { FigureTally } from './write/figures.ts';
import { type GenerationSet, GenerationStore, type Generations, nextLoad } from './write/generations.ts';
import { chainBefore, dropUnneeded, Keeping } from './write/keeping.ts';
import type { Load, LoadContext, LoadCounts, LoadSummary } from './write/loadContext.ts';
import { completeSet, copySet, createSet } from './write/makeSets.ts';
import { mergeFamilies } from './write/merge.ts';
import { purgeUnread } from './write/purge.ts';
import { QuotedDocuments } from './write/quotedDocuments.ts';
import { contentsBefore, type OpenLineage } from './write/recordedCommits.ts';
import { reindexPastHearings } from './write/reindexPastHearings.ts';
import { stampsAbove } from './write/stamps.ts';
import { StatedKeys } from './write/statedKeys.ts';
import { statementWrites } from './write/statementWrites.ts';
import { unmergedWrites } from './write/unmerge.ts';

const noCounts = (): LoadCounts => ({
  projects: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  uncovered: 0,
  deleted: 0,
  merged: 0,
  unmerged: 0,
  documents: 0,
  contacts: 0,
  rejected: 0,
});

async function readHeader(file: string, source: LineSource): Promise<GenerationHeader> {
  const first = await source.lines.next();
  if (first.done) throw new LoadRefused(`${file}: the file is empty; its first line must be the generation header`);
  const { text, problem } = first.value;
  if (text === undefined) throw new LoadRefused(`${file}:1: ${problem}`);
  const parsed = parseLine(text);
  if ('problems' in parsed) throw new LoadRefused(`${file}:1: ${parsed.problems.map(({ reason }) => reason).join('; ')}`);
  if (parsed.line.kind !== 'generation')
    throw new LoadRefused(`${file}:1: the first line must be the generation header {"kind":"generation",…}, not a ${parsed.line.kind}`);
  if (parsed.line.sha256 !== undefined) source.digestRest();
  return parsed.line;
}

/** The set that a file's lines go into and the set that they build on; refuses what would break the order of generations. */
function plan(header: GenerationHeader, generations: Generations, load: number): Pick<Load, 'target' | 'baseSet'> {
  const { served, sets } = generations;
  if (header.mode === 'increment') {
    const set = sets.findLast((s) => s.generation === header.generation && (s.served || s.load > (served?.load ?? 0)));
    if (!set)
      throw new LoadRefused(
        `This increment names generation ${header.generation}, which is not ${served ? `the served one (${served.generation}) nor waiting for activation` : 'loaded'}; load that generation in full first`,
      );
    return { target: set, baseSet: set };
  }
  if (served && header.generation < served.generation)
    throw new LoadRefused(
      `Generation ${header.generation} is older than the served one, ${served.generation}; a full generation needs a higher number`,
    );
  return { target: { generation: header.generation, load }, baseSet: served };
}

/**
 * Loads one file. Call it under the load lock (`withLoadLock`).
 * @param skipInvalid loads the good lines of a file with bad ones, and writes the bad ones to a file next to it
 * @throws LoadRefused with every bad line, or when the file is unreadable or does not fit what is loaded, or Elasticsearch takes no writes
 */
export async function loadFile(context: LoadContext, file: string, skipInvalid: boolean): Promise<LoadSummary> {
  const started = performance.now();
  const source = await openLines(file).catch(asRefusal);
  try {
    const header = await readHeader(file, source);
    const load = await startLoad(context, file, header, skipInvalid);
    const served = await run(load, source);
    return { ...summary(load, (performance.now() - started) / 1000), served };
  } catch (error) {
    return asRefusal(error);
  } finally {
    await source.close();
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof UnreadableFile ? new LoadRefused(error.message) : refusedIfBlocked(error);
}

async function startLoad(context: LoadContext, file: string, header: GenerationHeader, skipInvalid: boolean): Promise<Load> {
  const { client, names, now } = context;
  const store = new GenerationStore(client, names, context.layout);
  const { opened, generations } = await repair(store, context);
  await dropUnneeded(opened, generations.sets, context.files);
  const number = nextLoad(generations);
  const { target, baseSet } = plan(header, generations, number);
  const held = header.mode === 'increment' || (await isCopied(context, store, opened, target, baseSet)) ? baseSet : undefined;
  const kept = held ? await store.figures(held) : { records: 0, fields: {} };
  const contents = held ? (await contentsBefore(store, opened, held)).contents : new Contents();
  const chain = header.mode === 'full' ? number : await chainBefore(store, opened, baseSet as GenerationSet, context.files);
  const keeping = context.files && new Keeping(context.files, names.prefix, { generation: header.generation, commit: number });
  const kindOf = new Map(KINDS.map((kind) => [names.writing(kind, target, number), kind] as const));
  const view = { committed: number, aborted: held?.aborted ?? [] };
  return {
    ...context,
    store,
    generations,
    file,
    header,
    number,
    target,
    baseSet,
    holdsBase: held !== undefined,
    deletesReplaced: header.mode === 'full',
    lineForm: lineFormOf(context.places),
    visible: visibleAt(view),
    writing: (kind) => names.writing(kind, target, number),
    write: (writes) => {
      const noted = keeping ? keeping.note(writes, kindOf) : writes;
      return bulkWrite(client, counted(noted, contents, kindOf), { throughAlias: true });
    },
    stamps: await stampsAbove(store, now(), [baseSet, generations.served]),
    counts: noCounts(),
    rejects: new RejectFile(file, skipInvalid),
    lines: { projects: 0, unreadable: 0 },
    keepsRestated: held !== undefined && (await store.notes(held).isOfThisVersion()),
    stated: new StatedKeys(),
    unmerged: new Map(),
    deletedMembers: new Set(),
    quoted: new QuotedDocuments(),
    figures: kept && new FigureTally(kept),
    ...{ opened, contents, keeping, chain: context.files && chain },
  };
}

/** True where the target is a copy of the base now; false where it is still to be made. */
async function isCopied(
  { files }: LoadContext,
  store: GenerationStore,
  opened: OpenLineage,
  target: SetName,
  base: GenerationSet | undefined,
): Promise<boolean> {
  return base !== undefined && (await isToBeCopied(store, opened, base, files)) && (await copySet(store, target, base));
}

/** Returns whether readers see the result. */
async function run(load: Load, source: LineSource): Promise<boolean> {
  const { store, header, target, baseSet, number } = load;
  try {
    if (header.mode === 'increment') await store.open(baseSet as GenerationSet, number);
    else if (!load.holdsBase) await createSet(store, target, baseSet?.committed ?? null);
    await writeStatements(load, source);
    return await finish(load, source);
  } catch (error) {
    await load.keeping?.abandon();
    // Where Elasticsearch is gone, or another holds the lock, or nothing can be cleared away any more, the next load does it.
    if (!(error instanceof errors.ConnectionError || error instanceof LoadLockLost))
      await clearDeadLoads(store, load.today).catch(() => undefined);
    throw error;
  } finally {
    await load.rejects.close();
  }
}

async function writeStatements(load: Load, source: LineSource): Promise<void> {
  const { replaced } = await load.write(statementWrites(load, source));
  load.counts.rejected = load.rejects.count;
  const problems = headerProblems(load.header, load.lines, source.digest());
  load.rejects.throwIfStrict(problems);
  if (problems.length)
    throw new LoadRefused(`${load.file}: the file is not what its header describes, nothing was loaded; is it complete?`, problems);
  await refuseDuplicates(load);
  await load.store.refresh(load.target);
  await refuseForeign(load, replaced);
}

/** The passes over what the lines left, then the commit. Returns whether readers see the result. */
async function finish(load: Load, source: LineSource): Promise<boolean> {
  const { store, header, number, baseSet } = load;
  await refuseForeign(load, (await load.write(unmergedWrites(load))).replaced);
  if (header.mode === 'full' && baseSet) await carryOver(load, baseSet);
  if (load.holdsBase) {
    await store.refresh(load.target);
    await refuseForeign(load, (await load.write(reindexPastHearings(load))).replaced);
  }
  await refuseForeign(load, (await mergeFamilies(load)).replaced);
  load.assertLocked?.();
  if (load.figures) await store.notes(load.target).keepFigures(baseSet?.committed, number, load.figures.figures);
  await store.refresh(load.target);
  const record = await commitRecord(load, source);
  if (header.mode === 'full') {
    await load.opened.lineages.record(load.opened.id, record);
    load.keeping?.leave();
    await completeSet(store, load.target, load.holdsBase ? baseSet?.aborted : []);
    return false;
  }
  const set = baseSet as GenerationSet;
  await publish(load, load.generations, { way: 'commit', set, commit: number, closes: number }, { record, keeping: load.keeping });
  await purgeUnread(store, { ...set, committed: number }).catch(() => undefined); // the next load does it
  return set.served;
}

function summary(load: Load, seconds: number): Omit<LoadSummary, 'served'> {
  const { counts, file, header, number, rejects } = load;
  const records = counts.projects + counts.documents + counts.contacts;
  return {
    file,
    generation: header.generation,
    mode: header.mode,
    load: number,
    copied: header.mode === 'full' && load.holdsBase,
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    recordsPerSecond: Math.round(records / Math.max(seconds, 0.001)),
    rejects: rejects.count ? rejects.path : null,
    reasons: rejects.reasons,
  };
}
