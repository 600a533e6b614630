/**
 * Loads one generation file. A full generation gets its own set of indices, filled from scratch or made as a copy of the previous one; an increment
 * writes new versions into the set of its generation. They are invisible until the last step commits them all together. Before that step nothing
 * served changes, so that a killed load can simply be run again, under a new number, since its last writes may still arrive.
 */

import { errors } from '@elastic/elasticsearch';
import { type Kind, type SetName, visibilityFilter } from '../src/core/store/elastic/indices.ts';
import { LoadLockLost } from '../src/core/store/postgres/loadLock.ts';
import { listAcceptedCodes } from './findings/acceptance.ts';
import { makeFindingCollectors } from './findings/collectors.ts';
import type { LoadReport } from './findings/types.ts';
import { LoadRefused, toRefusalIfBlocked } from './loadRefused.ts';
import { publishChange } from './publish/publish.ts';
import { clearDeadLoads, repairIndex } from './publish/repair.ts';
import { findHeaderProblems } from './read/headerCheck.ts';
import { makeLineForm } from './read/lineHash.ts';
import { type LineSource, openLines, UnreadableFile } from './read/openLines.ts';
import { type GenerationHeader, parseLine } from './read/parseLine.ts';
import { RejectFile } from './read/rejects.ts';
import { carryOverUnstated } from './write/carryOver.ts';
import { CommitFiles, continueChain, dropUnneededFiles, makeRecordingWriter } from './write/commitFiles.ts';
import { makeCommitRecord } from './write/commitRecord.ts';
import { refuseDuplicates, refuseForeignChanges } from './write/conflicts.ts';
import { shouldCopyBase } from './write/copyDecision.ts';
import { FigureTally } from './write/figures.ts';
import { type GenerationSet, GenerationStore, type Generations, nextLoadNumber } from './write/generationSets.ts';
import type { Load, LoadContext, LoadCounts, LoadSource, LoadSummary, LoadTarget } from './write/loadContext.ts';
import { makeLoadReport, readPlaceFigures, refuseFindings, toRecordedReport } from './write/loadReport.ts';
import { completeSet, copySet, createSet } from './write/makeSets.ts';
import { mergeFamilies } from './write/merge.ts';
import { purgeReplacedVersions } from './write/purge.ts';
import { QuotedDocuments } from './write/quotedDocuments.ts';
import { readContentsBefore, readFigures } from './write/recordedCommits.ts';
import { reindexPastHearings } from './write/reindexPastHearings.ts';
import { readRestrictions } from './write/restrictions.ts';
import { SetContents } from './write/setContents.ts';
import { readStamps } from './write/stamps.ts';
import { StatedKeys } from './write/statedKeys.ts';
import { makeStatementWrites } from './write/statementWrites.ts';
import { storeReviews } from './write/storeReviews.ts';
import { makeUnmergedWrites } from './write/unmerge.ts';

