/**
 * Which passages of a document belong to a case: from the heading that names its number, parcel or address up to the next heading. A passage
 * about another case proves nothing, nor does one of which the headings do not tell whose it is. Pure.
 */
import { type CaseHeading, countHeadCharacters, findCaseHeadings } from './caseHeadings.ts';
import { type CaseFinder, type CaseNames, isNamedIn, makeCaseFinder } from './caseNames.ts';

/** A stretch of a document about one case: `text` is `documentText.slice(start, end)`. */
export interface CasePassage {
  start: number;
  end: number;
  text: string;
}

/** Characters of a document that are read. */
export const DOCUMENT_CHARACTERS_MAX = 500_000;
/** Words that only the minutes or the agenda of a meeting have: what they say of no case under a heading is nobody's. */
const OF_MEETINGS =
  /\b(?:call(?:ed)? to order|roll call|adjourn(?:ed|ment)|approv\w+ (?:of )?(?:the )?minutes|pledge of allegiance|quorum)\b/i;

/**
 * @param documentText the whole document
 * @returns stretches that are the case's own, in order; none if it is not named, or no heading tells what is its own
 */
export function findCasePassages(documentText: string, names: CaseNames): CasePassage[] {
  const text = documentText.slice(0, DOCUMENT_CHARACTERS_MAX);
  const finder = makeCaseFinder(names);
  return isNamedIn(text, finder) ? findPassagesBetween(text, findCaseHeadings(text, finder), finder) : [];
}

function findPassagesBetween(text: string, headings: readonly CaseHeading[], finder: CaseFinder): CasePassage[] {
  const own = selectOwnHeadings(headings);
  if (own.size) return findPassages(text, headings, own).flatMap((one) => cutOwnPart(text, one, finder));
  return isOfOneCase(text, headings) ? [makePassage(text, 0, text.length)].filter(({ text: { length } }) => length) : [];
}

/** The passages of a record's own text, an excerpt of minutes: without any heading, all of it belongs to the record. */
export function findOwnPassages(recordText: string, names: CaseNames): CasePassage[] {
  const text = recordText.slice(0, DOCUMENT_CHARACTERS_MAX);
  const finder = makeCaseFinder(names);
  const headings = findCaseHeadings(text, finder);
  const own = selectOwnHeadings(headings);
  if (own.size && headings.some(({ owner }) => owner === 'foreign'))
    return findPassages(text, headings, own).flatMap((one) => cutOwnPart(text, one, finder));
  return [{ start: 0, end: text.length, text }];
}

/**
 * Those of the quotes that a document says of the case. A document without headings, which an extraction names as the source of this very case, is
 * about it as a whole; minutes of a meeting are not.
 */
export function selectQuotesOfCase(quotes: readonly string[], documentText: string, names: CaseNames): string[] {
  const text = documentText.slice(0, DOCUMENT_CHARACTERS_MAX);
  const finder = makeCaseFinder(names);
  const headings = findCaseHeadings(text, finder);
  const own = isNamedIn(text, finder) ? findPassagesBetween(text, headings, finder) : [];
  if (own.length) return quotes.filter((quote) => own.some((passage) => passage.text.includes(quote)));
  return isOfOneCase(text, headings) ? [...quotes] : [];
}

/** What reading looks for whatever the names are, as characters of names. */
const SOUGHT_ANYWAY = 100;
/** What compiling of names takes, as characters of a text in which they are sought. */
const COMPILING = 4_000;
/** Up to this size reading takes a few ms, and less than 50 if a text and its names were made to take long. */
export const READ_AT_ONCE_MAX = 4_000_000;
/** A quote is sought once, and not at each heading. */
const QUOTE_SHARE = 0.1;

