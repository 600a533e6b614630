/**
 * Amounts of questions and of sentences. Units in `src/catalogue/units.json`: the words by which each is named, and the measurement that holds it.
 *
 *     amount  ::= [name] [compare] number [orMore] unit [orMore] [other] [name | "of" thing] | unit compare number
 *     number  ::= n [("-" | "to" | "or") n] | "between" n "and" n | n other
 *     other   ::= ["and" | "but"] compare n [unit], of the other side: `over 10 and under 20 acres`, `at least 10 units and at most 20`
 *     compare ::= "at least" | "more than" | "up to" | "under" | "about" | … | ">" | "≤" | "±" | "~" | …
 *     orMore  ::= "+" | "±" | "or more" | "or less" | "or so" | …
 *     name    ::= what `called` of a unit lists: `height`, `lot size`
 *     unit    ::= {word}{0,4} word of units.json | counted word | "$" before the number
 */
import table from '../../../catalogue/units.json' with { type: 'json' };
import { EMPTY_RULE } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { phraseLength, synonymsOf } from './thesaurus.ts';
import { stemsOf, type Token } from './tokens.ts';
import type { Amount, Criterion } from './types.ts';
import { isNeeded, isNegating, listStems, Phrases, type TextWords, type WordSpan } from './words.ts';

export interface Unit {
  name: string;
  /** each phrase for the unit, as stems, the longest first, with what only questions say: `40 cars` are parking spaces */
  asking: readonly (readonly string[])[];
  phrases: readonly (readonly string[])[];
  /** each phrase for the unit, as written */
  texts: readonly string[];
  /** measurement of a record; its filters bound the amount */
  measurement?: string;
  /** another one, which a text has to name: `feet` are a height only where it says so */
  called?: string;
  /** by what it is named, and what stands for itself: `150-foot monopoles` */
  names: Phrases;
  subjects: Phrases;
  naming: readonly string[];
  /** names of the amount that stand for the unit before a bound: `parking <= 50` */
  heads: Phrases;
  /** the least difference between two amounts; absent if there is none */
  step?: number;
  /** of the measurement in each: a year has 365 days */
  each?: number;
  /** the unit by which texts may say it, too: a building of ten floors has ten stories */
  as?: string;
}

const sortedStems = (texts: readonly string[]) => texts.map(stemsOf).sort((a, b) => b.length - a.length);
const makeUnit = (name: string, texts: readonly string[], names = '', subjects = '', heads = '', spoken = ''): Unit => ({
  name,
  texts,
  asking: sortedStems([...texts, ...spoken.split(', ').filter(Boolean)]),
  phrases: sortedStems(texts),
  names: new Phrases(names.split(', ')),
  subjects: new Phrases(subjects.split(', ')),
  naming: [names, subjects].join(', ').split(', '),
  heads: new Phrases(heads.split(', ')),
});
const UNITS = new Map(
  table.map(({ name, texts, names, subjects, heads, spoken, ...more }) => [
    name,
    { ...more, ...makeUnit(name, texts.split(', '), names, subjects, heads, spoken) } as Unit,
  ]),
);

/** Whether a unit is not in the table: texts may use other words for what is counted. */
export const isCountedUnit = (name: string): boolean => !UNITS.has(name);

/** A unit of the table, or one made of the counted words and their synonyms: `12 chickens`. */
export const unitNamed = (name: string): Unit => UNITS.get(name) ?? makeUnit(name, synonymsOf(name));

/** Number of tokens of the longest phrase that begins at token `at`; 0 for none. */
const lengthAt = (phrases: Unit['phrases'], tokens: readonly Token[], at: number): number =>
  phrases.find((phrase) => phrase.every((stem, offset) => tokens[at + offset]?.stem === stem))?.length ?? 0;

function longestUnit(lengthOf: (unit: Unit) => number): { unit: Unit; length: number } | undefined {
  const [longest] = [...UNITS.values()].map((unit) => ({ unit, length: lengthOf(unit) })).sort((a, b) => b.length - a.length);
  return longest?.length ? longest : undefined;
}

