/**
 * Finds the denied words of a sentence by triggers before and after them, following NegEx (Chapman et al. 2001): a trigger reaches a few words,
 * up to a word that begins something new.
 *
 *     denial ::= "without" word{1,7} | "denied" word{1,3} | word{1,3} "was removed" | clause "shall be prohibited"
 */
import { listPhrases, listWords } from './lists.ts';
import { stemsOf, type Token } from './tokens.ts';

type Phrases = readonly (readonly string[])[];

/** The phrases of a list by their words, the longest first. */
const splitPhrases = (name: Parameters<typeof listPhrases>[0]): Phrases =>
  listPhrases(name)
    .map((phrase) => phrase.split(' '))
    .sort((a, b) => b.length - a.length);

interface Trigger {
  phrases: Phrases;
  /** words that it denies: those behind it, or those before it */
  reach: number;
  direction: 1 | -1;
}

/** `denied the drive-through`: a refusal reaches what it names, not what the refused request is about. */
const REFUSAL: Trigger = { phrases: splitPhrases('refusing'), reach: 3, direction: 1 };
const TRIGGERS: readonly Trigger[] = [
  { phrases: splitPhrases('denyingBefore'), reach: 7, direction: 1 },
  REFUSAL,
  { phrases: splitPhrases('forbidding'), reach: 30, direction: -1 },
  { phrases: splitPhrases('denyingBehind'), reach: 3, direction: -1 },
];
const FIRST_WORDS = new Set(TRIGGERS.flatMap(({ phrases }) => phrases.map(([word]) => word)));
/** Phrases that begin like a denial but deny nothing. */
const NO_DENIAL = splitPhrases('noDenials');
const EXCEPTING = listWords('excepting');
const STOPS = listWords('stops');
/** Words for requests: a refusal denies the request rather than its subject. */
const PROCEDURE = new Set([...listWords('procedure')].flatMap(stemsOf));
const PUNCTUATION = /[;:.!?—]|--/;

/** Number of words of the longest of the phrases that begins at token `at` and ends before `to`; 0 for none. */
const longestPhrase = (tokens: readonly Token[], at: number, to: number, phrases: Phrases): number =>
  phrases.find((phrase) => at + phrase.length <= to && phrase.every((word, offset) => tokens[at + offset]?.word === word))?.length ?? 0;

/** @param from first token of the sentence @param to the one behind its last @returns indices of the denied tokens */
export function findDeniedTokens(tokens: readonly Token[], from: number, to: number, text: string): ReadonlySet<number> {
  const denied = new Set<number>();
  for (let i = from; i < to; i++) {
    const word = tokens[i]?.word ?? '';
    // `no boat except in an emergency`: an exception to a denial is not denied.
    if (!FIRST_WORDS.has(word) || longestPhrase(tokens, i, to, NO_DENIAL) || (denied.size && EXCEPTING.has(word))) continue;
    for (const trigger of TRIGGERS) {
      const length = longestPhrase(tokens, i, to, trigger.phrases);
      const start = trigger.direction > 0 ? i + length : i - 1;
      if (length) for (const at of reached(tokens, { from, to, start }, trigger, text)) denied.add(at);
    }
  }
  return denied;
}

/** The tokens that a trigger reaches from `start` on. */
function* reached(
  tokens: readonly Token[],
  { from, to, start }: { from: number; to: number; start: number },
  trigger: Trigger,
  text: string,
): Generator<number> {
  const { reach, direction } = trigger;
  const isProcedure = (at: number) => PROCEDURE.has(tokens[at]?.stem ?? '');
  if (trigger === REFUSAL && [0, 1, 2, 3].some((on) => start + on < to && isProcedure(start + on))) return;
  for (let i = start; i >= from && i < to && Math.abs(i - start) < reach; i += direction) {
    const isBack = direction < 0;
    if ((isBack || i > start) && STOPS.has(tokens[i]?.word ?? '')) return;
    if (isBack && isProcedure(i)) return;
    const [before, behind] = isBack ? [i, i + 1] : [i - 1, i];
    const between = isBack || i > start ? text.slice(tokens[before]?.end, tokens[behind]?.start) : '';
    // `no basement, 23 units`: something counted is not denied.
    if (PUNCTUATION.test(between) || (!isBack && tokens[i]?.value !== null && between.includes(','))) return;
    yield i;
  }
}
