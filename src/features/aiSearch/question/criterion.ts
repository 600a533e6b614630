/** Turns words of a question into a criterion. */
import { isContent, isPlain, isPlainPhrase } from './plainWords.ts';
import { isUse, phraseLength, synonymsOf } from './thesaurus.ts';
import { type Token, tokensOf } from './tokens.ts';
import type { Amount, Concept, Criterion, MatchRule, VoteAsked } from './types.ts';

const VOTE_COUNT = /\b(\d{1,2})\s?(?:-|–|\/|to)\s?(\d{1,2})\b/g;
/** `5-2`, `6-1 or 5-2` and nothing else. */
const VOTE_COUNTS_ALONE = /^\s*(?:\d{1,2}\s?(?:-|–|\/|to)\s?\d{1,2}(?:\s*,\s*or\s|\s*,|\s+or\s|\s*\/)?\s*)+$/;

/** The vote that a phrase asks for. */
function voteAsked(text: string): VoteAsked | null {
  if (/\b(?:dissenting|opposing|no) votes?\b|\bvot(?:ed|ing) (?:no|against)\b|\bnays?\b|\bdissent/i.test(text)) return { kind: 'split' };
  if (/\bunanimous/i.test(text)) return { kind: 'unanimous' };
  if (/\b(?:split|divided|non-?unanimous) (?:vote|decision)/i.test(text) || /\bvote was (?:split|divided)/i.test(text))
    return { kind: 'split' };
  const [first, ...or] = [...text.matchAll(VOTE_COUNT)].map(([, yes, no]) => ({ yes: Number(yes), no: Number(no) }));
  const isAsked = /\bvot|\bcarried\b|\bpassed\b|\bby (?:a )?\d/i.test(text) || VOTE_COUNTS_ALONE.test(text);
  return first && isAsked ? { kind: 'count', ...first, ...(or.length ? { or } : {}) } : null;
}

const concept = (text: string): Concept => ({ text, phrases: synonymsOf(text), ...(isUse(text) ? { isUse: true } : {}) });

/** `drainage or traffic` is one concept with the phrases of both. */
const either = (a: Concept, b: Concept): Concept => ({
  text: `${a.text} or ${b.text}`,
  phrases: [...new Set([...a.phrases, ...b.phrases])],
  ...(a.isUse && b.isUse ? { isUse: true } : {}),
});

