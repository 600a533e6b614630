/**
 * The understanding of a question from a proposal (of a language model): stretches of its words as filters and criteria. Words that the proposal
 * omits or misreads are read by the built-in rules, so that no part of the question is lost. Pure.
 */

import { cutText } from '../../core/domain/storableText.ts';
import { readAmount } from './question/amounts.ts';
import { criterionOfPhrases } from './question/criterion.ts';
import { QuestionWords } from './question/questionWords.ts';
import { readCriterion } from './question/readRest.ts';
import { readRelations } from './question/relations.ts';
import { stemsOf } from './question/tokens.ts';
import type { Criterion, Exclusion, FilterReading, Understanding } from './question/types.ts';
import { QUESTION_CHARACTERS_MAX, readRemainingCriteria } from './question/understand.ts';
import { isNegating } from './question/words.ts';

/** A stretch of words of a question, by the numbers of its first and last word. */
export interface Stretch {
  start: number;
  end: number;
}

export interface ProposedFilters extends Stretch {
  filters: Record<string, string | string[]>;
  orInText: FilterReading['orInText'];
}

/** A criterion by its words, with what a language model says of it. */
interface ProposedCriterion extends Stretch {
  asks: string;
  wordings: string[];
}

interface Proposal {
  filters: readonly ProposedFilters[];
  criteria: readonly ProposedCriterion[];
  /** words for what a record must not be */
  exclusions: readonly (Stretch & { asks: string })[];
  /** words that ask nothing */
  idle: readonly Stretch[];
}

/** Words before a status or a use that may negate it. */
const NEGATION_REACH = 3;
/** Words behind a criterion that may belong to it. */
const MISCOUNTED_MAX = 2;
/** Words between `not` and a place or a date. */
const JOINING = new Set('in of at the a an any near from within on by since after before'.split(' '));

/** The words of a question by their numbers. */
export const wordsOf = (query: string): string[] => {
  const { text, tokens } = new QuestionWords(cutText(query, QUESTION_CHARACTERS_MAX));
  return tokens.map(({ start, end }) => text.slice(start, end));
};

/** @param refuse called with each stretch that is left to the built-in rules */
export function toUnderstanding(query: string, proposal: Proposal, refuse: (text: string) => void): Understanding {
  const { filters, criteria, exclusions, idle } = proposal;
  const question = new QuestionWords(cutText(query, QUESTION_CHARACTERS_MAX));
  const found: Criterion[] = [];
  for (const { start, end, filters: parameters, orInText } of joinByStretch(filters)) {
    const to = end + 1;
    if (!question.isFree(start, to)) continue;
    const isDenied = isNegated(question, start, to, orInText);
    const denied = isDenied && orInText !== 'never' ? deniedCriterion(question, start, to) : undefined;
    if (denied) found.push(denied);
    const isTaken =
      !isDenied &&
      isMeasured(question, start, to, parameters) &&
      question.readAsFilters(start, to, parameters, orInText, criterionOf(question, start, to));
    if (!isTaken) refuse(question.slice(start, to));
  }
  const claimed = new Set([...filters, ...criteria, ...exclusions, ...idle].flatMap(numbersOf));
  for (const { start, end: stated, asks, wordings } of criteria) {
    const end = findEnd(question, stated, asks, claimed);
    const to = end + 1;
    if (!question.isFree(start, to)) continue;
    // `did not object`: the words behind the denial are denied.
    const from = lastDenial(question, start, to) + 1;
    const negated = from > start || isNegating(question.word(start - 1));
    if (from >= to) continue;
    const criterion = criterionOf(question, from, to, negated);
    // The denial stays in the text, so that the criterion is understood on its own.
    const first = negated && from === start ? start - 1 : start;
    found.push({ ...criterion, text: question.slice(first, to), asks, wordings });
    question.take(first, to);
  }
  const excluded = exclusions.flatMap(({ start, end, asks }): Exclusion[] => {
    if (!question.isFree(start, end + 1)) return [];
    question.take(start, end + 1);
    return [{ text: question.slice(start, end + 1), asks }];
  });
  for (const { start, end } of idle) for (let i = start; i <= end; i++) if (asksNothing(question, i)) question.take(i, i + 1);
  return {
    filters: question.filters,
    criteria: [...found, ...readRemainingCriteria(question, found.length > 0)],
    readings: question.readings,
    question: question.text,
    exclusions: excluded,
  };
}

