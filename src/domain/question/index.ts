/**
 * Questions in plain words over records: what they ask, where to look, and what proves an answer. Pure: the same question over the same texts
 * has the same answer, and nothing that a text says is ever an instruction.
 */
import { synonymsOf } from './thesaurus.ts';
import type { Criterion, SearchTerms } from './types.ts';

export { confirm, SCREENER_VERSION } from './confirm.ts';
export { passagesOf } from './passages.ts';
export type * from './types.ts';
export { criteriaOf, QUESTION_CHARACTERS_MAX, understand } from './understand.ts';
export { whyThisMatched } from './why.ts';

/** What to search each criterion by, the thesaurus' words included; a criterion of amounts or votes alone by their own words. */
export function searchTerms(criteria: readonly Criterion[]): readonly SearchTerms[] {
  return criteria.map(({ text, match }) => {
    const phrases = match.concepts.flatMap((concept) => concept.phrases);
    return { criterion: text, phrases: phrases.length ? [...new Set(phrases)] : synonymsOf(text) };
  });
}
