/**
 * Amounts of questions and of sentences.
 *
 *     amount  ::= [name] [compare] number [orMore] unit [orMore] [name | "of" thing] | unit compare number | change
 *     number  ::= n | n ("-" | "to" | "or") n | "between" n "and" n
 *     compare ::= "at least" | "more than" | "up to" | "under" | "about" | … | ">" | "≤" | "±" | "~" | …
 *     orMore  ::= "+" | "±" | "or more" | "or less" | "or so" | …
 *     name    ::= what `called` of a unit lists: `height`, `lot size`
 *     unit    ::= {word | "(" {word} ")"}{0,4} word of src/catalogue/units.json | counted word | "$" before the number
 *     change  ::= ["growing"] "from" n [unit] "to" n [unit] | unit ["rising"] "from" n "to" n
 */
import { EMPTY_RULE } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { phraseLength } from './thesaurus.ts';
import type { Token } from './tokens.ts';
import type { Amount, Criterion } from './types.ts';
import { type Unit, unitAt, unitLengthAt, unitNamed } from './units.ts';
import { isNeeded, listPhrases, listStems, listWords } from './words.ts';

/** Words from a number to its unit, and to what is counted where that is no unit of the table: `40 affordable rental units`. */
const [REACH, COUNTED_REACH, CHANGE_REACH] = [6, 2, 6] as const;
/** Characters of a bracket that may stand between them: `60 age restricted (55 and over) units`. */
const BRACKET_CHARACTERS = 60;
const PREPOSITIONS = listWords('prepositions');
/** Words after which a number is no amount: `Phase 2 homes`, `Section 5`. */
const NUMBERING = listWords('numbering');
/** Words that mark a former amount: `the existing 40 units`, `reduced from 300 units to 250`. */
const FORMER = listWords('formerAmount');
const CHANGING = listStems('amountChanging');
/** Numbers in words that belong to another unit: `62 single-story cottages`. */
const OF_OTHERS = listWords('amountOthersNumber');
/** What may stand between a comparison and its number: `under a quarter acre`. */
const ARTICLES = new Set(['a', 'an', '$']);
/** Words between the name of a measurement and its amount. */
const LINKS = new Set(['of', 'is', 'are', 'at', 'with']);

/** `about 50` means from 45 to 55 */
const ABOUT_SHARE = 0.1;
/** Without the tails of binary fractions: 10.8, not 10.799999. */
const tidy = (value: number): number => Number(value.toPrecision(12));
/** What a comparison makes of its number. */
const BOUNDS = {
  atLeast: { max: null },
  atMost: { min: null },
  more: { max: null, minOpen: true },
  less: { min: null, maxOpen: true },
  exactly: {},
} satisfies Record<string, Partial<Amount>>;
type Comparison = keyof typeof BOUNDS | 'about';
const boundsOf = (compare: Comparison, value: number): Partial<Amount> =>
  compare === 'about' ? { min: tidy(value * (1 - ABOUT_SHARE)), max: tidy(value * (1 + ABOUT_SHARE)) } : BOUNDS[compare];
const BEFORE = [
  ['atLeast', listPhrases('amountAtLeast')],
  ['atMost', listPhrases('amountAtMost')],
  ['more', listPhrases('amountMore')],
  ['less', listPhrases('amountLess')],
  ['about', listPhrases('amountAbout')],
  ['exactly', listPhrases('amountExactly')],
] as const;
const BEHIND = [
  ['atLeast', listPhrases('amountOrMore')],
  ['atMost', listPhrases('amountOrLess')],
  ['about', listPhrases('amountOrSo')],
] as const;

type Words = Pick<QuestionWords, 'text' | 'tokens'>;
/** `start`: first token of a unit before its number */
type FoundUnit = Pick<AmountRead, 'unit' | 'from' | 'to'> & { start?: number };

/**
 * The unit of a number; undefined if the number counts something else.
 * @param from first token behind the number @param end token behind the last one @param asked any of the table unless it is given
 */
