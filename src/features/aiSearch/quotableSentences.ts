/**
 * The sentences of a record that a language model may point at as proof, and whether a stretch of them can prove a criterion. The model does not
 * decide that: a sentence that the built-in rules find denied, instructing, or of another amount or vote proves nothing. Pure.
 */
import { cutText } from '../../core/domain/storableText.ts';
import { abbreviateStreets } from '../../core/domain/streetAddress.ts';
import { normalizeWords } from '../../core/domain/words.ts';
import { findAmounts, isCountedUnit, isWithinBounds } from './question/amounts.ts';
import { Analysis, compileCriterion, findHits, openPhrases } from './question/analysis.ts';
import { findPassages, NAMING, TEXT_CHARACTERS_MAX, WORTH_OF_SOURCE } from './question/confirm.ts';
import { contradictsRelation } from './question/relations.ts';
import { isInstruction, splitSentences } from './question/sentences.ts';
import { tokensOf } from './question/tokens.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceText } from './question/types.ts';
import { findVote, matchesVote } from './question/votes.ts';
import { isContent, isNegating, type WordSpan } from './question/words.ts';

/** The value of a field up to this length is one sentence. */
const FIELD_CHARACTERS_MAX = 300;
/** Most sentences in one quote, and most quotes of one criterion. */
const QUOTED_SENTENCES_MAX = 2;
const QUOTES_MAX = 4;
/** Sentences at the beginning of a record that are always shown: they say what it is. */
const FIRST_SENTENCES = 2;

/** A sentence, or the whole value of a short field: `text` is `source.text.slice(start, end)`. */
export interface QuotableSentence {
  source: SourceText;
  /** number of the text of the record, or passage of a document; a quote stays within one */
  passage: number;
  /** number of the sentence in its passage */
  place: number;
  start: number;
  end: number;
  text: string;
}

/** Sentences from this length on are shown once: summary, raw text and minutes often repeat each other. Shorter ones belong to their neighbours. */
const REPEATED_CHARACTERS_MIN = 30;

/** Values from this length on are shown once: titles are repeated in summaries, and addresses in titles. */
const VALUE_CHARACTERS_MIN = 20;

/** Every sentence of a record, and of the passages of its documents that are about its case; each once, where it stands first. */
export function quotableSentences({ texts, names }: RecordTexts): QuotableSentence[] {
  const seen = new Set<string>();
  const isNew = (words: string) => !seen.has(words) && seen.add(words).size > 0;
  const statements: QuotableSentence[] = [];
  const wholes = new Set<string>();
  let passages = 0;
  for (const source of texts) {
    // A text that says the same as one before it, its short sentences included.
    if (source.source !== 'field' && source.source !== 'document') {
      const whole = normalizeWords(source.text);
      if (wholes.has(whole)) continue;
      wholes.add(whole);
    }
    const whole = cutText(source.text, TEXT_CHARACTERS_MAX);
    const parts = findPassages({ ...source, text: whole }, names);
    for (const { start: from, text } of parts) {
      const isValue = source.source === 'field' && text.length < FIELD_CHARACTERS_MAX;
      const spans = isValue ? [{ start: 0, end: text.length }] : splitSentences(text);
      for (const [place, { start, end }] of spans.entries()) {
        const said = text.slice(start, end);
        const known = normalizeWords(said);
        // A value that a sentence holds is shown with it.
        const isLong = known.length >= VALUE_CHARACTERS_MIN || source.field === 'address';
        if (isValue && isLong && [...seen].some((other) => ` ${other} `.includes(` ${known} `))) continue;
        if ((said.length >= REPEATED_CHARACTERS_MIN || source.field === 'displayName') && !isNew(known)) continue;
        statements.push({ source, passage: passages, place, start: from + start, end: from + end, text: said });
      }
      passages += 1;
    }
  }
  return statements;
}

/** Whether any sentence addresses a machine that reads it. */
export const containInstructions = (statements: readonly QuotableSentence[]): boolean => statements.some(({ text }) => isInstruction(text));

