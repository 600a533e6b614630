/**
 * Confirms criteria in the texts of a record, each by a statement that can be quoted. A denied statement does not count, nothing is assumed that
 * is not said, and no text is obeyed as an instruction. Time is linear in the length of the texts.
 */
import type { CaseNames } from '../../../core/domain/cases/caseNames.ts';
import { type CasePassage, findCasePassages, findOwnPassages } from '../../../core/domain/cases/casePassages.ts';
import { lazily } from '../../../core/domain/lazily.ts';
import { cutText } from '../../../core/domain/storableText.ts';
import { findAmounts } from './amounts.ts';
import { Analysis, compileCriterion, findHits, IMPLIED_STEMS, openPhrases } from './analysis.ts';
import { findRelation, isPostponed } from './relations.ts';
import { cutQuote, isInstruction, type SentenceSpan } from './sentences.ts';
import { withoutAccents } from './tokens.ts';
import type { Criterion, CriterionQuote, RecordTexts, SourceName, SourceText, Verdict } from './types.ts';
import { findVote, matchesVote } from './votes.ts';
import type { WordSpan } from './words.ts';

/** Raise it whenever a change may alter a verdict on the same texts. */
export const SCREENER_VERSION = '35';

/** Characters of a text that are read; the rest is ignored. */
export const TEXT_CHARACTERS_MAX = 200_000;

/** A text of this length stands in minutes only as an excerpt of them. */
const EXCERPT_CHARACTERS_MIN = 100;

/** Worth of a quote by its source: the own texts of a record prove more than its documents. */
export const WORTH_OF_SOURCE: Readonly<Record<SourceName, number>> = { field: 1, summary: 0.95, rawText: 0.9, document: 0.8 };

/** Fields that only name: they prove names, but no use, topic or reason. */
export const NAMING: ReadonlySet<string> = new Set(['projectName', 'displayName', 'address', 'parties']);

/** Fields that say which use a record has. */
const OF_USES: ReadonlySet<string> = new Set(['propertyTypeLabel', 'propertySubtypeLabel', 'assetClassLabel']);

/** A text that is analysed once for all criteria, and only if it may meet one: if it has the beginnings of the words of a phrase of each concept. */
interface Reader {
  source: SourceText;
  text: string;
  mayProve: (criterion: Criterion) => boolean;
  analyse: () => Analysis;
}

/** @param names of the record, its parties and its place */
function makeReader(source: SourceText, names: readonly string[]): Reader {
  const text = cutText(source.text, TEXT_CHARACTERS_MAX);
  const lower = withoutAccents(text.toLowerCase());
  const stand = (needles: readonly string[]) => needles.every((needle) => lower.includes(needle));
  const mayProve = (criterion: Criterion) => compileCriterion(criterion).needles.every((phrases) => phrases.some(stand));
  return { source, text, mayProve, analyse: lazily(() => new Analysis(source, text, names)) };
}

/** Hits of a concept by sentence, without those that are denied (or affirmed, if a denial is asked for). */
function groupBySentence(
  hits: readonly WordSpan[],
  analysis: Analysis,
  match: Criterion['match'],
  isName: boolean,
): Map<number, WordSpan[]> {
  const { negated, isUse, isAsked = false, isDecision, relation } = match;
  const sentenceOf = ({ from }: WordSpan) => analysis.sentenceOf[from] as number;
  const counts = hits.filter((hit) => {
    if (!isName && relation?.link !== null && analysis.isPartOfName(hit)) return false;
    // What an act is about is not denied with it: `denied for lack of parking`.
    if (relation) return true;
    if (analysis.deniedTokens(sentenceOf(hit)).has(hit.from) !== negated || (isUse && analysis.isOnlyMentioned(hit, isAsked))) return false;
    const isGoingOn = /^continu/.test(analysis.word(hit.from)) && !isPostponed(analysis, hit.to);
    return !isDecision || !(isGoingOn || analysis.isRecommended(hit));
  });
  return Map.groupBy(counts, sentenceOf);
}

/** The sentences of a statement, and the characters of its hits, around which a long quote is shortened. */
interface Proof extends SentenceSpan {
  analysis: Analysis;
  passage: SentenceSpan;
  worth: number;
}

/** Tokens between an amount and the concept it counts. */
const AMOUNT_REACH = 8;
/** The same with the former amount between them. */
const CHANGE_REACH = 14;

/** The statements of a text that meet a criterion. */
function proofsIn(criterion: Criterion, reader: Reader): Proof[] {
  const { match } = criterion;
  if (match.isUnread) return [];
  const { source } = reader;
  const { field = '' } = source;
  const { concepts: all, areNames } = compileCriterion(criterion);
  if (NAMING.has(field) && !areNames.every(Boolean)) return [];
  if ((field === 'staffRecommendation' && match.isDecision) || (field === 'address' && match.amounts.length)) return [];
  // `Medical Office` is another use than the clinic that is asked for.
  if (match.isAsked && OF_USES.has(field)) return [];
  const open = all.map((phrases, i) => ({ phrases: openPhrases(source, phrases), isName: areNames[i] ?? false }));
  const asked = open.filter(({ phrases }) => phrases.length);
  if ((all.length && !asked.length) || (!IMPLIED_STEMS[field] && !reader.mayProve(criterion))) return [];
  const analysis = reader.analyse();
  const concepts = asked.map(({ phrases, isName }) => groupBySentence(findHits(phrases, analysis), analysis, match, isName));
  const sentences = concepts[0] ? [...concepts[0].keys()].sort((a, b) => a - b) : analysis.sentences.keys();
  return [...sentences].flatMap((sentence) => proofAt(criterion, analysis, concepts, sentence) ?? []);
}

