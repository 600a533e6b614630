/** Amounts in a question: `at least 40 units`, `5 to 10 acres`, `over 100,000 square feet`, `50+ homes`. */
import { isContent, weightOf } from '../plainWords.ts';
import type { QuestionWords } from '../question.ts';
import { phraseLength } from '../thesaurus.ts';
import { stemsOf } from '../tokens.ts';
import type { Amount, Criterion } from '../types.ts';
import { type Unit, unitAt, unitNamed } from '../units.ts';

const AT_LEAST = ['at least', 'no less than', 'no fewer than', 'not less than', 'minimum of', 'a minimum of', 'minimum'];
const MORE = [
  'more than',
  'over',
  'greater than',
  'above',
  'exceeding',
  'exceeds',
  'exceed',
  'topping',
  'larger than',
  'bigger than',
  'taller than',
  'upwards of',
  'in excess of',
  'beyond',
];
const AT_MOST = [
  'at most',
  'no more than',
  'not more than',
  'up to',
  'maximum of',
  'a maximum of',
  'not exceeding',
  'maximum',
  'within',
  'as many as',
  'limited to',
];
const LESS = ['less than', 'fewer than', 'under', 'below', 'smaller than', 'shorter than'];
const ABOUT = ['about', 'around', 'approximately', 'roughly', 'nearly', 'some', 'almost', 'close to'];
const OR_MORE = [
  'or more',
  'or larger',
  'or greater',
  'or taller',
  'or bigger',
  'or above',
  'and up',
  'and above',
  'plus',
  'or higher',
  'or over',
  'and over',
  'upwards',
  'and more',
];
const OR_LESS = ['or less', 'or fewer', 'or smaller', 'or shorter', 'or below', 'or under', 'or lower', 'and under', 'and less', 'at most'];
/** `about 50` means from 45 to 55 */
const ABOUT_SHARE = 0.1;
/** Words between a number and what it counts: `40 affordable rental units`. */
const ADJECTIVES_MAX = 4;

/** Tokens up to the counted word, where it is no unit of the table. */
const COUNTED_MAX = 2;
const PREPOSITION = /^(?:with|and|or|that|of|in|near|for|to|by|on|at|from|per)$/;
/** Verbs before `from 62 to 92`, by their stems. */
const CHANGING = new Set(
  stemsOf(
    'going growing increased expanded reduced cut dropped raised lowered shrunk shrinking extended changed rising decreased enlarged modified grew went moved',
  ),
);

export interface AmountRead {
  amount: Amount;
  /** what it was before: `from 72 to 74 units` */
  former?: Amount;
  unit: Unit;
  /** tokens of the comparison, of the number, and behind the unit */
  from: number;
  number: number;
  /** token of the last number: the end of a range */
  last: number;
  unitFrom: number;
  to: number;
  /** token behind the thing that is counted: `575,000 square feet of hotel space` */
  ofTo: number;
}

const exactly = (unit: string, value: number): Amount => ({ unit, min: value, max: value, minOpen: false, maxOpen: false });

/** Number of words of the phrase that ends before token `at`; 0 for none. */
function phraseLengthBefore(question: QuestionWords, at: number, phrases: readonly string[]): number {
  for (const length of [3, 2, 1]) if (at - length >= 0 && question.longest(at - length, phrases) === length) return length;
  return 0;
}

/** The amount whose first number is token `at`. */
export function amountAt(question: QuestionWords, at: number): AmountRead | undefined {
  const first = question.tokens[at];
  if (!first || first.value === null || !question.isFree(at)) return undefined;
  const second = rangeEnd(question, at);
  const last = second ?? at;
  const plus = question.text[question.tokens[last]?.end ?? 0] === '+';
  const orMore = plus || question.longest(last + 1, OR_MORE) > 0;
  const orLess = question.longest(last + 1, OR_LESS);
  const afterLast = last + 1 + (plus ? 0 : Math.max(question.longest(last + 1, OR_MORE), orLess));
  const scaled = numberWords(question, afterLast);
  const found = unitAfter(question, afterLast + scaled, at) ?? countedAfter(question, afterLast + scaled, at);
  if (!found) return undefined;
  const behind = {
    orMore: orMore || question.longest(found.to, OR_MORE) > 0,
    orLess: orLess > 0 || question.longest(found.to, OR_LESS) > 0,
  };
  const change = changeAt(question, at, second, found);
  const to = change?.to ?? found.to + Math.max(question.longest(found.to, OR_MORE), question.longest(found.to, OR_LESS));
  const end = second === undefined ? undefined : (question.tokens[second]?.value ?? undefined);
  return {
    ...(change ?? compared(question, at, found.unit, first.value, end, behind)),
    unit: found.unit,
    number: at,
    last: afterLast + scaled - 1,
    unitFrom: found.from,
    to,
    ofTo: endOfCounted(question, to),
  };
}

