/** Draws values of a generation file, each with the words that it was read from, for a person who judges whether they say it. */
import { createHash } from 'node:crypto';
import { UserError } from '../../../src/terminal/program.ts';
import { openLines, UnreadableFile } from '../../read/openLines.ts';
import { type DocumentLine, type ProjectLine, parseLine } from '../../read/parseLine.ts';

/** Words of a document, with those around them. */
export interface QuotedWords {
  before: string;
  words: string;
  after: string;
  document: string;
  page: number | null;
}

/** One value to judge. */
export interface DrawnValue {
  projectId: number;
  field: string;
  /** what names the record */
  record: string;
  value: unknown;
  quotes: QuotedWords[];
}

interface Draw extends DrawnValue {
  rank: string;
  /** the passages of the record */
  passages: string;
  cited: { documentId: number; quote: string; page: number | null }[];
}

const AROUND_CHARACTERS = 240;
const QUOTES_SHOWN = 4;

const rankOf = (seed: string, projectId: number, field: string) =>
  createHash('sha256').update(`${seed}\n${projectId}\n${field}`).digest('hex');

const nameRecord = ({ projectName, displayName, caseNumbers, address, id }: ProjectLine) =>
  [caseNumbers?.[0], projectName ?? displayName ?? address ?? `record ${id}`].filter(Boolean).join(' · ');

/**
 * Leaves out lines with values that cannot be loaded, as a load with --skip-invalid does.
 * @throws UserError for a file that is none, and for a line that cannot be read
 */
async function* readStatements(file: string, onRefused?: (reason: string) => void): AsyncGenerator<ProjectLine | DocumentLine> {
  const source = await openLines(file).catch((error: Error) => {
    throw error instanceof UnreadableFile ? new UserError(error.message) : error;
  });
  try {
    for await (const { number, text, problem } of source.lines) {
      if (text?.trim() === '') continue;
      const parsed = text === undefined ? undefined : parseLine(text);
      if (!parsed || 'problems' in parsed) {
        const reason = `${file}:${number}: ${problem ?? parsed?.problems.map(({ reason }) => reason).join('; ')}`;
        if (!parsed?.kind) throw new UserError(reason);
        onRefused?.(reason);
      } else if (parsed.line.kind === 'project' || parsed.line.kind === 'document') yield parsed.line;
    }
  } finally {
    await source.close();
  }
}

interface DrawOptions {
  number: number;
  seed: string;
  onRefused?: (reason: string) => void;
}

/**
 * Values with quotes, drawn at random by a seed: of each field as many as of the others, as far as it has them.
 * @throws UserError if the generation has no quotes
 */
export async function drawValues(file: string, { number, seed, onRefused }: DrawOptions): Promise<DrawnValue[]> {
  const byField = new Map<string, Draw[]>();
  for await (const line of readStatements(file, onRefused)) {
    if (line.kind !== 'project') continue;
    for (const [field, quotes] of Map.groupBy(line.evidence ?? [], (one) => one.field)) {
      const cited = quotes.slice(-QUOTES_SHOWN).map(({ documentId, quote, page = null }) => ({ documentId, quote, page }));
      const rank = rankOf(seed, line.id, field);
      const drawn = {
        rank,
        projectId: line.id,
        field,
        record: nameRecord(line),
        value: line[field],
        quotes: [],
        cited,
        passages: line.rawText ?? '',
      };
      const known = [...(byField.get(field) ?? []), drawn].sort((a, b) => (a.rank < b.rank ? -1 : 1));
      byField.set(field, known.slice(0, number));
    }
  }
  if (!byField.size) throw new UserError(`${file}: no value has a quote; is it a generation that npm run extract wrote?`);
  const chosen = takeInTurns([...byField.values()], number).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  await addWords(file, chosen);
  return chosen.map(({ rank: _, cited: __, passages: ___, ...value }) => value);
}

/** One of each list in turn, until there are enough. */
function takeInTurns<T>(lists: readonly (readonly T[])[], number: number): T[] {
  const taken: T[] = [];
  for (let turn = 0; taken.length < number && lists.some((list) => list.length > turn); turn++)
    for (const list of lists) if (list.length > turn && taken.length < number) taken.push(list[turn] as T);
  return taken;
}

/** Characters before words by which one of their places is known from another. */
const BEFORE_CHARACTERS = 40;

/** Where words stand in a document: of several places the first in the passages of the record; -1 if nowhere. */
function findInPassages(text: string, words: string, passages: string): number {
  const first = text.indexOf(words);
  for (let at = first; at >= 0; at = text.indexOf(words, at + 1))
    if (passages.includes(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at + words.length))) return at;
  return first;
}

async function addWords(file: string, chosen: readonly Draw[]): Promise<void> {
  const wanted = Map.groupBy(
    chosen.flatMap((value) => value.cited.map((one) => ({ value, ...one }))),
    ({ documentId }) => documentId,
  );
  for await (const line of readStatements(file)) {
    if (line.kind !== 'document') continue;
    const text = line.text ?? '';
    for (const { value, quote, page } of wanted.get(line.id) ?? []) {
      const at = findInPassages(text, quote, value.passages);
      if (at < 0) continue;
      const before = text.slice(Math.max(0, at - AROUND_CHARACTERS), at);
      const after = text.slice(at + quote.length, at + quote.length + AROUND_CHARACTERS);
      value.quotes.push({ before, words: quote, after, document: line.title ?? `document ${line.id}`, page });
    }
  }
}
