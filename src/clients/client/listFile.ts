/**
 * Reads a list of one's own as people have it: CSV of any spreadsheet, in any usual encoding, with stray quotes and lines of any length. Every cell
 * stays as it is in the file. Runs in browsers. Pure.
 */
import { decodeText } from './decodeText.ts';

/** One line of the file. */
export interface ListLine {
  /** as many as there are columns */
  cells: readonly string[];
  /** why the line cannot be relied on */
  problem?: string;
}

/** A file of rows below a header line. */
export interface ListFile {
  /** headers as they are in the file; '' for cells beyond the last one */
  headers: readonly string[];
  lines: readonly ListLine[];
  /** how the file was read, where that is not as UTF-8 with commas; for people */
  notices: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'];
/** A quoted cell that is longer has a quote that is never closed. */
const QUOTED_CHARACTERS_MAX = 100_000;
/** Characters by which a text is told from other files, and the share of control characters that a text has at most. */
const LOOKED_AT_CHARACTERS = 4_096;
const CONTROL_SHARE_MAX = 0.01;

/** A file that is no list. */
export class UnreadableList extends Error {
  override name = 'UnreadableList';
}

const beginsWith = (bytes: Uint8Array, ...first: readonly number[]): boolean => first.every((byte, i) => bytes[i] === byte);

/** @throws UnreadableList for a workbook, and for what is no text */
function readText(bytes: Uint8Array): { text: string; notices: string[] } {
  if (beginsWith(bytes, 0x50, 0x4b, 3, 4) || beginsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableList('it is a workbook or an archive: save the sheet as CSV (UTF-8), and send that');
  const { text, encoding, otherLines } = decodeText(bytes);
  const notices = {
    'utf-8': [],
    'utf-16': ['It was read as UTF-16.'],
    mixed: [`${otherLines === 1 ? 'One line is' : `${otherLines} lines are`} not UTF-8 and was read as Windows-1252.`],
  };
  return { text, notices: notices[encoding] };
}

/** @throws UnreadableList */
function checkText(text: string): void {
  const start = text.slice(0, LOOKED_AT_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const controls = start.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  if (controls > 1 && controls > start.length * CONTROL_SHARE_MAX)
    throw new UnreadableList('it is no text: send a CSV file with a header line');
}

/** The delimiter that occurs most often in the header line, outside quotes. A header without any has one column, whatever its lines contain. */
function findDelimiter(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length - 1 }));
  const [most] = counted.sort((a, b) => b.count - a.count);
  return most?.count ? most.delimiter : '\t';
}

interface CellReading {
  cell: string;
  /** where the next cell, or the end of the line, stands */
  end: number;
  problem?: string;
}

/** Reads a quoted cell; undefined where its quotes do not make one, so that they are a part of the text. */
function readQuoted(text: string, start: number, isEnd: (at: number) => boolean): CellReading | undefined {
  const last = Math.min(text.length, start + QUOTED_CHARACTERS_MAX);
  for (let at = text.indexOf('"', start + 1); at >= 0 && at < last; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] === '"') continue;
    return isEnd(at + 1) ? { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 } : undefined;
  }
  return undefined;
}

function readCell(text: string, start: number, delimiter: string): CellReading {
  const isEnd = (at: number) => at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';
  const quoted = text[start] === '"' ? readQuoted(text, start, isEnd) : undefined;
  if (quoted) return quoted;
  let end = start;
  while (!isEnd(end)) end++;
  const cell = text.slice(start, end);
  const isOpen = cell.startsWith('"') && cell.lastIndexOf('"') === 0;
  return { cell, end, ...(isOpen ? { problem: `The quote of the cell ${cell.slice(0, 40)} is not closed` } : {}) };
}

/** The lines with their cells; empty ones are left out. Lines end as each of them does, with CR, LF or both. */
function readLines(text: string, delimiter: string): { cells: string[]; problem?: string }[] {
  const lines: { cells: string[]; problem?: string }[] = [];
  let line: { cells: string[]; problem?: string } = { cells: [] };
  for (let at = 0; at < text.length; ) {
    const { cell, end, problem } = readCell(text, at, delimiter);
    line.cells.push(cell);
    if (problem) line.problem ??= problem;
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    if (text[end] === delimiter && at < text.length) continue;
    if (text[end] === delimiter) line.cells.push('');
    if (line.cells.some((one) => one.trim()) || line.cells.length > 1) lines.push(line);
    line = { cells: [] };
  }
  return lines;
}

/** @throws UnreadableList for what is no text with a header line */
export function readListFile(bytes: Uint8Array): ListFile {
  const { text, notices } = readText(bytes);
  checkText(text);
  const declared = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text);
  const body = declared ? text.slice(declared[0].length) : text;
  const [header, ...lines] = readLines(body, declared?.[1] ?? findDelimiter(body));
  if (!header) throw new UnreadableList('it is empty: send a CSV file with a header line');
  const named = header.cells.length;
  const filled = ({ cells }: ListLine) => cells.findLastIndex((cell) => cell.trim()) + 1;
  const width = lines.reduce((most, line) => Math.max(most, filled(line)), named);
  const padCells = (cells: readonly string[]) => Array.from({ length: width }, (_, i) => cells[i] ?? '');
  const surplusProblem = (line: ListLine) =>
    `The line has more cells than the header line has names (${named}), the last of them '${line.cells[filled(line) - 1]}'; put cells with a separator in them in quotes`;
  return {
    headers: padCells(header.cells),
    lines: lines.map((line) => {
      const problem = filled(line) > named ? surplusProblem(line) : line.problem;
      return { cells: padCells(line.cells), ...(problem ? { problem } : {}) };
    }),
    notices,
  };
}

/** A name for each column: its header, with its place behind a blank one or one that stood before. */
export function nameColumns(headers: readonly string[]): string[] {
  const names = new Set<string>();
  for (const [at, header] of headers.entries()) {
    let name = header || `column_${at + 1}`;
    while (names.has(name)) name += `_${at + 1}`;
    names.add(name);
  }
  return [...names];
}