const COUNTING =
  /^(?:hundred|thousand|million|billion|and|(?:twen|thir|for|fif|six|seven|eigh|nine)(?:ty|teen)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/;

/** Number of words from `at` on that continue the number before: `two hundred and fifty`. */
function numberWords(question: QuestionWords, at: number): number {
  let to = at;
  while (question.tokens[to]?.value === null && COUNTING.test(question.word(to))) to++;
  return question.word(to - 1) === 'and' ? to - at - 1 : to - at;
}

/** The former and the new amount of a change: `growing from 62 to 92 spaces`, `from 62 spaces to 92 spaces`. */
function changeAt(question: QuestionWords, at: number, second: number | undefined, found: { unit: Unit; to: number }) {
  if (question.word(at - 1) !== 'from') return undefined;
  const isSplit = second === undefined && question.word(found.to) === 'to' && question.tokens[found.to + 1]?.value != null;
  const later = isSplit ? found.to + 1 : second;
  if (later === undefined || !(isSplit || [2, 3, 4].some((back) => CHANGING.has(question.stems[at - back] ?? '')))) return undefined;
  const [was, becomes] = [question.tokens[at]?.value ?? 0, question.tokens[later]?.value ?? 0];
  const again = isSplit ? unitAt(question.stems, found.to + 2) : undefined;
  return {
    amount: exactly(found.unit.name, becomes),
    former: { ...exactly(found.unit.name, was), former: true },
    from: at - 1,
    to: isSplit ? found.to + 2 + (again?.length ?? 0) : found.to,
  };
}

/** The token behind the thing that is counted (`of hotel space`); the end of the amount where none follows. */
function endOfCounted(question: QuestionWords, to: number): number {
  const next = question.word(to + 1);
  const says = question.word(to) === 'of' && question.isFree(to, to + 2) && isContent(next) && weightOf(next, '') === 'needed';
  return says ? to + 1 + Math.max(1, phraseLength(question.stems, to + 1)) : to;
}

/** Whether an amount counts a part of the project, which no measurement of its record holds. */
export const isOfOther = (question: QuestionWords, read: AmountRead): boolean =>
  read.ofTo > read.to && !question.isCapital(read.to + 1) && read.unit.name !== 'percent';

/** The amounts that a text has to name. */
export const amountsOfRead = ({ amount, former }: AmountRead): Amount[] => (former ? [former, amount] : [amount]);

/** `10 to 20`, `10-20`, `between 10 and 20`: the token of the second number. */
function rangeEnd(question: QuestionWords, at: number): number | undefined {
  const next = question.tokens[at + 1];
  if (next?.value !== null && next !== undefined && /^ ?[-–] ?$/.test(question.textAfter(at))) return at + 1;
  const joins = question.word(at + 1) === 'to' || (question.word(at + 1) === 'and' && question.word(at - 1) === 'between');
  return joins && question.tokens[at + 2]?.value != null ? at + 2 : undefined;
}

/** @param from first token behind the number @param number token of the number */
function unitAfter(question: QuestionWords, from: number, number: number): { unit: Unit; from: number; to: number } | undefined {
  const { stems, text, tokens } = question;
  if (number > 0 && question.word(number - 1) === '$') return { unit: (unitAt(['$'], 0) as { unit: Unit }).unit, from: number, to: from };
  for (let i = from; i < Math.min(tokens.length, from + ADJECTIVES_MAX + 1); i++) {
    if (i > from && (tokens[i]?.value !== null || PREPOSITION.test(question.word(i)))) return undefined;
    const found = unitAt(stems, i);
    const measured = /[;:.]/.test(text.slice(tokens[number]?.end, tokens[i]?.start));
    if (found && !measured) return { unit: found.unit, from: i, to: i + found.length };
  }
  return undefined;
}

/** Words after which a number is no amount: `Phase 2 homes`. */
const NUMBERING =
  /^(?:no|number|section|sec|chapter|article|lot|block|district|case|petition|route|item|page|phase|ordinance|ward|title|grade|grades)$/;

/** The counted words, where they are no unit of the table: `twelve screens`, `eight fueling islands`. */
function countedAfter(question: QuestionWords, from: number, number: number): { unit: Unit; from: number; to: number } | undefined {
  const { value = null } = question.tokens[number] ?? {};
  if (value === null || value < 1 || (value >= 1900 && value <= 2100) || NUMBERING.test(question.word(number - 1))) return undefined;
  for (let i = from; i < from + COUNTED_MAX && question.isFree(i); i++) {
    if (!/^[\s-]*$/.test(question.textAfter(i - 1)) || question.isCapital(i)) return undefined;
    const length = Math.max(1, phraseLength(question.stems, i));
    const word = question.word(i + length - 1);
    if (PREPOSITION.test(question.word(i))) return undefined;
    if (isContent(word) && /[a-z]{2}s$/.test(word) && !/(?:ss|us|is)$/.test(word) && weightOf(word, '') !== 'plain')
      return {
        unit: unitNamed(
          question.tokens
            .slice(i, i + length)
            .map((token) => token.word)
            .join(' '),
        ),
        from: i,
        to: i + length,
      };
  }
  return undefined;
}

interface Behind {
  orMore: boolean;
  orLess: boolean;
}

function compared(
  question: QuestionWords,
  at: number,
  unit: Unit,
  value: number,
  end: number | undefined,
  behind: Behind,
): { amount: Amount; from: number } {
  const open = { ...exactly(unit.name, value), minOpen: false, maxOpen: false };
  if (end !== undefined) {
    const lead = ['between', 'from'].includes(question.word(at - 1)) ? 1 : 0;
    return { amount: { ...open, min: Math.min(value, end), max: Math.max(value, end) }, from: at - lead };
  }
  const skip = question.word(at - 1) === '$' ? 1 : 0;
  const start = at - skip;
  if (behind.orMore) return { amount: { ...open, max: null }, from: start };
  if (behind.orLess) return { amount: { ...open, min: null }, from: start };
  const leads: [readonly string[], Partial<Amount>][] = [
    [AT_LEAST, { max: null }],
    [AT_MOST, { min: null }],
    [MORE, { max: null, minOpen: true }],
    [LESS, { min: null, maxOpen: true }],
    [ABOUT, { min: value * (1 - ABOUT_SHARE), max: value * (1 + ABOUT_SHARE) }],
  ];
  for (const [phrases, bounds] of leads) {
    const length = phraseLengthBefore(question, start, phrases);
    if (length) return { amount: { ...open, ...bounds }, from: start - length };
  }
  return { amount: open, from: start };
}

/** A bound as filters take it: they include the bound, so an open one of whole numbers becomes the next number. */
const bound = (value: number, open: boolean, whole: boolean | undefined, step: number) => String(open && whole ? value + step : value);

/** The filters of an amount; undefined where no measurement of a record holds it. */
export function filtersOf({ amount, former, unit }: AmountRead): Record<string, string> | undefined {
  if (!unit.measurement || former) return undefined;
  const { min, max, minOpen, maxOpen } = amount;
  return {
    ...(min === null ? {} : { [`${unit.measurement}Min`]: bound(min, minOpen, unit.whole, 1) }),
    ...(max === null ? {} : { [`${unit.measurement}Max`]: bound(max, maxOpen, unit.whole, -1) }),
  };
}

export const criterionOfAmount = (text: string, amount: Amount): Criterion => ({
  text,
  match: { concepts: [], amounts: [amount], negated: false, vote: null },
});