/** The unit with the longest phrase at token `at`, and the number of its tokens; and the one that a name of its amount stands for. */
export const unitAt = (tokens: readonly Token[], at: number) => longestUnit(({ asking }) => lengthAt(asking, tokens, at));
const headAt = (tokens: readonly Token[], at: number) => longestUnit(({ heads }) => heads.lengthAt(tokens, at));

/** Words from a number to its unit, and to what is counted where that is no unit of the table: `40 affordable rental units`. */
const [REACH, COUNTED_REACH, CHANGE_REACH] = [6, 2, 6] as const;
const CHANGING = listStems('amountChanging');
/** What may stand between a comparison and its number: `under a quarter acre`; and between the name of a measurement and its amount. */
const [ARTICLE, LINK] = [
  /^(?:an?|\$)$/,
  /^(?:of|is|are|at|with|for|in|measures|measuring|being|totals|totaling|that|that's|which|has|must|gotta|be|to|it's|needs)$/,
];
/** Words of `a lot that has to be` before its size. */
const LINKS_MAX = 4;

/** `about 50` means from 45 to 55 */
const ABOUT_SHARE = 0.1;
/** Lists of words that stand before a number, and with `OrSo` in their names behind it or its unit. */
const BEFORE = ['atLeast', 'atMost', 'more', 'less', 'about', 'exactly'] as const;
const BEHIND = ['atLeast', 'atMost', 'about'] as const;
type Comparison = (typeof BEFORE)[number];

/** The first comparison that stands somewhere. */
function findComparison<Name extends Comparison>(names: readonly Name[], lengthOf: (name: Name) => number) {
  const found: { compare?: Comparison; length: number }[] = names.map((compare) => ({ compare, length: lengthOf(compare) }));
  return found.find(({ length }) => length) ?? { length: 0 };
}