/** How long reading of a text may take: the characters that are looked at, times those that are sought there. */
export function readingSize(text: string, names: CaseNames, quotes: readonly string[] = []): number {
  const sought = lengthOf(Object.values(names).flat()) + SOUGHT_ANYWAY;
  const quotesSize = text.length * lengthOf(quotes) * QUOTE_SHARE;
  const once = (text.length + COMPILING) * sought + quotesSize;
  return once > READ_AT_ONCE_MAX ? once : once + countHeadCharacters(text) * sought;
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

/** A title alone opens the case if one heading of the document has it, and no heading has its number or place. */
function selectOwnHeadings(headings: readonly CaseHeading[]): ReadonlySet<CaseHeading> {
  const own = headings.filter(({ owner }) => owner === 'own');
  const sure = own.filter(({ byTitle }) => !byTitle);
  return new Set(sure.length ? sure : own.length === 1 ? own : []);
}

/** Whether a document that names the case, though in no heading, is about it as a whole, such as a resolution. */
const isOfOneCase = (text: string, headings: readonly CaseHeading[]): boolean =>
  !headings.some(({ owner }) => owner === 'foreign') && !OF_MEETINGS.test(text);

function findPassages(text: string, headings: readonly CaseHeading[], own: ReadonlySet<CaseHeading>): CasePassage[] {
  const passages: CasePassage[] = [];
  const counts = new Map<string, number>();
  let open: CaseHeading | undefined;
  const close = (end: number) => {
    if (open) passages.push(makePassage(text, open.start, end));
    open = undefined;
  };
  for (const heading of headings) {
    if (own.has(heading)) {
      if (!open) {
        open = heading;
        count(counts, heading);
      }
    } else if (open && endsItem(heading, counts)) close(heading.start);
    if (!open) count(counts, heading);
  }
  close(text.length);
  return passages.filter(({ text: { length } }) => length);
}

function count(counts: Map<string, number>, { marks }: CaseHeading): void {
  for (const { kind, place } of marks) counts.set(kind, place);
}

/** Whether a heading ends the item before it: it names another case, or it continues the numbering from before the item (the conditions of an item begin at 1). */
const endsItem = ({ owner, marks }: CaseHeading, counts: ReadonlyMap<string, number>): boolean =>
  owner === 'foreign' ||
  owner === 'section' ||
  owner === 'own' ||
  marks.some(({ kind, place }) => kind === 'item' || place === (counts.get(kind) ?? Number.NaN) + 1);

/** `presented a summary of Case`, `approved`: what is done about the case that is heard. */
const HEARD =
  /\b(?:summary of|approv\w+|den(?:y|ied|ial of)|defer\w*|remand\w*|withdr\w+|consider\w*|heard|hear|continu\w+)(?: (?:the|of)){0,2}(?: (?:cases?|petitions?|applications?|items?))?$/i;
const isHeardAt = (text: string, at: number) =>
  HEARD.test(
    text
      .slice(Math.max(0, at - 60), at)
      .replace(/\s+/g, ' ')
      .trimEnd(),
  );

/**
 * The part of a passage that is known to be the case's own. In a scan the heading of the next case may be illegible: where another case of the town is
 * heard, all behind the last words about the own one is in doubt.
 */
function cutOwnPart(text: string, { start, end }: CasePassage, { number, sibling }: CaseFinder): CasePassage[] {
  const content = text.slice(start, end);
  if (!number || !sibling) return [makePassage(text, start, end)];
  const own = [...content.matchAll(number)].map(({ index, 0: found }) => index + found.length);
  const last = own.at(-1) ?? 0;
  const other = [...content.matchAll(sibling)].find(
    ({ index, 0: found }) => index > last && found.search(number) < 0 && isHeardAt(content, index),
  );
  if (!other) return [makePassage(text, start, end)];
  const stop = /[a-z]{3}[.!?](?=\s)/g;
  stop.lastIndex = last;
  const sentence = stop.exec(content);
  const cut = sentence ? sentence.index + sentence[0].length : other.index;
  return [makePassage(text, start, start + Math.min(cut, other.index))];
}

function makePassage(text: string, from: number, to: number): CasePassage {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start] as string)) start++;
  while (end > start && /\s/.test(text[end - 1] as string)) end--;
  return { start, end, text: text.slice(start, end) };
}

export type { CaseFinder };
