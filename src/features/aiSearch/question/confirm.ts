/**
 * Confirms criteria in the texts of a record, each by a statement that can be quoted. A denied statement does not count, nothing is assumed that
 * is not said, and no text is obeyed as an instruction. Time is linear in the length of the texts.
 */
import type { CaseNames } from '../../../core/domain/cases/caseNames.ts';
import { type CasePassage, casePassages, ownPassages } from '../../../core/domain/cases/casePassages.ts';
import { amountIn } from './amountIn.ts';
import { type Analysis, analyse, compile, deniedAt, type Hit, hitsOf, IMPLIED } from './analysis.ts';
import { EMPTY_RULE } from './criterion.ts';
import { isInstruction } from './instructions.ts';
import { isByTheWay, isRecommended, OWN_CHARACTERS_MAX } from './mentioned.ts';
import { quoteOf } from './quote.ts';
import type { SentenceSpan } from './sentences.ts';
import { type Token, withoutAccents } from './tokens.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceName, SourceText, Verdict } from './types.ts';
import { isVoteAsked, voteIn } from './votes.ts';

/** Raise it whenever a change may alter a verdict on the same texts. */
export const SCREENER_VERSION = '13';

/** Characters of a text that are read; the rest is ignored. */
export const TEXT_CHARACTERS_MAX = 200_000;

/** Worth of a quote by its source: the own texts of a record prove more than its documents. */
export const WORTH: Readonly<Record<SourceName, number>> = { field: 1, summary: 0.95, rawText: 0.9, document: 0.8 };

