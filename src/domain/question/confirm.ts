/**
 * Whether the texts of a record say what is asked, each criterion by a statement that can be quoted. What is denied in a statement does not count,
 * what is not said is not assumed, and nothing that a text says is an instruction. Time is linear in the length of the texts.
 */
import { amountIn } from './amountIn.ts';
import { type Analysis, analyse, compile, deniedAt, type Hit, hitsOf, IMPLIED, isInstruction } from './analysis.ts';
import { passagesOf } from './passages.ts';
import { quoteOf } from './quote.ts';
import type { Span } from './sentences.ts';
import { type Token, withoutAccents } from './tokens.ts';
import type { Candidate, Criterion, Evidence, SourceName, SourceText, Verdict } from './types.ts';
import { isVoteAsked, voteIn } from './votes.ts';

/** Raised whenever the same texts may be judged otherwise than before. */
export const SCREENER_VERSION = '3';

/** Longer texts are looked at up to here. */
export const TEXT_CHARACTERS_MAX = 200_000;

/** How well each source proves something: what a record is about before what its documents mention. */
export const WORTH: Readonly<Record<SourceName, number>> = { field: 1, summary: 0.95, rawText: 0.9, document: 0.8 };

/** A text, read once for all criteria, and only where one of them may stand in it. */
class Reader {
  readonly source: SourceText;
  readonly text: string;
  readonly #lower: string;
  #analysis: Analysis | undefined;

  constructor(source: SourceText) {
    this.source = source;
    this.text = source.text.slice(0, TEXT_CHARACTERS_MAX);
    this.#lower = withoutAccents(this.text.toLowerCase());
  }

  get analysis(): Analysis {
    this.#analysis ??= analyse(this.source, this.text);
    return this.#analysis;
  }

