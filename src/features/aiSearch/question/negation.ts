/**
 * Finds the denied words of a sentence by triggers before and after them, following NegEx (Chapman et al. 2001): a trigger reaches a few words,
 * up to a word that begins something new.
 *
 *     denial ::= "without" word{1,7} | "denied" word{1,3} | word{1,3} "was removed" | clause "shall be prohibited"
 */
import type { Token } from './tokens.ts';
import { listPhrases, listStems, listWords } from './words.ts';

/** Phrases that deny, how many words they reach, and on which side. `denied the drive-through`: a refusal reaches what it names, not what the refused request is about. */
const TRIGGERS = [
  { phrases: listPhrases('denyingBefore'), reach: 7, direction: 1 },
  { phrases: listPhrases('refusing'), reach: 3, direction: 1, isRefusal: true },
  { phrases: listPhrases('forbidding'), reach: 30, direction: -1 },
  { phrases: listPhrases('denyingBehind'), reach: 3, direction: -1 },
];
/** Phrases that begin like a denial but deny nothing. */
const NO_DENIAL = listPhrases('noDenials');
const EXCEPTING = listWords('excepting');
const STOPS = listWords('stops');
/** Words for requests: a refusal denies the request rather than its subject. */
export const PROCEDURE = listStems('procedure');
const PUNCTUATION = /[;:.!?—]|--/;

/** @param from first token of the sentence @param to the one behind its last @returns indices of the denied tokens */
export function findDeniedTokens(tokens: readonly Token[], from: number, to: number, text: string): ReadonlySet<number> {
  const denied = new Set<number>();
  const isProcedure = (at: number) => at < to && PROCEDURE.has(tokens[at]?.stem ?? '');
  for (let i = from; i < to; i++) {
    // `no boat except in an emergency`: an exception to a denial is not denied.
    if (NO_DENIAL.lengthAt(tokens, i, to) || (denied.size && EXCEPTING.has(tokens[i]?.word ?? ''))) continue;
    for (const { phrases, reach, direction, isRefusal } of TRIGGERS) {
      const length = phrases.lengthAt(tokens, i, to);
      const isBack = direction < 0;
      const start = isBack ? i - 1 : i + length;
      if (!length || (isRefusal && [0, 1, 2, 3].some((on) => isProcedure(start + on)))) continue;
      for (let at = start; at >= from && at < to && Math.abs(at - start) < reach; at += direction) {
        const [before, behind] = isBack ? [at, at + 1] : [at - 1, at];
        const between = isBack || at > start ? text.slice(tokens[before]?.end, tokens[behind]?.start) : '';
        if ((isBack || at > start) && STOPS.has(tokens[at]?.word ?? '')) break;
        // `no basement, 23 units`: something counted is not denied.
        if (PUNCTUATION.test(between) || (!isBack && tokens[at]?.value !== null && between.includes(','))) break;
        if (isBack && isProcedure(at)) break;
        denied.add(at);
      }
    }
  }
  return denied;
}