/** Words between a denial and its comparison: `not to exceed`, `can't be bigger than`. */
const DENIAL_LINKS_MAX = 4;
/** Feet from which on an amount is no height but square feet: the tallest building has 2,717. */
const FEET_OF_AREA_MIN = 3_000;
/** Bedrooms of a home that people call beds. */
const BEDROOMS_MAX = 6;
/** Behind these something else is said than what is denied: `not approved with more than 5 acres`. */
const DENIAL_ENDS = /^(?:with|and|or|but|that|which|who|having|where|of)$/;
/** `does not exceed` */
const AUXILIARY = /^(?:do|does|must|may|can|should|will)$/;
const isDenying = (word: string) => isNegating(word) || /^(?:nothing|none|cannot)$|n['’]t$/.test(word);
/** `no fewer than 20` includes 20. */
const denyComparison = (compare: Comparison | undefined): Comparison | undefined =>
  compare === 'less' ? 'atLeast' : compare === 'more' ? 'atMost' : undefined;

/** The comparison that ends before token `at`, with its denial. */
function findComparisonBefore(question: QuestionWords, at: number): { compare?: Comparison; length: number } {
  // `50 stalls max, 40 lots`
  if (/,/.test(question.textAfter(at - 1))) return { length: 0 };
  const found = findComparison(BEFORE, (name) => question.phraseBefore(at, name));
  const start = at - found.length;
  let from = start;
  const isLink = (i: number) =>
    question.isFree(i) &&
    !isDenying(question.word(i)) &&
    !DENIAL_ENDS.test(question.word(i)) &&
    !isNeeded(question.word(i)) &&
    !/[,;]/.test(question.textAfter(i));
  while (start - from < DENIAL_LINKS_MAX && isLink(from - 1)) from--;
  const compare = isDenying(question.word(from - 1)) ? denyComparison(found.compare) : undefined;
  const verb = Number(AUXILIARY.test(question.word(from - 2)));
  return compare ? { compare, length: at - from + 1 + verb } : found;
}

const isLow = (compare: Comparison | undefined) => compare === 'atLeast' || compare === 'more';
const isHigh = (compare: Comparison | undefined) => compare === 'atMost' || compare === 'less';

/** What a comparison makes of its number. */
function boundsOf(compare: Comparison, value: number): Partial<Amount> {
  if (isLow(compare)) return { max: null, minOpen: compare === 'more' };
  if (isHigh(compare)) return { min: null, maxOpen: compare === 'less' };
  // Without the tails of binary fractions: 10.8, not 10.799999.
  const share = (of: number) => Number((value * of).toPrecision(12));
  return compare === 'about' ? { min: share(1 - ABOUT_SHARE), max: share(1 + ABOUT_SHARE) } : {};
}

/** `start`: first token of a unit before its number */
type FoundUnit = Pick<AmountRead, 'unit' | 'from' | 'to'> & { start?: number };

/**
 * The unit of a number; undefined if the number counts something else.
 * @param from first token behind the number @param end token behind the last one @param asked any of the table unless it is given
 */
function findUnit(words: TextWords, from: number, end: number, asked?: Unit): FoundUnit | undefined {
  const { text, tokens } = words;
  const number = words.slice(from - 1, from);
  for (let i = from; i < Math.min(end, from + REACH); i++) {
    let between = words.textAfter(i - 1);
    // `(4) units`
    if (i === from && text[(tokens[from - 1]?.start ?? 0) - 1] === '(') between = between.replace(')', '');
    const { word = '', value = null } = tokens[i] ?? {};
    // After a comma something else may be counted: `46,000 square feet, 12 units`; a year counts nothing from afar: `the 1884 engine house`.
    const isYear = /^(?:1[6-9]|20)\d\d$/.test(number);
    if (i >= end || /[,;:.!?)]/.test(between) || (i > from && isYear)) return undefined;
    // `100K vacant space` counts no spaces, `a 10-space lot` does.
    if (word === 'space' && !between.endsWith('-')) return undefined;
    const [other, length] = [unitAt(tokens, i), asked ? lengthAt(asked.phrases, tokens, i) : 0];
    if (asked && length && length >= (other?.length ?? 0)) return { unit: asked, from: i, to: i + length };
    if (other && !asked) return { unit: other.unit, from: i, to: i + other.length };
    // `115,700 square foot field house` counts no houses.
    if (other && other.unit !== asked && other.unit.name !== 'units') return undefined;
    // `40 three-bedroom units`
    if (value !== null && tokens[i + 1]?.stem === 'bedroom' && i + 2 < end) {
      i += 1;
      continue;
    }
    // `10 to 20 units`: the second number has the unit of both.
    const isJoined = asked && (/^(?:to|and|or|through)$/.test(words.word(i - 1)) || between.trim() === '-');
    if (value !== null ? !isJoined : words.is(i, 'prepositions') && tokens[i + 1]?.value == null) return undefined;
    // `62 single-story cottages`
    if (words.is(i, 'amountOthersNumber') && /^-/.test(text.slice(tokens[i]?.end))) return undefined;
  }
  return undefined;
}

export const isWithinBounds = (value: number, { min, max, minOpen, maxOpen }: Amount): boolean =>
  (min === null || (minOpen ? value > min : value >= min)) && (max === null || (maxOpen ? value < max : value <= max));

/** Occurrences of the amount asked for between two tokens of a sentence. @param denied tokens that the sentence denies */
export function findAmounts(words: TextWords, { from, to }: WordSpan, asked: Amount, denied: ReadonlySet<number> = new Set()): WordSpan[] {
  const unit = unitNamed(asked.unit);
  return words.tokens.slice(from, to).flatMap(({ value, span }, offset) => {
    const at = from + offset;
    if (value === null || !isWithinBounds(value, asked) || denied.has(at) || words.is(at - 1, 'numbering')) return [];
    // A former amount: `the existing 40 units`, `reduced from 300 units to 250`.
    const isChanged = words.tokens.slice(Math.max(from, at - CHANGE_REACH), at).some(({ stem }) => CHANGING.has(stem));
    if ([1, 2].some((back) => words.is(at - back, 'formerAmount')) || (words.word(at - 1) === 'from' && isChanged)) return [];
    if (unit.name === 'dollars' && words.word(at - 1) === '$') return [{ from: at, to: at + 1 }];
    const found = findUnit(words, at + span, to, unit);
    return found ? [{ from: at, to: found.to }] : [];
  });
}

