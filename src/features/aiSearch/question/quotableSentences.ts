/**
 * Statements of a record as somebody else may point at them: its sentences in their order, and whether a stretch of them says what is asked.
 * Whoever points has no say in what counts: what our rules find denied, instructing, or of another number or vote proves nothing. Pure.
 */
import { amountIn } from './amountIn.ts';
import { type Analysis, analyse, compile, deniedAt, type Hit, hitsOf, IMPLIED, isInstruction } from './analysis.ts';
import { TEXT_CHARACTERS_MAX, WORTH } from './confirm.ts';
import { passagesOf } from './passages.ts';
import { sentencesOf } from './sentences.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceText } from './types.ts';
import { isVoteAsked, voteIn } from './votes.ts';

/** A field's value up to so many characters is one statement. */
const FIELD_CHARACTERS_MAX = 300;
/** Sentences that one quote may hold. */
const QUOTED_SENTENCES_MAX = 2;

/** A sentence, or the whole value of a short field: `text` is `source.text.slice(start, end)`. */
export interface QuotableSentence {
  source: SourceText;
  /** which text of the record, or which passage of a document; one stretch stays within one */
  passage: number;
  /** its place in the passage */
  place: number;
  start: number;
  end: number;
  text: string;
}

/** Every statement of a record, of its documents those that speak of its case; each text once. */
export function quotableSentences({ texts, names }: RecordTexts): QuotableSentence[] {
  const seen = new Set<string>();
  const statements: QuotableSentence[] = [];
  let passages = 0;
  for (const source of texts) {
    if (seen.has(`${source.documentId} ${source.text}`)) continue;
    seen.add(`${source.documentId} ${source.text}`);
    const whole = source.text.slice(0, TEXT_CHARACTERS_MAX);
    const parts = source.source === 'document' ? passagesOf(whole, names) : [{ start: 0, end: whole.length, text: whole }];
    for (const { start: from, text } of parts) {
      const isValue = source.source === 'field' && text.length < FIELD_CHARACTERS_MAX;
      const spans = isValue ? [{ start: 0, end: text.length }] : sentencesOf(text);
      for (const [place, { start, end }] of spans.entries())
        statements.push({ source, passage: passages, place, start: from + start, end: from + end, text: text.slice(start, end) });
      passages += 1;
    }
  }
  return statements;
}

/** Whether a record speaks anywhere to whoever reads it by machine. */
export const containInstructions = (statements: readonly QuotableSentence[]): boolean => statements.some(({ text }) => isInstruction(text));

/**
 * Those of the statements that may say what is asked, and their neighbours, up to a number of characters; what a record says of itself goes
 * before what its documents say.
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

/** Evidence from the first of these statements to the last; undefined where they are no one stretch, or do not say what is asked. */
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
 * Whether a quote can be meant: it names one thing or more of what is asked and denies none, and has every amount and the vote. That the rest of
 * the words say it is left to whoever points at it.
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
  if (concepts.length && !found.length) return false;
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
