/** Reads parties: `by Acme Homes`, `applicant Acme Homes LLC`, `developed by acme`. */
import { EMPTY_RULE } from '../criterion.ts';
import type { QuestionWords } from '../question.ts';
import { ADDRESS_STREETS } from '../streets.ts';
import { phraseLength } from '../thesaurus.ts';
import type { Criterion } from '../types.ts';

const ROLES =
  'applicant|developer|petitioner|builder|owner|contractor|architect|developers|applicants|attorney|attorneys|lawyer|lawyers|law firm|law office|law offices|engineer|engineers|engineering firm|architecture firm|firm|company|agent'.split(
    '|',
  );
const DONE_BY = [
  'proposed by',
  'filed by',
  'submitted by',
  'developed by',
  'built by',
  'requested by',
  'owned by',
  'sponsored by',
  'brought by',
  'sought by',
  'designed by',
  'petitioned by',
  'applied for by',
  'represented by',
  'presented by',
  'asked for by',
  'run by',
  'operated by',
];
const NAME_WORDS_MAX = 7;
const ENDS = new Set(
  'in near at that which with where who was were is are for from since before after on and or because during of to around over under whose but without'.split(
    ' ',
  ),
);
const JOINS = new Set(['and', '&', 'of', 'de', 'la', 'the', 'for', 'at']);

/** The token behind a name that begins at `at`: capitals continue it, also across `and` and `of`; without capitals the next small word ends it. */
function nameEnd(question: QuestionWords, at: number): number {
  const capitals = question.isCapital(at);
  let to = at;
  while (to < question.tokens.length && to - at < NAME_WORDS_MAX && question.isFree(to)) {
    if (to > at && /[;?!:)]|,(?! (?:LLC|Inc|Ltd|LP|LLP|Corp|Co)\b)/.test(question.textAfter(to - 1)) && !isListed(question, to)) break;
    const word = question.word(to);
    const goesOn = capitals
      ? question.isCapital(to) ||
        /^(?:\d.*|st|nd|rd|th)$/.test(word) ||
        (JOINS.has(word) && to > at && question.isCapital(to + 1) && question.isFree(to + 1))
      : !ENDS.has(word);
    if (!goesOn) break;
    to++;
  }
  return to;
}

/** `Reuben, Junius & Rose`: capitals behind a comma go on where `&` ends the list. */
const isListed = (question: QuestionWords, at: number): boolean =>
  /^,\s*$/.test(question.textAfter(at - 1)) && question.isCapital(at) && [1, 2, 3].some((on) => question.word(at + on) === '&');

const SUFFIX =
  /[\s,]+(?:LLC|L\.L\.C|LLP|LP|L\.P|PLLC|PLC|PC|P\.C|PA|P\.A|Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|Trust)\.?$/i;

/** A name as texts write it: without its legal form, with `and` for `&`. */
function criterionOfName(name: string): Criterion {
  const bare = name.replace(SUFFIX, '').toLowerCase();
  const short = /\S\s+\S/.test(bare) ? bare : name.toLowerCase();
  const phrases = [short, name.toLowerCase()].flatMap((one) => [one, one.replace(/\s*&\s*/g, ' and '), one.replace(/\band\b/g, '&')]);
  return { text: name, match: { ...EMPTY_RULE, concepts: [{ text: name, phrases: [...new Set(phrases)] }] } };
}

/** The first token of a name that the words at `at` introduce; undefined where they introduce none. */
function nameStart(question: QuestionWords, at: number): { start: number; certain: boolean } | undefined {
  const done = question.longest(at, DONE_BY);
  if (done) return { start: at + done, certain: true };
  const role = question.longest(at, ROLES);
  if (role) {
    const is = ['is', 'was', 'named', 'called', 'name', 'of'].includes(question.word(at + role)) ? 1 : 0;
    return { start: at + role + is, certain: false };
  }
  if (question.word(at) === 'by') return { start: at + 1, certain: false };
  return undefined;
}

const NO_NAME =
  /^(?:a|an|the|right|vote|unanimous|staff|planning|board|city|town|county|council|commission|people|residents|neighbors|\d.*)$/;

/** The first party becomes the filter on names, others remain text. Without capitals a name needs words that certainly introduce one. */
export function readPeople(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const found = nameStart(question, i);
    if (!found || !question.isFree(found.start)) continue;
    const { start, certain } = found;
    if (!question.isCapital(start) && (!certain || NO_NAME.test(question.word(start)))) continue;
    const to = nameEnd(question, start);
    if (to === start) continue;
    const name = question.slice(start, to).replace(/['’]s$/, '');
    if (question.read(i, to, { developerName: name }, 'always', criterionOfName(name))) return;
  }
}

const OF_VOTES = /^(?:nay|noe|vot|dissent|oppos|abstain|recus|moved|second)/;

/** Whether names are those of voters: `the nays of Holland and Haley`, `Jaeckle and Haley voting nay`. */
const isOfVoters = (question: QuestionWords, from: number, to: number): boolean =>
  [from - 1, from - 2, to, to + 1].some((i) => OF_VOTES.test(question.word(i)));

/** Capitals that a name needs, and a name alone between small words: `Memorial Sloan Kettering applications`, `Habitat for Humanity rezonings`. */
const CAPITALS_MIN = 2;

const ADDRESS_WORDS_MAX = 5;

/** The token behind an address that begins with its number: `2069 Bruckner Blvd`; 0 where none does. */
function addressEnd(question: QuestionWords, at: number): number {
  if (!/^\d/.test(question.word(at)) || !question.isCapital(at + 1)) return 0;
  for (let i = at + 1; i < at + ADDRESS_WORDS_MAX && question.isFree(at, i + 1) && /^[\s.]*$/.test(question.textAfter(i - 1)); i++)
    if (ADDRESS_STREETS.has(question.word(i)) && i > at + 1) return i + 1;
  return 0;
}

/** Names that no word introduces become criteria: texts or parties have to contain them. */
export function readNames(question: QuestionWords): Criterion[] {
  const found: Criterion[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const address = addressEnd(question, i);
    if (!address && !question.isCapital(i)) continue;
    const to = address || nameEnd(question, i);
    const capitals = Array.from({ length: to - i }, (_, k) => i + k).filter((at) => question.isCapital(at)).length;
    const known = phraseLength(question.stems, i);
    if (!address && (capitals < CAPITALS_MIN || known > 1 || isOfVoters(question, i, to))) {
      i += Math.max(known, 1) - 1;
      continue;
    }
    found.push(criterionOfName(question.slice(i, to).replace(/['’]s$/, '')));
    question.take(i, to);
    i = to - 1;
  }
  return found;
}
