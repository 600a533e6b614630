/**
 * A document's text as the rules read it: running heads, numbers of lines and marks of Markdown are gone, dashes and quotation marks are of one
 * kind, a paragraph is one line with single spaces. Every place in it leads back to its place in the document. Pure, and linear in the text.
 */
import { HYPHENATED } from '../documents/pages.ts';
import type { Span } from '../types.ts';
import { closeColumns, isLabelAlone } from './labels.ts';
import { breakLongLine, CLOSED } from './longLines.ts';

/** A line of the document, without what surrounds its words. */
export interface TextLine extends Span {
  text: string;
  /** characters before its first word */
  indent: number;
}

/** A paragraph: a range of `prose`, and the line of the document at which it begins. */
export interface Paragraph extends Span {
  text: string;
}

export interface ReadableText {
  original: string;
  /** paragraphs, one a line */
  prose: string;
  paragraphs: Paragraph[];
  lines: TextLine[];
  /** running heads, as printed */
  heads: { text: string; start: number }[];
  /** where a range of `prose` stands in the document */
  toSpan(start: number, end: number): Span;
  /** where a place of `prose` stands in the document */
  toOriginal(at: number): number;
}

const HEAD_LENGTH_MAX = 130;
const OF_HEADS = /\b(?:meeting|minutes|commission|council|board|hearing|agenda|page|city of|county|town of|village of)\b/i;
const NOT_OF_HEADS =
  /\b(?:motion|moved|seconded|second|voted?|approved? the|ayes?|nays?|yes|no|absent|opened|closed|public hearings?:?$|called|request\w*|x)\b|[.:;,]$/i;
const PAGE_MARK = /^(?:-{1,2} ?)?(?:page )?\d{1,3}(?: ?(?:of|\/) ?\d{1,3})?(?: ?-{1,2})?$|^page (?:[|]\s?)?\d{1,3}\b.{0,12}$/i;
const NUMBERED_LINE = /^ {0,6}(\d{1,2})(?: {2,}|$)/;

/** A line without the number of its page; dates stay, for two meetings in one text differ by them. */
const foldHead = (line: string) =>
  line
    .replace(/\bpage \d{1,4}(?: of \d{1,4})?/i, 'page #')
    .replace(/^\d{1,4}(?= )|(?<= )\d{1,4}$/, '#')
    .replace(/\s{1,200}/g, ' ')
    .toLowerCase();

/** Lines at the beginning of a document, which have its title. */
const TITLE_LINES = 40;

/** Lines that a page repeats. The first one stays where it may be the title. */
function findRunningHeads(lines: readonly string[]): Set<number> {
  const seen = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    const trimmed = line.trim();
    if (!trimmed || trimmed.length > HEAD_LENGTH_MAX) continue;
    const key = foldHead(trimmed);
    seen.set(key, [...(seen.get(key)?.slice(0, 400) ?? []), i]);
  }
  const heads = new Set<number>();
  for (const [key, places] of seen) {
    const first = lines[places[0] as number]?.trim() ?? '';
    const isDate = isDateAlone(first);
    const least = /\bpage #/.test(key) || (OF_HEADS.test(key) && /[#\d]/.test(key)) || isDate ? 2 : 3;
    if (
      places.length >= least &&
      (isDate ||
        (OF_HEADS.test(key) && key.includes(' ') && !NOT_OF_HEADS.test(key.endsWith('.') && places.length > 2 ? key.slice(0, -1) : key)))
    )
      for (const place of places) if (place !== places[0] || place > TITLE_LINES) heads.add(place);
  }
  for (const [i, line] of lines.entries()) if (PAGE_MARK.test(line.trim()) && !isLabelAlone(lines[i - 1]?.trim() ?? '')) heads.add(i);
  return heads;
}

