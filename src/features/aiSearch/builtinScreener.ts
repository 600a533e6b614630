/** The screener that comes with the service: pure rules over words and sentences, without a network. */

import { waitForLoopTurn } from '../../core/store/loopTurn.ts';
import { ambiguityWarnings, orderWarnings } from './ambiguity.ts';
import { confirmCriteria, readQuestion, searchTerms, toUnderstanding } from './question/index.ts';
import type { Judgement, Screener } from './screener.ts';

export const builtinScreener: Screener = {
  async understand(query, context) {
    const { question, criteria } = readQuestion(query, context);
    const understanding = toUnderstanding(question, criteria);
    const placeWarnings = ambiguityWarnings(question, context.places).map(({ message }) => message);
    const warnings = [...placeWarnings, ...orderWarnings(question, understanding)];
    return { ...understanding, ...(warnings.length ? { warnings } : {}) };
  },
  searchTerms,
  async confirm(judgements: readonly Judgement[], signal) {
    const verdicts = [];
    for (const { criteria, candidate } of judgements) {
      signal?.throwIfAborted();
      verdicts.push(confirmCriteria(criteria, candidate));
      // Texts are long: between two records other work of this process gets its turn.
      await waitForLoopTurn();
    }
    return verdicts;
  },
};
