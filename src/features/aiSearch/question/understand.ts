/**
 * Understands a question: filters for the words that filters know, criteria to be confirmed in text for the rest.
 */

import { cutText } from '../../../core/domain/storableText.ts';
import { type AmountRead, countsPart, criterionOfAmount, filtersOf, isCountedUnit, readAmount, unitNamed } from './amounts.ts';
import { literalCriterion } from './criterion.ts';
import { QuestionWords } from './questionWords.ts';
import { readNumbers, readZonings } from './readCodes.ts';
import { findProcess, readGovernmentItems, readProjectSizes, readRestrictions, readZoningNeeds } from './readComposedFilters.ts';
import { readDates } from './readDates.ts';
import { countOf, readOrders } from './readOrders.ts';
import { readPeople, readProjectNames, readUnintroducedNames } from './readPeople.ts';
import { readPlaces } from './readPlaces.ts';
import { readRecommendations } from './readRecommendations.ts';
import { readRest } from './readRest.ts';
import { namesUse, readBodies, readExceptions, readFurther, readStatuses, readUses } from './readVocabulary.ts';
import { readRelations } from './relations.ts';
import type { Criterion, ReadingContext, Understanding } from './types.ts';
import { isContent, isNegating, type ListName, listStems, TextWords, type WordSpan } from './words.ts';

/** Characters of a question that are read; the rest is ignored. */
export const QUESTION_CHARACTERS_MAX = 500;

/** Words for dwellings that do not name a kind. */
const UNIT_WORDS = listStems('anyUnit');
/** What ends a clause of a question. */
const CLAUSE_ENDS =
  /[,;:?!]|\b(?:that|which|who|whom|whose|where|when|with|in|near|and|or|but|because|after|before|despite|although|though)\b/i;
