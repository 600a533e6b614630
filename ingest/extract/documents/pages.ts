/** Pages of lines become one text: running heads and feet leave, words that a line end cuts are joined. Pure. */
import type { ReadDocument } from '../types.ts';

/** The text of a document, and where its pages start in it. */
export interface PagedText {
  text: string;
  pageStarts: number[];
}

/** A document as its format gives it; `ReadDocument` adds the file. */
export type ReadPart = PagedText & Pick<ReadDocument, 'format' | 'itemStarts' | 'stated' | 'unread'>;

/** Lines at the top and at the foot of a page that may be running ones. */
const RUNNING_LINES_MAX = 4;
/** A running line stands on as many pages, and on this share of those from its first to its last: a chapter, or every other page. */
const RUNNING_PAGES_MIN = 3;
const RUNNING_SHARE = 0.45;

const PAGE_NUMBER = /^(?:(?:page|pg\.?|p\.) ?)?\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?$|^page [ivxl]{1,6}$/i;
const PAGE_NUMBER_CHARACTERS = 40;
const WORDS = /\p{L}[\p{L}'’]*(?:-\p{L}[\p{L}'’]*)*/gu;

/** A line as heads compare it: numbers count as equal, so that `Page 2` is the same line as `Page 3`. */
const comparable = (line: string) => line.toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ').trim();

const isPageNumber = (line: string) =>
  line.length <= PAGE_NUMBER_CHARACTERS && PAGE_NUMBER.test(line.replaceAll(/[-–—|•\s]+/g, ' ').trim());

/** A line on the pages that have it at the same end, and the numbers in it. */
interface Repeated {
  page: number;
  numbers: string[];
}

function isRunning(on: readonly Repeated[], pages: number): boolean {
  const span = (on.at(-1)?.page ?? 0) - (on[0]?.page ?? 0) + 1;
  return on.length > 1 && on.length >= Math.min(RUNNING_PAGES_MIN, pages) && on.length >= RUNNING_SHARE * span;
}

/** Whether one of the numbers in a repeated line counts the pages. */
const countsPages = (on: readonly Repeated[]) =>
  on.length > 1 && (on[0]?.numbers ?? []).some((_, at) => new Set(on.map(({ page, numbers }) => Number(numbers[at]) - page)).size === 1);

/** The indices of the first or the last lines of a page that are not blank. */
function edgeLines(page: readonly string[], end: 'top' | 'foot'): number[] {
  const filled = page.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  return end === 'top' ? filled.slice(0, RUNNING_LINES_MAX) : filled.slice(-RUNNING_LINES_MAX).reverse();
}

/**
 * The lines of one end of a page that are running ones, from the edge inwards. Rows of a table may repeat at the top of pages, too: a running line has
 * the number of the page, or an empty line between it and the text.
 */
function runningLines(
  page: readonly string[],
  indices: readonly number[],
  repeated: ReadonlyMap<string, Repeated[]>,
  pages: number,
): number[] {
  const running: number[] = [];
  let sure = 0;
  for (const [place, index] of indices.entries()) {
    const line = (page[index] ?? '').trim();
    const on = repeated.get(comparable(line)) ?? [];
    if (!isPageNumber(line) && !isRunning(on, pages)) break;
    running.push(index);
    const next = indices[place + 1];
    const isApart = next === undefined || Math.abs(next - index) > 1;
    if (isPageNumber(line) || isApart || countsPages(on)) sure = running.length;
  }
  return running.slice(0, sure);
}

/**
 * Removes what is printed on page after page, and page numbers. A head stays on the first page, where it may be the title; there its page number
 * goes too.
 */
export function removeRunningLines(pages: readonly (readonly string[])[]): string[][] {
  const removed = pages.map(() => new Set<number>());
  for (const end of ['top', 'foot'] as const) {
    const edges = pages.map((page) => edgeLines(page, end));
    const repeated = new Map<string, Repeated[]>();
    edges.forEach((indices, page) => {
      for (const line of new Set(indices.map((index) => pages[page]?.[index] ?? '')))
        repeated.set(comparable(line), [...(repeated.get(comparable(line)) ?? []), { page, numbers: line.match(/\d+/g) ?? [] }]);
    });
    edges.forEach((indices, at) => {
      const page = pages[at] ?? [];
      for (const index of runningLines(page, indices, repeated, pages.length))
        if (end === 'foot' || at > 0 || isPageNumber(page[index] ?? '')) removed[at]?.add(index);
    });
  }
  return pages.map((page, at) => page.filter((_, index) => !removed[at]?.has(index)));
}

const MARKED_PAGE = /^(?:page|pg\.?) ?\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?$|^\d{1,4} ?\| ?page$/i;
const MARKED_PAGES_MIN = 2;

