/**
 * Lines that are a page, or a whole document: portals and readers of scans join the lines of a text. Such a line is parted where an item of
 * business may begin. Each change is of one character, so that places stay. Pure, and linear in the line.
 */

import nextItem from './nextItem.json' with { type: 'json' };

/** A line with more is a page, or a document. */
const LONG_LINE = 900;
/** In the place of a blank that is left out; no document has it. */
export const CLOSED = '\0';
/** `Commis- sioner`; not `two- and three-story`. */
const CUT_WORD = /(?<=[a-z]{3})- (?=(?!(?:and|or|to)\b)[a-z]{3})/g;

const COUNTED = /(?<=[\w.,:;!?)"']) (?=(\d{1,2})[.)] ?(?=[A-Z(]))/g;
const OPENS_LIST = /\b(?:conditions?|following|findings?|proffers?|reasons?)\b[^.]{0,60}[:.]?$/i;
/** As many marks as count on make a list of items. */
const COUNTED_LEAST = 4;

/** The marks `1.` to the last that counts on, where they go through most of the line. */
function findCounted(line: string): number[] {
  let last = 0;
  const counted: number[] = [];
  for (const { index, 1: count } of line.matchAll(COUNTED)) {
    if (Number(count) !== last + 1 && !(Number(count) === last + 2 && last > 0)) continue;
    last = Number(count);
    counted.push(index);
  }
  const [from = 0, to = 0] = [counted[0], counted.at(-1)];
  // A list of conditions is a part of the line, and follows a word for it.
  const isPart = to - from < line.length / 2 || OPENS_LIST.test(line.slice(Math.max(0, from - 80), from));
  return counted.length < COUNTED_LEAST || isPart ? [] : counted;
}

/** Behind a sentence, a colon, a number or words in capitals. */
const BEHIND = '(?<=(?:[.!?:;)\\d"\']|\\b[A-Z]{3,}|Business|Hearings?) )';
const KINDS =
  'CASE|APPLICATION|PETITION|DOCKET|VARIANCE|APPEAL|Case|Application|Petition|Docket|Variance|Appeal|SUBDIVISION|Subdivision|Site Plan|SITE PLAN|Special Use Permit|SPECIAL USE PERMIT';
/** A sentence that calls the next item. */
const CALLS = new RegExp(`(?<=[.!?)"'\\]] )(?:${nextItem.map((pattern) => pattern.replace('^', '')).join('|')})`, 'gi');

/** What begins an item of business in a line that has lost its lines. */
const BEGINNINGS = [
  // `CASE NO. 2945`, `SIGN VARIANCE NO. 1153`, `Application #4 - Case #3260`
  new RegExp(
    `${BEHIND}(?=(?:[A-Z][A-Za-z]{2,} ){0,2}(?:${KINDS})S? ?(?:(?:N[oO]S?\\.?:?|#) ?[A-Z]{0,5}[ -]?\\d|[A-Z]{0,5}-?\\d{2,4}-\\d{1,5}[:.] ))`,
    'g',
  ),
  // `OLD BUSINESS`, `PUBLIC HEARINGS`; not `ON THE CONSENT AGENDA`
  /(?<!\b(?:[Tt]he|THE|[Oo]f|OF|[Oo]n|ON|[Tt]o|TO|[Ii]n|IN|FROM|[Ff]or|FOR|[Aa]nd|AND|[Aa]|OPEN|CLOSE|ADVERTISED|A|,)) (?=(?:(?:OLD|NEW|UNFINISHED|OTHER) BUSINESS|PUBLIC HEARINGS?|CONSENT (?:AGENDA|CALENDAR|ITEMS)|ACTION ITEMS|ADJOURNMENT|CALL TO ORDER|ROLL CALL|APPROVAL OF (?:THE )?MINUTES|ADMINISTRATIVE ITEMS?)\b)/g,
  // `1. Rezoning Request (Z19-15) – …`
  /(?<=[.!?:;)\d"'*]|present|heard) (?=\d{1,2}\. (?:[A-Z][\w-]+ ){0,3}(?:Requests?|Applications?|Rezon\w+|Plats?|Permits?|Variances?|Plans?|Petitions?)\b)/g,
  // `… unanimously. SKETCH PLAN OF THE SMITH FARM …`
  /(?<=[.!?)]) (?=(?:[A-Z][A-Z&'.,/-]{1,20} ){2}[A-Z]{3})/g,
];
/**
 * Parts a line that is a page before what may begin an item of business: blanks become ends of lines.
 * @param isWhole whether it is all of the document, as portals show it; of the lines of a scan only lists that count on are parted
 */
export function breakLongLine(text: string, isWhole: boolean): string {
  if (text.length <= LONG_LINE && !isWhole) return text;
  const line = text.replace(CUT_WORD, CLOSED.repeat(2));
  const findAll = (pattern: RegExp) => [...line.matchAll(pattern)].map(({ index }) => (line[index] === ' ' ? index : index - 1));
  const marks = isWhole ? BEGINNINGS.flatMap(findAll) : [];
  const ends = [...new Set([...findCounted(line), ...marks])].sort((a, b) => a - b);
  const apart = new Set(
    ends.filter((at, i) => at - (ends[i - 1] ?? -MARK_LENGTH) >= MARK_LENGTH || !/\d[.)]?$/.test(line.slice(Math.max(0, at - 3), at))),
  );
  // Behind a heading, who calls it goes on with it.
  let heading = 0;
  for (const at of isWhole ? findAll(CALLS) : []) {
    while ((ends[heading] ?? at) < at) heading++;
    if (at - (ends[heading - 1] ?? -HEADING_LENGTH) >= HEADING_LENGTH) apart.add(at);
  }
  const cuts = [...apart].sort((a, b) => a - b);
  return [-1, ...cuts].map((cut, i) => line.slice(cut + 1, cuts[i])).join('\n');
}
/** `APPLICATION NO. 2` and the number of its case, which follows, are one mark. */
const MARK_LENGTH = 24;
const HEADING_LENGTH = 100;