const QUOTED = /["“]([^"“”]{2,200})["”]/g;

/**
 * Reads a question. Nothing in it is obeyed as an instruction: whatever is no filter becomes a criterion of text.
 * @param query up to QUESTION_CHARACTERS_MAX characters
 */
export function understandQuestion(query: string, context: ReadingContext): Understanding {
  const { question, criteria } = readQuestion(query, context);
  return toUnderstanding(question, criteria);
}

export function toUnderstanding(question: QuestionWords, criteria: Criterion[]): Understanding {
  const { filters, readings } = question;
  const isOfFields = readings.length > 0 && !criteria.length && !readings.some(({ alsoInText }) => alsoInText);
  const order = isOfFields ? question.orders.find(({ sort }) => sort) : undefined;
  return { filters, criteria, readings, ...(order ? { order: { ...order, count: countOf(question, order) } } : {}) };
}

/** The same with the words of the question, each with the filters that it says. */
export function readQuestion(query: string, { today, places }: ReadingContext): { question: QuestionWords; criteria: Criterion[] } {
  const question = new QuestionWords(cutText(query, QUESTION_CHARACTERS_MAX));
  const quoted = readQuoted(question);
  readProjectNames(question);
  readPeople(question);
  readVotesToCome(question);
  readDates(question, today);
  readUnasked(question);
  const process = findProcess(question);
  readOrders(question, process);
  readNumbers(question);
  readZonings(question, (text) => !text.includes('-') && places.findState(text) !== undefined);
  readGovernmentItems(question);
  readZoningNeeds(question);
  readRestrictions(question);
  readFurther(question);
  readProjectSizes(question);
  readRecommendations(question);
  readExceptions(question);
  const relations = readRelations(question);
  readBodies(question, (name) => places.findCounties(`${name} County`).length > 0 && !places.findState(name));
  readStatuses(question, relations);
  readPlaces(question, places);
  const names = readUnintroducedNames(question);
  readTimesHeard(question);
  if (process) question.take(process.from, process.to);
  const { inText, endsHead } = readAmounts(question, process);
  if (process && !question.read.has(process.from)) question.criteria.push(literalCriterion(question.slice(process.from, process.to)));
  readUses(question, endsHead, (i) => inText.some(({ from, ofTo }) => i >= from && i < ofTo));
  readLabels(question);
  releaseContradictions(question);
  joinOutcomes(question);
  releaseAlternatives(question);
  const known = [...quoted, ...relations, ...names, ...question.criteria];
  const isKnown = ({ text }: Criterion) => known.some((one) => one.text === text);
  const criteria = withRest(question, known, readAllAmounts(question));
  return {
    question,
    criteria: criteria.map((one) => {
      const isUnread = isDisowned(question, one) || (!isKnown(one) && namesOutcome(one));
      return isUnread ? { ...one, match: { ...one.match, isUnread } } : one;
    }),
  };
}

/** What words up to the end of their clause have no part in. */
const DISOWNING = /\b(?:nothing (?:to do with|against)|unrelated to|no bearing on|reasons? other than)\b[^,;.?!]{0,200}$/i;

/**
 * Whether a question says that something has no part in it, or that nobody did it, which no passage shows by the other words: `withdrawn for reasons
 * that had nothing to do with opposition`, `continued because nobody came`.
 */
const isDisowned = ({ text }: QuestionWords, { text: said, match }: Criterion): boolean =>
  DISOWNING.test(text.slice(0, text.indexOf(said) + said.length)) || (match.relation !== undefined && /\b(?:nobody|no one)\b/i.test(said));

/** Whether words that no reader took name an outcome: `a motion to approve did not carry` is asked for as a whole. */
function namesOutcome({ text, match }: Criterion): boolean {
  const words = new TextWords(text);
  return !match.vote && words.tokens.some((_, i) => words.is(i, 'approve') || words.is(i, 'deny'));
}

/** Bounds that no record meets (`over 10 acres and under 5 acres`) are left to the text; times are compared as far as both are stated. */
function releaseContradictions(question: QuestionWords): void {
  for (const name of Object.keys(question.filters)) {
    const other = name.replace(/Min$/, 'Max').replace(/From$/, 'To');
    const [low, high] = [name, other].map((one) => String(question.filters[one] ?? ''));
    if (other === name || !low || !high) continue;
    if (name.endsWith('Min') ? Number(low) > Number(high) : low.slice(0, high.length) > high) question.release([name, other]);
  }
}

/** Statuses that are outcomes, too. */
const OUTCOMES = /^(?:approved|approved_with_conditions|denied|withdrawn|pending)$/;

/** `approved or stalled`, `stalled and withdrawn cases`: both are outcomes. */
function joinOutcomes(question: QuestionWords): void {
  const { status } = question.filters;
  // `approved or pending outcome`
  const isSaid = question.tokens.some(
    ({ word }, i) => /^outcomes?$/.test(word) && [i - 1, i + 1, i + 2].some((at) => question.read.get(at)?.includes('status')),
  );
  const outcomes = question.filters.outcomes ?? (isSaid ? [] : undefined);
  const said = [...question.read].flatMap(([i, names]) => (names.some((name) => name === 'status' || name === 'outcomes') ? [i] : []));
  const between = question.words(Math.min(...said), Math.max(...said));
  const isBoth = /\b(?:but|yet|though|although|then)\b/.test(between);
  if (isBoth || !Array.isArray(status) || !Array.isArray(outcomes) || !status.every((one) => OUTCOMES.test(one))) return;
  question.filters.status = status.map((one) => one.replace('_with_conditions', ''));
  question.filters.status = [...new Set(question.filters.status)];
  question.renameFilter('status', 'outcomes');
}

/** Filters are met together: what `or` joins to something else (`over 5 acres or in Texas`), and decisions with `but`, are left to the text. */
function releaseAlternatives(question: QuestionWords): void {
  const ofStatus = [...question.read].flatMap(([i, names]) => (names.includes('status') ? [i] : []));
  for (const [i, { word }] of question.tokens.entries()) {
    const before = question.read.get(i - 1);
    if (word === 'but' && !question.read.has(i) && i > Math.min(...ofStatus) && i < Math.max(...ofStatus))
      question.release(['status', 'decisionBodies']);
    if (word !== 'or' || !before || question.read.has(i) || question.word(i + 1) === 'so') continue;
    let next = i + 1;
    while (next < question.tokens.length && !question.read.has(next) && !isContent(question.word(next))) next++;
    const behind = question.read.get(next) ?? [];
    if (!behind.some((name) => before.includes(name))) question.release([...before, ...behind]);
  }
}

/** Criteria of the words that a proposal left. @param isRead whether it has criteria */
export function readRemainingCriteria(question: QuestionWords, isRead: boolean): Criterion[] {
  return withRest(question, readQuoted(question), readAllAmounts(question), isRead || question.readings.length > 0);
}

/** The criteria of a requirement, without filters. */
export function readCriteria(text: string): Criterion[] {
  const question = new QuestionWords(cutText(text, QUESTION_CHARACTERS_MAX));
  return withRest(question, [...readQuoted(question), ...readUnintroducedNames(question, false)], readAllAmounts(question));
}

/** The criteria found so far with those of the other words. If nothing but a place or a date is understood, plain words are searched for, too. */
function withRest(question: QuestionWords, found: readonly Criterion[], inText: readonly AmountRead[], isRead = false): Criterion[] {
  const rest = readRest(question, inText);
  const criteria = [...found.map((one) => withClause(question, one, rest)), ...rest];
  if (criteria.length || isRead || question.readings.some(({ orInText }) => orInText !== 'never')) return criteria;
  const plain = readRest(question, inText, true);
  return plain.length || question.readings.length ? plain : [literalCriterion(question.text)];
}

/** A relation with what else its clause says: `apartments denied on appeal because of noise`. */
function withClause({ text }: QuestionWords, { match, ...criterion }: Criterion, rest: readonly Criterion[]): Criterion {
  const place = ({ text: said }: Pick<Criterion, 'text'>) => ({ from: text.indexOf(said), to: text.indexOf(said) + said.length });
  const own = place(criterion);
  const isBeside = (one: Criterion) => {
    const { from, to } = place(one);
    const between = to <= own.from ? text.slice(to, own.from) : text.slice(own.to, from);
    return !one.match.isUse && !one.match.negated && !CLAUSE_ENDS.test(between);
  };
  const also = match.relation ? rest.filter(isBeside).flatMap((one) => one.match.concepts) : [];
  return { ...criterion, match: also.length && match.relation ? { ...match, relation: { ...match.relation, also } } : match };
}

/** Number of words before a token that ask for what follows as a keyword: `the text says`, `search the text for` */
function countKeywordLeads(question: QuestionWords, at: number): number {
  const link = Number(/^(?:for|the|on|of|in)$/.test(question.word(at - 1)));
  const lead = question.phraseBefore(at - link, 'keywordLeads');
  const length = question.phraseBefore(at, 'keywordLeads') || (lead && lead + link);
  return length && length + countKeywordLeads(question, at - length);
}

/** Words in quotation marks have to occur in the text verbatim. */
function readQuoted(question: QuestionWords): Criterion[] {
  return [...question.text.matchAll(QUOTED)].flatMap((match) => {
    const end = match.index + match[0].length;
    const inside = question.tokens.flatMap(({ start }, i) => (start >= match.index && start < end ? [i] : []));
    const [from = 0] = inside;
    // `developer "Hines"` is a party.
    if (question.phraseBefore(from, 'nameRoles') || question.phraseBefore(from, 'nameDoneBy')) return [];
    const to = (inside.at(-1) ?? from) + 1;
    const behind = question.phraseAt(to, 'nameProjectBehind');
    const name = question.phraseBefore(from, 'nameProject') || Number(question.word(from - 1) === 'project');
    const keyword = countKeywordLeads(question, from);
    const criterion = literalCriterion(match[1] as string);
    const filter = name || behind ? 'projectName' : keyword ? 'q' : undefined;
    if (
      filter &&
      inside.length &&
      question.readAsFilters(from - (name || keyword), to + behind, { [filter]: match[1] as string }, 'always', criterion)
    )
      return [];
    // `mentioning "noise study" or "sound study"`
    const isOther = question.word(from - 1) === 'or' && question.read.get(from - 2)?.includes('q');
    if (isOther && inside.length) {
      question.filters.q = `${question.filters.q}|${match[1]}`;
      question.take(from - 1, to, ['q']);
      for (const one of question.readings) if (one.filters.includes('q')) one.text += ` or ${match[0]}`;
      return [];
    }
    if (inside.length) question.take(from, to);
    return [criterion];
  });
}

/** `with or without parking` and `not just sent up with a bad word` ask nothing of a text: their words stay unread. */
function readUnasked(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const contrast = /,\s*$/.test(question.textAfter(i - 1)) ? question.phraseAt(i, 'contrasts') : 0;
    const lead = contrast || question.phraseAt(i, 'eitherWay');
    let to = i + lead;
    const endsClause = (at: number) => !contrast && CLAUSE_ENDS.test(question.slice(at, at + 1));
    while (lead && question.isFree(to) && !endsClause(to) && !/[,;:?!]/.test(question.textAfter(to - 1))) to++;
    if (!lead) continue;
    question.take(i, to);
    if (question.is(i, 'sorting')) question.orders.push({ text: question.slice(i, to), to, count: 0, sort: '' });
  }
}