function findUnit({ text, tokens }: Words, from: number, end: number, asked?: Unit): FoundUnit | undefined {
  const number = tokens[from - 1];
  for (let i = from; i < Math.min(end, from + REACH); i++) {
    const token = tokens[i] as Token;
    let between = text.slice(tokens[i - 1]?.end, token.start);
    // `(4) units`
    if (i === from && text[(number?.start ?? 0) - 1] === '(') between = between.replace(')', '');
    if (/\(\s*$/.test(between)) {
      const close = text.indexOf(')', token.start);
      if (close - token.start > BRACKET_CHARACTERS) return undefined;
      while (i < end && (tokens[i] as Token).start < close) i++;
      between = text.slice(close + 1, tokens[i]?.start);
    }
    const { word = '', value = null } = tokens[i] ?? {};
    // After a comma something else may be counted: `46,000 square feet, 12 units`; a year counts nothing from afar: `the 1884 engine house`.
    const isYear = /^(?:1[6-9]|20)\d\d$/.test(text.slice(number?.start, number?.end));
    if (i >= end || /[;:.!?)]/.test(between) || (i > from && (between.includes(',') || isYear))) return undefined;
    // `100K vacant space` counts no spaces, `a 10-space lot` does.
    if (word === 'space' && !between.endsWith('-')) return undefined;
    const [other, length] = [unitAt(tokens, i), asked ? unitLengthAt(asked, tokens, i) : 0];
    if (length && length >= (other?.length ?? 0)) return { unit: asked as Unit, from: i, to: i + length };
    if (other && !asked) return { unit: other.unit, from: i, to: i + other.length };
    // `115,700 square foot field house` counts no houses.
    if (other && other.unit !== asked && other.unit.name !== 'units') return undefined;
    // `40 three-bedroom units`
    if (value !== null && tokens[i + 1]?.stem === 'bedroom' && i + 2 < end) {
      i += 1;
      continue;
    }
    // `10 to 20 units`: the second number has the unit of both.
    const isJoined = asked && (/^(?:to|and|or|through)$/.test(tokens[i - 1]?.word ?? '') || between.trim() === '-');
    if (value !== null ? !isJoined : PREPOSITIONS.has(word) && tokens[i + 1]?.value == null) return undefined;
    if (OF_OTHERS.has(word) && /^-/.test(text.slice(token.end))) return undefined;
  }
  return undefined;
}

export const isWithinBounds = (value: number, { min, max, minOpen, maxOpen }: Amount): boolean =>
  (min === null || (minOpen ? value > min : value >= min)) && (max === null || (maxOpen ? value < max : value <= max));

/** Occurrences of the amount asked for between two tokens of a sentence. @param denied tokens that the sentence denies */
export function findAmounts(
  words: Words,
  from: number,
  to: number,
  asked: Amount,
  denied: ReadonlySet<number>,
): { from: number; to: number }[] {
  const { tokens } = words;
  const unit = unitNamed(asked.unit);
  return tokens.slice(from, to).flatMap(({ value, span }, offset) => {
    const at = from + offset;
    const before = tokens[at - 1]?.word ?? '';
    if (value === null || !isWithinBounds(value, asked) || denied.has(at) || NUMBERING.has(before)) return [];
    if (!asked.former && isFormer(tokens, at, from)) return [];
    if (unit.name === 'dollars' && before === '$') return [{ from: at, to: at + 1 }];
    const found = findUnit(words, at + span, to, unit);
    return found || isBehindUnit(tokens, at, from, unit) ? [{ from: at, to: found?.to ?? at + 1 }] : [];
  });
}

function isFormer(tokens: readonly Token[], at: number, from: number): boolean {
  const [before = '', earlier = ''] = [at - 1, at - 2].map((i) => tokens[i]?.word);
  const isChanged = () => tokens.slice(Math.max(from, at - CHANGE_REACH), at).some(({ stem }) => CHANGING.has(stem));
  return FORMER.has(before) || FORMER.has(earlier) || (before === 'from' && isChanged());
}

/** `the number of units rises from 72 to 74`: whether the unit comes before the number. */
function isBehindUnit(tokens: readonly Token[], at: number, from: number, unit: Unit): boolean {
  const isPartOfNumber = (i: number) => [1, 2, 3, 4].some((back) => (tokens[i - back]?.span ?? 1) > back);
  const joins = ({ word, stem, value }: Token) => word === 'from' || word === 'to' || value !== null || CHANGING.has(stem);
  let i = at - 1;
  if (!/^(?:from|to)$/.test(tokens[i]?.word ?? '')) return false;
  while (i > from && at - i < CHANGE_REACH && (joins(tokens[i] as Token) || isPartOfNumber(i))) i--;
  return [i, i - 1].some((start) => start >= from && start + unitLengthAt(unit, tokens, start) === i + 1);
}

export interface AmountRead {
  amount: Amount;
  /** what it was before: `from 72 to 74 units` */
  former?: Amount;
  unit: Unit;
  /** of a record */
  measurement?: string;
  /** first token, the comparison included */
  from: number;
  /** last token before the unit and what describes it */
  last: number;
  unitFrom: number;
  /** token behind the unit */
  to: number;
  /** token behind the thing that is counted: `575,000 square feet of hotel space` */
  ofTo: number;
}

const exactAmount = (unit: string, value: number): Amount => ({ unit, min: value, max: value, minOpen: false, maxOpen: false });

