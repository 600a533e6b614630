/**
 * The headings of a document of meetings, however the town writes them, and the case that each begins. A heading is a line, or in a scan
 * without lines a sentence, that begins with the mark of an item (`6.`, `B)`, `Item 38`), with a case number, a parcel or an address, or with a
 * word for a case and its number (`SIGN VARIANCE NO. 1153`). Pure, and linear in the length of the text.
 */
import { ADDRESS, type CaseFinder, foldWords, makeAddressKey } from './caseNames.ts';

/** Whose heading it is: the case's own; that of another case; of no case (a section, a closing); or it names no case. */
type Owner = 'own' | 'foreign' | 'section' | 'unknown';

/** A mark that counts items: its kind, and its place in the count. */
interface Mark {
  kind: 'item' | 'digit' | 'capital' | 'small' | 'roman';
  place: number;
}

export interface CaseHeading {
  start: number;
  owner: Owner;
  /** an own heading that names the case by its title alone */
  byTitle: boolean;
  marks: readonly Mark[];
}

/** Lines of a document are shorter: a longer one is a scan whose lines were lost. */
const LINE_CHARACTERS_MAX = 400;
/** Places looked at in one document; what stands behind the last belongs to no case. Minutes of a long night have a few thousand. */
const OPENINGS_MAX = 8_000;
/** Characters in which a heading names its case. */
const HEAD_CHARACTERS = 320;
/** A heading without a mark stands alone, up to this length. */
const ALONE_CHARACTERS_MAX = 140;