export interface AmountRead {
  amount: Amount;
  unit: Unit;
  /** of a record */
  measurement?: string;
  /** first token, the comparison included */
  from: number;
  /** last token before the unit and what describes it */
  last: number;
  unitFrom: number;
  unitTo: number;
  /** token behind the unit, and behind what else says the amount */
  to: number;
  /** token behind the thing that is counted: `575,000 square feet of hotel space` */
  ofTo: number;
}

/** The comparison at token `at`, behind a number or its unit: `or more`. */
function readComparisonBehind(question: QuestionWords, at: number): { compare?: Comparison; length: number } {
  const { tokens } = question;
  const found = findComparison(BEHIND, (name) => question.phraseAt(at, `${name}OrSo`));
  // `over 5 acres and under 20 acres`
  const isJoint = findComparisonAt(question, at + 1).length > 0 && /^(?:and|or)$/.test(question.word(at));
  // `minimum 10 acres, max 25 acres`
  const goesOn = found.length > 0 && tokens[at + found.length]?.value != null && !/,/.test(question.textAfter(at + found.length - 1));
  // `of 250 homes, min. lot 43,560 SF`
  const behind = at + found.length;
  const isNext = /,/.test(question.textAfter(at - 1)) && behind < tokens.length && !/[,;]/.test(question.textAfter(behind - 1));
  return isJoint || goesOn || isNext ? { length: 0 } : found;
}

/** The comparison behind a unit, or behind the name of what it measures: `85 feet tall or shorter`. */
function readComparisonBehindUnit(question: QuestionWords, { unit, to }: FoundUnit): { compare?: Comparison; length: number } {
  const ofUnit = readComparisonBehind(question, to);
  const name = unit.names.lengthAt(question.tokens, to);
  const ofName = ofUnit.length || !name ? { length: 0 } : readComparisonBehind(question, to + name);
  return ofName.length ? { ...ofName, length: name + ofName.length } : ofUnit;
}

/** The comparison that ends before the number at token `at`, and its first token. */
function readComparisonBefore(question: QuestionWords, at: number): { compare?: Comparison; from: number } {
  const from = at - Number(ARTICLE.test(question.word(at - 1)));
  const { compare, length } = findComparisonBefore(question, from);
  if (compare) return { compare, from: from - length };
  const start = at - Number(question.word(at - 1) === '$');
  const lead = [from, start].find((one) => /^(?:between|from)$/.test(question.word(one - 1)));
  return { from: lead === undefined ? start : lead - 1 };
}

/** The comparison between token `at` and the number behind it. */
function findComparisonAt(question: QuestionWords, at: number): { compare?: Comparison; length: number } {
  const number = question.tokens.findIndex(({ value }, i) => i >= at && value !== null);
  const { compare, from } = readComparisonBefore(question, number);
  return compare && from === at ? { compare, length: number - at } : { length: 0 };
}

