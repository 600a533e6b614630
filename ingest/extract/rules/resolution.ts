/** Resolutions and ordinances: papers by which a body decides one request, on a day that they state. Pure. */
import type { Stated } from '../types.ts';
import { findDates } from './dates.ts';
import { findOwnNumbers, type Item, REQUEST } from './items.ts';
import { type MotionRead, readConditions, readResult, withConditions } from './motions.ts';
import type { ReadableText } from './text.ts';

/** What a title begins with: `Resolution approving …`, `AN ORDINANCE No. 12 of the City of Elm rezoning …`. */
const TITLE =
  /(?:^|\n)[^\n]{0,80}\b(?:resolution|ordinance)\b[^\n]{0,120}?\s(?=(?:disapprov|approv|grant|den[yi]|adopt|affirm|rezon|amend|authoriz)[a-z]{0,5}\b)/i;
const [HEAD_CHARACTERS, TITLE_CHARACTERS] = [600, 1_500];
/** `a Resolution passed by the Council on May 4, 2021`, `PASSED AND ADOPTED this 4th day of May, 2021` */
const ADOPTED = /\b(?:passed|adopted|enacted)\b/gi;
const OF_MEETING = /\b(?:to order|adjourned|present:|roll call|minutes of)\b/i;
/** Characters from that to its day. */
const DAY_BEHIND = 160;

export interface AdoptedPaper {
  item: Item;
  decision: MotionRead;
  day: Stated<string>;
}

/** The last day on which it is said to have been adopted. */
function findAdoption(text: ReadableText): Stated<string> | null {
  for (const { index } of [...text.prose.matchAll(ADOPTED)].reverse()) {
    const [date] = findDates(text.prose.slice(index, index + DAY_BEHIND), null);
    if (date) return { value: date.value, ...text.toSpan(index + date.at, index + date.at + date.length) };
  }
  return null;
}

/** The request that a paper decides; null for another text, and for one that does not say when it was adopted. */
export function findAdoptedPaper(text: ReadableText): AdoptedPaper | null {
  const { prose } = text;
  const found = OF_MEETING.test(prose) ? null : TITLE.exec(prose.slice(0, HEAD_CHARACTERS));
  const start = found ? found.index + found[0].length : 0;
  const line = prose.indexOf('\n', start);
  const end = Math.min(line < 0 ? prose.length : line, start + TITLE_CHARACTERS);
  const action = prose.slice(start, end);
  // What rezones or amends says so itself.
  const enacts = /^(?:rezon|amend|authoriz|adopt)/i.test(action) ? 'approved' : undefined;
  const result = found && REQUEST.test(action) ? (readResult(action)?.result ?? enacts) : null;
  const day = result ? findAdoption(text) : null;
  if (!result || !day) return null;
  const request = { hasParts: false, section: 'other', score: 0, numbers: findOwnNumbers(prose, start, end) } as const;
  const unread = { votes: [], tally: null, unanimous: null, mover: null, seconder: null, doubts: [], recommends: false };
  const subject = prose.slice(end).search(/\bsubject to the following (?:\w+ ){0,3}conditions?:/i);
  const conditions = subject < 0 ? [] : readConditions(text, end + subject, prose.length);
  const motion = { start, end, action, actionStart: start, resultSpan: text.toSpan(start, end), kind: 'decision', carried: true } as const;
  return {
    item: { start, end: prose.length, headStart: start, headEnd: end, titleEnd: end, ...request },
    decision: { ...motion, ...unread, conditions, result: withConditions(result, action, 0) },
    day,
  };
}
