/** Reads the lines of a file in batches: those whose records the base holds unchanged, and the others, parsed. */
import { createHash } from 'node:crypto';
import { hashLine } from '../read/lineHash.ts';
import type { LineProblem } from '../read/lineProblems.ts';
import type { FileLine, LineSource } from '../read/openLines.ts';
import { type BadLine, isStatement, parseLine, type Statement } from '../read/parseLine.ts';
import { findKnownLines, type KnownLine } from './knownLines.ts';
import type { Load, LoadSource } from './loadContext.ts';

const BATCH_LINES = 500;
const BATCH_BYTES = 1024 * 1024;

/** A line that states a record. */
export interface StatedLine {
  number: number;
  text: string;
  /** hash of the text; undefined if the text cannot be read */
  hash: string | undefined;
  /** key of the record */
  key: string;
  line: Statement;
  /** the problems of a bad line; `line` then holds only its usable fields */
  bad?: BadLine;
}

interface LineBatch {
  /** lines whose records the base holds unchanged */
  kept: KnownLine[];
  stated: StatedLine[];
}

/** A line, with its hash if it can be read. */
type HashedLine = FileLine & { hash?: string };

/** Reads batches of lines. A bad line without a usable field goes to the rejects directly. */
export async function* readLineBatches(load: Load, lines: LineSource['lines']): AsyncGenerator<LineBatch> {
  const batches = workAhead(hashBatches(load.source.lineForm, lines), async (hashed) => ({
    hashed,
    known: await findKnownLines(
      load,
      hashed.flatMap(({ hash }) => hash ?? []),
    ),
  }));
  for await (const { hashed, known } of batches) {
    const batch: LineBatch = { kept: [], stated: [] };
    for (const line of hashed) {
      const kept = findKnownLine(load, line, known);
      const stated = kept ? undefined : await parseStatedLine(load, line);
      if (kept) batch.kept.push(kept);
      if (stated) batch.stated.push(stated);
    }
    yield batch;
  }
}

/** Maps items to results in their order, and works on the next item while the caller uses a result. */
export async function* workAhead<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  let waiting: Promise<R> | undefined;
  for await (const item of items) {
    const next = work(item);
    next.catch(() => undefined); // it is awaited later; until then nobody handles its failure
    if (waiting) yield await waiting;
    waiting = next;
  }
  if (waiting) yield await waiting;
}

async function* hashBatches(lineForm: string, lines: LineSource['lines']): AsyncGenerator<HashedLine[]> {
  let batch: HashedLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const { text } = line;
    if (text?.trim() === '') continue;
    batch.push(text === undefined ? line : { ...line, hash: hashLine(lineForm, text) });
    bytes += text?.length ?? 0;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length) yield batch;
}

/** The base record that a line states unchanged; undefined if the line has to be parsed. */
function findKnownLine({ source }: Load, { number, hash }: HashedLine, all: ReadonlyMap<string, KnownLine>): KnownLine | undefined {
  const known = hash === undefined ? undefined : all.get(hash);
  // A quoted document may have a different text now.
  if (!known || source.quoted.haveChanged(known.quotes)) return undefined;
  if (known.kind === 'project') source.counts.projects += 1;
  source.quoted.noteQuoted(known.quotes, number);
  return known;
}

const makeFault = (fault: string): LineProblem => ({ fault, reason: fault });
const SECOND_HEADER = makeFault('a second generation header; a file holds one');
/** Restrictions of a file are kept in memory until all of its lines have been read. */
const RESTRICTIONS_MAX = 20_000;
const TOO_MANY_RESTRICTIONS = makeFault(`a file states at most ${RESTRICTIONS_MAX} restrictions`);

const makeDamagedLine = (problem: string): BadLine => ({ problems: [makeFault(problem)], unreadable: new Set() });

/** Leaves a line out: it goes to the rejects, and what is wrong with it to the report. */
export async function rejectLine(
  { rejects, collectors }: LoadSource,
  { number, line }: Pick<StatedLine, 'number'> & { line: Statement | undefined },
  problems: readonly LineProblem[],
  text?: string,
): Promise<void> {
  for (const collector of collectors) collector.addBadLine(line, problems);
  await rejects.add(number, problems, text, line?.kind);
}

/** Parses a line, even a bad one; undefined if it has no usable field to check. */
async function parseStatedLine({ source }: Load, { number, text = '', hash, problem }: HashedLine): Promise<StatedLine | undefined> {
  const parsed = problem === undefined ? parseLine(text) : makeDamagedLine(problem);
  const [line, bad] = 'line' in parsed ? [parsed.line, undefined] : [parsed.rest, parsed];
  const kind = bad ? bad.kind : line?.kind;
  if (kind === undefined) source.counts.unreadable += 1;
  if (kind === 'project') source.counts.projects += 1;
  if (line?.kind === 'review') source.reviews.push(line);
  else if (line?.kind === 'restriction' && source.restrictions.length < RESTRICTIONS_MAX) source.restrictions.push({ number, text, line });
  else if (!line || !isStatement(line)) {
    const problems = bad?.problems ?? [line?.kind === 'restriction' ? TOO_MANY_RESTRICTIONS : SECOND_HEADER];
    await rejectLine(source, { number, line: undefined }, problems, problem === undefined ? text : undefined);
  }
  if (!line || !isStatement(line)) return undefined;
  if (line.kind === 'document' && !bad) source.quoted.noteStated(line);
  return { number, text, hash, key: keyOf(line), line, ...(bad ? { bad } : {}) };
}

/** The key of a line's record: the id of a project or document; for a contact, which has no id, a hash of what identifies the person. */
export function keyOf(line: Statement): string {
  if (line.kind !== 'contact') return String(line.id);
  const identity = JSON.stringify([line.projectId, line.name, line.role, line.company, line.email]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 24);
}
