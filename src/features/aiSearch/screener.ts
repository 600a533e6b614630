/** What reads questions and judges records: the built-in rules (question/), or a language model with those behind it (modelScreener.ts). */

import type { Saying } from '../../core/query/relevance.ts';
import type { Caller } from './modelAnswerStore.ts';
import type { Candidate, Criterion, ReadingContext, Understanding, Verdict } from './question/index.ts';
import type { QuestionPlan } from './questionPlan.ts';

export interface Screener {
  /** @throws ScreenerUnavailable */
  understand(query: string, context: ReadingContext, signal?: AbortSignal): Promise<Understanding>;
  /** Alternatives by which a search finds texts that may confirm each criterion; an empty list where nothing can be looked for. */
  searchTerms(criteria: readonly Criterion[]): readonly (readonly string[])[];
  /** Verdicts on these candidates, in their order. The same texts have the same verdict. @throws ScreenerUnavailable */
  confirm(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]>;
  /** The same for what one team asks, under whose name its work is counted and its answers are kept; absent where nothing is. */
  within?(caller: Caller): Screener;
}

/** @param caller whose AI search or alert is worked on */
export const screenerWithin = <T extends { screener: Screener }>(services: T, caller: Caller): T => ({
  ...services,
  screener: services.screener.within?.(caller) ?? services.screener,
});

/** A candidate, and what has to be confirmed of it. */
export interface Judgement {
  criteria: readonly Criterion[];
  candidate: Candidate;
}

/** A filter that a record satisfies says as much as a rare phrase in its text. */
const FILTER_BOOST = 5;

/** What records have to say, or to satisfy, to be worth judging. */
export const sayingsOf = (screener: Pick<Screener, 'searchTerms'>, { criteria, readings }: QuestionPlan): Saying[] => [
  ...screener.searchTerms(criteria).map((phrases) => ({ phrases })),
  ...readings.map(({ clause, reading }) => ({
    phrases: screener.searchTerms([reading.criterion])[0] ?? [],
    instead: { constant_score: { filter: clause, boost: FILTER_BOOST } },
  })),
];

/** It does not answer, or not as agreed. The message holds nothing of questions or records: it is logged. */
export class ScreenerUnavailable extends Error {}

/** What the team may ask in a day is asked: what is left of its work waits, or is given up. */
export class ShareSpent extends Error {}

/** True where every criterion has a quote, and each quote stands in its source, letter by letter. */
export function isProven({ confirmed, evidence }: Verdict, { criteria, candidate }: Judgement): boolean {
  const stands = (quote: string, source: string, documentId: string | null) =>
    quote.length > 0 &&
    candidate.texts.some((text) => text.source === source && text.documentId === documentId && text.text.includes(quote));
  return (
    confirmed &&
    evidence.every(({ quote, source, documentId }) => stands(quote, source, documentId)) &&
    criteria.every(({ text }) => evidence.some(({ criterion }) => criterion === text))
  );
}