  /** Whether a phrase of each concept may stand in it, by how its words begin. */
  mayProve(criterion: Criterion): boolean {
    return compile(criterion).needles.every((phrases) =>
      phrases.some((needles) => needles.every((needle) => this.#lower.includes(needle))),
    );
  }
}

/** Sentences in which one hit or more of the concept stands, denied or not as asked. */
function bySentence(hits: readonly Hit[], analysis: Analysis, negated: boolean): Map<number, Hit[]> {
  const found = new Map<number, Hit[]>();
  for (const hit of hits) {
    const sentence = analysis.sentenceOf[hit.from] as number;
    if (deniedAt(analysis, sentence).has(hit.from) !== negated) continue;
    const list = found.get(sentence);
    if (list) list.push(hit);
    else found.set(sentence, [hit]);
  }
  return found;
}

interface Proof {
  /** sentences, first and last */
  first: number;
  last: number;
  /** characters that matter, for a quote that has to be shorter */
  start: number;
  end: number;
  worth: number;
}

/** So many things may be said in two sentences, one behind the other. */
const CONCEPTS_OF_TWO_SENTENCES = 3;
/** Words over which things that are said together may spread, for each of them. */
const SPREAD_WORDS = 14;

/** Words between an amount and what it is an amount of. */
const AMOUNT_REACH = 8;

/** The best statement of a text for a criterion. */
function proofIn(criterion: Criterion, reader: Reader): Proof | undefined {
  const { match } = criterion;
  const implied = IMPLIED[reader.source.field ?? ''] ?? [];
  const { concepts: all, isName } = compile(criterion);
  if (reader.source.field === 'parties' && !isName) return undefined;
  if (reader.source.field === 'address' && match.amounts.length) return undefined;
  const needed = implied.length ? all.map((phrases) => phrases.map((stems) => stems.filter((stem) => !implied.includes(stem)))) : all;
  const open = needed.filter((phrases) => phrases.every((stems) => stems.length));
  if (all.length && !open.length) return undefined;
  if (!implied.length && !reader.mayProve(criterion)) return undefined;
  const { analysis } = reader;
  const concepts = open.map((phrases) => bySentence(hitsOf(phrases, analysis), analysis, match.negated));
  if (concepts.some((found) => !found.size)) return undefined;
  const starts = concepts[0] ? neighbours(concepts) : analysis.sentences.map((_, i) => i);
  let best: Proof | undefined;
  for (const first of starts) {
    for (const last of [first, first + 1]) {
      if (last >= analysis.sentences.length || (last > first && concepts.length < CONCEPTS_OF_TWO_SENTENCES)) continue;
      const proof = proofAt(criterion, analysis, concepts, first, last);
      if (proof && proof.worth > (best?.worth ?? 0)) best = proof;
      if (proof) break;
    }
  }
  return best;
}

/** Sentences in which the rarest concept stands, and those before them. */
function neighbours(concepts: readonly Map<number, Hit[]>[]): number[] {
  const rarest = concepts.reduce((a, b) => (b.size < a.size ? b : a));
  const sentences = new Set(
    [...rarest.keys()].flatMap((sentence) =>
      concepts.length >= CONCEPTS_OF_TWO_SENTENCES && sentence > 0 ? [sentence - 1, sentence] : [sentence],
    ),
  );
  return [...sentences].sort((a, b) => a - b);
}

function proofAt(
  criterion: Criterion,
  analysis: Analysis,
  concepts: readonly Map<number, Hit[]>[],
  first: number,
  last: number,
): Proof | undefined {
  const hits: Hit[][] = [];
  for (const found of concepts) {
    const here = [...(found.get(first) ?? []), ...(last > first ? (found.get(last) ?? []) : [])];
    if (!here.length) return undefined;
    hits.push(here);
  }
  const { tokens, firstToken } = analysis;
  const [from, to] = [firstToken[first] as number, firstToken[last + 1] as number];
  const amounts: Hit[] = [];
  for (const asked of criterion.match.amounts) {
    const found = amountIn(analysis.text, tokens, from, to, asked, criterion.match.negated ? new Set<number>() : deniedAt(analysis, first));
    const near = found.find((hit) => hits.every((list) => list.some((one) => isOf(tokens, one, hit))));
    if (!near) return undefined;
    amounts.push(near);
  }
  if (criterion.match.vote && !votedAs(criterion, analysis, first, last)) return undefined;
  if (isInstruction(analysis.text.slice((analysis.sentences[first] as Span).start, (analysis.sentences[last] as Span).end)))
    return undefined;
  const together = tightest(hits);
  const spread =
    Math.max(0, ...together.map(({ to: end }) => end)) - Math.min(...together.map(({ from: begin }) => begin), Number.POSITIVE_INFINITY);
  if (together.length > 1 && spread > SPREAD_WORDS * together.length) return undefined;
  return proofOf(analysis, together, amounts, first, last);
}

function votedAs({ match }: Criterion, { text, sentences }: Analysis, first: number, last: number): boolean {
  const found = voteIn(text.slice((sentences[first] as Span).start, (sentences[last] as Span).end));
  return found !== undefined && match.vote !== null && isVoteAsked(found, match.vote);
}

/** Whether a concept belongs to an amount: near to it, with no other number between them. */
function isOf(tokens: readonly Token[], concept: Hit, amount: Hit): boolean {
  if (gap(concept, amount) > AMOUNT_REACH) return false;
  const [from, to] = concept.from >= amount.to ? [amount.to, concept.from] : [concept.to, amount.from];
  for (let i = from; i < to; i++) if (tokens[i]?.value !== null) return false;
  return true;
}

const gap = (a: Hit, b: Hit) => Math.max(0, a.from - b.to, b.from - a.to);

/** One hit of each concept, near to those of the first. */
function tightest(hits: readonly Hit[][]): Hit[] {
  const [anchors = [], ...others] = hits;
  let best: Hit[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const anchor of anchors.slice(0, 20)) {
    const chosen = [anchor, ...others.map((list) => list.reduce((a, b) => (gap(b, anchor) < gap(a, anchor) ? b : a)))];
    const spread = Math.max(...chosen.map(({ to }) => to)) - Math.min(...chosen.map(({ from }) => from));
    if (spread < least) [best, least] = [chosen, spread];
  }
  return best;
}

function proofOf(
  { tokens, sentences, source }: Analysis,
  hits: readonly Hit[],
  amounts: readonly Hit[],
  first: number,
  last: number,
): Proof {
  const all = [...hits, ...amounts];
  const [begin, finish] = [sentences[first] as Span, sentences[last] as Span];
  const start = all.length ? Math.min(...all.map(({ from }) => tokens[from]?.start ?? 0)) : begin.start;
  const end = all.length ? Math.max(...all.map(({ to }) => tokens[to - 1]?.end ?? 0)) : finish.end;
  const spread = (end - start) / 1000 + (last - first) * 0.05;
  const early = 0.02 / (1 + first);
  return { first, last, start, end, worth: WORTH[source.source] * (1 - Math.min(0.3, spread)) + early };
}

/** Evidence for one criterion: its best statement over all texts. */
function evidenceFor(criterion: Criterion, readers: readonly Reader[]): { evidence: Evidence; worth: number } | undefined {
  let best: { proof: Proof; analysis: Analysis } | undefined;
  for (const reader of readers) {
    const proof = proofIn(criterion, reader);
    if (proof && proof.worth > (best?.proof.worth ?? 0)) best = { proof, analysis: reader.analysis };
  }
  if (!best) return undefined;
  const { proof, analysis } = best;
  const { source, documentId, field } = analysis.source;
  const quote = quoteOf(analysis.text, analysis.sentences, proof);
  return {
    evidence: { criterion: criterion.text, quote, source, documentId, ...(field ? { field } : {}) },
    worth: proof.worth,
  };
}

/** A text; of a document the passages that speak of the record's case, cut only where the document may say anything that is asked. */
function readersOf(source: SourceText, { names }: Candidate, criteria: readonly Criterion[]): Reader[] {
  const whole = new Reader(source);
  if (source.source !== 'document') return [whole];
  if (!criteria.some((criterion) => whole.mayProve(criterion))) return [];
  return passagesOf(whole.text, names).map(({ text }) => new Reader({ ...source, text }));
}

/**
 * Whether a record meets every criterion, with a quote for each. Fails closed: a criterion without a statement leaves the record unconfirmed.
 * Of documents only the passages count that speak of the record's case.
 * @param criteria without any, every candidate is confirmed: its filters say it all
 */
export function confirm(criteria: readonly Criterion[], candidate: Candidate): Verdict {
  const readers = candidate.texts.flatMap((source) => readersOf(source, candidate, criteria));
  const found = criteria.map((criterion) => evidenceFor(criterion, readers));
  const proven = found.flatMap((one) => one ?? []);
  const confirmed = proven.length === criteria.length;
  const score = criteria.length ? proven.reduce((sum, { worth }) => sum + Math.min(1, worth), 0) / criteria.length : 1;
  return {
    projectId: candidate.projectId,
    confirmed,
    evidence: proven.map(({ evidence }) => evidence),
    score: Math.round(score * 1e6) / 1e6,
  };
}