const TIMES_HEARD: readonly [ListName, Record<string, string>][] = [
  ['timesTwoOrMore', { hearingCountMin: '2' }],
  ['timesOnce', { hearingCountMax: '1' }],
  ['timesTwice', { hearingCountMin: '2', hearingCountMax: '2' }],
];

/** `heard more than once`, `came before the board twice` */
function readTimesHeard(question: QuestionWords): void {
  const { names } = unitNamed('times');
  for (const [list, filters] of TIMES_HEARD)
    for (let i = 1; i < question.tokens.length; i++) {
      const [heard, length] = [names.lengthBefore(question.tokens, i), question.phraseAt(i, list)];
      if (heard && length && question.isFree(i - heard, i + length)) question.readAsFilters(i - heard, i + length, filters, 'unstated');
    }
}

/** Words of a label: `type of construction: demolition` */
const LABEL_MAX = 4;

/** `vote = tie`, `type of construction: demolition`, `QOZ = yes`: what names a filter, or agrees to it, beside what it was read from. */
function readLabels(question: QuestionWords): void {
  for (let i = 0; i < question.tokens.length; i++) {
    if (!/^\s?[:=]/.test(question.textAfter(i))) continue;
    if (question.read.has(i) && /^(?:yes|true)$/.test(question.word(i + 1))) question.take(i + 1, i + 2);
    if (!question.read.has(i + 1)) continue;
    let from = i + 1;
    while (question.isFree(from - 1) && !/[,;.]/.test(question.textAfter(from - 1)) && i + 1 - from < LABEL_MAX) from--;
    if (from === 0 || !question.isFree(from - 1)) question.take(from, i + 1);
  }
}