/** The amount of a question whose first number is token `at`; `an` is one behind a comparison: `under an acre`. */
export function readAmount(question: QuestionWords, at: number): AmountRead | undefined {
  const { tokens } = question;
  const before = readComparisonBefore(question, at);
  const next = unitAt(tokens, at + 1)?.unit.name;
  // `single-story`
  const isOne =
    (before.compare && /^an?$/.test(question.word(at)) && next) ||
    (question.word(at) === 'single' && (before.compare ? next : /^(?:stories|hearings)$/.test(next ?? '')));
  const value = isOne ? 1 : (tokens[at]?.value ?? null);
  // `1e3`, `-5` and what no number holds exactly are no amounts.
  const isPart = /(?:\p{L}|\p{Lu}-|(?<!\S)[-−–])$/u.test(question.text.slice(0, tokens[at]?.start));
  if (value === null || value > Number.MAX_SAFE_INTEGER || isPart || !question.isFree(at)) return undefined;
  const numberEnd = at + (tokens[at]?.span ?? 1);
  const ofNumber = readComparisonBehind(question, numberEnd);
  const first = { value, compare: ofNumber.compare ?? before.compare, isBetween: question.word(at - 1) === 'between' };
  const beside = readOther(question, numberEnd + ofNumber.length, first);
  const behindNumber = beside ? beside.to + readComparisonBehind(question, beside.to).length : numberEnd + ofNumber.length;
  // `acres 5 to 10`, not `acres 1-2-3`
  const isRange = beside !== undefined && !/^ ?[-–]/.test(question.textAfter(behindNumber - 1));
  const isBounded = before.compare !== undefined || ofNumber.compare !== undefined || isRange;
  const named: FoundUnit | undefined =
    question.word(at - 1) === '$'
      ? { unit: unitNamed('dollars'), from: behindNumber, to: behindNumber }
      : (findUnit(question, behindNumber, tokens.length) ??
        findUnitBefore(question, before.from, behindNumber, isBounded) ??
        findCountedWords(question, behindNumber, at));
  // `3-bed`, not `a 120-bed hospital`
  const isHome = named?.unit.name === 'beds' && value <= BEDROOMS_MAX && question.word(named.from) === 'bed';
  const found = named && isHome ? { ...named, unit: unitNamed('bedrooms') } : named;
  // `2022 Hearing Examiner`
  if (!found || (found.to > found.from && !question.isFree(found.from, found.to))) return undefined;
  const ofUnit = readComparisonBehindUnit(question, found);
  // `maximum height of 35 feet`
  const name = before.compare ? before.from : findMeasurement(question, found.unit, before.from, found.to).from;
  const ofName = name < before.from ? readComparisonBefore(question, name) : undefined;
  const said = ofNumber.compare ?? ofUnit.compare ?? before.compare ?? ofName?.compare;
  const behindUnit = found.to + ofUnit.length;
  // `at least 150 ft tall but not above 199`
  const behindName = behindUnit + found.unit.names.lengthAt(tokens, behindUnit);
  const bound = { ...first, compare: said };
  const other = beside ?? readOther(question, behindUnit, bound, found.unit) ?? readOther(question, behindName, bound, found.unit);
  // `from 50 lots`
  const compare = said ?? (!other && question.word(before.from) === 'from' ? 'atLeast' : undefined);
  // `growing from 62 to 92 spaces` asks for 92.
  const isChange = other && question.word(at - 1) === 'from' && [2, 3, 4].some((back) => CHANGING.has(question.stems[at - back] ?? ''));
  const from = Math.min(found.start ?? at, other || compare === before.compare ? before.from : at);
  const end = other && !beside ? other.to : behindUnit;
  const phrase = findMeasurement(question, found.unit, from, end);
  const isDistance = question.word(phrase.from) === 'within';
  const isHeight = found.unit.called === 'buildingHeightFeet' && compare !== undefined && !isDistance && isClause(question, phrase);
  // `500,000 feet and up` is no height.
  const measurement = found.unit.name === 'feet' && value >= FEET_OF_AREA_MIN ? 'squareFootage' : 'buildingHeightFeet';
  const measured = isHeight ? { ...phrase, measurement } : phrase;
  const phrased = ofName?.compare && measured.from === name ? { ...measured, from: ofName.from } : measured;
  // `between 2 and 3 million`
  const scaled = beside && numberEnd === at + 1 ? value * (beside.scale ?? 1) : value;
  const bounds = other
    ? boundsBetween({ value: scaled <= other.value ? scaled : value, compare }, other)
    : compare && boundsOf(compare, value);
  const exactly = isChange ? other.value : value;
  return {
    amount: {
      unit: found.unit.as ?? found.unit.name,
      min: exactly,
      max: exactly,
      minOpen: false,
      maxOpen: false,
      ...(isChange ? {} : bounds),
    },
    ...phrased,
    unit: found.unit,
    last: behindNumber - 1,
    unitFrom: found.from,
    unitTo: found.to,
    ofTo: endOfCounted(question, phrased.to),
  };
}