/** A text that is analysed once for all criteria, and only if it may meet one. */
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

  /** Whether the text may contain a phrase of each concept, by the beginnings of its words. */
  mayProve(criterion: Criterion): boolean {
    const { needles: ofConcepts, amounts } = compile(criterion);
    const stands = (phrases: readonly (readonly string[])[]) =>
      phrases.some((needles) => needles.every((needle) => this.#lower.includes(needle)));
    return ofConcepts.every(stands) && amounts.every((phrases) => !phrases.length || stands(phrases));
  }
}

/** Hits of a concept by sentence, without those that are denied (or affirmed, where a denial is asked for). */
function groupBySentence(hits: readonly Hit[], analysis: Analysis, { negated, isUse, isDecision }: Criterion['match']): Map<number, Hit[]> {
  const found = new Map<number, Hit[]>();
  for (const hit of hits) {
    const sentence = analysis.sentenceOf[hit.from] as number;
    if (deniedAt(analysis, sentence).has(hit.from) !== negated || (isUse && isByTheWay(analysis, hit, sentence))) continue;
    if (isDecision && isRecommended(analysis, hit, sentence)) continue;
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
  /** characters of the hits, around which a long quote is shortened */
  start: number;
  end: number;
  worth: number;
}

/** Concepts up to this number may be spread over two neighbouring sentences. */
const CONCEPTS_OF_TWO_SENTENCES = 3;
/** Tokens for each concept over which the hits of one statement may spread. */
const SPREAD_WORDS = 14;

/** Tokens between an amount and the concept it counts. */
const AMOUNT_REACH = 8;
/** The same with the former amount between them. */
const CHANGE_REACH = 14;

/** The statements of a text that meet a criterion. */
function proofsIn(criterion: Criterion, reader: Reader): Proof[] {
  const { match } = criterion;
  const implied = IMPLIED[reader.source.field ?? ''] ?? [];
  const { concepts: all, isName } = compile(criterion);
  if (reader.source.field === 'parties' && !isName) return [];
  if (reader.source.field === 'staffRecommendation' && match.isDecision) return [];
  if (reader.source.field === 'address' && match.amounts.length) return [];
  const needed = implied.length ? all.map((phrases) => phrases.map((stems) => stems.filter((stem) => !implied.includes(stem)))) : all;
  const open = needed.filter((phrases) => phrases.every((stems) => stems.length));
  if (all.length && !open.length) return [];
  if (!implied.length && !reader.mayProve(criterion)) return [];
  const { analysis } = reader;
  const concepts = open.map((phrases) => groupBySentence(hitsOf(phrases, analysis), analysis, match));
  if (concepts.some((found) => !found.size)) return [];
  const starts = concepts[0] ? neighbours(concepts) : analysis.sentences.map((_, i) => i);
  const proofs: Proof[] = [];
  for (const first of starts) {
    for (const last of [first, first + 1]) {
      if (last >= analysis.sentences.length || (last > first && concepts.length < CONCEPTS_OF_TWO_SENTENCES)) continue;
      const proof = proofAt(criterion, analysis, concepts, first, last);
      if (!proof) continue;
      proofs.push(proof);
      break;
    }
  }
  return proofs;
}

/** The best statement of a text for a criterion. */
const proofIn = (criterion: Criterion, reader: Reader): Proof | undefined =>
  proofsIn(criterion, reader).reduce<Proof | undefined>((best, proof) => (proof.worth > (best?.worth ?? 0) ? proof : best), undefined);

/** Sentences with a hit of the rarest concept, and the sentence before each. */
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
  if (isInstruction(analysis.text.slice((analysis.sentences[first] as SentenceSpan).start, (analysis.sentences[last] as SentenceSpan).end)))
    return undefined;
  const together = tightest(hits);
  const spread =
    Math.max(0, ...together.map(({ to: end }) => end)) - Math.min(...together.map(({ from: begin }) => begin), Number.POSITIVE_INFINITY);
  if (together.length > 1 && spread > SPREAD_WORDS * together.length) return undefined;
  return proofOf(analysis, together, amounts, first, last);
}

function votedAs({ match }: Criterion, { text, sentences }: Analysis, first: number, last: number): boolean {
  const found = voteIn(text.slice((sentences[first] as SentenceSpan).start, (sentences[last] as SentenceSpan).end));
  if (found === undefined || match.vote === null || !isVoteAsked(found, match.vote)) return false;
  // Where the minutes name those who voted no, everyone asked for has to be among them.
  const { against } = found;
  const voters =
    match.vote.kind === 'split' && against !== undefined ? match.concepts.filter(({ text: name }) => /^\p{Lu}/u.test(name)) : [];
  return voters.every(({ text: name }) => against?.toLowerCase().includes(name.toLowerCase()));
}

/** Whether a concept belongs to an amount: near it, with no other number between them. */
function isOf(tokens: readonly Token[], concept: Hit, amount: Hit): boolean {
  const [from, to] = concept.from >= amount.to ? [amount.to, concept.from] : [concept.to, amount.from];
  if (to - from > CHANGE_REACH) return false;
  const between = tokens.slice(from, to);
  // `a setback from five feet to two feet`: the former amount is between them.
  if (between.some(({ word }) => word === 'from')) return true;
  return to - from <= AMOUNT_REACH && between.every(({ value }) => value === null);
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
  const [begin, finish] = [sentences[first] as SentenceSpan, sentences[last] as SentenceSpan];
  const start = all.length ? Math.min(...all.map(({ from }) => tokens[from]?.start ?? 0)) : begin.start;
  const end = all.length ? Math.max(...all.map(({ to }) => tokens[to - 1]?.end ?? 0)) : finish.end;
  const spread = (end - start) / 1000 + (last - first) * 0.05;
  const early = 0.02 / (1 + first);
  return { first, last, start, end, worth: WORTH[source.source] * (1 - Math.min(0.3, spread)) + early };
}

interface Found {
  proof: Proof;
  analysis: Analysis;
}

/** The best statement of all texts that meets the whole criterion. */
function statementFor(criterion: Criterion, readers: readonly Reader[]): Found | undefined {
  let best: Found | undefined;
  for (const reader of readers) {
    const proof = proofIn(criterion, reader);
    if (proof && proof.worth > (best?.proof.worth ?? 0)) best = { proof, analysis: reader.analysis };
  }
  return best;
}

/** Factor on the worth where parts of a criterion are confirmed by separate statements. */
const APART_WORTH = 0.85;

/**
 * A statement for each part of a criterion, where the record's own texts are short: the title may name one use, the description another.
 * Denials, amounts and votes have to be met by one statement.
 */
function statementsApart(criterion: Criterion, readers: readonly Reader[]): Found[] {
  const { match } = criterion;
  const uses = match.concepts.filter(({ isUse }) => isUse).length;
  if (match.negated || match.vote || match.amounts.length || match.concepts.length < 2 || uses < match.concepts.length - 1) return [];
  const own = readers.filter(({ source: { source, field } }) => source !== 'document' && field !== 'parties');
  if (own.reduce((sum, reader) => sum + reader.text.length, 0) > OWN_CHARACTERS_MAX) return [];
  const parts = partsOf(criterion);
  const found = parts.map((part) => statementFor(part, own));
  return found.every((one) => one !== undefined) ? found : [];
}

const knownParts = new WeakMap<Criterion, readonly Criterion[]>();

/** A criterion of its own for each concept. */
function partsOf(criterion: Criterion): readonly Criterion[] {
  const known = knownParts.get(criterion);
  if (known) return known;
  const { text, match } = criterion;
  const made = match.concepts.map((concept) => ({
    text,
    match: { ...EMPTY_RULE, concepts: [concept], ...(concept.isUse ? { isUse: true } : {}) },
  }));
  knownParts.set(criterion, made);
  return made;
}

/** Where a record reports its vote, its documents are not asked: they may report another vote. */
function textsOfVote({ match }: Criterion, readers: readonly Reader[]): readonly Reader[] {
  if (!match.vote || match.concepts.length) return readers;
  const own = readers.filter(({ source, text }) => source.source === 'summary' && voteIn(text) !== undefined);
  return own.length ? own : readers;
}

/** The quotes for one criterion: its best statement, or one for each of its parts. */
function evidenceFor(criterion: Criterion, readers: readonly Reader[]): { evidence: CriterionQuote[]; worth: number } | undefined {
  const whole = statementFor(criterion, textsOfVote(criterion, readers));
  const found = whole ? [whole] : statementsApart(criterion, readers);
  if (!found.length) return undefined;
  const worth = Math.min(...found.map(({ proof }) => proof.worth)) * (whole ? 1 : APART_WORTH);
  return { evidence: distinct(found.map((one) => quoted(criterion, one))), worth };
}

function quoted(criterion: Criterion, { proof, analysis }: Found): CriterionQuote {
  const { source, documentId, field } = analysis.source;
  const quote = quoteOf(analysis.text, analysis.sentences, proof);
  return { criterion: criterion.text, quote, source, documentId, ...(field ? { field } : {}) };
}

const distinct = (evidence: readonly CriterionQuote[]): CriterionQuote[] =>
  evidence.filter((one, i) => evidence.findIndex(({ quote, field }) => quote === one.quote && field === one.field) === i);

/** Readers of a text; of minutes only the passages about the record's case, cut out only if the text may meet a criterion. */
function readersOf(source: SourceText, { names }: RecordTexts, criteria: readonly Criterion[]): Reader[] {
  const whole = new Reader(source);
  if (source.source !== 'document' && source.source !== 'rawText') return [whole];
  if (source.source === 'document' && !criteria.some((criterion) => whole.mayProve(criterion))) return [];
  return passagesIn({ ...source, text: whole.text }, names).map(({ text }) => new Reader({ ...source, text }));
}

/** The parts of a text that are about the record's case: of minutes its own hearing alone. */
export function passagesIn({ source, text }: SourceText, names: CaseNames): CasePassage[] {
  if (source === 'document') return casePassages(text, names);
  return source === 'rawText' ? ownPassages(text, names) : [{ start: 0, end: text.length, text }];
}

/** Sentences of a long text within which it speaks of one thing. */
const NEAR_SENTENCES = 2;

const isWeighed = ({ weight }: Criterion) => weight !== undefined;
const mayBeUnmet = (criterion: Criterion) => isWeighed(criterion) && !criterion.isNeeded;
const weightOf = (criteria: readonly Criterion[]) => criteria.reduce((sum, { weight = 0 }) => sum + weight, 0);
/** What is needed goes before any weight. */
const worthOf = (criteria: readonly Criterion[]) => weightOf(criteria) + criteria.filter(({ isNeeded }) => isNeeded).length;
const isOwn = ({ source: { source }, text }: Reader) => source !== 'document' && text.length <= OWN_CHARACTERS_MAX;

/** Statements for weighed criteria: in the short texts of the record, or near each other in a long one, wherever they meet most. */
function weighedStatements(criteria: readonly Criterion[], readers: readonly Reader[]): ReadonlyMap<Criterion, Found> {
  const own = readers.filter(isOwn);
  const inOwn = new Map(criteria.flatMap((criterion) => pair(criterion, statementFor(criterion, own))));
  const others = criteria.filter((criterion) => !inOwn.has(criterion));
  let best = inOwn;
  for (const reader of readers) {
    if (isOwn(reader)) continue;
    const proofs = others.map((criterion) => [criterion, proofsIn(criterion, reader)] as const);
    for (const { first } of proofs.flatMap(([, found]) => found)) {
      const near = proofs.flatMap(([criterion, found]) => {
        const proof = found.find((one) => Math.abs(one.first - first) <= NEAR_SENTENCES);
        return pair(criterion, proof && { proof, analysis: reader.analysis });
      });
      const joined = new Map([...inOwn, ...near]);
      if (worthOf([...joined.keys()]) > worthOf([...best.keys()])) best = joined;
    }
  }
  return best;
}

const pair = <K, V>(key: K, value: V | undefined): [K, V][] => (value === undefined ? [] : [[key, value]]);

/** The share of a weighed question that an answer may leave out. */
const UNMET_MAX = 0.5;

/**
 * Whether a record meets every criterion, with a quote for each; of weighed ones those that are needed, and most by weight. Fails closed: a
 * criterion without a statement leaves the record unconfirmed. Of documents only passages about the record's case count.
 * @param criteria none for a question that filters express whole: every candidate is confirmed
 */
export function confirm(criteria: readonly Criterion[], candidate: RecordTexts): Verdict {
  const readers = candidate.texts.flatMap((source) => readersOf(source, candidate, criteria));
  const isLoose = criteria.some(isWeighed);
  const weighed = isLoose ? weighedStatements(criteria.filter(isWeighed), readers) : undefined;
  const found = criteria.map((criterion) => {
    if (!isWeighed(criterion)) return evidenceFor(criterion, readers);
    const statement = weighed?.get(criterion);
    return statement && { evidence: [quoted(criterion, statement)], worth: statement.proof.worth };
  });
  const proven = found.flatMap((one) => one ?? []);
  const unmet = criteria.filter((_, i) => !found[i]);
  const missing = weightOf(unmet);
  const confirmed =
    unmet.every(mayBeUnmet) && missing <= UNMET_MAX && !(isLoose && candidate.texts.some(({ text }) => isInstruction(text)));
  const worth = criteria.length ? proven.reduce((sum, one) => sum + Math.min(1, one.worth), 0) / criteria.length : 1;
  return {
    projectId: candidate.projectId,
    confirmed,
    evidence: proven.flatMap(({ evidence }) => evidence),
    score: Math.round((isLoose ? 1 - missing : worth) * 1e6) / 1e6,
  };
}