/** `recommended for approval, final vote still to come` says the same twice. */
function readVotesToCome(question: QuestionWords): void {
  const recommended = question.stems.findIndex((stem) => stem.startsWith('recommend'));
  for (let i = recommended + 1; recommended >= 0 && i < question.tokens.length; i++)
    question.take(i, i + question.phraseAt(i, 'voteToCome'));
}

/** `lot area 7,200 sf min, 43,560 sf max`: two bounds side by side are of one measurement. */
function withOther(question: QuestionWords, before: AmountRead | undefined, read: AmountRead): AmountRead {
  const isBeside = before?.unit === read.unit && before.to === read.from && /^,? $/.test(question.textAfter(before.to - 1));
  return isBeside && before.measurement ? { ...read, measurement: before.measurement } : read;
}

function readAllAmounts(question: QuestionWords): AmountRead[] {
  const reads: AmountRead[] = [];
  for (let i = 0; i < question.tokens.length; i++) {
    const read = readAmount(question, i);
    if (!read) continue;
    // `5 a lot size of 71 square feet` counts no lots.
    if ((reads.at(-1)?.to ?? 0) > read.from) reads.pop();
    reads.push(withOther(question, reads.at(-1), read));
    i = Math.max(i, read.to - 1);
  }
  return reads;
}

