/** A screener reads questions and judges records: the built-in rules (question/), or a language model backed by them (modelScreener.ts). */

import type { Saying, Topic } from '../../core/query/relevance.ts';
import type { ModelCaller } from './modelAnswerStore.ts';
import type { Criterion, ReadingContext, RecordTexts, Understanding, Verdict } from './question/index.ts';
import type { QuestionPlan, WholeQuestion } from './questionPlan.ts';

export interface Screener {
  /** @throws ScreenerUnavailable */
  understand(query: string, context: ReadingContext, signal?: AbortSignal): Promise<Understanding>;
  /** For each criterion the phrases by which a search finds texts that may confirm it; an empty list if there are none. */
  searchTerms(criteria: readonly Criterion[]): readonly (readonly string[])[];
  /** Verdicts in the order of the requests; equal texts have equal verdicts. @throws ScreenerUnavailable */
  confirm(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]>;
  /** What the built-in rules alone confirm; absent if nothing else does. @throws ScreenerUnavailable */
  check?(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]>;
  /** This screener for one team, to which its calls and cached answers belong; absent if neither is kept. */
  scope?(caller: ModelCaller): Screener;
}

/** @param caller whose AI search or alert is worked on */
export const scopeScreener = <T extends { screener: Screener }>(services: T, caller: ModelCaller): T => ({
  ...services,
  screener: services.screener.scope?.(caller) ?? services.screener,
});

/** A candidate, and the criteria to be confirmed in it. */
export interface Judgement {
  /** absent if the built-in rules read the question */
  asked?: WholeQuestion;
  criteria: readonly Criterion[];
  candidate: RecordTexts;
  /** it is shown only as a control: its verdict is ignored */
  isDecoy?: boolean;
}

/** A satisfied filter weighs as much as a rare phrase in the text. */
const FILTER_BOOST = 5;

/** What the search for candidates asks of a record: for each criterion its phrases, for each reading its phrases or its filter. */
export const sayingsOf = (screener: Pick<Screener, 'searchTerms'>, { criteria, readings }: QuestionPlan): Saying[] => [
  ...screener.searchTerms(criteria).map((phrases) => ({ phrases })),
  ...readings.map(({ clause, reading }) => ({
    phrases: screener.searchTerms([reading.criterion])[0] ?? [],
    instead: { constant_score: { filter: clause, boost: FILTER_BOOST } },
  })),
];

/** The topics of a question, for a search that need not find all of them in a record: the question itself, each criterion, each reading. */
export const topicsOf = (screener: Pick<Screener, 'searchTerms'>, { criteria, readings, asked }: QuestionPlan): Topic[] => [
  ...(asked ? [{ phrases: [asked.text] }] : []),
  ...criteria.map(({ text, wordings = [] }) => ({ phrases: [text, ...wordings] })),
  ...readings.map(({ clause, reading }) => ({
    phrases: screener.searchTerms([reading.criterion])[0] ?? [],
    instead: { constant_score: { filter: clause, boost: FILTER_BOOST } },
  })),
];

/** The screener did not answer, or not as agreed. The message is logged, and holds nothing of questions or records. */
export class ScreenerUnavailable extends Error {}

/** The team has used up its calls of the day, or one search or alert has: the rest of its work waits, or is given up. */
export class CallsUsedUp extends Error {
  readonly of: 'team' | 'subject';

  constructor(of: 'team' | 'subject') {
    super(`The calls of the language model that a ${of === 'team' ? 'team' : 'search or alert'} may make in a day are used up`);
    this.of = of;
  }
}

/** For `catch`: null if the calls of the day are used up. @throws any other error */
export function nullIfCallsUsedUp(error: unknown): null {
  if (error instanceof CallsUsedUp) return null;
  throw error;
}

/** True if every criterion has a quote, and each quote occurs verbatim in its source. */
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
