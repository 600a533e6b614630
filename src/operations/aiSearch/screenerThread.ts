/** What the thread of `ScreenerPool` runs. */
import { confirm } from '../../domain/question/index.ts';
import type { Judgement } from './screener.ts';

export default (judgements: readonly Judgement[]) => judgements.map(({ criteria, candidate }) => confirm(criteria, candidate));
