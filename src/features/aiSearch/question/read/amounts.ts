/**
 * Reads amounts of a question.
 *
 *     amount  ::= [compare] number [orMore] unit [orMore] ["of" thing] | change
 *     number  ::= n | n ("-" | "to") n | "between" n "and" n
 *     compare ::= "at least" | "more than" | "up to" | "under" | "about" | …
 *     orMore  ::= "+" | "or more" | "or less" | …
 *     unit    ::= adjective{0,4} word of src/catalogue/units.json | counted word | "$" before the number
 *     change  ::= ["growing"] "from" n [unit] "to" n [unit]
 */
import { listPhrases, listWords } from '../lists.ts';
import { isNeeded } from '../plainWords.ts';
import type { QuestionWords } from '../question.ts';
import { phraseLength } from '../thesaurus.ts';
import { stemsOf } from '../tokens.ts';
import type { Amount, Criterion } from '../types.ts';
import { type Unit, unitAt, unitNamed } from '../units.ts';

/** `about 50` means from 45 to 55 */
const ABOUT_SHARE = 0.1;
/** What words before a number make of it. */
const COMPARISONS: readonly [readonly string[], (value: number) => Partial<Amount>][] = [
  [listPhrases('amountAtLeast'), () => ({ max: null })],
  [listPhrases('amountAtMost'), () => ({ min: null })],
  [listPhrases('amountMore'), () => ({ max: null, minOpen: true })],
  [listPhrases('amountLess'), () => ({ min: null, maxOpen: true })],
  [listPhrases('amountAbout'), (value) => ({ min: value * (1 - ABOUT_SHARE), max: value * (1 + ABOUT_SHARE) })],
];
const OR_MORE = listPhrases('amountOrMore');
const OR_LESS = listPhrases('amountOrLess');
/** Words between a number and its unit, and of what is counted where it is no unit of the table: `40 affordable rental units`. */
const ADJECTIVES_MAX = 4;
const COUNTED_MAX = 2;
const PREPOSITIONS = listWords('prepositions');
/** Words after which a number is no amount: `Phase 2 homes`. */
const NUMBERING = listWords('numbering');
/** Verbs before `from 62 to 92`. */
const CHANGING = new Set([...listWords('amountChanging')].flatMap(stemsOf));

export interface AmountRead {
  amount: Amount;
  /** what it was before: `from 72 to 74 units` */
  former?: Amount;
  unit: Unit;
  /** first token, the comparison included */
  from: number;
  /** token of the number */
  number: number;
  /** last token before the unit and what describes it */
  last: number;
  unitFrom: number;
  /** token behind the unit */
  to: number;
  /** token behind the thing that is counted: `575,000 square feet of hotel space` */
  ofTo: number;
}

const exactly = (unit: string, value: number): Amount => ({ unit, min: value, max: value, minOpen: false, maxOpen: false });

/** What words behind a number or its unit make of it: `or more`. @returns the number of their tokens, too */
function boundsAt(question: QuestionWords, at: number): { bounds?: Partial<Amount>; length: number } {
  const [more, less] = [question.longest(at, OR_MORE), question.longest(at, OR_LESS)];
  if (more) return { bounds: { max: null }, length: more };
  return less ? { bounds: { min: null }, length: less } : { length: 0 };
}

/** The amount whose first number is token `at`. */
export function amountAt(question: QuestionWords, at: number): AmountRead | undefined {
  const first = question.tokens[at];
  if (!first || first.value === null || !question.isFree(at)) return undefined;
  const second = rangeEnd(question, at);
  const numberEnd = second === undefined ? at + first.span : second + (question.tokens[second]?.span ?? 1);
  const isPlus = question.text[question.tokens[numberEnd - 1]?.end ?? 0] === '+';
  const before = isPlus ? { bounds: { max: null }, length: 0 } : boundsAt(question, numberEnd);
  const unitsFrom = numberEnd + before.length;
  const found = unitAfter(question, unitsFrom, at) ?? countedAfter(question, unitsFrom, at);
  if (!found) return undefined;
  const behind = boundsAt(question, found.to);
  const change = changeAt(question, at, second, found);
  const to = change?.to ?? found.to + behind.length;
  const end = second === undefined ? undefined : (question.tokens[second]?.value ?? undefined);
  return {
    ...(change ?? compared(question, at, exactly(found.unit.name, first.value), end, before.bounds ?? behind.bounds)),
    unit: found.unit,
    number: at,
    last: unitsFrom - 1,
    unitFrom: found.from,
    to,
    ofTo: endOfCounted(question, to),
  };
}

/** The token of the second number of a range. */
function rangeEnd(question: QuestionWords, at: number): number | undefined {
  const next = at + (question.tokens[at]?.span ?? 1);
  if (question.tokens[next]?.value != null && /^ ?[-–] ?$/.test(question.textAfter(next - 1))) return next;
  const joins = question.word(next) === 'to' || (question.word(next) === 'and' && question.word(at - 1) === 'between');
  return joins && question.tokens[next + 1]?.value != null ? next + 1 : undefined;
}

