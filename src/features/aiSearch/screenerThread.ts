/** The function that the thread of `ScreenerPool` runs; short texts are judged by it in the calling thread. */
import { confirmCriteria, type Verdict } from './question/index.ts';
import type { Judgement } from './screener.ts';

export default function confirmAll(judgements: readonly Judgement[]): Verdict[] {
  return judgements.map(({ criteria, candidate }) => confirmCriteria(criteria, candidate));
}

export const ready = () => {};
