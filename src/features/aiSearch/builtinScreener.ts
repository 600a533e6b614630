/** The screener that comes with the service: pure rules over words and sentences, without a network. */

import { waitForLoopTurn } from '../../core/store/loopTurn.ts';
import {
  barePlaceNames,
  confirmCriteria,
  linkedNames,
  loosenUnderstanding,
  mayBeLoosened,
  requireNamesInText,
  searchTerms,
  splitUnderstanding,
  understandQuestion,
  withLinkedNames,
} from './question/index.ts';
import type { Judgement, Screener } from './screener.ts';

/** A name that more of the records have proves nothing that it is linked to; so few may have any. */
const COMMON_MIN = 20;
const COMMON_SHARE = 0.005;

export const builtinScreener: Screener = {
  understand: async (query, context) => understandQuestion(query, context),
  searchTerms,
  async loosen(query, understanding, count) {
    if (!mayBeLoosened(query)) return null;
    const named = barePlaceNames(understanding);
    const lying = named.length ? await count.readings(named) : [];
    const empty = named.filter((_, i) => lying[i] === 0);
    const asked = requireNamesInText(understanding, empty);
    const { firm, loose } = splitUnderstanding(asked, query);
    if (!loose.length) return empty.length ? { ...asked, isLoose: true } : null;
    const names = linkedNames(loose);
    const [total = 0, ...counts] = await count.phrases(['', ...names]);
    const common = new Set(names.filter((_, i) => (counts[i] ?? 0) > Math.max(COMMON_MIN, total * COMMON_SHARE)));
    const parts = loose.map((part) => withLinkedNames(part, (name) => !common.has(name)));
    return loosenUnderstanding(asked, { firm, loose: parts }, await count.parts(parts, empty), total) ?? null;
  },
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
