/**
 * The analysis of a text, made once for all criteria: its words, sentences, positions of phrases, what it denies, and what it only mentions. Linear in
 * the length of the text.
 *
 * Denied words are found by triggers before and after them, following NegEx (Chapman et al. 2001): a trigger reaches a few words, up to a word that
 * begins something new.
 *
 *     denial ::= "without" word{1,7} | "denied" word{1,3} | word{1,3} "was removed" | clause "shall be prohibited"
 */
import { unitNamed } from './amounts.ts';
import { type SentenceSpan, splitSentences } from './sentences.ts';
import { isUse } from './thesaurus.ts';
import { stemsOf, type Token } from './tokens.ts';
import type { Criterion, SourceText } from './types.ts';
import { isNeeded, listStems, TextWords, type WordSpan } from './words.ts';

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

/** Words for requests: a refusal denies the request rather than its subject. */
const PROCEDURE = listStems('procedure');
/** Lists that deny, how many words they reach, and on which side. `denied the drive-through`: a refusal reaches what it names, not what the refused request is about. */
const TRIGGERS = [
  { list: 'denyingBefore', reach: 7, direction: 1 },
  { list: 'refusing', reach: 3, direction: 1, isRefusal: true },
  { list: 'forbidding', reach: 30, direction: -1 },
  { list: 'denyingBehind', reach: 3, direction: -1 },
] as const;
const PUNCTUATION = /[;:.!?—]|--/;

/** Texts up to this length are about one thing: a text alone, or those of a record together. */
const OWN_CHARACTERS_MAX = 4000;
/** By what minutes ask for a use, instead of only naming it. */
const IS_ASKED =
  /\b(?:requests?|requested|requesting|propos\w*|applications?|applicants?|to (?:permit|allow|construct|build|operate|open|develop|convert|establish)|seeks?|seeking|intends?|wants?|would like|plans? to|designat\w*)\b/i;
/** Words behind a hit within which its name ends. */
const NAME_WORDS_MAX = 3;
/** Share of capitals from which a sentence is a title, whose capitals tell no name. */
const TITLE_SHARE = 0.6;

export class Analysis extends TextWords {
  readonly source: SourceText;
  readonly sentences: SentenceSpan[];
  readonly sentenceOf: Int32Array;
  /** positions of each stem, as indices of tokens */
  readonly positions = new Map<string, number[]>();
  /** first token of each sentence, and the number of tokens at the end */
  readonly #firstToken: number[] = [];
  readonly #denied = new Map<number, ReadonlySet<number>>();
  /** where the text has a name of its record, of more than one word */
  readonly #names: readonly SentenceSpan[];