/** The comparison at token `at`, behind a number or its unit: `or more`. @returns the number of its tokens, too */
function readComparisonBehind({ tokens }: QuestionWords, at: number): { compare?: Comparison; length: number } {
  const found = BEHIND.map(([compare, phrases]) => ({ compare, length: phrases.lengthAt(tokens, at) })).find(({ length }) => length);
  // `over 5 acres and under 20 acres`
  const next = at + 1 + Math.max(...BEFORE.map(([, phrases]) => phrases.lengthAt(tokens, at + 1)));
  const isOfNext = next > at + 1 && tokens[next]?.value != null && /^(?:and|or)$/.test(tokens[at]?.word ?? '');
  return found && !isOfNext ? found : { length: 0 };
}

/** The comparison that ends before the number at token `at`, and its first token. */
function readComparisonBefore({ tokens }: QuestionWords, at: number): { compare?: Comparison; from: number } {
  const word = (i: number) => tokens[i]?.word ?? '';
  const from = at - Number(ARTICLES.has(word(at - 1)));
  const found = BEFORE.map(([compare, phrases]) => ({ compare, length: phrases.lengthBefore(tokens, from) })).find(({ length }) => length);
  if (found) return { compare: found.compare, from: from - found.length };
  const start = at - Number(word(at - 1) === '$');
  return { from: start - Number(['between', 'from'].includes(word(start - 1))) };
}

/** The amount of a question whose first number is token `at`; `an` is one behind a comparison: `under an acre`. */
export function readAmount(question: QuestionWords, at: number): AmountRead | undefined {
  const { tokens } = question;
  const before = readComparisonBefore(question, at);
  const isOne = before.compare && /^an?$/.test(question.word(at)) && unitAt(tokens, at + 1);
  const value = isOne ? 1 : (tokens[at]?.value ?? null);
  // `1e3`, `-5` and what no number holds exactly are no amounts.
  const isPart = /(?:\p{L}|\p{Lu}-|(?<!\S)[-−–])$/u.test(question.text.slice(0, tokens[at]?.start));
  if (value === null || value > Number.MAX_SAFE_INTEGER || isPart || !question.isFree(at)) return undefined;
  const second = rangeEnd(question, at);
  const numberEnd = (second ?? at) + (tokens[second ?? at]?.span ?? 1);
  const ofNumber = readComparisonBehind(question, numberEnd);
  const behindNumber = numberEnd + ofNumber.length;
  const found: FoundUnit | undefined =
    question.word(at - 1) === '$'
      ? { unit: unitNamed('dollars'), from: behindNumber, to: behindNumber }
      : (findUnit(question, behindNumber, tokens.length) ??
        findUnitBefore(question, before.from, behindNumber, before.compare !== undefined) ??
        findCountedWords(question, behindNumber, at));
  if (!found) return undefined;
  const ofUnit = readComparisonBehind(question, found.to);
  const change = readChange(question, at, second, found);
  const isRange = second !== undefined;
  const compare = isRange ? undefined : (ofNumber.compare ?? ofUnit.compare ?? before.compare);
  const ends = [value, tokens[second ?? at]?.value ?? value];
  const bounds = isRange ? { min: Math.min(...ends), max: Math.max(...ends) } : compare && boundsOf(compare, value);
  const from = Math.min(found.start ?? at, isRange || compare === before.compare ? before.from : at);
  const named = findMeasurement(question, found.unit, change?.from ?? from, change?.to ?? found.to + ofUnit.length);
  return {
    ...(change ?? { amount: { ...exactAmount(found.unit.name, value), ...bounds } }),
    ...named,
    unit: found.unit,
    last: behindNumber - 1,
    unitFrom: found.from,
    ofTo: endOfCounted(question, named.to),
  };
}

/** The measurement that an amount is of, and its tokens with those of the words that name it: `lot size over 10,000 square feet`. */
function findMeasurement(question: QuestionWords, { called, measurement }: Unit, from: number, to: number) {
  const { tokens } = question;
  const before = from - Number(LINKS.has(question.word(from - 1)));
  const behind = to + Number(LINKS.has(question.word(to)));
  for (const { measurement: name, phrases } of called) {
    const [length, further] = [phrases.lengthBefore(tokens, before), phrases.lengthAt(tokens, behind)];
    if (length && question.isFree(before - length)) return { measurement: name, from: before - length, to };
    if (further && question.isFree(behind)) return { measurement: name, from, to: behind + further };
    for (let i = from; i < to; i++) if (phrases.lengthAt(tokens, i)) return { measurement: name, from, to };
  }
  return { ...(measurement ? { measurement } : {}), from, to };
}

/** A unit before its number: `acres > 5`; without a comparison only as the whole question: `units 50-200`. */
function findUnitBefore(question: QuestionWords, from: number, to: number, isCompared: boolean): FoundUnit | undefined {
  const end = from - Number(LINKS.has(question.word(from - 1)));
  for (let start = Math.max(0, end - 3); start < end; start++) {
    const found = unitAt(question.tokens, start);
    const isWhole = start === 0 && to === question.tokens.length;
    if (found && start + found.length === end && question.isFree(start, end) && (isCompared || isWhole))
      return { unit: found.unit, from: to, to, start };
  }
  return undefined;
}