interface Bound {
  value: number;
  compare?: Comparison | undefined;
  /** by which its number is written: `3 million` */
  scale?: number;
}

const boundsBetween = (one: Bound, other: Bound): Partial<Amount> => ({
  min: Math.min(one.value, other.value),
  max: Math.max(one.value, other.value),
  minOpen: [one.compare, other.compare].includes('more'),
  maxOpen: [one.compare, other.compare].includes('less'),
});

/** The other bound of an amount at a token, and the token behind it. @param unit of the first one, if it stands before the other: both have it */
function readOther(
  question: QuestionWords,
  at: number,
  first: Bound & { isBetween: boolean },
  unit?: Unit,
): (Bound & { to: number }) | undefined {
  const joint = at + Number(/^(?:and|but|yet)$/.test(question.word(at)));
  const before = findComparisonAt(question, joint);
  // `sixty acres at the least and three hundred at the most`
  const behind = joint + (question.tokens[joint]?.span ?? 1);
  const after = before.length || question.tokens[joint]?.value == null ? { length: 0 } : readComparisonBehind(question, behind);
  const own = after.length ? { ...after, length: 0 } : before;
  const isOne = !isLow(first.compare) && !isHigh(first.compare);
  const upTo = question.word(at) === 'up' && question.word(at + 1) === 'to' ? 1 : 0;
  const isRange = isOne && (unit ? /^to$/ : /^(?:to|or|thru|through)$/).test(question.word(at + upTo));
  const isDash = isOne && /^ ?[-–] ?$/.test(question.textAfter(at - 1)) && question.tokens[at]?.value != null;
  const isOpposite = (isLow(first.compare) && isHigh(own.compare)) || (isHigh(first.compare) && isLow(own.compare));
  const isJoint = isRange || (first.isBetween && /^(?:and|&)$/.test(question.word(at)));
  const joined = isDash ? at : isJoint ? at + upTo + 1 : isOpposite ? joint + own.length : question.tokens.length;
  const number = joined + Number(question.word(joined) === '$');
  const { value = null, span = 1, word = '' } = question.tokens[number] ?? {};
  if (value === null || !question.isFree(number) || (isOpposite && !isDash && value > first.value !== isLow(first.compare)))
    return undefined;
  const scale = span > 1 && Number(word) > 0 ? { scale: value / Number(word) } : {};
  const to = number + span + (isOpposite ? after.length : 0);
  const bound = { value, ...scale, ...(isOpposite ? { compare: own.compare } : {}), to };
  if (!unit) return bound;
  const found = findUnit(question, to, question.tokens.length) ?? findCountedWords(question, to, number);
  if (found && found.unit.name === unit.name) return { ...bound, to: found.to };
  return !found && (isOpposite || isRange) ? bound : undefined;
}

/** The measurement that an amount is of, and its tokens with those of the words that name it: `lot size over 10,000 square feet`. */
function findMeasurement(question: QuestionWords, { called, names, subjects, heads, measurement }: Unit, from: number, to: number) {
  const { tokens } = question;
  let before = from;
  while (from - before < LINKS_MAX && LINK.test(question.word(before - 1)) && !/,/.test(question.textAfter(before - 1))) before--;
  const behind = to + Number(LINK.test(question.word(to)));
  // `180 days in process`, `12 acres in lot size`
  const next = names.lengthAt(tokens, to) ? to : behind;
  const [length, further] = [names.lengthBefore(tokens, before), names.lengthAt(tokens, next)];
  const own = measurement ? { measurement } : {};
  const other = called ? { measurement: called } : own;
  const head = heads.lengthBefore(tokens, before);
  if (head > length) return { ...own, from: before - head, to };
  if (length && question.isFree(before - length)) return { ...other, from: before - length, to };
  if (further && question.isFree(next)) return { ...other, from, to: next + further };
  const isCalled = tokens.slice(from, to).some((_, i) => names.lengthAt(tokens, from + i));
  return { ...(isCalled || subjects.lengthBefore(tokens, before) || subjects.lengthAt(tokens, to) ? other : own), from, to };
}