export const AGENDA_ITEM =
  /^(?:agenda\s+|public\s+hearing\s+)?item\s*(?:(?:nos?\.?|number|#)\s*)?#?(\d{1,3}[A-Za-z]?|[A-Z]{1,2}|[IVX]{1,5})\b/i;
const MARK = /^[([]?((?:\d{1,2}\.)?\d{1,3}[A-Za-z]?|[IVX]{1,5}|[A-Z]{1,2}|[a-z])\s?[.)\]](?=[\s)]|[A-Z(]|$)/;

const LABELS =
  'cases?|petitions?|applications?|dockets?|files?|matters?|appeals?|variances?|permits?|plats?|rezonings?|zonings?|projects?|requests?|amendments?|exceptions?|subdivisions?|site plans?|plans?|hearings?|ordinances?|resolutions?|bills?|parcels?|tax\\s+(?:id|map|parcel)|apn|pin|l\\.?\\s?u\\.?|sup|cup|pud|tpm|dp|reference|ref';
const NUMBERED = '(?:\\s*(?:file|id|case))?\\s*(?:nos?\\.?|numbers?|nbr\\.?|#)\\s*[:#]?\\s*';
/** `Zone Change No. 5` names a matter, `Condition No. 3` does not. */
const ANY_NUMBERED =
  '(?!(?:condition|lot|section|block|page|phase|district|exhibit|chapter|article|ward|tract|unit|building|proffer|rule|title|item)\\b)[A-Z][A-Za-z]+\\s(?:nos?\\.|number|#)\\s*';
const CODE = '(?=(?:[A-Z]{1,4}\\s)?[A-Z]*(?:[-–/. ]{1,3}[A-Z]*)?\\d)(?:[A-Z]{1,4}\\s)?[A-Z0-9]{1,10}(?:\\s?[-–/]\\s?[A-Z0-9]{1,10}){0,4}';
/** `Case No. 2009-05`, `Petition #12`, `PARCEL ID: 123`. */
const LABELLED = new RegExp(`\\b(?:(?:${LABELS})${NUMBERED}|${ANY_NUMBERED})(${CODE})`, 'gi');
/** `Case 13SN0146`, `Petition: 2019-175`, `PLAT 18-00104`: without a word for `number` the code has a form of its own. */
const NAMED = new RegExp(
  `\\b(?:${LABELS})\\s?[:–-]?\\s(?=[A-Z]{0,6}\\s?-?\\d)((?:[A-Z]{1,6}\\s?-?\\d{2,}|\\d{2}[A-Z]{2}\\d|\\d{1,4}\\s?[-–/]\\s?\\d|\\d{5,})[A-Z0-9]*(?:\\s?[-–/]\\s?[A-Z0-9]{1,8}){0,4})`,
  'gi',
);
/** Numbers that say by themselves that they are of a case: `RZ-2026-6103`, `13SN0146`, `C 160365 ZMX`, `ZN14-7`, `(98163)`. */
const SPEAKING =
  /(?<![A-Za-z0-9])(?:[A-Z]{1,6}\s?-?\d{2,4}\s?[-–]\s?\d{1,6}[A-Z]?|\d{2}[A-Z]{2,4}\d{3,5}|[A-Z] ?\d{6}A? ?[A-Z]{3}|[A-Z]{2,6}-\d{4,}(?:-\d+)?|LU \d{4}-\d{4}|(?<=\()\d{5,7}(?=\)))(?![A-Za-z0-9])/g;
const RELATED =
  /\b(?:related|companion|associated|concurrent|together with|in conjunction|see also|similar|adjacent|prior|previous|supersed\w*|amend\w* (?:of|to))\b/i;
/** What follows a number in a sentence about a case, and not in its heading. */
const SENTENCE_GOES_ON =
  /^\s*(?:was|were|is|are|has|had|have|would|will|be|been|which|and (?:was|is|stated|accept\w*)|subject to|came|did)\b/i;
/** The beginning of a line that continues a sentence. */
export const SECTION =
  /^(?:\W*(?:[IVX]{1,5}|\d{1,2}|[A-Z])[.):]\s*)?(?:adjourn\w*|(?:old|new|unfinished|other|regular) business|public (?:hearings?|comments?|forum|input|participation)|consent (?:agenda|calendar|items)|(?:approval of )?(?:the )?minutes|announcements?|(?:staff|director'?s?|committee|commissioners?'?|council|board) (?:reports?|comments?|updates?)|communications?|correspondence|reports?|discussion items?|action items?|executive session|work session|roll call|call to order|citizens?'? (?:comments?|appearances?)|next meeting|future (?:agenda )?items|miscellaneous|continued (?:items|cases|hearings)|withdrawals?(?:\/deferrals)?|deferrals?)\b[^a-z]{0,12}$/i;
export const CLOSING =
  /^(?:there being no (?:further|other) (?:business|items|matters)|the (?:meeting|hearing of the board) (?:was |is |stands )?adjourned|meeting adjourned|adjourned|(?:a )?motion (?:was made )?to adjourn|with no further business)/i;
/** A line that stands alone and names a kind of request is the heading of an item. */
const ASKING =
  /\b(?:rezon\w+|variances?|special (?:use|permit|exception)|conditional use|(?:preliminary|final|minor|major) (?:plat|plan|subdivision)|replat|subdivision|site plan|plat|annexation|appeal|amendment|ordinance|resolution|zoning|waiver|request|petition|application|permit|lot line|abandonment|vacation)\b/i;
const OF_HEARINGS =
  /^(?:motion|moved|action|vote|decision|resolved|staff|applicant|conditions?|findings?|discussion|recommendation|speak|whereas|the |on motion|public)/i;

const LETTER_A = 'A'.charCodeAt(0);
const ROMAN: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

function parseRoman(text: string): number {
  const values = [...text].map((one) => ROMAN[one] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

function readMarks(text: string): Mark[] {
  const item = AGENDA_ITEM.exec(text)?.[1];
  if (item !== undefined) return [{ kind: 'item', place: Number.parseInt(item, 10) || item.toUpperCase().charCodeAt(0) - LETTER_A + 1 }];
  const mark = MARK.exec(text)?.[1];
  if (mark === undefined) return [];
  if (/\d/.test(mark)) {
    const letter = /[A-Za-z]$/.exec(mark)?.[0];
    const place = Number.parseInt(mark.split('.').at(-1) ?? '', 10);
    return letter
      ? [
          { kind: 'digit', place },
          { kind: 'capital', place: letter.toUpperCase().charCodeAt(0) - LETTER_A + 1 },
        ]
      : [{ kind: 'digit', place }];
  }
  if (/^[a-z]$/.test(mark)) return [{ kind: 'small', place: mark.charCodeAt(0) - 96 }];
  const capital: Mark[] = mark.length === 1 ? [{ kind: 'capital', place: mark.charCodeAt(0) - LETTER_A + 1 }] : [];
  return /^[IVX]+$/.test(mark) ? [{ kind: 'roman', place: parseRoman(mark) }, ...capital] : capital;
}

/** Where a heading may begin: each line; in a line that is a whole scan, what follows the end of a sentence or words in capitals. */
function* findOpenings(text: string): Generator<{ start: number; afterSentence: boolean; inScan: boolean }> {
  let before = '';
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from) < 0 ? text.length : text.indexOf('\n', from);
    const line = text.slice(from, end);
    const lead = line.length - line.trimStart().length;
    if (line.trim()) {
      // A line that continues the sentence of the line before begins no item.
      yield { start: from + lead, afterSentence: !/[a-z0-9,][)"”]?$/.test(before) || before.length < 40, inScan: false };
      if (line.length > LINE_CHARACTERS_MAX)
        for (const match of line.matchAll(INNER)) yield { start: from + match.index + match[0].length, afterSentence: true, inScan: true };
    }
    before = line.trim();
    from = end + 1;
  }
}

/** Characters of a text that are looked at as beginnings of headings, some more than once. */
export function countHeadCharacters(text: string): number {
  let count = 0;
  for (const _ of findOpenings(text)) if (++count >= OPENINGS_MAX) break;
  return count * HEAD_CHARACTERS;
}

/** In a scan: the end of a sentence, a page mark, or words in capitals before something numbered. */
const INNER = /(?:[.!?:;)\]—]\s+|\b[A-Z]{3,}\s+)(?=[A-Z(]|\d)/g;

const SENTENCE_END = /(?:[a-z]{3}|\d{3}|[)\]])[.!?]\s+(?=[A-Z(])/g;

/** The part of an opening that may name its case: its first sentence, a second one that begins with a name, and lines that state something (`Property: …`). */
function readHead(text: string, start: number, finder: CaseFinder): string {
  const paragraph = text.slice(start, start + HEAD_CHARACTERS).split(/\n[^\S\n]*\n/, 1)[0] ?? '';
  const [first, second] = [...paragraph.matchAll(SENTENCE_END)].map(({ index, 0: found }) => index + found.length);
  if (first === undefined) return paragraph;
  const rest = paragraph[first - 1] === '\n' ? '' : paragraph.slice(first);
  const cut =
    /^\(?(?:[A-Z]*\d|case|petition|application|docket)/i.test(rest) && beginsWithName(rest.replace(/^\(/, ''), finder)
      ? (second ?? paragraph.length)
      : first;
  const lines = paragraph.slice(cut).split('\n');
  const others = lines.findIndex((line) => !/^\s*[A-Z][\w /#.]{2,25}:\s/.test(line));
  return [paragraph.slice(0, cut), ...lines.slice(0, others < 0 ? undefined : others)].join('\n');
}

interface NamesInHeading {
  own: boolean;
  foreign: boolean;
}

/** What a sentence says before a place in it. */
const readSentenceBefore = (text: string, at: number) => text.slice(text.lastIndexOf('.', at - 1) + 1, at);

function findNumbers(head: string, { number, sibling }: CaseFinder): NamesInHeading & { made: boolean } {
  const own = number ? [...head.matchAll(number)].filter(({ index }) => !RELATED.test(readSentenceBefore(head, index))) : [];
  const isOwn = (code: string) => number !== undefined && code.search(number) >= 0;
  const others = [LABELLED, NAMED, SPEAKING].flatMap((pattern) => [...head.matchAll(pattern)].map((match) => match[1] ?? match[0]));
  const made = sibling ? [...head.matchAll(sibling)].map(([code]) => code).filter((code) => !isOwn(code)) : [];
  return { own: own.length > 0, foreign: made.length > 0 || others.some((code) => !isOwn(code)), made: made.length > 0 };
}

function findPlaces(head: string, { parcel, addresses }: CaseFinder): NamesInHeading {
  const keys = [...head.matchAll(ADDRESS)].flatMap(([address]) => makeAddressKey(address) ?? []);
  // Behind the first address others are those of neighbours.
  const own = (parcel !== undefined && head.search(parcel) >= 0) || addresses.has(keys[0] ?? '');
  return { own, foreign: !own && keys.length > 0 };
}

/** Whether the text begins with a number, an address or a label with a number, and does not continue as a sentence about it. */
function beginsWithName(head: string, { number, sibling }: CaseFinder, inScan = false): boolean {
  const patterns = inScan ? [number, sibling, LABELLED, SPEAKING] : [number, sibling, LABELLED, NAMED, SPEAKING, ADDRESS];
  for (const pattern of patterns) {
    const match = pattern && [...head.slice(0, 160).matchAll(pattern)][0];
    if (!match) continue;
    const before = head.slice(0, match.index);
    const isFirst = inScan
      ? isInCapitals(before + (pattern === LABELLED ? match[0] : ''))
      : pattern === SPEAKING || pattern === ADDRESS
        ? !before.trim()
        : isTitle(before);
    if (isFirst && !SENTENCE_GOES_ON.test(head.slice(match.index + match[0].length))) return true;
  }
  return false;
}

const LABEL_WORDS = new RegExp(`\\b(?:${LABELS}|public|special|conditional|use|of|and|for|nos?|number|file|id)\\b`, 'gi');

/** In a scan a heading that has lost its line is known by capitals: `SIGN VARIANCE NO. 1153`, `J 135N0502`. */
const isInCapitals = (before: string) =>
  /^(?:[A-Z0-9#&()/–-][A-Z0-9#&()/–\s.:-]*)?$/.test(before) && before.split(/[\s.:]+/).filter(Boolean).length <= 6;

/** What may stand before the number in a heading: nothing, marks, a label, or a few words in capitals (`SIGN VARIANCE NO.`, `Zoning Case`). */
const isTitle = (before: string) =>
  before.length < 60 &&
  (before.match(/[A-Za-z]+/g) ?? []).length <= 7 &&
  !/\b[a-z]{2,}/.test(before.replace(LABEL_WORDS, '')) &&
  !/[.!?]\s/.test(before.replace(/\bnos?\./gi, ''));

function findOwner(head: string, line: string, finder: CaseFinder): { owner: Owner; byTitle: boolean } {
  const numbers = findNumbers(head, finder);
  if (numbers.own) return { owner: 'own', byTitle: false };
  const places = findPlaces(head, finder);
  // If the town numbers cases otherwise, a number that is not made like the case's own does not speak against its place.
  if (places.own && !(finder.hasNumbers && numbers.made)) return { owner: 'own', byTitle: false };
  if (numbers.foreign || places.foreign || places.own) return { owner: 'foreign', byTitle: false };
  if (SECTION.test(line) || CLOSING.test(line)) return { owner: 'section', byTitle: false };
  const folded = foldWords(head);
  return finder.titles.some((title) => folded.includes(title)) ? { owner: 'own', byTitle: true } : { owner: 'unknown', byTitle: false };
}

/** The headings of a text in order, with what each opens. @param text at most a few hundred thousand characters */
export function findCaseHeadings(text: string, finder: CaseFinder): CaseHeading[] {
  const headings: CaseHeading[] = [];
  let looked = 0;
  for (const { start, afterSentence, inScan } of findOpenings(text)) {
    looked += 1;
    if (looked > OPENINGS_MAX) return [...headings, { start, owner: 'section', byTitle: false, marks: [] }];
    const head = readHead(text, start, finder);
    const line = (head.split('\n', 1)[0] ?? '').trim();
    const marks = readMarks(line);
    const alone = !inScan && isAlone(text, start, line);
    const begins = beginsWithName(marks.length ? head.replace(AGENDA_ITEM, '').replace(MARK, '').trimStart() : head, finder, inScan);
    const isSection = SECTION.test(line) || CLOSING.test(line);
    if (!(begins || isSection || alone || (marks.length && (!inScan || isShouted(line))))) continue;
    const { owner, byTitle } = findOwner(begins || marks.length || alone ? head : line, line, finder);
    // The case's own number in the middle of a sentence opens nothing; another's closes all the same.
    if (owner === 'own' && !afterSentence) continue;
    if (owner === 'own' && !begins && (line.length > LINE_CHARACTERS_MAX / 2 || !(marks.length || alone))) continue;
    headings.push({ start, owner: owner === 'unknown' && alone && !marks.length ? 'section' : owner, byTitle, marks });
  }
  return headings;
}

/** In a scan a mark opens an item if words in capitals, or a word for a request, follow it. */
const isShouted = (line: string) => /^\S{1,6}\s+(?:[A-Z0-9&'-]{2,}[\s.,]+){2}/.test(line) || AGENDA_ITEM.test(line);

/** Whether a short line stands between empty lines, ends as no sentence does, and names a request. */
function isAlone(text: string, start: number, line: string): boolean {
  if (!line || line.length > ALONE_CHARACTERS_MAX || /[.;,]$/.test(line) || !/^[A-Z0-9"“]/.test(line) || OF_HEARINGS.test(line))
    return false;
  const before = text.slice(Math.max(0, start - 80), start);
  const blank = before.slice(before.trimEnd().length);
  return (
    (blank === before || blank.split('\n').length > 2) &&
    ASKING.test(line) &&
    /^[^\S\n]*(?:\n[^\S\n]*\n|\n|$)/.test(text.slice(start + line.length, start + line.length + 80))
  );
}
