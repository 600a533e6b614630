/**
 * Confirms criteria in the texts of a record, each by a statement that can be quoted. A denied statement does not count, nothing is assumed that
 * is not said, and no text is obeyed as an instruction. Time is linear in the length of the texts.
 */
import type { CaseNames } from '../../../core/domain/cases/caseNames.ts';
import { type CasePassage, findCasePassages, findOwnPassages } from '../../../core/domain/cases/casePassages.ts';
import { cutText } from '../../../core/domain/storableText.ts';
import { findAmounts } from './amounts.ts';
import { type Analysis, analyseText, compileCriterion, deniedTokensOf, findHits, type Hit, IMPLIED_STEMS } from './analysis.ts';
import { isInstruction } from './instructions.ts';
import { isOnlyMentioned, isRecommended, OWN_CHARACTERS_MAX } from './mentions.ts';
import { cutQuote } from './quote.ts';
import type { SentenceSpan } from './sentences.ts';
import { type Token, withoutAccents } from './tokens.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceName, SourceText, Verdict } from './types.ts';
import { findVote, matchesVote } from './votes.ts';

/** Raise it whenever a change may alter a verdict on the same texts. */
export const SCREENER_VERSION = '15';

/** Characters of a text that are read; the rest is ignored. */
export const TEXT_CHARACTERS_MAX = 200_000;

/** Worth of a quote by its source: the own texts of a record prove more than its documents. */
export const WORTH_OF_SOURCE: Readonly<Record<SourceName, number>> = { field: 1, summary: 0.95, rawText: 0.9, document: 0.8 };

/** A text that is analysed once for all criteria, and only if it may meet one. */
class Reader {
  readonly source: SourceText;
  readonly text: string;
  readonly #lower: string;
  #analysis: Analysis | undefined;

  constructor(source: SourceText) {
    this.source = source;
    this.text = cutText(source.text, TEXT_CHARACTERS_MAX);
    this.#lower = withoutAccents(this.text.toLowerCase());
  }

  get analysis(): Analysis {
    this.#analysis ??= analyseText(this.source, this.text);
    return this.#analysis;
  }