/** The former and the new amount of a change. */
function changeAt(question: QuestionWords, at: number, second: number | undefined, found: { unit: Unit; to: number }) {
  if (question.word(at - 1) !== 'from') return undefined;
  const isSplit = second === undefined && question.word(found.to) === 'to' && question.tokens[found.to + 1]?.value != null;
  const later = isSplit ? found.to + 1 : second;
  if (later === undefined || !(isSplit || [2, 3, 4].some((back) => CHANGING.has(question.stems[at - back] ?? '')))) return undefined;
  const [was, becomes] = [question.tokens[at]?.value ?? 0, question.tokens[later]?.value ?? 0];
  return {
    amount: exactly(found.unit.name, becomes),
    former: { ...exactly(found.unit.name, was), former: true },
    from: at - 1,
    to: isSplit ? found.to + 2 + (unitAt(question.stems, found.to + 2)?.length ?? 0) : found.to,
  };
}

/** The token behind the thing that is counted (`of hotel space`); the end of the amount where none follows. */
function endOfCounted(question: QuestionWords, to: number): number {
  const next = question.word(to + 1);
  const says = question.word(to) === 'of' && question.isFree(to, to + 2) && isNeeded(next);
  return says ? to + 1 + Math.max(1, phraseLength(question.stems, to + 1)) : to;
}

/** Whether an amount counts a part of the project, which no measurement of its record holds. */
export const isOfOther = (question: QuestionWords, read: AmountRead): boolean =>
  read.ofTo > read.to && !question.isCapital(read.to + 1) && read.unit.name !== 'percent';

/** The amounts that a text has to name. */
export const amountsOfRead = ({ amount, former }: AmountRead): Amount[] => (former ? [former, amount] : [amount]);

interface FoundUnit {
  unit: Unit;
  from: number;
  to: number;
}

/** @param from first token behind the number @param number token of the number */
function unitAfter(question: QuestionWords, from: number, number: number): FoundUnit | undefined {
  const { stems, text, tokens } = question;
  if (number > 0 && question.word(number - 1) === '$') return { unit: unitNamed('dollars'), from: number, to: from };
  for (let i = from; i < Math.min(tokens.length, from + ADJECTIVES_MAX + 1); i++) {
    if (i > from && (tokens[i]?.value !== null || PREPOSITIONS.has(question.word(i)))) return undefined;
    const found = unitAt(stems, i);
    if (found && !/[;:.]/.test(text.slice(tokens[number]?.end, tokens[i]?.start)))
      return { unit: found.unit, from: i, to: i + found.length };
  }
  return undefined;
}

/** The counted words, where they are no unit of the table: `twelve screens`, `eight fueling islands`. */
function countedAfter(question: QuestionWords, from: number, number: number): FoundUnit | undefined {
  const { value = null } = question.tokens[number] ?? {};
  if (value === null || value < 1 || (value >= 1900 && value <= 2100) || NUMBERING.has(question.word(number - 1))) return undefined;
  for (let i = from; i < from + COUNTED_MAX && question.isFree(i); i++) {
    if (!/^[\s-]*$/.test(question.textAfter(i - 1)) || question.isCapital(i) || PREPOSITIONS.has(question.word(i))) return undefined;
    const to = i + Math.max(1, phraseLength(question.stems, i));
    const word = question.word(to - 1);
    const isPlural = /[a-z]{2}s$/.test(word) && !/(?:ss|us|is)$/.test(word);
    if (!isPlural || !isNeeded(word)) continue;
    const name = question.tokens.slice(i, to).map((token) => token.word);
    return { unit: unitNamed(name.join(' ')), from: i, to };
  }
  return undefined;
}

/** An amount by the words around it. @param end of a range @param bounds by words behind it */
function compared(
  question: QuestionWords,
  at: number,
  amount: Amount,
  end: number | undefined,
  bounds: Partial<Amount> | undefined,
): { amount: Amount; from: number } {
  const value = amount.min as number;
  if (end !== undefined) {
    const lead = ['between', 'from'].includes(question.word(at - 1)) ? 1 : 0;
    return { amount: { ...amount, min: Math.min(value, end), max: Math.max(value, end) }, from: at - lead };
  }
  const start = at - (question.word(at - 1) === '$' ? 1 : 0);
  if (bounds) return { amount: { ...amount, ...bounds }, from: start };
  for (const [phrases, boundsOf] of COMPARISONS) {
    const length = [3, 2, 1].find((words) => start >= words && question.longest(start - words, phrases) === words);
    if (length) return { amount: { ...amount, ...boundsOf(value) }, from: start - length };
  }
  return { amount, from: start };
}

/** The filters of an amount, which include their bounds; undefined where no measurement of a record holds it. */
export function filtersOf({ amount, former, unit }: AmountRead): Record<string, string> | undefined {
  if (!unit.measurement || former) return undefined;
  const { min, max, minOpen, maxOpen } = amount;
  const bounds: Record<string, string> = {};
  if (min !== null) bounds[`${unit.measurement}Min`] = String(minOpen && unit.whole ? min + 1 : min);
  if (max !== null) bounds[`${unit.measurement}Max`] = String(maxOpen && unit.whole ? max - 1 : max);
  return bounds;
}

export const criterionOfAmount = (text: string, amount: Amount): Criterion => ({
  text,
  match: { concepts: [], amounts: [amount], negated: false, vote: null },
});
