/**
 * The sentences of a record that a language model may point at as proof, and whether a stretch of them can prove a criterion. The model does not
 * decide that: a sentence that the built-in rules find denied, instructing, or of another amount or vote proves nothing. Pure.
 */
import { words } from '../../../core/domain/words.ts';
import { amountIn } from './amountIn.ts';
import { type Analysis, analyse, compile, deniedAt, type Hit, hitsOf, IMPLIED } from './analysis.ts';
import { passagesIn, TEXT_CHARACTERS_MAX, WORTH } from './confirm.ts';
import { isInstruction } from './instructions.ts';
import { sentencesOf } from './sentences.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceText } from './types.ts';
import { isVoteAsked, voteIn } from './votes.ts';

/** The value of a field up to this length is one sentence. */
const FIELD_CHARACTERS_MAX = 300;
/** Most sentences in one quote. */
const QUOTED_SENTENCES_MAX = 2;

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

/** Sentences from this length on are shown once: summary, raw text and minutes often repeat each other. Shorter ones belong to what is round them. */
const REPEATED_CHARACTERS_MIN = 30;

/** Every sentence of a record, and of the passages of its documents that are about its case; each once, where it stands first. */
export function quotableSentences({ texts, names }: RecordTexts): QuotableSentence[] {
  const seen = new Set<string>();
  const isNew = (words: string) => !seen.has(words) && seen.add(words).size > 0;
  const statements: QuotableSentence[] = [];
  let passages = 0;
  for (const source of texts) {
    const whole = source.text.slice(0, TEXT_CHARACTERS_MAX);
    const parts = passagesIn({ ...source, text: whole }, names);
    for (const { start: from, text } of parts) {
      const isValue = source.source === 'field' && text.length < FIELD_CHARACTERS_MAX;
      const spans = isValue ? [{ start: 0, end: text.length }] : sentencesOf(text);
      for (const [place, { start, end }] of spans.entries()) {
        const said = text.slice(start, end);
        if (said.length >= REPEATED_CHARACTERS_MIN && !isNew(words(said))) continue;
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
 * The sentences that may meet a criterion and their neighbours, up to a number of characters; those of the record come before those of its
 * documents.
 */
export function selectSentences(
  statements: readonly QuotableSentence[],
  criteria: readonly Criterion[],
  charactersMax: number,
): QuotableSentence[] {
  if (statements.reduce((sum, { text }) => sum + text.length, 0) <= charactersMax) return [...statements];
  const speaks = statements.map(({ source, text }) => {
    const analysis = analyse(source, text);
    return criteria.some((criterion) => compile(criterion).concepts.some((phrases) => hitsOf(phrases, analysis).length > 0));
  });
  const isNear = (at: number) => [at - 1, at, at + 1].some((i) => speaks[i] && statements[i]?.passage === statements[at]?.passage);
  const chosen = new Set<number>();
  let characters = 0;
  for (const isWanted of [(i: number) => speaks[i] === true, isNear, () => true])
    for (const [i, { text }] of statements.entries()) {
      if (chosen.has(i) || !isWanted(i) || characters + text.length > charactersMax) continue;
      chosen.add(i);
      characters += text.length;
    }
  return statements.filter((_, i) => chosen.has(i));
}

/** The quote of neighbouring sentences; undefined where they are not neighbours, or cannot prove the criterion. */
export function evidenceOf(
  criterion: Criterion,
  stretch: readonly QuotableSentence[],
): { evidence: CriterionQuote; worth: number } | undefined {
  const [first] = stretch;
  const last = stretch.at(-1);
  if (!first || !last || stretch.length > QUOTED_SENTENCES_MAX) return undefined;
  if (stretch.some(({ passage, place }, i) => passage !== first.passage || place !== first.place + i)) return undefined;
  const { source } = first;
  const quote = source.text.slice(first.start, last.end);
  if (!quote.trim() || !says(criterion, { ...source, text: quote })) return undefined;
  const { documentId, field } = source;
  return {
    evidence: { criterion: criterion.text, quote, source: source.source, documentId, ...(field ? { field } : {}) },
    worth: WORTH[source.source],
  };
}

/**
 * Whether a quote can prove a criterion: it denies nothing that is asked, and has every amount, the vote and the name. Whether its other words meet
 * the criterion is left to the model that points at it: what is meant may be said without a word in common.
 */
function says(criterion: Criterion, source: SourceText): boolean {
  const { amounts, vote, negated } = criterion.match;
  const { concepts, isName } = compile(criterion);
  if ((source.field === 'parties' && !isName) || (source.field === 'address' && amounts.length)) return false;
  const analysis = analyse(source, source.text);
  if (isInstruction(analysis.text)) return false;
  const implied = IMPLIED[source.field ?? ''] ?? [];
  const open = concepts.map((phrases) => phrases.map((stems) => stems.filter((stem) => !implied.includes(stem))));
  const named = open.filter((phrases) => phrases.every((stems) => stems.length)).map((phrases) => hitsOf(phrases, analysis));
  const found = named.filter((hits) => hits.length);
  if (isName && concepts.length && !found.length) return false;
  if (found.some((hits) => !hits.some((hit) => isDenied(analysis, hit) === negated))) return false;
  if (vote && !isVoteSaid(analysis, vote)) return false;
  return amounts.every((asked) => isAmountSaid(analysis, asked, negated));
}

const isDenied = (analysis: Analysis, hit: Hit) => deniedAt(analysis, analysis.sentenceOf[hit.from] as number).has(hit.from);

function isVoteSaid({ text }: Analysis, asked: NonNullable<Criterion['match']['vote']>): boolean {
  const found = voteIn(text);
  return found !== undefined && isVoteAsked(found, asked);
}

const isAmountSaid = (analysis: Analysis, asked: Criterion['match']['amounts'][number], negated: boolean) =>
  analysis.sentences.some((_, sentence) => {
    const [from, to] = [analysis.firstToken[sentence] as number, analysis.firstToken[sentence + 1] as number];
    const denied = negated ? new Set<number>() : deniedAt(analysis, sentence);
    return amountIn(analysis.text, analysis.tokens, from, to, asked, denied).length > 0;
  });