/**
 * The sentences that may meet a criterion, with their neighbours and the beginning of the record, up to a number of characters: those that share
 * the most and the rarest words with a criterion and its wordings. In the order of the record.
 */
export function selectSentences(
  statements: readonly QuotableSentence[],
  criteria: readonly Criterion[],
  charactersMax: number,
): QuotableSentence[] {
  if (statements.reduce((sum, { text }) => sum + text.length, 0) <= charactersMax) return [...statements];
  const worth = worthOfSentences(statements, criteria);
  const order = statements.map((_, i) => i).sort((a, b) => (worth[b] as number) - (worth[a] as number) || a - b);
  const isNeighbour = (at: number, i: number) => statements[i]?.passage === statements[at]?.passage;
  const telling = order.filter((i) => (worth[i] as number) > 0).flatMap((i) => [i, ...[i - 1, i + 1].filter((at) => isNeighbour(i, at))]);
  const chosen = new Set<number>();
  let characters = 0;
  for (const i of [...[...statements.keys()].slice(0, FIRST_SENTENCES), ...telling, ...statements.keys()]) {
    const { length } = (statements[i] as QuotableSentence).text;
    if (chosen.has(i) || characters + length > charactersMax) continue;
    chosen.add(i);
    characters += length;
  }
  return statements.filter((_, i) => chosen.has(i));
}

/** For each sentence the summed weight of the words that it shares with a criterion; a word weighs more if fewer sentences have it. */
function worthOfSentences(statements: readonly QuotableSentence[], criteria: readonly Criterion[]): number[] {
  const asked = criteria.map(({ text, wordings = [], match }) => {
    const phrases = [text, ...wordings, ...match.concepts.flatMap((concept) => concept.phrases)];
    return new Set(phrases.flatMap((phrase) => tokensOf(phrase).flatMap(({ word, stem }) => (isContent(word) ? [stem] : []))));
  });
  const stems = statements.map(({ text }) => new Set(tokensOf(text).map(({ stem }) => stem)));
  const known = new Map<string, number>();
  const rarity = (stem: string) => {
    const worth = known.get(stem) ?? Math.log(1 + statements.length / stems.filter((own) => own.has(stem)).length);
    known.set(stem, worth);
    return worth;
  };
  return stems.map((own) =>
    Math.max(0, ...asked.map((wanted) => [...own].reduce((sum, stem) => sum + (wanted.has(stem) ? rarity(stem) : 0), 0))),
  );
}

/**
 * The quotes of stretches of neighbouring sentences that together prove a criterion; null if a stretch is none, or they cannot prove it.
 * @param stretches sentences that were shown, as somebody points at them
 */
export function evidenceOf(
  criterion: Criterion,
  stretches: readonly (readonly QuotableSentence[])[],
): { evidence: CriterionQuote[]; worth: number } | null {
  const quoted = stretches.slice(0, QUOTES_MAX).map(quotedFrom);
  const quotes = quoted.flatMap((quote) => quote ?? []);
  if (!quotes.length || quotes.length < quoted.length || !prove(criterion, quotes)) return null;
  return {
    evidence: quotes.map(({ text, source, documentId, field }) => ({
      criterion: criterion.text,
      quote: text,
      source,
      documentId,
      ...(field ? { field } : {}),
    })),
    worth: Math.min(...quotes.map(({ source }) => WORTH_OF_SOURCE[source])),
  };
}

/** The text from the first sentence to the last; undefined if they are not neighbours, or too many. */
function quotedFrom(stretch: readonly QuotableSentence[]): SourceText | undefined {
  const [first] = stretch;
  const last = stretch.at(-1);
  if (!first || !last || stretch.length > QUOTED_SENTENCES_MAX) return undefined;
  if (stretch.some(({ passage, place }, i) => passage !== first.passage || place !== first.place + i)) return undefined;
  const text = first.source.text.slice(first.start, last.end);
  return text.trim() ? { ...first.source, text } : undefined;
}

