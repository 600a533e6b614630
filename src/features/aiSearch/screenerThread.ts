/** What the thread of `ScreenerPool` runs, and what is short enough to need none. */
import { confirm, type Verdict } from './question/index.ts';
import type { Judgement } from './screener.ts';

export default function confirmAll(judgements: readonly Judgement[]): Verdict[] {
  return judgements.map(({ criteria, candidate }) => confirm(criteria, candidate));
}
