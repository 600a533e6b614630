/**
 * Reads the words that no other reader knows: criteria to be confirmed in text.
 *
 *     rest    ::= stretch {break stretch}
 *     break   ::= a word that is read already | "and" | "that" | "near" | … | one of , ; : ? ! ( except the comma of a list that ends with "or"
 *     stretch ::= [denial] {amount | vote | thing}
 *     thing   ::= concept {("," | "or") concept}
 *     concept ::= code | phrase of the thesaurus | capitals in a row | word
 */

import { type AmountRead, criterionOfAmount } from './amounts.ts';
import { splitByUse } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { isUse, phraseLength, synonymsOf } from './thesaurus.ts';
import type { Concept, Criterion } from './types.ts';
import { readVoteAsked } from './votes.ts';
import { isContent, isNegating, isPlain, isPlainPhrase, type WordSpan } from './words.ts';

/** A list of a few words each that ends with `or`, behind its first comma: `shops, a restaurant or a daycare`. */
const LISTED = /^\s*,(?!\s+not\b)(?:\s+[^\s,;:?!(]+){0,3}(?:,(?:\s+[^\s,;:?!(]+){1,3})*,?\s+or\s/;
/** Criteria of the words that are not understood yet, each a stretch of the question. */
export function readRest(question: QuestionWords, inText: readonly AmountRead[], keepsPlain = false): Criterion[] {
  const criteria = readStories(question, inText);
  let start = 0;
  let denial: number | undefined;
  const close = (end: number, next: number, nextDenial?: number) => {
    const negated = denial !== undefined;
    const criterion = readCriterion(question, start, end, { reads: inText, negated, keepsPlain: keepsPlain || negated });
    if (criterion && denial !== undefined) criteria.push({ ...criterion, text: deniedText(question, denial, end, criterion.text) });
    else if (criterion) criteria.push(...splitByUse(criterion));
    [start, denial] = [next, nextDenial];
  };
  const isInAmount = (i: number) => inText.some(({ from, to }) => i >= from && i < to);
  // `consumption on the premises` is one thing.
  const phrases = phraseTokens(question);
  for (let i = 0; i < question.tokens.length; i++) {
    const word = question.word(i);
    if (!question.isFree(i)) close(i, i + 1);
    else if (!isInAmount(i)) {
      // `no boat except in an emergency`: an exception to a denial is not denied.
      if (isNegating(word)) close(i, i + 1, denial !== undefined && question.is(i, 'excepting') ? undefined : i);
      else if (question.is(i, 'instead')) close(i, i + 2, i);
      else if (question.is(i, 'breaks') && !phrases.has(i) && !joinsNames(question, i))
        close(i, i + 1, word === 'and' ? denial : undefined);
    }
    if (question.isFree(i) && /[,;:?!(]|\.\s/.test(question.textAfter(i)) && !isListed(question, i)) close(i + 1, i + 1);
  }
  close(question.tokens.length, question.tokens.length);
  return [...new Map(criteria.map((criterion) => [criterion.text.toLowerCase(), criterion])).values()];
}

/** Whether the comma behind a token is one of a list that ends with `or`. */
export const isListed = (question: QuestionWords, at: number): boolean => LISTED.test(question.text.slice(question.tokens[at]?.end));

/** What is denied from its denial on; a verb is nothing without its particle: `not let through`. */
function deniedText(question: QuestionWords, denial: number, end: number, text: string): string {
  const said = question.slice(denial, end);
  return question.is(end - 1, 'particles') ? said : said.slice(0, said.lastIndexOf(text) + text.length);
}

/** `two-floor` describes the building: it may be said elsewhere than what else is asked of it. */
function readStories(question: QuestionWords, inText: readonly AmountRead[]): Criterion[] {
  const reads = inText.filter(
    ({ from, to, amount }) => amount.unit === 'stories' && question.isFree(from, to) && !isNegating(question.word(from - 1)),
  );
  return reads.map((read) => {
    const { from, to } = read;
    question.take(from, to);
    return criterionOfAmount(question.slice(from, to), read);
  });
}

/** Whether `and` joins two names, as in `Jaeckle and Haley`: capitals on both sides, neither the first word. */
const joinsNames = (question: QuestionWords, at: number): boolean =>
  question.word(at) === 'and' && at > 1 && [at - 1, at + 1].every((i) => question.isCapital(i) && question.isFree(i));

/** Tokens of multi-word phrases of the thesaurus. */
function phraseTokens({ stems }: QuestionWords): ReadonlySet<number> {
  const lengths = stems.map((_, i) => phraseLength(stems, i));
  return new Set(lengths.flatMap((length, i) => (length > 1 ? Array.from({ length }, (_, k) => i + k) : [])));
}

/** Words that ask for a vote. */
const OF_VOTES = /^(?:or$|vot|unanimou|split|divid|\d+$|carry|pass|margin|nay|dissent|oppos|against|no$)/;

/** `drainage or traffic` is one concept with the phrases of both. */
const joinAlternatives = (a: Concept, b: Concept): Concept => ({
  text: `${a.text} or ${b.text}`,
  phrases: [...new Set([...a.phrases, ...b.phrases])],
  ...(a.isUse && b.isUse ? { isUse: true } : {}),
});

interface Found extends WordSpan {
  concept: Concept;
  /** a text need not contain it */
  isPlain: boolean;
}

/** Concepts of the tokens that are usable, by the longest phrases of the thesaurus first. */
function findConcepts(question: QuestionWords, from: number, to: number, isUsable: (token: number) => boolean): Found[] {
  const stems = question.stems.slice(0, to).map((stem, i) => (isUsable(i) ? stem : '\0'));
  const found: Found[] = [];
  for (let i = from; i < to; i++) {
    const length = Math.max(phraseLength(stems, i), codeLength(question, i, to, isUsable), nameLength(question, i, to, isUsable), 1);
    if (!isUsable(i) || (length < 2 && (!isContent(question.word(i)) || isAnyProject(question, i)))) continue;
    const text = question.slice(i, i + length);
    if (length > 1 && isPlainPhrase(stems.slice(i, i + length))) {
      i += length - 1;
      continue;
    }
    const plain = length < 2 && isPlain(question.word(i));
    const concept = { text, phrases: synonymsOf(text), ...(isUse(text) ? { isUse: true } : {}) };
    found.push({ concept, from: i, to: i + length, isPlain: plain });
    i += length - 1;
  }
  return found;
}

/** `jobs in Texas`, `tenant improvement jobs`, not `it would bring jobs` */
const isAnyProject = (question: QuestionWords, at: number) =>
  /^jobs?$/.test(question.word(at)) &&
  (at === 0 || !question.isFree(at - 1) || /^(?:all|any|every|which|what|me|find|show|list)$/.test(question.word(at - 1)));

/** How many tokens from `at` on are one code without a space: `R-3`, `MUDD-O`, `40B`, `17SN0588`; 0 if none is. */
function codeLength(question: QuestionWords, at: number, end: number, isUsable: (token: number) => boolean): number {
  let to = at + 1;
  while (to < end && isUsable(to) && /^[-(/.=:]?$/.test(question.textAfter(to - 1))) to++;
  const code = question.slice(at, to);
  return to > at + 1 && /\d/.test(code) && /[A-Z\d][^A-Za-z\s]?[A-Z\d]/.test(code) ? to - at : 0;
}

/** How many tokens from `at` on are one proper name: capitals with nothing but a space or a sign between them, up to one with content; 0 for one alone. */
function nameLength(question: QuestionWords, at: number, end: number, isUsable: (token: number) => boolean): number {
  let to = at;
  while (to < end && isUsable(to) && question.isCapital(to) && (to === at || /^[ .'&-]{1,3}$/.test(question.textAfter(to - 1)))) to++;
  while (to > at && !isContent(question.word(to - 1))) to--;
  return to > at + 1 && isContent(question.word(at)) ? to - at : 0;
}

/** The separator between two neighbours: `or` or a comma, articles aside; undefined for anything else. */
function separatorBetween(question: QuestionWords, before: Found, next: Found): 'or' | ',' | undefined {
  const words = question.tokens.slice(before.to, next.from).flatMap(({ word }) => (/^(?:a|an|the)$/.test(word) ? [] : [word]));
  if (words.length === 1 && words[0] === 'or') return 'or';
  return !words.length && /^\s*,\s/.test(question.textAfter(before.to - 1)) ? ',' : undefined;
}

/** Joins neighbours with `or` between them, and those before them in a list: `shops, a restaurant or a daycare`. */
function joinNeighbours(question: QuestionWords, kept: readonly Found[]): Concept[] {
  const concepts: Concept[] = [];
  let isLinked = false;
  for (const [i, one] of [...kept.entries()].reverse()) {
    const [next, behind] = [concepts[0], kept[i + 1]];
    const separator = behind && separatorBetween(question, one, behind);
    isLinked = separator === 'or' || (separator === ',' && isLinked);
    if (next && isLinked) concepts[0] = joinAlternatives(one.concept, next);
    else concepts.unshift(one.concept);
  }
  return concepts;
}

interface Asked {
  /** amounts of the question: those between the two tokens count */
  reads?: readonly AmountRead[];
  negated?: boolean;
  /** whether plain words are searched for if there are no others, or always */
  keepsPlain?: boolean | 'always';
}

/** The criterion of the words between two tokens, without what has no content at its ends; undefined if nothing has. */
export function readCriterion(question: QuestionWords, from: number, to: number, asked: Asked = {}): Criterion | undefined {
  const { negated = false, keepsPlain = true } = asked;
  const reads = (asked.reads ?? []).filter((read) => read.from >= from && read.to <= to);
  const amounts = reads.map(({ amount }) => amount);
  const isCounted = (i: number) => reads.some((read) => (i >= read.from && i <= read.last) || (i >= read.unitFrom && i < read.to));
  const vote = from < to ? readVoteAsked(question.slice(from, to)) : null;
  const isVote = (i: number) => vote !== null && OF_VOTES.test(question.stems[i] ?? '');
  const found = findConcepts(question, from, to, (i) => !isCounted(i) && !isVote(i));
  const needed = found.filter((one) => !one.isPlain);
  const concepts = joinNeighbours(
    question,
    keepsPlain !== 'always' && (needed.length || !keepsPlain || amounts.length || vote) ? needed : found,
  );
  if (!concepts.length && !amounts.length && !vote) return undefined;
  const isSaid = (i: number) =>
    isCounted(i) || (isVote(i) && isContent(question.word(i))) || found.some((one) => i >= one.from && i < one.to);
  const said = question.tokens.flatMap((_, i) => (i >= from && i < to && isSaid(i) ? [i] : []));
  const isOfUses = !negated && !amounts.length && !vote && concepts.every((one) => one.isUse);
  return {
    text: question.slice(said[0] ?? from, (said.at(-1) ?? to - 1) + 1),
    match: { concepts, amounts, negated, vote, ...(isOfUses ? { isUse: true } : {}) },
  };
}