/** A line of specks and rules that a scan took for letters, and such marks before and behind the words of a line. */
const NOISE = /^(?!-$)(?:[|~;:.,^`'"°¬_\\/<>=!-]\s{0,9}){1,24}$/;
const NOISE_BEFORE = /^\s*(?:#{1,6}\s|>\s?|[~;.,:'`_°^]{1,3}\s+(?=[A-Za-z(])|\|(?=[^|]*$|[^|]+\|[^|]+\|?\s*$)\s+)?/;
const NOISE_BEHIND = /(?<=[A-Za-z0-9.,;:)])\s{1,9}[~^°`_]{1,3}$/;

const isDateAlone = (line: string) => /^(?:[A-Z][a-z]{2,8}day,? )?[A-Z][a-z]{2,8}\.? \d{1,2}, ?\d{4}$/.test(line);

/** Whether the lines are numbered, as in drafts of minutes: most begin with a count. */
function areLinesNumbered(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim());
  const counts = filled.map((line) => Number(NUMBERED_LINE.exec(line)?.[1] ?? Number.NaN));
  const going = counts.filter((count, i) => count === (counts[i - 1] ?? 0) + 1 || count === (counts[i - 1] ?? 0) + 2).length;
  return filled.length > 20 && going > filled.length * 0.5;
}

/** How wide lines are before they break; infinite where a paragraph is a line. */
function findWidth(lines: readonly string[]): number {
  const lengths = lines.map((line) => line.trimEnd().length).filter((length) => length > 20);
  if (lengths.length < 8) return Number.POSITIVE_INFINITY;
  const sorted = lengths.sort((a, b) => a - b);
  const wide = sorted[Math.floor(sorted.length * 0.85)] as number;
  const [full, longest] = [lengths.filter((length) => length >= wide * 0.85).length, sorted[Math.floor(sorted.length * 0.98)] as number];
  return wide > 150 || full < lengths.length * 0.2 || longest > wide * 1.35 ? Number.POSITIVE_INFINITY : wide;
}

const STARTS_ITEM =
  /^(?:[([]?(?:\d{1,2}(?:\.\d{1,2}){0,2}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]{1,2}(?=\s|[A-Z]|$)|\d{1,2}\.\d{1,2}\s|[•●▪*·☐☑o]\s|-\s|\d{1,2}(?:st|nd|rd|th) [A-Z][a-z]{2,12}:\s|(?:[A-Z]{1,5}[ -]?)?\d{2,4}-\d{1,5}(?: -|:)?\s{1,9}(?=[A-Z][a-z])|[A-Z][A-Za-z /'#&.()-]{1,32}:(?:\s|$)|#{1,6}\s|(?:(?:STAFF|Staff|PLANNER|Planner)(?:'[Ss])? )?(?:RECOMMENDATION|Recommendation)[Ss]?:?$|.{0,200}\s\|\s|[{[](?=[A-Z][a-z]))/;
/** Labels that no sentence goes on with. */
const OF_FORM =
  /^(?:(?:property )?owners?|applicants?|owners? ?\/ ?applicants?|petitioners?|(?:general(?:ly)? )?locat(?:ion|ed)|legal description)(?:\(s\))?: /i;
const ENDS = /(?<!\b(?:Mr|Ms|Mrs|Dr))[.!?:;]["')\]]?$/;

/** Lines of blocks that are set narrower than the rest and go on: none had room for the word that the next one begins with. */
function findNarrow(lines: readonly string[]): Set<number> {
  const narrow = new Set<number>();
  const indentOf = (line: string) => line.search(/\S|$/);
  for (let first = 0; first < lines.length; ) {
    const indent = indentOf(lines[first] as string);
    let end = first + 1;
    while (
      end < lines.length &&
      lines[end]?.trim() &&
      indentOf(lines[end] as string) === indent &&
      !STARTS_ITEM.test(lines[end]?.trim() ?? '')
    )
      end++;
    const ends = lines.slice(first, end).map((line) => line.trimEnd().length);
    const widest = Math.max(...ends);
    const goesOn = (i: number) =>
      (ends[i - first] as number) + (/^\s*\S*/.exec(lines[i + 1] as string)?.[0].length ?? 0) - indent >= widest;
    const inner = Array.from({ length: end - first - 1 }, (_, i) => first + i);
    if (indent > 0 && inner.length > 1 && widest - indent > 36 && inner.every(goesOn)) for (const i of inner) narrow.add(i);
    first = end;
  }
  return narrow;
}

const RULE = /^\s*\+[-=+]{5,}\s*$/;
const cellsOf = (line: string) => (/^\s*\|.*\|\s*$/.test(line) ? [...line.matchAll(/(?<=\|)[^|]*(?=\|)/g)] : []);

/** Lines with their places. Of a row of a table that is drawn over several lines, cell after cell: below its first line the first cell is blank. */
function readLines(original: string): { line: string; start: number }[] {
  let offset = 0;
  const raw = original.split('\n').map((line) => {
    offset += line.length + 1;
    return { line: RULE.test(line) ? '' : line, start: offset - line.length - 1, cells: cellsOf(line) };
  });
  const read: { line: string; start: number }[] = [];
  for (let i = 0, end = 1; i < raw.length; i = end++) {
    const first = raw[i] as (typeof raw)[number];
    while (first.cells.length > 2 && raw[end]?.cells.length === first.cells.length && !raw[end]?.cells[0]?.[0].trim()) end++;
    if (end === i + 1) read.push(first);
    else
      for (const column of first.cells.keys()) {
        for (const { start, cells } of raw.slice(i, end))
          if (cells[column]?.[0].trim()) read.push({ line: cells[column][0], start: start + cells[column].index });
        read.push({ line: '', start: first.start });
      }
  }
  return read;
}

/** The place of the first that begins there or behind. @param list in the order of their beginnings */
export function findFrom(list: readonly { start: number }[], start: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A line with as much of a text is all of it. */
export const WHOLE = 0.8;

/** Reads the lines of a text into paragraphs. */
export function readText(original: string): ReadableText {
  const read = readLines(original);
  const raw = read.map(({ line }) => line);
  const heads = findRunningHeads(raw);
  const numbered = areLinesNumbered(raw);
  const width = findWidth(original.split('\n'));
  const narrow = findNarrow(raw);
  const isScanned = (original.match(SPLIT_CODE)?.length ?? 0) >= SPLIT_LEAST;
  const lines: TextLine[] = [];
  const map: number[] = [];
  const parts: string[] = [];
  const headTexts: ReadableText['heads'] = [];
  let before = '';
  let beforeEnd = 0;
  let blank = true;
  let overHead = false;
  const push = (character: string, at: number) => {
    parts.push(character);
    map.push(at);
  };
  for (const [i, { line, start: lineStart }] of read.entries()) {
    if (heads.has(i)) {
      headTexts.push({ text: line.trim(), start: lineStart + line.length - line.trimStart().length });
      overHead = true;
      continue;
    }
    const skipped = numbered ? (NUMBERED_LINE.exec(line)?.[0].length ?? 0) : 0;
    const marks = NOISE_BEFORE.exec(line.slice(skipped))?.[0].length ?? 0;
    const from = skipped + marks;
    const text = partColumns(closeColumns(line.slice(from).trim()).replace(NOISE_BEHIND, ''));
    if (NOISE.test(text) && !/^[-*_=]{3,}$/.test(text)) {
      overHead = true;
      continue;
    }
    if (!text || /^[-*_=]{3,}$/.test(text)) {
      blank = true;
      continue;
    }
    const start = lineStart + from + line.slice(from).search(/\S|$/);
    const folded = breakLongLine(closeNumbers(foldCharacters(text), isScanned), text.length > original.length * WHOLE);
    const first = /^\S{1,30}/.exec(folded)?.[0].length ?? 0;
    if (parts.length) {
      const isBreak = breaksBetween({ before, beforeEnd, blank, overHead }, folded, first, width);
      const joins = !isBreak && /[A-Za-z0-9]-$/.test(before) && /^[A-Za-z0-9]/.test(folded);
      const cut = joins ? /([a-z]{2,20}-)\n([a-z]{2,20})/.exec(`${before.slice(-21)}\n${folded.slice(0, 20)}`) : null;
      if (cut && !HYPHENATED.test(`${cut[1]}${cut[2]}`)) {
        parts.pop();
        map.pop();
      }
      if (isBreak || !joins) push(isBreak ? '\n' : ' ', start - 1);
    }
    lines.push({ start, end: start + text.length, text, indent: start - lineStart - skipped });
    pushFolded(folded, start, push);
    before = folded;
    beforeEnd = narrow.has(i) ? Number.POSITIVE_INFINITY : line.trimEnd().length;
    blank = false;
    overHead = false;
  }
  const prose = parts.join('');
  return {
    original,
    prose,
    paragraphs: splitParagraphs(prose),
    lines,
    heads: headTexts,
    toSpan: (from, to) => ({ start: map[from] ?? 0, end: (map[Math.max(from, to - 1)] ?? -1) + 1 }),
    toOriginal: (at) => map[at] ?? original.length,
  };
}

/** Numbers with a blank that a scan put in: `2. 3 acres`, `. 5 acre`, `1, 500 square feet`; and codes, which only scans write so: `R- 12`. */
const SPLIT_NUMBER =
  /(?:\d\.|(?<= )\.|(?<!\d{3})\d,(?= \d{3}\b)) (?=\d{1,3} ?(?:acres?|ac\b|square|gross|sq\b|feet|foot|percent|miles?|dwelling|units?|lots?|to \d)\b)/g;
const SPLIT_CODE = /(?<=[A-Z\d])- (?=\d)/g;
const SPLIT_LEAST = 5;
const closeBlank = (found: string) => found.replace(' ', CLOSED);
const closeNumbers = (line: string, isScanned: boolean) => {
  const closed = line.replace(SPLIT_NUMBER, closeBlank);
  return isScanned ? closed.replace(SPLIT_CODE, closeBlank) : closed;
};

/** A heading in columns, as one with dashes of the same length: `Case No. 24-01     12 Elm St     Clip Joint Barbers` */
const HEAD_IN_COLUMNS =
  /^(?:[A-Z\d]{1,3}[.)] {1,4})?(?:[A-Z][a-z]{2,12} {1,3}(?:No\.|#)? {0,3})?[A-Z]{0,5}[ -]?\d[\w.-]{3,20}(?: \([^()]{1,40}\))? {3,}(?=\S)/;
const HEAD_OF_COLUMNS = /^\S[^-]{3,50}\d\S* - {2}/;
const partColumns = (text: string) => (HEAD_IN_COLUMNS.test(text) ? text.replace(/ {3,}/g, (gap) => ' -'.padEnd(gap.length)) : text);

/** One character for each of the text. */
const foldCharacters = (text: string) =>
  text
    .replace(/[\u00a0\t]/g, ' ')
    .replace(/[–—‑−]/g, '-')
    .replace(/[“”]/g, '"')
    .replace(/[’‘´]/g, "'")
    // What a scan mistook within a word: `REC0MMEND`, `reso1ution`, `4O acres`, `l15th`.
    .replace(/0(?:(?<=\b[A-Z]{1,12}0)(?=[A-Z]{2})|(?<=\b0)(?=[NF]\b|n (?:a )?motion\b)|(?<=\bN0)(?=[.S]))/g, 'O')
    .replace(/l(?<=[A-Z]{3}l)(?=[A-Z])/g, 'I')
    .replace(/1(?:(?<=[a-z]1)(?=[a-z])|\b(?<=\b[A-Z]?[a-z]{2,12}1))/g, 'l')
    .replace(/O(?<=\b\d{1,3}O)\b(?!-)/g, '0')
    .replace(/\bl(?=\d)/g, '1');

/** ` ,` as scans have it; ` .5` stays. */
const MARKS: ReadonlySet<string | undefined> = new Set([...',;:.)']);
const SPACED_MARK = /^ [,;:.)](?:[ "'.,]|$)/;

function pushFolded(text: string, start: number, push: (character: string, at: number) => void): void {
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (
      character === CLOSED ||
      (character === ' ' &&
        (text[i - 1] === ' ' || text[i - 1] === '(' || (MARKS.has(text[i + 1]) && SPACED_MARK.test(text.slice(i, i + 3)))))
    )
      continue;
    if (character === '*' && (text[i - 1] === '*' || text[i + 1] === '*')) continue;
    push(character, start + i);
  }
}

interface Before {
  before: string;
  beforeEnd: number;
  blank: boolean;
  overHead: boolean;
}

/** Whether a line begins a paragraph. A sentence goes on over a page, and over the empty lines around its number. */
function breaksBetween({ before, beforeEnd, blank, overHead }: Before, text: string, first: number, width: number): boolean {
  const isFull = beforeEnd + first >= width * 0.78;
  const ends = ENDS.test(before);
  if (!blank && isLabelAlone(before) && !/:$/.test(text)) return false;
  if (
    / \| |^([*_])[^*_]+\1$/.test(before) ||
    HEAD_OF_COLUMNS.test(before) ||
    (STARTS_ITEM.test(text) && (blank || ends || !isFull || OF_FORM.test(text)))
  )
    return true;
  const goesOn = !ends && /^[a-z]/.test(text);
  if (blank && !overHead) return !(goesOn && before.length > 30);
  if (overHead) return !(goesOn || (!ends && isFull));
  if (width === Number.POSITIVE_INFINITY) return !goesOn;
  return !isFull && /^[A-Z0-9"(]/.test(text) && !/[,-]$/.test(before);
}

export function splitParagraphs(prose: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let start = 0;
  while (start <= prose.length) {
    const end = prose.indexOf('\n', start) < 0 ? prose.length : prose.indexOf('\n', start);
    if (end > start) paragraphs.push({ start, end, text: prose.slice(start, end) });
    start = end + 1;
  }
  return paragraphs;
}
