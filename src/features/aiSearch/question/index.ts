/**
 * Questions in plain words over records: understanding the question, finding candidates, and confirming them by quotes. Pure: the same question
 * over the same texts has the same answer, and no text is ever obeyed as an instruction.
 */

import { unitNamed } from './amounts.ts';
import { synonymsOf } from './thesaurus.ts';
import type { Criterion } from './types.ts';

export { confirmCriteria, SCREENER_VERSION } from './confirm.ts';
export { partsOf } from './criterion.ts';
export { isInstruction } from './sentences.ts';
export type * from './types.ts';
export { QUESTION_CHARACTERS_MAX, readCriteria, readQuestion, toUnderstanding, understandQuestion } from './understand.ts';
export { contentWords } from './words.ts';

/** Words by which minutes name a vote. */
const OF_VOTES = ['vote', 'unanimous', 'unanimously', 'ayes', 'yeas', 'nays', 'noes', 'carried', 'opposed', 'in favor'];

/** The search phrases of each criterion, synonyms included; for amounts or a vote alone, the words of their unit or of votes. */
export function searchTerms(criteria: readonly Criterion[]): readonly (readonly string[])[] {
  return criteria.map(({ text, match }) => {
    const phrases = match.concepts.flatMap((concept) => concept.phrases);
    const ofKind = [
      ...match.amounts.flatMap(({ unit }) => unitNamed(unit).texts.filter((one) => /\p{L}/u.test(one))),
      ...(match.vote ? OF_VOTES : []),
    ];
    const found = phrases.length ? phrases : ofKind;
    return found.length ? [...new Set(found)] : synonymsOf(text);
  });
}
