/** The lines of a file in batches: those that the base holds as they are, and the rest, parsed. */
import { createHash } from 'node:crypto';
import { lineHashOf } from '../read/lineHash.ts';
import type { Line, LineSource } from '../read/lines.ts';
import { type BadLine, parseLine, type Statement } from '../read/parseLine.ts';
import { findKnownLines, type KnownLine } from './knownLines.ts';
import type { Load } from './loadContext.ts';

const BATCH_LINES = 500;
const BATCH_BYTES = 1024 * 1024;

/** A line that states a record. */
export interface StatedLine {
  number: number;
  text: string;
  /** of the text; undefined where it cannot be read */
  hash: string | undefined;
  /** of the record */
  key: string;
  line: Statement;
  /** of a bad line, of which `line` is the rest */
  bad?: BadLine;
}

interface LineBatch {
  /** lines whose records the base holds unchanged */
  kept: KnownLine[];
  stated: StatedLine[];
}

/** A line, with its hash where it can be read. */
type HashedLine = Line & { hash?: string };

/** Bad lines of which nothing more can be checked go to the rejects at once. */
export async function* lineBatches(load: Load, lines: LineSource['lines']): AsyncGenerator<LineBatch> {
  const batches = workAhead(hashedBatches(load.source.lineForm, lines), async (hashed) => ({
    hashed,
    known: await findKnownLines(
      load,
      hashed.flatMap(({ hash }) => hash ?? []),
    ),
  }));
  for await (const { hashed, known } of batches) {
    const batch: LineBatch = { kept: [], stated: [] };
    for (const line of hashed) {
      const kept = keptLine(load, line, known);
      const stated = kept ? undefined : await statedLine(load, line);
      if (kept) batch.kept.push(kept);
      if (stated) batch.stated.push(stated);
    }
    yield batch;
  }
}

/** Results in the order of the items; the work on the next item goes on while a result is used. */
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

async function* hashedBatches(lineForm: string, lines: LineSource['lines']): AsyncGenerator<HashedLine[]> {
  let batch: HashedLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const { text } = line;
    if (text?.trim() === '') continue;
    batch.push(text === undefined ? line : { ...line, hash: lineHashOf(lineForm, text) });
    bytes += text?.length ?? 0;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length) yield batch;
}

/** The record that the base holds as a line states it; undefined where the line has to be read. */
function keptLine({ source }: Load, { number, hash }: HashedLine, all: ReadonlyMap<string, KnownLine>): KnownLine | undefined {
  const known = hash === undefined ? undefined : all.get(hash);
  // A document that it quotes may have another text now.
  if (!known || source.quoted.areStated(known.quotes)) return undefined;
  if (known.kind === 'project') source.counts.projects += 1;
  source.quoted.noteQuoted(known.quotes, number);
  return known;
}

const SECOND_HEADER = { fault: 'a second generation header; a file holds one', reason: 'a second generation header; a file holds one' };

const damagedLine = (problem: string): BadLine => ({ problems: [{ fault: problem, reason: problem }], unreadable: new Set() });

/** What a line states, also a bad one; undefined where nothing more of it can be checked. */
async function statedLine({ source }: Load, { number, text = '', hash, problem }: HashedLine): Promise<StatedLine | undefined> {
  const parsed = problem === undefined ? parseLine(text) : damagedLine(problem);
  const [line, bad] = 'line' in parsed ? [parsed.line, undefined] : [parsed.rest, parsed];
  const kind = bad ? bad.kind : line?.kind;
  if (kind === undefined) source.counts.unreadable += 1;
  if (kind === 'project') source.counts.projects += 1;
  if (!line || line.kind === 'generation') {
    await source.rejects.add(number, bad?.problems ?? [SECOND_HEADER], problem === undefined ? text : undefined);
    return undefined;
  }
  if (line.kind === 'document' && !bad) source.quoted.noteStated(line);
  return { number, text, hash, key: keyOf(line), line, ...(bad ? { bad } : {}) };
}

/** A project and a document are known by their ids; a directory line has none, so a person is known by what names them. */
export function keyOf(line: Statement): string {
  if (line.kind !== 'contact') return String(line.id);
  const identity = JSON.stringify([line.projectId, line.name, line.role, line.company, line.email]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 24);
}
