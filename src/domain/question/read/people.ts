/** Who asks: `by Acme Homes`, `applicant Acme Homes LLC`, `developed by acme`. */
import { criterionOfPhrases } from '../criterion.ts';
import type { Question } from '../question.ts';

const ROLES = ['applicant', 'developer', 'petitioner', 'builder', 'owner', 'contractor', 'architect', 'developers', 'applicants'];
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
];
const NAME_WORDS_MAX = 7;
const ENDS = new Set(
  'in near at that which with where who was were is are for from since before after on and or because during of to around over under whose but without'.split(
    ' ',
  ),
);
const JOINS = new Set(['and', '&', 'of', 'de', 'la', 'the', 'for', 'at']);

/** Where a name that begins at `at` ends: capitals go on, also over `and` and `of`; without capitals the next small word ends it. */
function nameEnd(question: Question, at: number): number {
  const capitals = question.isCapital(at);
  let to = at;
  while (to < question.tokens.length && to - at < NAME_WORDS_MAX && question.isFree(to)) {
    if (to > at && /[;?!:)]|,(?! (?:LLC|Inc|Ltd|LP|LLP|Corp|Co)\b)/.test(question.after(to - 1))) break;
    const word = question.word(to);
    const goesOn = capitals
      ? question.isCapital(to) || /^\d/.test(word) || (JOINS.has(word) && to > at && question.isCapital(to + 1) && question.isFree(to + 1))
      : !ENDS.has(word);
    if (!goesOn) break;
    to++;
  }
  return to;
}

/** Where a name begins behind the words at `at`; undefined where none is introduced there. */
function nameStart(question: Question, at: number): { start: number; certain: boolean } | undefined {
  const done = question.longest(at, DONE_BY);
  if (done) return { start: at + done, certain: true };
  if (ROLES.includes(question.word(at))) {
    const is = ['is', 'was', 'named', 'called', 'name'].includes(question.word(at + 1)) ? 1 : 0;
    return { start: at + 1 + is, certain: false };
  }
  if (question.word(at) === 'by') return { start: at + 1, certain: false };
  return undefined;
}

const NO_NAME =
  /^(?:a|an|the|right|vote|unanimous|staff|planning|board|city|town|county|council|commission|people|residents|neighbors|\d.*)$/;

/** One party becomes the filter on names; another stays text. Without capitals only what was surely done by someone is a name. */
export function readPeople(question: Question): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!question.isFree(i)) continue;
    const found = nameStart(question, i);
    if (!found || !question.isFree(found.start)) continue;
    const { start, certain } = found;
    if (!question.isCapital(start) && (!certain || NO_NAME.test(question.word(start)))) continue;
    const to = nameEnd(question, start);
    if (to === start) continue;
    const name = question.slice(start, to).replace(/['’]s$/, '');
    if (question.read(i, to, { developerName: name }, 'always', criterionOfPhrases(name, []))) return;
  }
}