/**
 * Whether quotes can prove a criterion: they deny nothing that is asked, and have every number, the vote and the name. Whether their other words
 * meet the criterion is left to the model that points at them: a text may say the same without a word in common.
 */
function prove(criterion: Criterion, quotes: readonly SourceText[]): boolean {
  const { amounts, vote, negated } = criterion.match;
  const { concepts, areNames } = compileCriterion(criterion);
  const isName = areNames.every(Boolean);
  if (quotes.some(({ field }) => (NAMING.has(field ?? '') && !isName) || (field === 'address' && amounts.length))) return false;
  const analyses = quotes.map((source) => new Analysis(source, source.text));
  if (analyses.some(({ text }) => isInstruction(text))) return false;
  const { relation } = criterion.match;
  if (relation && analyses.some((analysis) => contradictsRelation(analysis, relation))) return false;
  const found = analyses.map((analysis) =>
    concepts.map((phrases) => ({ analysis, hits: findHits(openPhrases(analysis.source, phrases), analysis) })),
  );
  const ofConcepts = concepts.map((_, i) => found.flatMap((each) => each[i] ?? []).filter(({ hits }) => hits.length));
  if (isName && concepts.length && !ofConcepts.some((each) => each.length) && !isStreetNamed(criterion, quotes)) return false;
  const isDenied = ({ analysis, hits }: (typeof found)[number][number]) => hits.every((hit) => isHitDenied(analysis, hit) !== negated);
  if (!isDenialLeftToModel(criterion) && ofConcepts.some((each) => each.length > 0 && each.every(isDenied))) return false;
  if (vote && !analyses.some((analysis) => isVoteSaid(analysis, vote))) return false;
  return amounts
    .filter((asked) => !isCountInWords(criterion, asked))
    .every((asked) => analyses.some((analysis) => isAmountSaid(analysis, asked, negated) || isNumberSaid(analysis, asked)));
}

type Amount = Criterion['match']['amounts'][number];

/** A count up to this, in words, may be said without a number: `two units become one` of `unit 6501 and unit 6601`. */
const COUNT_IN_WORDS_MAX = 10;
const isCountInWords = ({ text }: Criterion, { min, max }: Amount) =>
  min === max && min !== null && min <= COUNT_IN_WORDS_MAX && !/\d/.test(text);

/** Whether a number that a text states is the one asked for, if what is counted may be called or written otherwise: `10,000LBS`. */
function isNumberSaid({ text }: Analysis, asked: Amount): boolean {
  const numbers = isCountedUnit(asked.unit) ? (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []) : [];
  return numbers.some((number) => isWithinBounds(Number(number.replaceAll(',', '')), asked));
}

/** Whether a quote names a street, or what else is asked by its name, with other abbreviations. */
const isStreetNamed = ({ match }: Criterion, quotes: readonly SourceText[]): boolean =>
  match.concepts.every(({ text: name }) =>
    quotes.some(({ text }) => ` ${abbreviateStreets(text)} `.includes(` ${abbreviateStreets(name)} `)),
  );

/** Whether the model reads a denial in words that the rules do not take for one (`lack`, unlike `without`): then the model decides what is denied. */
const isDenialLeftToModel = ({ asks, match: { negated } }: Criterion): boolean =>
  !negated && asks !== undefined && tokensOf(asks).some(({ word }) => isNegating(word));

const isHitDenied = (analysis: Analysis, hit: WordSpan) => analysis.deniedTokens(analysis.sentenceOf[hit.from] as number).has(hit.from);

function isVoteSaid({ text }: Analysis, asked: NonNullable<Criterion['match']['vote']>): boolean {
  const found = findVote(text);
  return found !== undefined && matchesVote(found, asked);
}

const isAmountSaid = (analysis: Analysis, asked: Amount, negated: boolean) =>
  analysis.sentences.some((_, sentence) => {
    const denied = negated ? undefined : analysis.deniedTokens(sentence);
    return findAmounts(analysis, analysis.wordsOf(sentence), asked, denied).length > 0;
  });
