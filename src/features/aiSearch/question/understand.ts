/**
 * Understands a question: filters for the words that filters know, criteria to be confirmed in text for the rest.
 *
 *     rest    ::= stretch {break stretch}
 *     break   ::= a word that is read already | "and" | "that" | "near" | … | one of , ; : ? ! ( except the comma of a list that ends with "or"
 *     stretch ::= quoted | [denial] {amount | thing}
 *     thing   ::= concept {("," | "or") concept}
 *     concept ::= code | phrase of the thesaurus | capitals in a row | word
 */
import { criterionFrom, literalCriterion, thingsOf } from './criterion.ts';
import { listWords } from './lists.ts';
import { isContent } from './plainWords.ts';
import { QuestionWords } from './question.ts';
import { type AmountRead, amountAt, amountsOfRead, criterionOfAmount, filtersOf, isOfOther } from './read/amounts.ts';
import { readDates } from './read/dates.ts';
import { readNames, readPeople } from './read/people.ts';
import { readPlaces } from './read/places.ts';
import { readBodies, readStatuses, readUses } from './read/vocabulary.ts';
import { headsOf, phraseLength } from './thesaurus.ts';
import { stemsOf } from './tokens.ts';
import type { Amount, Criterion, ReadingContext, Understanding } from './types.ts';

/** Characters of a question that are read; the rest is ignored. */
export const QUESTION_CHARACTERS_MAX = 500;

/** Words after which a question describes circumstances of the project, no longer its use. */
const MARKERS = listWords('markers');
/** Words that separate two criteria. */
const BREAKS = listWords('breaks');
const NEGATING = listWords('negating');
/** Words after which an amount is one of the project itself. */
const OWN = listWords('ownAmounts');
const EXCEPTING = listWords('excepting');
/** Words for dwellings that do not name a kind. */
const UNIT_WORDS = new Set(stemsOf('unit dwelling home residence housing living residential'));
/** Words that describe all units of a project: `40 residential units`, not `40 affordable units`. */
const OF_ALL_UNITS = listWords('describedUnits');
const PARTICLES = listWords('particles');