/** Filters that name the same words say one thing together: `in 2024` is a first and a last day. */
function joinByStretch(filters: readonly ProposedFilters[]): ProposedFilters[] {
  const joined: ProposedFilters[] = [];
  for (const one of filters) {
    const same = joined.find(({ start, end, orInText }) => start === one.start && end === one.end && orInText === one.orInText);
    if (same) same.filters = { ...one.filters, ...same.filters };
    else joined.push({ ...one });
  }
  return joined;
}

const numbersOf = ({ start, end }: Stretch): number[] => Array.from({ length: end - start + 1 }, (_, i) => start + i);

/** The last word of a criterion: a model miscounts words, so what follows belongs to it if its own statement says the same. */
function findEnd(question: QuestionWords, end: number, asks: string, claimed: ReadonlySet<number>): number {
  const said = new Set(stemsOf(asks));
  const belongs = (at: number) => question.isFree(at) && !claimed.has(at) && said.has(question.stems[at] as string);
  let last = end;
  while (last < end + MISCOUNTED_MAX && belongs(last + 1)) last++;
  return last;
}

/** Whether a word may be left out: numbers, denials and names always count. */
const asksNothing = (question: QuestionWords, at: number) =>
  question.isFree(at) && question.tokens[at]?.value === null && !isNegating(question.word(at)) && (at === 0 || !question.isCapital(at));

/** A filter that the question denies becomes a criterion with its denial: `was not let through`. */
function deniedCriterion(question: QuestionWords, start: number, to: number): Criterion | undefined {
  const denial = lastDenial(question, Math.max(0, start - NEGATION_REACH), to);
  const first = Math.min(start, denial);
  const object = denial < start ? start : denial + 1;
  if (object >= to || !question.isFree(first, to)) return undefined;
  const { match } = criterionOf(question, object, to, true);
  question.take(first, to);
  return { text: question.slice(first, to), match: { ...match, negated: true } };
}

/** The last word of a stretch that denies what follows; the one before the stretch if none does. */
function lastDenial(question: QuestionWords, start: number, to: number): number {
  for (let i = to - 1; i >= start; i--) if (isNegating(question.word(i))) return i;
  return start - 1;
}

const negates = (question: QuestionWords, from: number, to: number): boolean => lastDenial(question, from, to) >= from;

/** `not approved`, `outside the county` and `not in Texas` are no filters. */
function isNegated(question: QuestionWords, start: number, to: number, orInText: FilterReading['orInText']): boolean {
  if (orInText !== 'never') return negates(question, Math.max(0, start - NEGATION_REACH), to);
  let before = start - 1;
  while (before > 0 && JOINING.has(question.word(before))) before--;
  return question.word(before) === 'outside' || isNegating(question.word(before)) || negates(question, start, to);
}

/** Whether the words name the number of each bound: `over 40` is 41 or more. */
function isMeasured(question: QuestionWords, from: number, to: number, parameters: ProposedFilters['filters']): boolean {
  const named = question.tokens.slice(from, to).flatMap(({ value }) => (value === null ? [] : [value]));
  return Object.entries(parameters).every(
    ([name, value]) => !/(?:Min|Max)$/.test(name) || named.some((number) => Math.abs(number - Number(value)) <= Math.max(1, number * 0.1)),
  );
}

function criterionOf(question: QuestionWords, from: number, to: number, negated = false): Criterion {
  const text = question.slice(from, to);
  const reads = Array.from({ length: to - from }, (_, i) => readAmount(question, from + i) ?? []).flat();
  const [first] = reads.filter((read) => read.from >= from && read.to <= to);
  const [relation] = negated ? [] : readRelations(new QuestionWords(text));
  const criterion = relation ?? readCriterion(question, from, to, { negated, reads: first ? [first] : [] });
  return criterion ? { ...criterion, text } : criterionOfPhrases(text, [text]);
}