const makeZeroCounts = (): LoadCounts => ({
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
  restrictions: 0,
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

/** Chooses the set into which a file is loaded, and its base; refuses a file that breaks the order of generations. */
function planLoad(header: GenerationHeader, generations: Generations, load: number): { set: SetName; base: GenerationSet | undefined } {
  const { served, sets } = generations;
  if (header.mode === 'increment') {
    const set = sets.findLast((s) => s.generation === header.generation && (s.served || s.load > (served?.load ?? 0)));
    if (!set)
      throw new LoadRefused(
        `This increment names generation ${header.generation}, which is not ${served ? `the served one (${served.generation}) nor waiting for activation` : 'loaded'}; load that generation in full first`,
      );
    return { set, base: set };
  }
  if (served && header.generation <= served.generation)
    throw new LoadRefused(
      header.generation < served.generation
        ? `Generation ${header.generation} is older than the served one, ${served.generation}; a full generation needs a higher number`
        : `Generation ${header.generation} is served, and was loaded from a file with other bytes; give this one a higher number, or load what changed as an increment`,
    );
  return { set: { generation: header.generation, load }, base: served };
}

/**
 * Loads one file. Call it under the load lock (`withLoadLock`).
 * @param skipInvalid loads the good lines of a file with bad ones, and writes the bad ones to a file next to it
 * @throws LoadRefused with every bad line, or if the file is unreadable or does not fit what is loaded, or Elasticsearch accepts no writes
 */
export async function loadFile(context: LoadContext, file: string, skipInvalid: boolean): Promise<LoadSummary> {
  const started = performance.now();
  const lines = await openLines(file).catch(throwRefusal);
  try {
    const source = makeSource(context, file, await readHeader(file, lines), skipInvalid);
    const found = await findLoaded(context);
    if (await isServedFile(found, source, lines)) return summarizeServed(source);
    const load = await beginLoad(context, source, found);
    const served = await runLoad(load, lines);
    await storeReviews(load, served ? load.names.readAlias('projects') : load.names.completeAlias('projects', load.target.set), source);
    return { ...summarizeLoad(load, (performance.now() - started) / 1000), served };
  } catch (error) {
    return throwRefusal(error);
  } finally {
    await lines.close();
  }
}

function throwRefusal(error: unknown): never {
  throw error instanceof UnreadableFile ? new LoadRefused(error.message) : toRefusalIfBlocked(error);
}

const makeSource = (
  { places, today, thresholds: { findingThresholds = {} } }: LoadContext,
  file: string,
  header: GenerationHeader,
  skipInvalid: boolean,
): LoadSource => ({
  file,
  header,
  lineForm: makeLineForm(places),
  counts: { projects: 0, unreadable: 0 },
  rejects: new RejectFile(file, skipInvalid),
  stated: new StatedKeys(),
  quoted: new QuotedDocuments(),
  collectors: makeFindingCollectors({ places, today, thresholds: findingThresholds }),
  unmerged: new Map(),
  reviews: [],
  restrictions: [],
  deletedMembers: new Set(),
});

type Loaded = Pick<Load, 'store' | 'opened' | 'generations'>;

/** Repairs what killed commands left, and finds what is loaded. */
async function findLoaded(context: LoadContext): Promise<Loaded> {
  const store = new GenerationStore(context.client, context.names, context.layout);
  return { store, ...(await repairIndex(store, context)) };
}

/** Whether a file is the one from which the served generation was loaded. Reads it to its end if its number is the served one. */
async function isServedFile(
  { opened, generations: { served } }: Loaded,
  { header }: LoadSource,
  { lines, fileDigest }: LineSource,
): Promise<boolean> {
  if (header.mode !== 'full' || served?.generation !== header.generation) return false;
  const loaded = await opened.lineages.readFullFileDigest(opened.id, served);
  for await (const _ of lines);
  return fileDigest() === loaded;
}

async function beginLoad(context: LoadContext, source: LoadSource, { store, opened, generations }: Loaded): Promise<Load> {
  const { names } = context;
  const { header } = source;
  await dropUnneededFiles(opened, generations.sets, context.files);
  const number = nextLoadNumber(generations);
  const { set, base } = planLoad(header, generations, number);
  // A full generation is filled from scratch if it cannot begin as a copy.
  const isCopied = async () => base !== undefined && (await shouldCopyBase(store, opened, base, context)) && copySet(store, set, base);
  const held = header.mode === 'increment' || (await isCopied()) ? base : undefined;
  const target = {
    number,
    set,
    writing: (kind: Kind) => names.writeAlias(kind, set, number),
    visible: visibilityFilter({ committed: number, aborted: held?.aborted ?? [] }),
    ...(await readStamps(store, context.now(), base, generations.served)),
    today: context.today,
    deletesReplaced: header.mode === 'full',
    restrictions: new Map(),
    ...(await readTargetState({ ...context, store, opened, generations }, header, { number, base, held })),
  };
  const keepsRestated = held !== undefined && (await store.openNotes(held).isOfThisVersion());
  return {
    ...context,
    store,
    opened,
    generations,
    source,
    base: { set: base, isHeld: held !== undefined, keepsRestated },
    target: { ...target, ...makeRecordingWriter(store, set, target.writing, target) },
    counts: makeZeroCounts(),
  };
}

/** Contents, chain, kept files and figures of the target before the load. @param held the base, if the target already holds its records */
async function readTargetState(
  { store, opened, files, generations: { served } }: Pick<Load, 'store' | 'opened' | 'files' | 'generations'>,
  header: GenerationHeader,
  { number, base, held }: { number: number; base: GenerationSet | undefined; held: GenerationSet | undefined },
): Promise<Pick<LoadTarget, 'figures' | 'servedPlaces' | 'contents' | 'chain' | 'commitFiles'>> {
  const { generation, mode } = header;
  const recorded = held && (await readContentsBefore(store, opened, held));
  const figures = held && (await readFigures(store, opened, held, recorded?.before));
  const servedPlaces = served ? await readPlaceFigures(store, opened, served) : new Map();
  const heldPlaces = held && held !== served ? await readPlaceFigures(store, opened, held) : servedPlaces;
  const chain = mode === 'full' ? number : await continueChain(store, opened, base as GenerationSet, files);
  return {
    figures: new FigureTally(figures, held && heldPlaces),
    servedPlaces,
    contents: recorded?.contents ?? new SetContents(),
    chain: files && chain,
    commitFiles: files && new CommitFiles(files, store.names.prefix, { generation, commit: number }),
  };
}

/** Returns whether readers see the result. */
async function runLoad(load: Load, lines: LineSource): Promise<boolean> {
  const { store, source, base, target } = load;
  try {
    if (source.header.mode === 'increment') await store.open(base.set as GenerationSet, target.number);
    else if (!base.isHeld) await createSet(store, target.set, base.set?.committed ?? null);
    await writeLines(load, lines);
    await writeConsequences(load);
    return await finishLoad(load, lines, await reportLoad(load));
  } catch (error) {
    await target.commitFiles?.abandon();
    // If Elasticsearch does not answer, or the lock is lost, the next load removes what this one left.
    if (!(error instanceof errors.ConnectionError || error instanceof LoadLockLost))
      await clearDeadLoads(store, load.today).catch(() => undefined);
    throw error;
  } finally {
    await source.rejects.close();
  }
}

async function writeLines(load: Load, lines: LineSource): Promise<void> {
  const { source, target } = load;
  const { replaced } = await target.write(makeStatementWrites(load, lines));
  target.restrictions = await readRestrictions(load);
  load.counts.rejected = source.rejects.count;
  const problems = findHeaderProblems(source.header, source.counts, lines.digest());
  source.rejects.throwIfStrict(problems);
  if (problems.length)
    throw new LoadRefused(`${source.file}: the file is not what its header describes, nothing was loaded; is it complete?`, problems);
  await refuseDuplicates(load);
  await target.refresh();
  await refuseForeignChanges(load, replaced);
}

/** Writes what follows from all lines together: records that are unmerged, carried over, reindexed because a hearing has passed, or merged. */
async function writeConsequences(load: Load): Promise<void> {
  const { source, base, target } = load;
  await refuseForeignChanges(load, (await target.write(makeUnmergedWrites(load))).replaced);
  if (source.header.mode === 'full' && base.set) await carryOverUnstated(load, base.set);
  if (base.isHeld) {
    await target.refresh();
    await refuseForeignChanges(load, (await target.write(reindexPastHearings(load))).replaced);
  }
  await refuseForeignChanges(load, (await mergeFamilies(load)).replaced);
}

/** Makes the report. @throws LoadRefused if an increment would be served with findings that refuse */
async function reportLoad(load: Load): Promise<LoadReport> {
  const { source, base, accept = [], onReport } = load;
  const report = await makeLoadReport(load);
  await onReport?.(report);
  if (source.header.mode === 'increment' && base.set?.served)
    refuseFindings(report.findings, accept, {
      what: `${source.file}: nothing was loaded, since findings have to be accepted first`,
      command: `npm run ingest -- load ${source.file}`,
    });
  return report;
}

/** Returns whether readers see the result. */
async function finishLoad(load: Load, lines: LineSource, report: LoadReport): Promise<boolean> {
  const { store, opened, source, base, target } = load;
  const { number, commitFiles } = target;
  load.assertLocked?.();
  await target.refresh();
  const accepted = source.header.mode === 'increment' && base.set?.served ? listAcceptedCodes(report.findings) : [];
  const record = { ...(await makeCommitRecord(load, lines)), ...(await toRecordedReport(report)), accepted };
  if (source.header.mode === 'full') {
    await opened.lineages.record(opened.id, record);
    commitFiles?.markRecorded();
    await completeSet(store, target.set, base.isHeld ? base.set?.aborted : []);
    return false;
  }
  const set = base.set as GenerationSet;
  await publishChange(load, load.generations, { way: 'commit', set, commit: number, closes: number }, { record, commitFiles });
  await purgeReplacedVersions(store, { ...set, committed: number }).catch(() => undefined); // the next load does it
  return set.served;
}

const summarizeServed = ({ file, header }: LoadSource): LoadSummary => ({
  ...makeZeroCounts(),
  file,
  generation: header.generation,
  mode: header.mode,
  load: null,
  copied: false,
  seconds: 0,
  recordsPerSecond: 0,
  rejects: null,
  reasons: [],
  served: true,
});

function summarizeLoad({ source, base, target, counts }: Load, seconds: number): Omit<LoadSummary, 'served'> {
  const { file, header, rejects } = source;
  const records = counts.projects + counts.documents + counts.contacts;
  return {
    file,
    generation: header.generation,
    mode: header.mode,
    load: target.number,
    copied: header.mode === 'full' && base.isHeld,
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    recordsPerSecond: Math.round(records / Math.max(seconds, 0.001)),
    rejects: rejects.count ? rejects.path : null,
    reasons: rejects.reasons,
  };
}
