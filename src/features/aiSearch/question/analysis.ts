/** The analysis of a text, made once for all criteria: tokens, sentences, denials, and positions of phrases. Linear in the length of the text. */

import { findDeniedTokens } from './negation.ts';
import { type SentenceSpan, splitSentences } from './sentences.ts';
import { stemsOf, type Token, tokensOf } from './tokens.ts';
import type { Criterion, SourceText } from './types.ts';
import { unitNamed } from './units.ts';
import { listStems } from './words.ts';

/** Words implied by the name of a field: `Denial` in `staffRecommendation` is recommended by staff. */
export const IMPLIED_STEMS: Readonly<Record<string, readonly string[]>> = {
  staffRecommendation: stemsOf('staff recommended recommendation recommends'),
  conditionsOfApproval: stemsOf('condition conditions approval approved'),
  parties: stemsOf('applicant developer'),
  existingZoning: stemsOf('existing zoning zoned from'),
  proposedZoning: stemsOf('proposed zoning zoned to'),
};

/** Phrases of a concept without the words that the name of a field implies; none if one has no others. */
export function openPhrases({ field = '' }: SourceText, phrases: readonly (readonly string[])[]): (readonly string[])[] {
  const implied = IMPLIED_STEMS[field] ?? [];
  const open = phrases.map((stems) => stems.filter((stem) => !implied.includes(stem)));
  return open.every((stems) => stems.length) ? open : [];
}

export interface Analysis {
  source: SourceText;
  text: string;
  tokens: Token[];
  sentences: SentenceSpan[];
  /** first token of each sentence, and the number of tokens at the end */
  firstToken: number[];
  sentenceOf: Int32Array;
  /** positions of each stem, as indices of tokens */
  positions: Map<string, number[]>;
  denied: Map<number, ReadonlySet<number>>;
  /** where the text has a name of its record, of more than one word */
  names: readonly SentenceSpan[];
}

/** @param names of the record, its parties and its place */
export function analyseText(source: SourceText, text: string, names: readonly string[] = []): Analysis {
  const tokens = tokensOf(text);
  const sentences = source.source === 'field' && text.length < 300 ? [{ start: 0, end: text.length }] : splitSentences(text);
  const sentenceOf = new Int32Array(tokens.length);
  const firstToken: number[] = [];
  const positions = new Map<string, number[]>();
  let current = 0;
  for (const [i, token] of tokens.entries()) {
    while (current < sentences.length - 1 && token.start >= (sentences[current + 1] as SentenceSpan).start) current++;
    while (firstToken.length <= current) firstToken.push(i);
    sentenceOf[i] = current;
    const at = positions.get(token.stem);
    if (at) at.push(i);
    else positions.set(token.stem, [i]);
  }
  while (firstToken.length <= sentences.length) firstToken.push(tokens.length);
  return {
    source,
    text,
    tokens,
    sentences,
    firstToken,
    sentenceOf,
    positions,
    denied: new Map(),
    names: names.flatMap((name) => findName(text, name)),
  };
}

function findName(text: string, name: string): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  if (!/\S\s+\S/.test(name)) return spans;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) spans.push({ start: at, end: at + name.length });
  return spans;
}

export function deniedTokensOf(analysis: Analysis, sentence: number): ReadonlySet<number> {
  const { denied, tokens, firstToken, text } = analysis;
  const [from, to] = [firstToken[sentence] as number, firstToken[sentence + 1] as number];
  const made = denied.get(sentence) ?? findDeniedTokens(tokens, from, to, text);
  denied.set(sentence, made);
  return made;
}

/** An occurrence of a concept: its first token, and the one behind its last. */
export interface Hit {
  from: number;
  to: number;
}

interface Compiled {
  /** phrases of each concept by stems */
  concepts: (readonly string[])[][];
  /** for each concept whether it is a name; only then may the name of a record or a party confirm it */
  areNames: boolean[];
  /** for each concept and each unit the beginnings of the words of its phrases: a text without them is skipped */
  needles: string[][][];
}

/** The beginning that all forms of a word share, if it is shorter than the stem. */
const BEGINNINGS: Readonly<Record<string, string>> = { foot: 'f', person: 'pe', be: '' };
/** Units that a text may write as a sign. */
const MARKED = new Set(['percent', 'dollars', 'feet']);

function needleOf(stem: string): string {
  if (/^\d/.test(stem)) return stem.slice(0, 1);
  // `deny` may appear as `denied`.
  return BEGINNINGS[stem] ?? stem.slice(0, stem.length > 4 || stem.endsWith('y') ? -1 : undefined);
}

const compiled = new WeakMap<Criterion, Compiled>();

export function compileCriterion(criterion: Criterion): Compiled {
  const known = compiled.get(criterion);
  if (known) return known;
  const { concepts: asked, amounts } = criterion.match;
  const concepts = asked.map(({ phrases }) => phrases.map(stemsOf).filter((stems) => stems.length));
  const units = amounts.flatMap(({ unit }) => (MARKED.has(unit) ? [] : [unitNamed(unit).phrases]));
  const made = {
    concepts,
    areNames: asked.map(({ text, isUse }) => !isUse && /^(?:\p{Lu}|\d)/u.test(text)),
    needles: [...concepts, ...units].map((phrases) => phrases.map((stems) => stems.map(needleOf))),
  };
  compiled.set(criterion, made);
  return made;
}

export function findHits(phrases: readonly (readonly string[])[], analysis: Analysis): Hit[] {
  const { positions, tokens } = analysis;
  const hits: Hit[] = phrases.flatMap((phrase, i) => findLooseHits(phrase, analysis, i ? SYNONYM_LOOSE_WORDS : LOOSE_WORDS));
  for (const stems of phrases)
    for (const from of positions.get(stems[0] as string) ?? [])
      if (stems.every((stem, offset) => tokens[from + offset]?.stem === stem)) hits.push({ from, to: from + stems.length });
  return hits.sort((a, b) => a.from - b.from || b.to - a.to);
}

const SMALL = listStems('small');
/** Other words allowed between the words of a phrase. */
const LOOSE_WORDS = 3;
/** The same for synonyms. */
const SYNONYM_LOOSE_WORDS = 1;

/** Occurrences of the words of a phrase near each other in a sentence, in any order: `dedicate ten feet of right-of-way`. */
function findLooseHits(phrase: readonly string[], { positions, tokens, sentenceOf }: Analysis, looseWords: number): Hit[] {
  const content = phrase.filter((stem) => !SMALL.has(stem));
  // A number counts with words only: numbers alone are near each other anywhere.
  if (content.filter((stem) => !/^\d/.test(stem)).length < 2 || content.length < phrase.length - 2) return [];
  const [rarest = []] = content.map((stem) => positions.get(stem) ?? []).sort((a, b) => a.length - b.length);
  if (!rarest.length) return [];
  const reach = phrase.length + looseWords;
  return rarest.slice(0, 50).flatMap((at) => {
    const near = content.map((stem) =>
      (positions.get(stem) ?? []).find((i) => Math.abs(i - at) <= reach && sentenceOf[i] === sentenceOf[at]),
    );
    if (near.some((i) => i === undefined)) return [];
    const places = near as number[];
    const [from, to] = [Math.min(...places), Math.max(...places) + 1];
    return to - from <= reach && tokens[from] ? [{ from, to }] : [];
  });
}