/** The token of the second number of a range. */
function rangeEnd(question: QuestionWords, at: number): number | undefined {
  const next = at + (question.tokens[at]?.span ?? 1);
  if (question.tokens[next]?.value != null && /^ ?[-–] ?$/.test(question.textAfter(next - 1))) return next;
  const joins = ['to', 'or'].includes(question.word(next)) || (question.word(next) === 'and' && question.word(at - 1) === 'between');
  return joins && question.tokens[next + 1]?.value != null ? next + 1 : undefined;
}

/** The former and the new amount of a change. */
function readChange(question: QuestionWords, at: number, second: number | undefined, found: { unit: Unit; to: number }) {
  if (question.word(at - 1) !== 'from') return undefined;
  const isSplit = second === undefined && question.word(found.to) === 'to' && question.tokens[found.to + 1]?.value != null;
  const later = isSplit ? found.to + 1 : second;
  if (later === undefined || !(isSplit || [2, 3, 4].some((back) => CHANGING.has(question.stems[at - back] ?? '')))) return undefined;
  const [was, becomes] = [question.tokens[at]?.value ?? 0, question.tokens[later]?.value ?? 0];
  return {
    amount: exactAmount(found.unit.name, becomes),
    former: { ...exactAmount(found.unit.name, was), former: true },
    from: at - 1,
    to: isSplit ? found.to + 2 + (unitAt(question.tokens, found.to + 2)?.length ?? 0) : found.to,
  };
}

/** The token behind the thing that is counted (`of hotel space`); the end of the amount if none follows. */
function endOfCounted(question: QuestionWords, to: number): number {
  const says = question.word(to) === 'of' && question.isFree(to, to + 2) && isNeeded(question.word(to + 1));
  return says ? to + 1 + Math.max(1, phraseLength(question.stems, to + 1)) : to;
}

/** Whether an amount counts a part of the project, which no measurement of its record holds. */
export const countsPart = (question: QuestionWords, read: AmountRead): boolean =>
  read.ofTo > read.to && !question.isCapital(read.to + 1) && read.unit.name !== 'percent';

/** The amounts that a text has to name. */
export const amountsOfRead = ({ amount, former }: AmountRead): Amount[] => (former ? [former, amount] : [amount]);

/** The counted words, if they are no unit of the table: `twelve screens`, `eight fueling islands`. */
function findCountedWords(question: QuestionWords, from: number, number: number): FoundUnit | undefined {
  const { value = null } = question.tokens[number] ?? {};
  if (value === null || value < 1 || (value >= 1900 && value <= 2100) || NUMBERING.has(question.word(number - 1))) return undefined;
  for (let i = from; i < from + COUNTED_REACH && question.isFree(i); i++) {
    if (!/^[\s-]*$/.test(question.textAfter(i - 1)) || question.isCapital(i) || PREPOSITIONS.has(question.word(i))) return undefined;
    const to = i + Math.max(1, phraseLength(question.stems, i));
    const word = question.word(to - 1);
    if (!/[a-z]{2}s$/.test(word) || /(?:ss|us|is)$/.test(word) || !isNeeded(word)) continue;
    const name = question.tokens.slice(i, to).map((token) => token.word);
    return { unit: unitNamed(name.join(' ')), from: i, to };
  }
  return undefined;
}

/** The filters of an amount, which include their bounds; undefined if no measurement of a record holds it. */
export function filtersOf({ amount, former, unit, measurement }: AmountRead): Record<string, string> | undefined {
  if (!measurement || former) return undefined;
  const { min, max, minOpen, maxOpen } = amount;
  const { step = 0 } = unit;
  const isRange = step > 0 && min !== max;
  const low = min !== null && isRange ? (minOpen ? Math.floor(min / step) + 1 : Math.ceil(min / step)) * step : min;
  const high = max !== null && isRange ? (maxOpen ? Math.ceil(max / step) - 1 : Math.floor(max / step)) * step : max;
  const [from, to] = low !== null && high !== null && low > high ? [min, max] : [low, high];
  return {
    ...(from === null ? {} : { [`${measurement}Min`]: String(from) }),
    ...(to === null ? {} : { [`${measurement}Max`]: String(to) }),
  };
}

/** An amount as text: one of feet is a height only where the text says so. */
export function criterionOfAmount(
  text: string,
  { amount, unit, measurement }: Pick<AmountRead, 'amount' | 'unit' | 'measurement'>,
): Criterion {
  const called = unit.called.find((one) => one.measurement === measurement);
  return { text, match: { ...EMPTY_RULE, amounts: [amount], concepts: called ? [{ text, phrases: called.texts }] : [] } };
}