/** Whether words stand for themselves: `250k sf and up, 45 ft max, heard in March`. */
const isClause = (question: QuestionWords, { from, to }: { from: number; to: number }): boolean =>
  (from === 0 || /[,;:(]/.test(question.textAfter(from - 1)) || /^(?:and|but)$/.test(question.word(from - 1))) &&
  (to >= question.tokens.length || /[,;)]/.test(question.textAfter(to - 1)) || /^(?:and|but)$/.test(question.word(to)));

/** A unit before its number: `acres > 5`; without a comparison only as the whole question: `units 50-200`. */
function findUnitBefore(question: QuestionWords, from: number, to: number, isCompared: boolean): FoundUnit | undefined {
  const end = from - Number(LINK.test(question.word(from - 1)));
  for (let start = Math.max(0, end - 4); start < end; start++) {
    const found = unitAt(question.tokens, start) ?? (isCompared ? headAt(question.tokens, start) : undefined);
    const isWhole = start === 0 && to === question.tokens.length;
    const named = found ? start + found.length + found.unit.names.lengthAt(question.tokens, start + found.length) : 0;
    if (found && (start + found.length === end || named === end) && question.isFree(start, end) && (isCompared || isWhole))
      return { unit: found.unit, from: to, to, start };
  }
  return undefined;
}

/** The token behind the thing that is counted (`of hotel space`); the end of the amount if none follows. */
function endOfCounted(question: QuestionWords, to: number): number {
  const says =
    question.word(to) === 'of' &&
    !question.textAfter(to - 1).includes(',') &&
    question.isFree(to, to + 2) &&
    isNeeded(question.word(to + 1));
  return says ? to + 1 + Math.max(1, phraseLength(question.stems, to + 1)) : to;
}

/** Whether an amount counts a part of the project, which no measurement of its record holds. */
export const countsPart = (question: QuestionWords, read: AmountRead): boolean =>
  read.ofTo > read.to && !question.isCapital(read.to + 1) && read.unit.name !== 'percent';

/** The counted words, if they are no unit of the table: `twelve screens`, `eight fueling islands`; a year and `Phase 2 homes` count nothing. */
function findCountedWords(question: QuestionWords, from: number, number: number): FoundUnit | undefined {
  const { value = null } = question.tokens[number] ?? {};
  if (value === null || value < 1 || (value >= 1900 && value <= 2100) || question.is(number - 1, 'numbering')) return undefined;
  for (let i = from; i < from + COUNTED_REACH && question.isFree(i); i++) {
    if (!/^[\s-]*$/.test(question.textAfter(i - 1)) || question.isCapital(i) || question.is(i, 'prepositions')) return undefined;
    const to = i + Math.max(1, phraseLength(question.stems, i));
    const word = question.word(to - 1);
    if (/[a-z]{2}s$/.test(word) && !/(?:ss|us|is)$/.test(word) && isNeeded(word))
      return { unit: unitNamed(question.words(i, to)), from: i, to };
  }
  return undefined;
}

/** The filters of an amount, which include their bounds; undefined if no measurement of a record holds it. */
export function filtersOf({ amount, unit, measurement }: AmountRead): Record<string, string> | undefined {
  if (!measurement) return undefined;
  const { step = 0, each = 1 } = unit;
  const { minOpen, maxOpen } = amount;
  const [min, max] = [amount.min, amount.max].map((bound) => (bound === null ? null : Number((bound * each).toPrecision(7)))) as [
    number | null,
    number | null,
  ];
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
  const concepts = measurement && unit.called === measurement ? [{ text, phrases: [...unit.naming] }] : [];
  return { text, match: { ...EMPTY_RULE, amounts: [amount], concepts } };
}
