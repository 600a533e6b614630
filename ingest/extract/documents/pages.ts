/** Pages of lines become one text: running heads and feet leave, words that a line end cuts are joined. Pure. */

/** What a format gives: its text, and what the format itself states of it. */
export interface PagedText {
  text: string;
  pageStarts: number[];
}

/** Lines at the top and at the foot of a page that may be running ones. */
const RUNNING_LINES_MAX = 4;
/** A running line stands on as many pages at least, and on this share of them. */
const RUNNING_PAGES_MIN = 3;
const RUNNING_SHARE = 0.4;

const PAGE_NUMBER = /^(?:(?:page|pg\.?|p\.) ?)?\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?$|^page [ivxl]{1,6}$/i;
const PAGE_NUMBER_CHARACTERS = 40;
const WORDS = /\p{L}[\p{L}'’]*(?:-\p{L}[\p{L}'’]*)*/gu;

/** A line as heads compare it: numbers count as equal, so that `Page 2` is the same line as `Page 3`. */
const comparable = (line: string) => line.toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ').trim();

const isPageNumber = (line: string) =>
  line.length <= PAGE_NUMBER_CHARACTERS && PAGE_NUMBER.test(line.replaceAll(/[-–—|•\s]+/g, ' ').trim());

/** The indices of the first or the last lines of a page that are not blank. */
function edgeLines(page: readonly string[], end: 'top' | 'foot'): number[] {
  const filled = page.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  return end === 'top' ? filled.slice(0, RUNNING_LINES_MAX) : filled.slice(-RUNNING_LINES_MAX).reverse();
}

/**
 * Removes what is printed on page after page, and page numbers. A head stays on the first page, where it may be the title; there its page number
 * goes too.
 */
export function removeRunningLines(pages: readonly (readonly string[])[]): string[][] {
  const removed = pages.map(() => new Set<number>());
  for (const end of ['top', 'foot'] as const) {
    const edges = pages.map((page) => edgeLines(page, end));
    const seen = new Map<string, number>();
    edges.forEach((indices, at) => {
      for (const line of new Set(indices.map((index) => comparable(pages[at]?.[index] ?? '')))) seen.set(line, (seen.get(line) ?? 0) + 1);
    });
    const least = Math.max(RUNNING_PAGES_MIN, pages.length * RUNNING_SHARE);
    edges.forEach((indices, at) => {
      for (const index of indices) {
        const line = (pages[at]?.[index] ?? '').trim();
        const isNumber = isPageNumber(line);
        if (!isNumber && (seen.get(comparable(line)) ?? 0) < least) break;
        if (isNumber || end === 'foot' || at > 0) removed[at]?.add(index);
      }
    });
  }
  return pages.map((page, at) => page.filter((_, index) => !removed[at]?.has(index)));
}

/** The letters and digits before a hyphen that ends the line. */
const findCutWord = (line: string): string | undefined =>
  /[-‐]$/.test(line)
    ? line
        .slice(line.lastIndexOf(' ') + 1, -1)
        .split(/[^\p{L}\p{N}]/u)
        .at(-1)
    : undefined;

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
      const tail = /^[\p{L}'’]+/u.exec(after)?.[0] ?? '';
      const isLetters = /^\p{Ll}/u.test(after) && /^\p{L}+$/u.test(before);
      const isCompound =
        after.startsWith('-', tail.length) || open.text.at(-before.length - 2) === '-' || known.has(`${before}-${tail}`.toLowerCase());
      open.text = (isLetters && !isCompound ? open.text.slice(0, -1) : open.text) + after;
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