function proofAt(
  criterion: Criterion,
  analysis: Analysis,
  concepts: readonly Map<number, WordSpan[]>[],
  sentence: number,
): Proof | undefined {
  const { match } = criterion;
  const hits = concepts.map((found) => found.get(sentence) ?? []);
  if (hits.some((list) => !list.length)) return undefined;
  const amounts: WordSpan[] = [];
  for (const asked of match.amounts) {
    const found = findAmounts(analysis, analysis.wordsOf(sentence), asked, match.negated ? undefined : analysis.deniedTokens(sentence));
    const near = found.find((hit) => hits.every((list) => list.some((one) => isOf(analysis, one, hit))));
    if (!near) return undefined;
    amounts.push(near);
  }
  const { start, end } = analysis.sentences[sentence] as SentenceSpan;
  const said = analysis.text.slice(start, end);
  if ((match.vote && !votedAs(criterion, said)) || isInstruction(said)) return undefined;
  const passage = match.relation ? findRelation(analysis, sentence, hits, match.relation) : { first: sentence, last: sentence };
  return passage && proofOf(analysis, [...hits.flatMap(([first]) => first ?? []), ...amounts], passage);
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
function isOf({ tokens }: Analysis, concept: WordSpan, amount: WordSpan): boolean {
  const [from, to] = concept.from >= amount.to ? [amount.to, concept.from] : [concept.to, amount.from];
  if (to - from > CHANGE_REACH) return false;
  const between = tokens.slice(from, to);
  // `a setback from five feet to two feet`: the former amount is between them.
  if (between.some(({ word }) => word === 'from')) return true;
  return to - from <= AMOUNT_REACH && between.every(({ value }) => value === null);
}

/** A short statement is worth more than one whose hits are far apart, an early one more than a late one. */
function proofOf(analysis: Analysis, hits: readonly WordSpan[], { first, last }: { first: number; last: number }): Proof {
  const { tokens, sentences, source } = analysis;
  const passage = { start: (sentences[first] as SentenceSpan).start, end: (sentences[last] as SentenceSpan).end };
  const isWhole = !hits.length || first !== last;
  const start = isWhole ? passage.start : Math.min(...hits.map(({ from }) => tokens[from]?.start ?? 0));
  const end = isWhole ? passage.end : Math.max(...hits.map(({ to }) => tokens[to - 1]?.end ?? 0));
  const worth = WORTH_OF_SOURCE[source.source] * (1 - Math.min(0.3, (end - start) / 1000)) + 0.02 / (1 + first);
  return { analysis, passage, start, end, worth };
}

/** The best statement that meets the whole criterion, the first of equal ones. A record that reports its vote is not asked for that of its documents. */
function statementFor(criterion: Criterion, readers: readonly Reader[]): Proof | undefined {
  const isOfVote = criterion.match.vote && !criterion.match.concepts.length;
  const own = isOfVote ? readers.filter(({ source, text }) => source.source === 'summary' && findVote(text) !== undefined) : [];
  const found = (own.length ? own : readers).flatMap((reader) => proofsIn(criterion, reader));
  return found.reduce<Proof | undefined>((best, one) => (one.worth > (best?.worth ?? 0) ? one : best), undefined);
}

function quoteFor(criterion: Criterion, proof: Proof): CriterionQuote {
  const { text, source } = proof.analysis;
  const { source: name, documentId, field } = source;
  return { criterion: criterion.text, quote: cutQuote(text, proof.passage, proof), source: name, documentId, ...(field ? { field } : {}) };
}

/** Readers of a text; of minutes only the passages about the record's case, cut out only if the text may meet a criterion. */
function readersOf(source: SourceText, { names, texts }: RecordTexts, criteria: readonly Criterion[]): Reader[] {
  const own = texts.flatMap(({ field = '', text }) => (NAMING.has(field) ? [text] : []));
  const whole = makeReader(source, own);
  // Minutes from which the record's own text is taken say nothing else about it.
  const isTaken = texts.some(
    (one) => one.source === 'rawText' && one.text.length >= EXCERPT_CHARACTERS_MIN && source.text.includes(one.text),
  );
  if (source.source === 'document' && isTaken) return [];
  if (source.source !== 'document' && source.source !== 'rawText') return [whole];
  if (source.source === 'document' && !criteria.some((criterion) => whole.mayProve(criterion))) return [];
  return findPassages({ ...source, text: whole.text }, names).map(({ text }) => makeReader({ ...source, text }, own));
}

/** The parts of a text that are about the record's case: of minutes its own hearing alone. */
export function findPassages({ source, text }: SourceText, names: CaseNames): CasePassage[] {
  if (source === 'document') return findCasePassages(text, names);
  return source === 'rawText' ? findOwnPassages(text, names) : [{ start: 0, end: text.length, text }];
}

/**
 * Whether a record meets every criterion, with a quote for each. Fails closed: a criterion without a statement leaves the record unconfirmed. Of
 * documents only passages about the record's case count.
 * @param criteria none for a question that filters express whole: every candidate is confirmed
 */
export function confirmCriteria(criteria: readonly Criterion[], candidate: RecordTexts): Verdict {
  const readers = candidate.texts.flatMap((source) => readersOf(source, candidate, criteria));
  const proven = criteria.flatMap((criterion) => {
    const one = statementFor(criterion, readers);
    return one ? [{ criterion, one }] : [];
  });
  const worth = criteria.length ? proven.reduce((sum, { one }) => sum + Math.min(1, one.worth), 0) / criteria.length : 1;
  return {
    projectId: candidate.projectId,
    confirmed: proven.length === criteria.length,
    evidence: proven.map(({ criterion, one }) => quoteFor(criterion, one)),
    score: Math.round(worth * 1e6) / 1e6,
  };
}
