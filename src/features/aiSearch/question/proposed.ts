/**
 * The understanding of a question from a proposal (of a language model): stretches of its words as filters and criteria. Words that the proposal
 * omits or misreads are read by the built-in rules, so that no part of the question is lost. Pure.
 */
import { criterionFrom, criterionOfPhrases } from './criterion.ts';
import { QuestionWords } from './question.ts';
import { amountAt, criterionOfAmount } from './read/amounts.ts';
import type { Criterion, FilterReading, Understanding } from './types.ts';
import { isNegating, QUESTION_CHARACTERS_MAX, remainingCriteria } from './understand.ts';

/** A stretch of words of a question, by the numbers of its first and last word. */
export interface Stretch {
  start: number;
  end: number;
}

export interface ProposedFilters extends Stretch {
  filters: Record<string, string | string[]>;
  orInText: FilterReading['orInText'];
}

interface Proposal {
  filters: readonly ProposedFilters[];
  criteria: readonly Stretch[];
}

/** Words before a status or a use that may negate it. */
const NEGATION_REACH = 3;
/** Words between `not` and a place or a date. */
const JOINING = new Set('in of at the a an any near from within on by since after before'.split(' '));

/** The words of a question by their numbers. */
export const wordsOf = (query: string): string[] => {
  const { text, tokens } = new QuestionWords(query.slice(0, QUESTION_CHARACTERS_MAX));
  return tokens.map(({ start, end }) => text.slice(start, end));
};

/** @param refuse called with each stretch that is left to the built-in rules */
export function understandingFrom(query: string, { filters, criteria }: Proposal, refuse: (text: string) => void): Understanding {
  const question = new QuestionWords(query.slice(0, QUESTION_CHARACTERS_MAX));
  const found: Criterion[] = [];
  for (const { start, end, filters: parameters, orInText } of filters) {
    const to = end + 1;
    if (!question.isFree(start, to)) continue;
    const isDenied = isTurnedRound(question, start, to, orInText);
    const denied = isDenied && orInText !== 'never' ? deniedCriterion(question, start, to) : undefined;
    if (denied) found.push(denied);
    const isTaken =
      !isDenied &&
      isMeasured(question, start, to, parameters) &&
      question.read(start, to, parameters, orInText, criterionIn(question, start, to));
    if (!isTaken) refuse(question.slice(start, to));
  }
  for (const { start, end } of criteria) {
    const to = end + 1;
    if (!question.isFree(start, to)) continue;
    const from = start + Number(isNegating(question.word(start)));
    const negated = from > start || isNegating(question.word(start - 1));
    // A denial within a stretch begins another criterion.
    const criterion = from < to && !negates(question, from, to) ? criterionIn(question, from, to, negated) : undefined;
    if (!criterion) continue;
    // What denies it stays with it, so that whoever reads the criterion alone knows.
    const first = negated && from === start ? start - 1 : start;
    found.push({ ...criterion, text: question.slice(first, to) });
    question.take(first, to);
  }
  return { filters: question.filters, criteria: [...found, ...remainingCriteria(question, found.length > 0)], readings: question.readings };
}

/** A filter that the question denies becomes a criterion with its denial: `was not let through`. */
function deniedCriterion(question: QuestionWords, start: number, to: number): Criterion | undefined {
  let denial = to - 1;
  while (denial >= Math.max(0, start - NEGATION_REACH) && !isNegating(question.word(denial))) denial--;
  const first = Math.min(start, denial);
  const object = denial < start ? start : denial + 1;
  if (object >= to || !question.isFree(first, to)) return undefined;
  const text = question.slice(object, to);
  const { match } = criterionFrom(text, { negated: true }) ?? criterionOfPhrases(text, [text]);
  question.take(first, to);
  return { text: question.slice(first, to), match: { ...match, negated: true } };
}

function negates(question: QuestionWords, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isNegating(question.word(i))) return true;
  return false;
}

/** `not approved`, `outside the county` and `not in Texas` are no filters. */
function isTurnedRound(question: QuestionWords, start: number, to: number, orInText: FilterReading['orInText']): boolean {
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

function criterionIn(question: QuestionWords, from: number, to: number, negated = false): Criterion {
  const text = question.slice(from, to);
  for (let i = from; i < to; i++) {
    const read = amountAt(question, i);
    if (!read || read.from < from || read.to > to) continue;
    const isOfAmount = (token: number) => token + from >= read.from && token + from < read.to;
    const isAll = isOfAmount(0) && isOfAmount(to - from - 1);
    if (isAll) return criterionOfAmount(text, read.amount);
    return criterionFrom(text, { amounts: [read.amount], negated, taken: isOfAmount }) ?? criterionOfAmount(text, read.amount);
  }
  return criterionFrom(text, { negated }) ?? criterionOfPhrases(text, [text]);
}