  /** @param names of the record, its parties and its place */
  constructor(source: SourceText, text: string, names: readonly string[] = []) {
    super(text);
    this.source = source;
    this.sentences = source.source === 'field' && text.length < 300 ? [{ start: 0, end: text.length }] : splitSentences(text);
    this.sentenceOf = new Int32Array(this.tokens.length);
    this.#names = names.flatMap((name) => findName(text, name));
    let current = 0;
    for (const [i, { start, stem }] of this.tokens.entries()) {
      while (current < this.sentences.length - 1 && start >= (this.sentences[current + 1] as SentenceSpan).start) current++;
      while (this.#firstToken.length <= current) this.#firstToken.push(i);
      this.sentenceOf[i] = current;
      const at = this.positions.get(stem);
      if (at) at.push(i);
      else this.positions.set(stem, [i]);
    }
  }

  wordsOf(sentence: number): WordSpan {
    const { length } = this.tokens;
    return { from: this.#firstToken[sentence] ?? length, to: this.#firstToken[sentence + 1] ?? length };
  }

  deniedTokens(sentence: number): ReadonlySet<number> {
    const made = this.#denied.get(sentence) ?? this.#findDenied(this.wordsOf(sentence));
    this.#denied.set(sentence, made);
    return made;
  }

  #findDenied({ from, to }: WordSpan): ReadonlySet<number> {
    const denied = new Set<number>();
    const isProcedure = (at: number) => at < to && PROCEDURE.has(this.tokens[at]?.stem ?? '');
    for (let i = from; i < to; i++) {
      // `no boat except in an emergency`: an exception to a denial is not denied.
      if (this.phraseAt(i, 'noDenials', to) || (denied.size && this.is(i, 'excepting'))) continue;
      for (const { list, reach, direction, ...more } of TRIGGERS) {
        const length = this.phraseAt(i, list, to);
        const isBack = direction < 0;
        const start = isBack ? i - 1 : i + length;
        if (!length || ('isRefusal' in more && [0, 1, 2, 3].some((on) => isProcedure(start + on)))) continue;
        for (let at = start; at >= from && at < to && Math.abs(at - start) < reach; at += direction) {
          const isApart = isBack || at > start;
          const between = isApart ? this.textAfter(isBack ? at : at - 1) : '';
          if (isApart && this.is(at, 'stops')) break;
          // `no basement, 23 units`: something counted is not denied.
          if (PUNCTUATION.test(between) || (!isBack && this.tokens[at]?.value !== null && between.includes(','))) break;
          if (isBack && isProcedure(at)) break;
          denied.add(at);
        }
      }
    }
    return denied;
  }

  /** `Staff recommended denial`, `suggests that the item be continued`: a recommendation, not a decision. */
  isRecommended({ from }: WordSpan): boolean {
    const { from: start } = this.wordsOf(this.sentenceOf[from] as number);
    let before = from - 1;
    while (before >= start && this.is(before, 'recommendApart')) before -= 1;
    return before >= start && /^(?:recommend|suggest)/.test(this.word(before));
  }

  /** Whether minutes only mention a use: in a list of a long text, or anywhere if they have to ask for it (`the pastor of the church next door`). */
  isOnlyMentioned({ from }: WordSpan, hasToAsk: boolean): boolean {
    const isOfMinutes = this.source.source === 'rawText' || this.source.source === 'document';
    const { start, end } = this.sentences[this.sentenceOf[from] as number] as SentenceSpan;
    return isOfMinutes && (this.text.length > OWN_CHARACTERS_MAX || hasToAsk) && !IS_ASKED.test(this.text.slice(start, end));
  }

  /**
   * Whether a hit is part of a name: of the record's own, of a street or a company, or of capitals in a row that say more than itself: `Lone Oak View
   * Pipeline` is no view, `Temple Street` no temple.
   */
  isPartOfName({ from, to }: WordSpan): boolean {
    const { from: start, to: end } = this.wordsOf(this.sentenceOf[from] as number);
    const isCapital = (i: number) => /^[\p{Lu}\d]/u.test(this.slice(i, i + 1));
    const tells = ({ word, stem }: Token) => isNeeded(word) && !PROCEDURE.has(stem) && !isUse(word);
    /** whether words beside the hit tell something */
    const isTold = (first: number, last: number, isOf: (token: Token, at: number) => boolean) =>
      this.tokens.slice(first, last).some((token, i) => (i + first < from || i + first >= to) && isOf(token, i + first) && tells(token));
    const [hitStart, hitEnd] = [this.tokens[from]?.start ?? 0, this.tokens[to - 1]?.end ?? 0];
    const own = this.#names.find((name) => name.start <= hitStart && name.end >= hitEnd);
    if (own && isTold(start, end, (token) => token.start >= own.start && token.end <= own.end)) return true;
    const words = this.tokens.slice(start, end).flatMap(({ word }, i) => (word.length > 3 && /\p{L}/u.test(word) ? [start + i] : []));
    const isTitle = this.source.source === 'field' || words.filter(isCapital).length > words.length * TITLE_SHARE;
    const isJoined = (i: number) => /^(?:['’]s)?[ &-]{1,3}$/.test(this.textAfter(i));
    let [first, last] = [from, to];
    for (let i = from; i < to; i++) if (!isCapital(i)) return false;
    while (first > start && isCapital(first - 1) && isJoined(first - 1)) first--;
    while (last < end && isCapital(last) && isJoined(last - 1)) last++;
    for (let i = to; last > to && i < Math.min(last, to + NAME_WORDS_MAX); i++)
      if ((i === to && this.is(i, 'streets')) || (!isTitle && this.is(i, 'companies'))) return true;
    // The first word of a sentence has a capital of its own.
    return !isTitle && isTold(first, last, (_, i) => i > start);
  }
}

function findName(text: string, name: string): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  if (!/\S\s+\S/.test(name)) return spans;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) spans.push({ start: at, end: at + name.length });
  return spans;
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

/** `deny` may appear as `denied`. */
const needleOf = (stem: string) =>
  /^\d/.test(stem) ? stem.slice(0, 1) : (BEGINNINGS[stem] ?? stem.slice(0, stem.length > 4 || stem.endsWith('y') ? -1 : undefined));

const compiled = new WeakMap<Criterion, Compiled>();

export function compileCriterion(criterion: Criterion): Compiled {
  const known = compiled.get(criterion);
  if (known) return known;
  const { concepts: asked, amounts } = criterion.match;
  const concepts = asked.map(({ phrases }) => phrases.map(stemsOf).filter((stems) => stems.length));
  const units = amounts.flatMap(({ unit }) => (MARKED.has(unit) ? [] : [unitNamed(unit).phrases]));
  const made = {
    concepts,
    areNames: asked.map(({ text, isUse: isOfUse }) => !isOfUse && /^(?:\p{Lu}|\d)/u.test(text)),
    needles: [...concepts, ...units].map((phrases) => phrases.map((stems) => stems.map(needleOf))),
  };
  compiled.set(criterion, made);
  return made;
}

export function findHits(phrases: readonly (readonly string[])[], analysis: Analysis): WordSpan[] {
  const { positions, tokens } = analysis;
  const hits: WordSpan[] = phrases.flatMap((phrase, i) => findLooseHits(phrase, analysis, i ? SYNONYM_LOOSE_WORDS : LOOSE_WORDS));
  for (const stems of phrases)
    for (const from of positions.get(stems[0] as string) ?? [])
      if (stems.every((stem, offset) => tokens[from + offset]?.stem === stem)) hits.push({ from, to: from + stems.length });
  return hits.sort((a, b) => a.from - b.from || b.to - a.to);
}

const SMALL = listStems('small');
/** Other words allowed between the words of a phrase, and of a synonym. */
const [LOOSE_WORDS, SYNONYM_LOOSE_WORDS] = [3, 1] as const;

/** Occurrences of the words of a phrase near each other in a sentence, in any order: `dedicate ten feet of right-of-way`. */
function findLooseHits(phrase: readonly string[], { positions, tokens, sentenceOf }: Analysis, looseWords: number): WordSpan[] {
  const content = phrase.filter((stem) => !SMALL.has(stem));
  // A number counts with words only: numbers alone are near each other anywhere.
  if (content.filter((stem) => !/^\d/.test(stem)).length < 2 || content.length < phrase.length - 2) return [];
  const [rarest = []] = content.map((stem) => positions.get(stem) ?? []).sort((a, b) => a.length - b.length);
  const reach = phrase.length + looseWords;
  return rarest.slice(0, 50).flatMap((at) => {
    const isNear = (i: number) => Math.abs(i - at) <= reach && sentenceOf[i] === sentenceOf[at];
    const places = content.flatMap((stem) => (positions.get(stem) ?? []).find(isNear) ?? []);
    const [from, to] = [Math.min(...places), Math.max(...places) + 1];
    return places.length === content.length && to - from <= reach && tokens[from] ? [{ from, to }] : [];
  });
}