/** Removes the running lines of a text whose pages were put together: the lines that say `Page 2`, and what repeats next to them. */
export function removeMarkedPages(lines: readonly string[]): string[] {
  const marks = lines.flatMap((line, at) => (MARKED_PAGE.test(line.trim()) ? [at] : []));
  if (marks.length < MARKED_PAGES_MIN) return [...lines];
  const removed = new Set(marks);
  for (const step of [-1, 1]) {
    const next = marks.map((at) => at);
    for (let line = 0; line < RUNNING_LINES_MAX; line++) {
      next.forEach((at, mark) => {
        do next[mark] = (next[mark] ?? at) + step;
        while (lines[next[mark] as number]?.trim() === '');
      });
      const counts = Map.groupBy(next, (at) => comparable(lines[at] ?? ''));
      const running = [...counts].filter(
        ([text, at]) => text !== '' && at.length >= MARKED_PAGES_MIN && at.length >= RUNNING_SHARE * marks.length,
      );
      if (running.length === 0) break;
      for (const [, at] of running) for (const one of at) removed.add(one);
    }
  }
  return lines.filter((_, at) => !removed.has(at));
}

/** The letters and digits before a hyphen that ends the line. */
const findCutWord = (line: string): string | undefined =>
  line.endsWith('-')
    ? line
        .slice(line.lastIndexOf(' ') + 1, -1)
        .split(/[^\p{L}\p{N}]/u)
        .at(-1)
    : undefined;

/** First and last parts of words with a hyphen. */
export const HYPHENATED =
  /^(?:non|self|well|multi|semi|ex|mid|one|two|three|four|five|six|seven|eight|nine|ten|single|double|high|low|long|short|full|half|mixed|first|second|third)-|-(?:free|based|family|story|use|way|foot|acre|inch|hour|year|day|time|level|wide|site|yard|street|unit|term|in|off|up|out)$/;
const CAPITALS = /^\p{Lu}{3,}$/u;

/** Whether the hyphen at a line's end is one of the word: `2024-`, `VAR`; `well-`, `known`. */
function keepsHyphen(line: string, before: string, after: string, known: ReadonlySet<string>): boolean {
  const tail = /^[\p{L}'’]+/u.exec(after)?.[0] ?? '';
  const isCut = (/^\p{L}+$/u.test(before) && /^\p{Ll}/u.test(after)) || (CAPITALS.test(before) && CAPITALS.test(tail));
  if (!isCut || after.startsWith('-', tail.length) || line.at(-before.length - 2) === '-') return true;
  const word = `${before}-${tail}`.toLowerCase();
  return !known.has(word.replace('-', '')) && (known.has(word) || HYPHENATED.test(word));
}

interface Line {
  text: string;
  page: number;
  /** its only word was joined to the line before */
  isTaken?: boolean;
}

/** Joins the words that line ends cut: `peti-`, `tioner` is `petitioner`, `2024-`, `VAR` is `2024-VAR`. Changes the lines. */
function joinCutWords(lines: Line[]): void {
  const known = new Set(lines.flatMap(({ text }) => text.toLowerCase().match(WORDS) ?? []));
  let open: Line | undefined;
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const before = open && findCutWord(open.text);
    const rest = before && /^\s*([\p{L}\p{N}][^\s|]*)\s*/u.exec(line.text);
    if (open && before && rest) {
      const after = rest[1] ?? '';
      open.text = (keepsHyphen(open.text, before, after, known) ? open.text : open.text.slice(0, -1)) + after;
      line.text = line.text.slice(rest[0].length);
      line.isTaken = line.text === '';
    }
    if (line.text.trim() !== '') open = line;
  }
}

const ENDS_PARAGRAPH = /[.:;!?)"”|]\s*$/;

/** @param pages lines of each page; a blank line parts paragraphs */
export function joinPages(pages: readonly (readonly string[])[], { cutWords = true } = {}): PagedText {
  const lines = pages.flatMap((page, at) => page.map((text): Line => ({ text, page: at })));
  if (cutWords) joinCutWords(lines);
  const pageStarts: number[] = [];
  let text = '';
  let blanks = 0;
  for (const line of lines.filter(({ isTaken }) => !isTaken)) {
    const content = line.text.trimEnd();
    const startsPage = line.page >= pageStarts.length;
    if (content === '') {
      blanks++;
      continue;
    }
    if (startsPage) blanks = ENDS_PARAGRAPH.test(text) ? 1 : 0;
    if (text !== '') text += blanks > 0 ? '\n\n' : '\n';
    while (pageStarts.length <= line.page) pageStarts.push(text.length);
    text += content;
    blanks = 0;
  }
  while (pageStarts.length < pages.length) pageStarts.push(text.length);
  return { text: text === '' ? '' : `${text}\n`, pageStarts: pageStarts.length === 0 ? [0] : pageStarts };
}