/** Whether an amount is one of the project itself, unlike `next to a two-floor clinic`. */
function isOwn(question: QuestionWords, read: AmountRead): boolean {
  const clause = question.tokens.findLastIndex((_, i) => i < read.from && /[,;:]\s*$/.test(question.textAfter(i)));
  const marker = question.tokens.findLastIndex(
    (_, i) =>
      i < read.from &&
      i > clause &&
      // `been to two hearings`, not `next to`
      !(question.word(i) === 'to' && !/^(?:next|close|adjacent|opposed)$/.test(question.word(i - 1))) &&
      question.is(i, 'markers') &&
      question.isFree(i) &&
      question.textAfter(i) !== '-',
  );
  if (/^(?:voteAgainst|hearingCount|daysInProcess)$/.test(read.measurement ?? '')) return true;
  return (
    (marker < 0 || question.is(marker, 'ownAmounts')) &&
    !(isNegating(question.word(read.from - 1)) && !/[,;]/.test(question.textAfter(read.from - 1))) &&
    !countsPart(question, read)
  );
}

/**
 * Amounts of the project itself become filters; others remain text.
 * @param process words that make an amount of days one of days in process @returns those, and whether a token ends the head of the question
 */
function readAmounts(
  question: QuestionWords,
  process: WordSpan | undefined,
): { inText: AmountRead[]; endsHead: (token: number) => boolean } {
  // `heard at least twice but no more than four times`
  const isHeard = question.tokens.some(({ word }) => /^(?:heard|hearings?|appeared|meetings?)$/.test(word));
  const reads = readAllAmounts(question).map((read): AmountRead => {
    const isCalled = (process && read.unit.called === 'daysInProcess') || (isHeard && read.unit.name === 'times');
    return isCalled && !read.measurement && read.unit.called ? { ...read, measurement: read.unit.called } : read;
  });
  const inText = reads.filter((read) => {
    const criterion = criterionOfAmount(question.slice(read.from, read.to), read);
    // `2 hotels` are hotels, of which the text says how many.
    if (isCountedUnit(read.unit.name) && namesUse(question, read.unitFrom)) {
      question.criteria.push(criterion);
      question.take(read.from, read.unitFrom);
      return false;
    }
    const filters = filtersOf(read);
    // `40 residential units`, not `40 affordable units`
    const described = question.tokens.flatMap(({ word }, i) =>
      i > read.last && i < read.unitFrom && isContent(word) && !question.read.has(i) ? [i] : [],
    );
    const ownUnit = read.unit.name !== 'units' || UNIT_WORDS.has(question.stems[read.unitFrom] ?? '');
    if (!filters || !isOwn(question, read) || described.some((i) => !question.is(i, 'describedUnits'))) return true;
    const to = described.length ? read.last + 1 : ownUnit ? read.to : read.unitFrom;
    if (!question.readAsFilters(read.from, Math.max(to, read.last + 1), filters, 'unstated', criterion)) return true;
    if (process && read.measurement === 'daysInProcess') question.take(process.from, process.to, Object.keys(filters));
    question.take(described.length && ownUnit ? read.unitFrom : read.unitTo, read.to, Object.keys(filters));
    return false;
  });
  // `who wants to`, `hearings on`
  const leadsUp = (i: number) =>
    (question.word(i) === 'to' && question.is(i - 1, 'askingTo')) || (question.word(i) === 'on' && question.is(i - 1, 'askingOn'));
  // Words after which a question describes circumstances of the project, no longer its use.
  const endsHead = (i: number) =>
    i > 0 &&
    question.isFree(i) &&
    !inText.some(({ from, to }) => i >= from && i < to) &&
    (question.is(i, 'markers') ? !leadsUp(i) : question.is(i, 'otherThan'));
  return { inText, endsHead };
}
