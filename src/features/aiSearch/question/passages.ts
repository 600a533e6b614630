/** Finds the passages of a document that are about one case: a passage about another case proves nothing. */
import { tokensOf } from './tokens.ts';
import type { Passage } from './types.ts';

/** Characters of a document that are read. */
const DOCUMENT_CHARACTERS_MAX = 500_000;
/** Shorter names, and names of one common word, do not identify a case. */
const NAME_CHARACTERS_MIN = 5;

/** Where a block may begin: the heading of an item, a case number that opens a paragraph, an empty line. */
const BLOCK =
  /\n[^\S\n]{0,80}\n\s{0,200}|\n(?=[^\S\n]{0,20}(?:(?:Item|Case|Agenda Item|Petition|Application)\b|[A-Z]{1,5}[ -]?\d{2,}|\d{1,2}[.)]\s|[A-Z]{1,2}\.\s))/g;
/** Case numbers as agencies write them: `RZ-2026-6103`, `13SN0146`, `C 160365 ZMX`, `2019-175`, `L.U. No. 498`, `ZC18-1`. */
const CASE_NUMBER =
  /\b(?:[A-Z]{1,5}-?\d{2,4}-\d{1,6}[A-Z]?|\d{2}[A-Z]{2}\d{4}|[A-Z] ?\d{6}A? ?[A-Z]{3}|\d{4}-(?!(?:19|20)\d\d\b)\d{3,6}|[A-Z]{2,5}\d{2}-\d{1,5}|L\.U\. No\. \d{1,4}|LU \d{4}-\d{4}|[A-Z]{2,6}-\d{4,}-\d+)\b/g;
const RELATED = /\b(?:related|companion|associated|concurrent|together with|in conjunction|see also)\b[^.\n]{0,200}$/i;

interface Block {
  start: number;
  end: number;
  own: boolean;
  /** it opens with another case, or names others and not this one */
  foreign: boolean;
}

const folded = (text: string) =>
  tokensOf(text)
    .map(({ word }) => word)
    .join(' ');
const caseKey = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** `SUP 2026 0042`; not `12 Elm Street`. */
const isNumber = (name: string) =>
  name.replace(/\D/g, '').length >= 3 && !/[A-Za-z]{5}|\b(?:st|ave?|rd|dr|ln|blvd|road|lane|hwy|way)\b/i.test(name);

/** Blocks of a document: paragraphs, and items of an agenda. */
function blocksOf(text: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(BLOCK)) {
    const end = match.index;
    if (end > from) blocks.push({ start: from, end });
    from = end + match[0].length;
  }
  if (from < text.length) blocks.push({ start: from, end: text.length });
  return blocks;
}

/**
 * @param documentText the whole document
 * @param names what documents call the case by: numbers, titles, address, parties
 * @returns stretches that speak of the case, in order; none where it is not named
 */
export function passagesOf(documentText: string, names: readonly string[]): Passage[] {
  const text = documentText.slice(0, DOCUMENT_CHARACTERS_MAX);
  const numbers = new Set(names.filter(isNumber).map(caseKey));
  const phrases = names.map(folded).filter((name) => name.length >= NAME_CHARACTERS_MIN && name.includes(' '));
  const blocks = blocksOf(text).map((block): Block => judged(text, block, numbers, phrases));
  const foreignOnly = blocks.some(({ foreign }) => foreign);
  const isNamed = blocks.some(({ own }) => own);
  if (!isNamed) return [];
  if (!foreignOnly) return [passage(text, 0, text.length)].filter(({ text: { length } }) => length);
  return joined(text, blocks);
}

function judged(
  text: string,
  { start, end }: { start: number; end: number },
  numbers: ReadonlySet<string>,
  phrases: readonly string[],
): Block {
  const content = text.slice(start, end);
  const found = [...content.matchAll(CASE_NUMBER)].filter(
    (match) => !RELATED.test(content.slice(Math.max(0, match.index - 220), match.index)),
  );
  const isOwn = (match: RegExpExecArray | RegExpMatchArray) => numbers.has(caseKey(match[0]));
  const words = ` ${folded(content)} `;
  const named = phrases.some((phrase) => words.includes(` ${phrase} `));
  const [first] = found;
  // A case without a number is identified by its names.
  const opensForeign = first !== undefined && !isOwn(first) && (numbers.size > 0 || !named);
  const own = first !== undefined && found.some(isOwn) ? isOwn(first) : named && !opensForeign;
  return { start, end, own, foreign: opensForeign && !own };
}

/** Extends each block of the case up to the next block of another case. A heading alone belongs to the block after it. */
function joined(text: string, blocks: readonly Block[]): Passage[] {
  const passages: Passage[] = [];
  let open: { start: number; end: number } | undefined;
  for (const block of blocks) {
    const heading = /^\s*(?:agenda )?item \d+[.:]?\s*$/i.test(text.slice(block.start, block.end));
    if (block.own) open = open ? { start: open.start, end: block.end } : { start: block.start, end: block.end };
    else if (open && !block.foreign && !heading && block.start - open.end < 200) open.end = block.end;
    else if (open) {
      passages.push(passage(text, open.start, open.end));
      open = undefined;
    }
  }
  if (open) passages.push(passage(text, open.start, open.end));
  return passages;
}

function passage(text: string, from: number, to: number): Passage {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start] as string)) start++;
  while (end > start && /\s/.test(text[end - 1] as string)) end--;
  return { start, end, text: text.slice(start, end) };
}
