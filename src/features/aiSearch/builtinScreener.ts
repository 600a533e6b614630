/** The screener that comes with the service: pure rules over words and sentences, without a network. */
import { setImmediate } from 'node:timers/promises';
import { confirm, searchTerms, understand } from './question/index.ts';
import type { Judgement, Screener } from './screener.ts';

export const builtinScreener: Screener = {
  understand: async (query, context) => understand(query, context),
  searchTerms: (criteria) => searchTerms(criteria).map(({ phrases }) => phrases),
  async confirm(judgements: readonly Judgement[], signal) {
    const verdicts = [];
    for (const { criteria, candidate } of judgements) {
      signal?.throwIfAborted();
      verdicts.push(confirm(criteria, candidate));
      // Texts are long: between two records other work of this process gets its turn.
      await setImmediate();
    }
    return verdicts;
  },
};
