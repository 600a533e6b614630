/**
 * Loads one generation file. A full generation fills a set of indices of its own; an increment writes new versions into the set of
 * its generation, unseen until the last step commits them all at once. Until that step nothing that is served has changed, so a
 * load killed anywhere can simply be run again.
 */
import type { Client } from '@elastic/elasticsearch';
import type { Places } from '../src/domain/places.ts';
import type { IndexNames, SetName } from '../src/store/indices.ts';
import { carryOver } from './carryOver.ts';
import { type GenerationSet, GenerationStore, type Generations } from './generations.ts';
import { heal, purgeSuperseded } from './heal.ts';
import { type LineSource, openLines, UnreadableFile } from './lines.ts';
import { mergeFamilies } from './merge.ts';
import { type GenerationHeader, parseLine } from './parseLine.ts';
import { RejectFile, type Rejects } from './rejects.ts';
import { Stamps } from './stamps.ts';
import { keyOf, statementWrites } from './statementWrites.ts';
import { bulkWrite } from './versions.ts';

export interface LoadContext {
  client: Client;
  names: IndexNames;
  places: Places;
  now: () => Date;
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  bytesRead: number;
  totalBytes: number;
  records: number;
}

/** What a load did, in records. */
export interface LoadCounts {
  projects: number;
  added: number;
  changed: number;
  unchanged: number;
  uncovered: number;
  deleted: number;
  merged: number;
  documents: number;
  contacts: number;
  rejected: number;
}

export interface LoadSummary extends LoadCounts {
  file: string;
  generation: number;
  mode: 'full' | 'increment';
  load: number;
  seconds: number;
  recordsPerSecond: number;
  /** file that holds the rejected lines, when there are any */
  rejects: string | null;
  /** true when readers see it already */
  served: boolean;
}

const DUPLICATES_LISTED = 20;

/** A load that was refused or given up; nothing that is served has changed. */
export class LoadRefused extends Error {
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.name = 'LoadRefused';
    this.problems = problems;
  }
}

/** Everything one load shares: where it writes, what it builds on, and what it counts. */
export interface Load extends LoadContext {
  store: GenerationStore;
  file: string;
  header: GenerationHeader;
  /** number of this load */
  number: number;
  target: SetName;
  /** the set whose records this load compares with and builds on; undefined for the very first generation */
  baseSet: GenerationSet | undefined;
  stamps: Stamps;
  counts: LoadCounts;
  rejects: Rejects;
}

const noCounts = (): LoadCounts => ({
  projects: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  uncovered: 0,
  deleted: 0,
  merged: 0,
  documents: 0,
  contacts: 0,
  rejected: 0,
});

async function readHeader(file: string, source: LineSource): Promise<GenerationHeader> {
  const first = await source.lines.next();
  if (first.done) throw new LoadRefused(`${file}: the file is empty; its first line must be the generation header`);
  const parsed = parseLine(first.value.text);
  if ('problem' in parsed) throw new LoadRefused(`${file}:1: ${parsed.problem}`);
  if (parsed.line.kind !== 'generation')
    throw new LoadRefused(`${file}:1: the first line must be the generation header {"kind":"generation",…}, not a ${parsed.line.kind}`);
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

const lastLoad = ({ sets }: Generations) => Math.max(0, ...sets.flatMap((s) => [s.load, s.committed]));

/**
 * Loads one file. Call it under the load lock (`withLoadLock`).
 * @param skipInvalid loads the good lines of a file with bad ones, and writes the bad ones beside it
 * @throws LoadRefused with every bad line, or when the file does not fit what is loaded
 * @throws UnreadableFile
 */
export async function loadFile(context: LoadContext, file: string, skipInvalid: boolean): Promise<LoadSummary> {
  const started = performance.now();
  const source = await openLines(file).catch((error) => {
    throw error instanceof UnreadableFile ? new LoadRefused(error.message) : error;
  });
  const header = await readHeader(file, source);
  const store = new GenerationStore(context.client, context.names);
  const generations = await heal(store, context.today);
  const number = lastLoad(generations) + 1;
  const { target, baseSet } = plan(header, generations, number);
  const load: Load = {
    ...context,
    store,
    file,
    header,
    number,
    target,
    baseSet,
    stamps: new Stamps(context.now(), baseSet ? await store.highWater(baseSet) : null),
    counts: noCounts(),
    rejects: new RejectFile(file, skipInvalid),
  };
  try {
    if (header.mode === 'full') await store.create(target, baseSet?.committed ?? null);
    await writeStatements(load, source);
    const served = await finish(load);
    const seconds = (performance.now() - started) / 1000;
    return { ...summary(load, seconds), served };
  } catch (error) {
    await heal(store, context.today).catch(() => undefined); // the next load heals what this one could not
    throw error instanceof UnreadableFile ? new LoadRefused(error.message) : error;
  } finally {
    await load.rejects.close();
  }
}

async function writeStatements(load: Load, source: LineSource): Promise<void> {
  const conflicts = await bulkWrite(load.client, statementWrites(load, source));
  load.counts.rejected = load.rejects.count;
  load.rejects.throwIfStrict();
  if (conflicts.length) throw await duplicates(load, new Set(conflicts.map((id) => id.slice(0, id.lastIndexOf(':')))));
}

/** Which of two statements of one record is meant cannot be known, so that such a file is refused even where bad lines are skipped. */
async function duplicates(load: Load, keys: ReadonlySet<string>): Promise<LoadRefused> {
  const first = new Map<string, number>();
  const problems: string[] = [];
  const { lines } = await openLines(load.file);
  for await (const { number, text } of lines) {
    const parsed = parseLine(text);
    if ('problem' in parsed || parsed.line.kind === 'generation') continue;
    const key = keyOf(parsed.line);
    if (!keys.has(key)) continue;
    const before = first.get(`${parsed.line.kind} ${key}`);
    if (before === undefined) first.set(`${parsed.line.kind} ${key}`, number);
    else problems.push(`${load.file}:${number}: ${parsed.line.kind} ${key} is stated already on line ${before}`);
  }
  return new LoadRefused(
    `${load.file}: records are stated twice, nothing was loaded; keep one statement of each`,
    problems.slice(0, DUPLICATES_LISTED),
  );
}

/** The passes over what the lines left, then the commit. Returns whether readers see the result. */
async function finish(load: Load): Promise<boolean> {
  const { store, header, number } = load;
  if (header.mode === 'full' && load.baseSet) await carryOver(load, load.baseSet);
  await mergeFamilies(load);
  if (header.mode === 'full') {
    await store.complete(load.target, number);
    return false;
  }
  const set = load.baseSet as GenerationSet;
  await store.commit(set, number);
  await purgeSuperseded(store, { ...set, committed: number });
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
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    recordsPerSecond: Math.round(records / Math.max(seconds, 0.001)),
    rejects: rejects.count ? rejects.path : null,
  };
}