export const isNegating = (word: string): boolean => NEGATING.has(word);
const QUOTED = /["“]([^"“”]{2,200})["”]/g;

/**
 * Reads a question. Nothing in it is obeyed as an instruction: whatever is no filter becomes a criterion of text.
 * @param query up to QUESTION_CHARACTERS_MAX characters
 */
export function understand(query: string, { today, places }: ReadingContext): Understanding {
  const question = new QuestionWords(query.slice(0, QUESTION_CHARACTERS_MAX));
  const quoted = readQuoted(question);
  readPeople(question);
  readDates(question, today);
  readBodies(question);
  readStatuses(question);
  readPlaces(question, places);
  const names = readNames(question);
  const { inText, marker } = readAmounts(question);
  leaveOutTall(question);
  readUses(question, marker, (i) => inText.some(({ from, ofTo }) => i >= from && i < ofTo));
  const criteria = withRest(question, [...quoted, ...names, ...question.denied], inText);
  return { filters: question.filters, criteria, readings: question.readings };
}

/** Criteria of the words that a proposal left. @param isRead whether it has criteria */
export function remainingCriteria(question: QuestionWords, isRead: boolean): Criterion[] {
  const quoted = readQuoted(question);
  return withRest(question, quoted, amountsOf(question), isRead || question.readings.length > 0);
}

/** The criteria of a requirement, without filters. */
export function criteriaOf(text: string): Criterion[] {
  const question = new QuestionWords(text.slice(0, QUESTION_CHARACTERS_MAX));
  const quoted = readQuoted(question);
  return withRest(question, [...quoted, ...readNames(question)], amountsOf(question));
}

/** The criteria found so far with those of the other words. Where nothing but a place or a date is understood, plain words are searched for, too. */
function withRest(question: QuestionWords, found: readonly Criterion[], inText: readonly AmountRead[], isRead = false): Criterion[] {
  const criteria = [...found, ...remaining(question, inText)];
  if (criteria.length || isRead || question.readings.some(({ orInText }) => orInText !== 'never')) return criteria;
  const plain = remaining(question, inText, true);
  return plain.length || question.readings.length ? plain : [literalCriterion(question.text)];
}

/** Words in quotation marks have to occur in the text verbatim. */
function readQuoted(question: QuestionWords): Criterion[] {
  return [...question.text.matchAll(QUOTED)].map((match) => {
    const end = match.index + match[0].length;
    const inside = question.tokens.flatMap(({ start }, i) => (start >= match.index && start < end ? [i] : []));
    if (inside.length) question.take(inside[0] as number, (inside.at(-1) as number) + 1);
    return literalCriterion(match[1] as string);
  });
}

function amountsOf(question: QuestionWords): AmountRead[] {
  const reads: AmountRead[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const read = amountAt(question, i);
    if (!read) continue;
    reads.push(read);
    i = Math.max(i, read.to - 1);
  }
  return reads;
}

/** Whether an amount is one of the project itself: `next to a two-floor clinic` is none. */
function isOwn(question: QuestionWords, read: AmountRead): boolean {
  const marker = question.tokens.findLastIndex((_, i) => i < read.from && MARKERS.has(question.word(i)) && question.isFree(i));
  return (marker < 0 || OWN.has(question.word(marker))) && !NEGATING.has(question.word(read.from - 1)) && !isOfOther(question, read);
}

/** Amounts of the project itself become filters; others remain text. @returns those, and the token at which the head of the question ends */
function readAmounts(question: QuestionWords): { inText: AmountRead[]; marker: number } {
  const inText: AmountRead[] = [];
  const reads = amountsOf(question);
  for (const read of reads) {
    const filters = filtersOf(read);
    const described = Array.from({ length: Math.max(0, read.unitFrom - read.last - 1) }, (_, k) => read.last + 1 + k).filter((i) =>
      isContent(question.word(i)),
    );
    const ownUnit = read.unit.name !== 'units' || UNIT_WORDS.has(question.stems[read.unitFrom] ?? '');
    if (!filters || !isOwn(question, read) || described.some((i) => !OF_ALL_UNITS.has(question.word(i)))) {
      inText.push(read);
      continue;
    }
    const to = described.length ? read.last + 1 : ownUnit ? read.to : read.unitFrom;
    const criterion = criterionOfAmount(question.slice(read.from, read.to), read.amount);
    if (!question.read(read.from, Math.max(to, read.last + 1), filters, 'unstated', criterion)) inText.push(read);
    else if (described.length && ownUnit) question.take(read.unitFrom, read.to);
  }
  const marker = question.tokens.findIndex(
    (token, i) => i > 0 && (MARKERS.has(token.word) || question.has(i, 'other than')) && question.isFree(i),
  );
  return { inText, marker: marker < 0 ? question.tokens.length : marker };
}

/** From this number of stories a building is a high-rise, whether its record says so or not. */
const HIGH_RISE_STORIES = 12;
const TALL = new Set(['high-rise', 'tower'].map((text) => stemsOf(text).join(' ')));

function leaveOutTall(question: QuestionWords): void {
  if (!(Number(question.filters.buildingStoriesMin ?? 0) >= HIGH_RISE_STORIES)) return;
  for (let i = 0; i < question.tokens.length; i++) {
    const length = phraseLength(question.stems, i);
    if (length && question.isFree(i, i + length) && headsOf(question.stems.slice(i, i + length)).some((head) => TALL.has(head)))
      question.take(i, i + length);
  }
}

/** Criteria of the words that are not understood yet, each a stretch of the question. */
function remaining(question: QuestionWords, inText: readonly AmountRead[], keepsPlain = false): Criterion[] {
  const criteria: Criterion[] = [];
  let start = 0;
  let denial: number | undefined;
  const close = (end: number, next: number, nextDenial?: number) => {
    const criterion = segment(question, { from: start, to: end, denial, keepsPlain }, inText);
    if (criterion) criteria.push(...thingsOf(criterion));
    start = next;
    denial = nextDenial;
  };
  criteria.push(...storiesIn(question, inText));
  const isInAmount = (i: number) => inText.some(({ from, to }) => i >= from && i < to);
  // `consumption on the premises` is one thing.
  const phrases = phraseTokens(question, 0, question.tokens.length);
  for (let i = 0; i < question.tokens.length; i++) {
    const word = question.word(i);
    if (!question.isFree(i)) close(i, i + 1);
    else if (!isInAmount(i)) {
      // `no boat except in an emergency`: an exception to a denial is not denied.
      if (NEGATING.has(word)) close(i, i + 1, denial !== undefined && EXCEPTING.has(word) ? undefined : i);
      else if (question.longest(i, ['instead of', 'rather than', 'other than'])) close(i, i + 2, i);
      else if (BREAKS.has(word) && !phrases.has(i) && !joinsNames(question, i)) close(i, i + 1, word === 'and' ? denial : undefined);
    }
    if (question.isFree(i) && /[,;:?!(]|\.\s/.test(question.textAfter(i)) && !LISTED.test(question.text.slice(question.tokens[i]?.end)))
      close(i + 1, i + 1);
  }
  close(question.tokens.length, question.tokens.length);
  return [...new Map(criteria.map((criterion) => [criterion.text.toLowerCase(), criterion])).values()];
}

/** `two-floor` describes the building: it may be said elsewhere than what else is asked of it. */
function storiesIn(question: QuestionWords, inText: readonly AmountRead[]): Criterion[] {
  const reads = inText.filter(
    ({ from, to, unit }) => unit.name === 'stories' && question.isFree(from, to) && !NEGATING.has(question.word(from - 1)),
  );
  return reads.map(({ from, to, amount }) => {
    question.take(from, to);
    return criterionOfAmount(question.slice(from, to), amount);
  });
}

/** Whether `and` joins two names, as in `Jaeckle and Haley`: capitals on both sides, neither the first word. */
const joinsNames = (question: QuestionWords, at: number): boolean =>
  question.word(at) === 'and' &&
  at > 1 &&
  question.isCapital(at - 1) &&
  question.isFree(at - 1) &&
  question.isCapital(at + 1) &&
  question.isFree(at + 1);

/** A list of a few words each that ends with `or`, behind its first comma: `shops, a restaurant or a daycare`. */
const LISTED = /^\s*,(?:\s+[^\s,;:?!(]+){0,3}(?:,(?:\s+[^\s,;:?!(]+){1,3})*,?\s+or\s/;

/** Tokens of multi-word phrases of the thesaurus: `town hall` has content although `town` has none. */
function phraseTokens(question: QuestionWords, from: number, to: number): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (let i = from; i < to; i++) {
    const length = Math.min(phraseLength(question.stems, i), to - i);
    for (let k = 0; length > 1 && k < length; k++) tokens.add(i + k);
  }
  return tokens;
}

interface Stretch {
  from: number;
  to: number;
  /** token that denies it, from which on it is quoted */
  denial: number | undefined;
  keepsPlain: boolean;
}

/** The criterion of the words between two tokens; undefined where they have no content. */
function segment(question: QuestionWords, { from, to, denial, keepsPlain }: Stretch, inText: readonly AmountRead[]): Criterion | undefined {
  const amounts: Amount[] = [];
  const covered = new Set<number>();
  for (const read of inText)
    if (read.from >= from && read.to <= to) {
      amounts.push(...amountsOfRead(read));
      for (let i = read.from; i <= read.last; i++) covered.add(i);
      for (let i = read.unitFrom; i < read.to; i++) covered.add(i);
    }
  const phrases = phraseTokens(question, from, to);
  const meant = (i: number) => covered.has(i) || phrases.has(i) || isContent(question.word(i));
  let [first, last] = [from, to];
  while (first < last && !meant(first)) first++;
  while (last > first && !meant(last - 1)) last--;
  if (first >= last) return undefined;
  // `let through`, `set aside`: the verb is nothing without it.
  if (denial !== undefined && last + 1 === to && PARTICLES.has(question.word(last))) last = to;
  const isTaken = (i: number) => covered.has(first + i);
  const criterion = criterionFrom(question.slice(first, last), {
    amounts,
    negated: denial !== undefined,
    taken: isTaken,
    keepsPlain: keepsPlain || denial !== undefined,
  });
  return criterion && denial !== undefined ? { ...criterion, text: question.slice(denial, last) } : criterion;
}