/** How many tokens from `at` on are one code without a space: `R-3`, `MUDD-O`, `40B`, `17SN0588`; 0 where none is. */
function codeLength(text: string, tokens: readonly Token[], at: number, usable: (index: number) => boolean): number {
  let to = at + 1;
  while (to < tokens.length && usable(to) && /^[-(/.=:]?$/.test(text.slice(tokens[to - 1]?.end, tokens[to]?.start))) to++;
  const code = text.slice(tokens[at]?.start, tokens[to - 1]?.end);
  return to > at + 1 && /\d/.test(code) && /[A-Z\d][^A-Za-z\s]?[A-Z\d]/.test(code) ? to - at : 0;
}

interface Found {
  concept: Concept;
  /** index of its first token, and the one behind its last */
  from: number;
  to: number;
  /** a text need not contain it */
  isPlain: boolean;
}

/** How many tokens from `at` on are one proper name: capitals with nothing but a space or a sign between them; 0 for one alone. */
function nameLength(text: string, tokens: readonly Token[], at: number, usable: (index: number) => boolean): number {
  let to = at;
  while (tokens[to] && usable(to) && /^\p{Lu}/u.test(text.slice(tokens[to]?.start))) {
    if (to > at && !/^[ .'&-]{1,3}$/.test(text.slice(tokens[to - 1]?.end, tokens[to]?.start))) break;
    to++;
  }
  return to > at + 1 ? to - at : 0;
}

/** Concepts of the tokens that are usable, by the longest phrases of the thesaurus first. */
function conceptsIn(text: string, tokens: readonly Token[], usable: (index: number) => boolean): Found[] {
  const stems = tokens.map(({ stem }, i) => (usable(i) ? stem : '\0'));
  const found: Found[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!usable(i)) continue;
    const token = tokens[i] as Token;
    const length = Math.max(phraseLength(stems, i), codeLength(text, tokens, i, usable), nameLength(text, tokens, i, usable), 1);
    if (length < 2 && !isContent(token.word)) continue;
    const words = text.slice(token.start, tokens[i + length - 1]?.end);
    const plain = length > 1 ? isPlainPhrase(stems.slice(i, i + length)) : isPlain(token.word, tokens[i + 1]?.word);
    found.push({ concept: concept(words), from: i, to: i + length, isPlain: plain });
    i += length - 1;
  }
  return found;
}

const ARTICLES = /^(?:a|an|the)$/;

/** The separator between two neighbours: `or` or a comma, articles aside; undefined for anything else. */
function separatorBetween(text: string, tokens: readonly Token[], before: Found, next: Found): 'or' | ',' | undefined {
  const words = tokens.slice(before.to, next.from).flatMap(({ word }) => (ARTICLES.test(word) ? [] : [word]));
  if (words.length === 1 && words[0] === 'or') return 'or';
  const isComma = /^\s*,\s/.test(text.slice(tokens[before.to - 1]?.end, tokens[before.to]?.start));
  return !words.length && isComma ? ',' : undefined;
}

/** Joins neighbours with `or` between them, and those before them in a list: `shops, a restaurant or a daycare`. */
function joined(kept: readonly Found[], text: string, tokens: readonly Token[]): Concept[] {
  const concepts: Concept[] = [];
  let link: ReturnType<typeof separatorBetween>;
  for (const [i, one] of [...kept.entries()].reverse()) {
    const [next, behind] = [concepts[0], kept[i + 1]];
    const here = behind && separatorBetween(text, tokens, one, behind);
    link = here === ',' && link !== 'or' ? undefined : here && 'or';
    if (next && link) concepts[0] = either(one.concept, next);
    else concepts.unshift(one.concept);
  }
  return concepts;
}

export interface Parts {
  amounts?: Amount[];
  negated?: boolean;
  /** whether a token belongs to something else already, by index */
  taken?: (index: number) => boolean;
  /** whether plain words are searched for if the phrase has no others */
  keepsPlain?: boolean;
}

/** The criterion of a phrase; undefined where it has no content. */
export function criterionFrom(text: string, parts: Parts = {}): Criterion | undefined {
  const { amounts = [], negated = false, taken = () => false, keepsPlain = true } = parts;
  const tokens = tokensOf(text);
  const vote = voteAsked(text);
  const isVote = (i: number) =>
    vote !== null && /^(?:or$|vot|unanimou|split|divid|\d+$|carry|pass|margin|nay|dissent|oppos|against|no$)/.test(tokens[i]?.stem ?? '');
  const found = conceptsIn(text, tokens, (i) => !taken(i) && !isVote(i));
  const needed = found.filter((one) => !one.isPlain);
  const concepts = joined(needed.length || !keepsPlain || amounts.length || vote ? needed : found, text, tokens);
  if (!concepts.length && !amounts.length && !vote) return undefined;
  const isOfUses = !negated && !amounts.length && !vote && concepts.every((one) => one.isUse);
  return { text, match: { concepts, amounts, negated, vote, ...(isOfUses ? { isUse: true } : {}) } };
}

/**
 * A criterion for each use that is asked: the title may name one, the description another. What else is asked together, or is denied, counted or voted
 * on, has to be said at once.
 */
export function thingsOf(criterion: Criterion): Criterion[] {
  const { concepts, amounts, negated, vote } = criterion.match;
  const uses = concepts.filter(({ isUse }) => isUse).length;
  if (negated || vote || amounts.length || concepts.length < 2 || uses < concepts.length - 1) return [criterion];
  const verbatim = (text: string) => (criterion.text.includes(text) ? text : criterion.text);
  return concepts.map((one) => ({
    text: verbatim(one.text),
    match: { ...EMPTY_RULE, concepts: [one], ...(one.isUse ? { isUse: true } : {}) },
  }));
}

/** A criterion that any of the phrases meets. @param text as in the question */
export const criterionOfPhrases = (text: string, phrases: readonly string[]): Criterion => ({
  text,
  match: {
    ...EMPTY_RULE,
    concepts: [{ text, phrases: [...new Set([text.toLowerCase(), ...phrases.flatMap(synonymsOf)])] }],
    ...(isUse(text) ? { isUse: true } : {}),
  },
});

export const EMPTY_RULE: MatchRule = { concepts: [], amounts: [], negated: false, vote: null };

/** A criterion that the text itself has to meet, word by word. */
export const literalCriterion = (text: string): Criterion => ({
  text,
  match: { ...EMPTY_RULE, concepts: [{ text, phrases: [text.toLowerCase()] }] },
});