  /** Whether the text may contain a phrase of each concept, by the beginnings of its words. */
  mayProve(criterion: Criterion): boolean {
    const { needles: ofConcepts, amounts } = compileCriterion(criterion);
    const stands = (phrases: readonly (readonly string[])[]) =>
      phrases.some((needles) => needles.every((needle) => this.#lower.includes(needle)));
    return ofConcepts.every(stands) && amounts.every((phrases) => !phrases.length || stands(phrases));
  }
}

/** Hits of a concept by sentence, without those that are denied (or affirmed, if a denial is asked for). */
function groupBySentence(hits: readonly Hit[], analysis: Analysis, { negated, isUse, isDecision }: Criterion['match']): Map<number, Hit[]> {
  const counts = hits.filter((hit) => {
    const sentence = analysis.sentenceOf[hit.from] as number;
    if (deniedTokensOf(analysis, sentence).has(hit.from) !== negated || (isUse && isOnlyMentioned(analysis, hit, sentence))) return false;
    return !isDecision || !isRecommended(analysis, hit, sentence);
  });
  return Map.groupBy(counts, ({ from }) => analysis.sentenceOf[from] as number);
}

/** The number of a sentence, and the characters of its hits, around which a long quote is shortened. */
interface Proof extends SentenceSpan {
  sentence: number;
  worth: number;
}

/** Tokens between an amount and the concept it counts. */
const AMOUNT_REACH = 8;
/** The same with the former amount between them. */
const CHANGE_REACH = 14;

/** The statements of a text that meet a criterion. */
function proofsIn(criterion: Criterion, reader: Reader): Proof[] {
  const { match } = criterion;
  const implied = IMPLIED_STEMS[reader.source.field ?? ''] ?? [];
  const { concepts: all, isName } = compileCriterion(criterion);
  if (reader.source.field === 'parties' && !isName) return [];
  if (reader.source.field === 'staffRecommendation' && match.isDecision) return [];
  if (reader.source.field === 'address' && match.amounts.length) return [];
  const needed = implied.length ? all.map((phrases) => phrases.map((stems) => stems.filter((stem) => !implied.includes(stem)))) : all;
  const open = needed.filter((phrases) => phrases.every((stems) => stems.length));
  if (all.length && !open.length) return [];
  if (!implied.length && !reader.mayProve(criterion)) return [];
  const { analysis } = reader;
  const concepts = open.map((phrases) => groupBySentence(findHits(phrases, analysis), analysis, match));
  const sentences = concepts[0] ? [...concepts[0].keys()].sort((a, b) => a - b) : [...analysis.sentences.keys()];
  return sentences.flatMap((sentence) => proofAt(criterion, analysis, concepts, sentence) ?? []);
}

function proofAt(criterion: Criterion, analysis: Analysis, concepts: readonly Map<number, Hit[]>[], sentence: number): Proof | undefined {
  const { match } = criterion;
  const { tokens, firstToken, text, sentences } = analysis;
  const hits = concepts.map((found) => found.get(sentence) ?? []);
  if (hits.some((list) => !list.length)) return undefined;
  const [from, to] = [firstToken[sentence] as number, firstToken[sentence + 1] as number];
  const amounts: Hit[] = [];
  for (const asked of match.amounts) {
    const found = findAmounts(analysis, from, to, asked, match.negated ? new Set<number>() : deniedTokensOf(analysis, sentence));
    const near = found.find((hit) => hits.every((list) => list.some((one) => isOf(tokens, one, hit))));
    if (!near) return undefined;
    amounts.push(near);
  }
  const { start, end } = sentences[sentence] as SentenceSpan;
  const said = text.slice(start, end);
  if ((match.vote && !votedAs(criterion, said)) || isInstruction(said)) return undefined;
  return proofOf(analysis, [...hits.flatMap(([first]) => first ?? []), ...amounts], sentence);
}

function votedAs({ match }: Criterion, said: string): boolean {
  const found = findVote(said);
  if (found === undefined || match.vote === null || !matchesVote(found, match.vote)) return false;
  // If the minutes name those who voted no, everyone asked for has to be among them.
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

/** A short statement is worth more than one whose hits are far apart, an early one more than a late one. */
function proofOf({ tokens, sentences, source }: Analysis, hits: readonly Hit[], sentence: number): Proof {
  const whole = sentences[sentence] as SentenceSpan;
  const start = hits.length ? Math.min(...hits.map(({ from }) => tokens[from]?.start ?? 0)) : whole.start;
  const end = hits.length ? Math.max(...hits.map(({ to }) => tokens[to - 1]?.end ?? 0)) : whole.end;
  return {
    sentence,
    start,
    end,
    worth: WORTH_OF_SOURCE[source.source] * (1 - Math.min(0.3, (end - start) / 1000)) + 0.02 / (1 + sentence),
  };
}

interface Found {
  proof: Proof;
  analysis: Analysis;
}

/** The best statement of all texts that meets the whole criterion, the first of equal ones. */
function statementFor(criterion: Criterion, readers: readonly Reader[]): Found | undefined {
  const found = readers.flatMap((reader) => proofsIn(criterion, reader).map((proof) => ({ proof, analysis: reader.analysis })));
  return found.reduce<Found | undefined>((best, one) => (one.proof.worth > (best?.proof.worth ?? 0) ? one : best), undefined);
}

/** If a record reports its vote, its documents are not asked: they may report another vote. */
function readersForVote({ match }: Criterion, readers: readonly Reader[]): readonly Reader[] {
  if (!match.vote || match.concepts.length) return readers;
  const own = readers.filter(({ source, text }) => source.source === 'summary' && findVote(text) !== undefined);
  return own.length ? own : readers;
}

const quoteFor = (criterion: Criterion, { proof, analysis }: Found): CriterionQuote => {
  const { source, documentId, field } = analysis.source;
  const quote = cutQuote(analysis.text, analysis.sentences[proof.sentence] as SentenceSpan, proof);
  return { criterion: criterion.text, quote, source, documentId, ...(field ? { field } : {}) };
};

/** Readers of a text; of minutes only the passages about the record's case, cut out only if the text may meet a criterion. */
function readersOf(source: SourceText, { names }: RecordTexts, criteria: readonly Criterion[]): Reader[] {
  const whole = new Reader(source);
  if (source.source !== 'document' && source.source !== 'rawText') return [whole];
  if (source.source === 'document' && !criteria.some((criterion) => whole.mayProve(criterion))) return [];
  return findPassages({ ...source, text: whole.text }, names).map(({ text }) => new Reader({ ...source, text }));
}

/** The parts of a text that are about the record's case: of minutes its own hearing alone. */
export function findPassages({ source, text }: SourceText, names: CaseNames): CasePassage[] {
  if (source === 'document') return findCasePassages(text, names);
  return source === 'rawText' ? findOwnPassages(text, names) : [{ start: 0, end: text.length, text }];
}

/** Sentences of a long text within which it speaks of one thing. */
const NEAR_SENTENCES = 2;

const hasWeight = ({ weight }: Criterion) => weight !== undefined;
const mayBeUnmet = (criterion: Criterion) => hasWeight(criterion) && !criterion.isNeeded;
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
    for (const { sentence } of proofs.flatMap(([, found]) => found)) {
      const near = proofs.flatMap(([criterion, found]) => {
        const proof = found.find((one) => Math.abs(one.sentence - sentence) <= NEAR_SENTENCES);
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
const UNMET_MAX = 0.6;
/** Sums of weights differ in their last digits. */
const WHOLE_WEIGHT = 1 - 1e-9;

/** Whether a record meets one thing of several: `farm` of `crocodile farm`. What its fields meet is no longer among the criteria. */
function isOneOfSeveral(criteria: readonly Criterion[], unmet: readonly Criterion[]): boolean {
  const weighed = criteria.filter(hasWeight);
  const met = weighed.length - unmet.length + Number(weightOf(weighed) < WHOLE_WEIGHT);
  return unmet.length > 0 && met < 2;
}

/**
 * Whether a record meets every criterion, with a quote for each; of weighed ones those that are needed, and enough of the others. Fails closed: a
 * criterion without a statement leaves the record unconfirmed. Of documents only passages about the record's case count.
 * @param criteria none for a question that filters express whole: every candidate is confirmed
 */
export function confirmCriteria(criteria: readonly Criterion[], candidate: RecordTexts): Verdict {
  const readers = candidate.texts.flatMap((source) => readersOf(source, candidate, criteria));
  const isLoose = criteria.some(hasWeight);
  const weighed = isLoose ? weighedStatements(criteria.filter(hasWeight), readers) : undefined;
  const found = criteria.map((criterion) =>
    hasWeight(criterion) ? weighed?.get(criterion) : statementFor(criterion, readersForVote(criterion, readers)),
  );
  const proven = found.flatMap((one, i) => (one ? [{ criterion: criteria[i] as Criterion, one }] : []));
  const unmet = criteria.filter((_, i) => !found[i]);
  const missing = weightOf(unmet);
  const isEnough = unmet.every(mayBeUnmet) && missing <= UNMET_MAX && !isOneOfSeveral(criteria, unmet);
  const confirmed = isEnough && !(isLoose && candidate.texts.some(({ text }) => isInstruction(text)));
  const worth = criteria.length ? proven.reduce((sum, { one }) => sum + Math.min(1, one.proof.worth), 0) / criteria.length : 1;
  return {
    projectId: candidate.projectId,
    confirmed,
    evidence: proven.map(({ criterion, one }) => quoteFor(criterion, one)),
    score: Math.round((isLoose ? 1 - missing : worth) * 1e6) / 1e6,
  };
}
