/**
 * Reads words that put answers in an order: no filter and no text says them, so they stay unread. What filters answer whole is sorted by them.
 *
 *     order ::= [number] superlative [number] [measure] … ["first"] … ["by" measure] | "top" number | ("most" | "fewest" | …) measure
 */
import { unitAt } from './amounts.ts';
import type { QuestionWords } from './questionWords.ts';
import { namesUse } from './readVocabulary.ts';
import type { WordSpan } from './words.ts';

const COUNTED = /^(?:top|last|first)$/;
const [BY_TIME, ASCENDING] = [/recent|newest|latest|oldest|earliest/, /^(?:oldest|earliest|smallest|lowest|shortest|fewest|least)\b/];
/** How the values of `sort` begin that order by a measurement. */
const SORTS: Readonly<Record<string, string>> = { acreage: 'acres', totalUnitCount: 'units' };
/** Words between a superlative and `first`: `newest filings first`. */
const FIRST_APART = 2;

/** The measurement that is named at a token (`acreage`, `number of units`, `height`), but no use: `the biggest apartments`. */
function measureAt(question: QuestionWords, at: number): { measurement?: string | undefined; to: number } | undefined {
  const from = at + question.phraseAt(at, 'orderMeasures');
  const { unit, length = 0 } = unitAt(question.tokens, from) ?? {};
  const isMeasure = from + length > at && question.isFree(at, from + length) && !namesUse(question, from);
  return isMeasure ? { measurement: unit?.measurement, to: from + length } : undefined;
}

/** `top 10`, `largest by acreage`, `newest filings first`, `with the most units`. @param process words that are no order: `from first to latest` */
export function readOrders(question: QuestionWords, process: WordSpan | undefined): void {
  const isNumber = (at: number) => question.isFree(at) && question.tokens[at]?.value != null && !unitAt(question.tokens, at + 1);
  for (let i = 0; i < question.tokens.length; i++) {
    const isMost = question.is(i, 'ordersOfMeasure') && question.word(i - 1) !== 'at' && measureAt(question, i + 1) !== undefined;
    const length = question.phraseAt(i, 'orders') || Number(isMost) || Number(COUNTED.test(question.word(i)) && isNumber(i + 1));
    const isOfProcess = process && i >= process.from && i < process.to;
    if (isOfProcess || !question.isFree(i, i + length)) continue;
    const words = question.words(i, i + length);
    const isOfTime = BY_TIME.test(words);
    // `the most recent 10 variances`, not `the largest 200-unit buildings`
    const number = [i - 1, i + length].find(isNumber) ?? -1;
    const to = i + length + Number(number === i + length);
    const behind = question.tokens.flatMap((_, at) => (at >= to && question.isFree(at) && !isOfTime ? [at] : []));
    const by = behind.find((at) => (at === to || question.word(at - 1) === 'by') && measureAt(question, at));
    const measure = by === undefined ? undefined : measureAt(question, by);
    const first = question.tokens.findIndex(({ word }, at) => at >= to && at <= to + FIRST_APART + 1 && word === 'first');
    const own = [number >= 0 && number < i ? number : i, measure && by === to ? measure.to : to];
    const spans = measure && by && by > to ? [own, [by - 1, measure.to]] : [own];
    const said = [...spans, ...(question.isFree(first) ? [[first, first + 1]] : [])] as [number, number][];
    for (const [from, end] of said) question.take(from, end);
    const field = isOfTime ? 'meeting_date' : SORTS[measure?.measurement ?? ''];
    const way = (isOfTime ? ['newest', 'oldest'] : ['highest', 'lowest'])[Number(ASCENDING.test(words))];
    const text = said.map(([from, end]) => question.slice(from, end)).join(' … ');
    question.orders.push({ text, to, count: question.tokens[number]?.value ?? 0, sort: field ? `${field}_${way}` : '' });
  }
}

/** How many records are asked for, 0 for all; `the most recent denial` and `largest solar farm` ask for one, `latest status: denied` for all. */
export function countOf(question: QuestionWords, { count, to }: QuestionWords['orders'][number]): number {
  const isEnd = (i: number) => question.is(i, 'prepositions') || /[,;]/.test(question.textAfter(i - 1));
  const last = question.tokens.findIndex((_, i) => i >= to && (i + 1 === question.tokens.length || isEnd(i + 1)));
  const isSaid = (i: number) => question.read.has(i) || /^(?:project|case|proposal|application)$/.test(question.word(i));
  const isOne = isSaid(to) && isSaid(last) && !/(?:s|ed|ing)$/.test(question.word(last));
  return count || Number(isOne && !question.is(last, 'massUses'));
}
