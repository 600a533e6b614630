/**
 * Finds the denied words of a sentence by triggers before and after them, following NegEx (Chapman et al. 2001): a trigger reaches a few words,
 * up to a word that begins something new.
 */
import type { Token } from './tokens.ts';

/** Most words that a trigger reaches. */
const REACH = 7;
/** `denied the drive-through`: a refusal reaches what it names, not what the refused request is about. */
const REFUSAL_REACH = 3;

const phrases = (text: string) => text.split(', ').map((phrase) => phrase.split(' '));

const BEFORE = phrases(
  "no, not, without, never, neither, nor, cannot, don't, doesn't, didn't, isn't, aren't, wasn't, weren't, won't, rather than, instead of, in lieu of, removal of, removed, removing, eliminate, eliminated, eliminating, deleted, deleting, delete, prohibit, prohibited, prohibits, prohibiting, exclude, excluded, excluding, except, absence of, lack of, lacks, free of, dropped, in place of, none of, replaces, other than, omit, omitted, omitting",
);
const REFUSED = phrases('denied, denying, rejected, withdrew, declined, refused');
const BEHIND = phrases(
  'was removed, were removed, been removed, is removed, was eliminated, were eliminated, been eliminated, was deleted, were deleted, was dropped, were dropped, not permitted, not allowed, is not, are not, was not, were not, was denied, were denied, was withdrawn, were withdrawn, was rejected, were rejected, not included, not proposed, not required, no longer',
);
/** A prohibition reaches everything in its clause: `The keeping of hens, geese and ducks shall be prohibited.` */
const FORBIDDEN = phrases('is prohibited, are prohibited, was prohibited, be prohibited, not be permitted, not be allowed');
const CLAUSE_REACH = 30;
/** Phrases that begin like a denial and are none. */
const NO_DENIAL = phrases(
  'not only, no later, no less, no fewer, not less, not limited, no objection, without objection, no further, no more than, not more than, not to exceed, not exceed, no earlier, not opposed, no one',
);
const EXCEPTING = new Set(['except', 'excluding', 'excepting']);
const STOPS = new Set('but however although though which that because since while whereas unless until provided except then if'.split(' '));
/** Words for requests: a refusal denies the request rather than its subject. */
const PROCEDURE = new Set(
  'request application petition case rezon rezoning permit appeal item motion hear variance propos amendment continuance withdrawal plan approval special conditional'.split(
    ' ',
  ),
);
const PUNCTUATION = /[;:.!?—]|--/;

const matches = (tokens: readonly Token[], at: number, to: number, phrase: readonly string[]) =>
  at + phrase.length <= to && phrase.every((word, offset) => tokens[at + offset]?.word === word);
const longest = (tokens: readonly Token[], at: number, to: number, list: readonly (readonly string[])[]) =>
  list.reduce((best, phrase) => (phrase.length > best && matches(tokens, at, to, phrase) ? phrase.length : best), 0);

const FIRST_WORDS = new Set([...BEFORE, ...REFUSED, ...BEHIND, ...FORBIDDEN].map(([word]) => word));

/** @param from first token of the sentence @param to the one behind its last @returns indices of the denied tokens */
export function deniedIn(tokens: readonly Token[], from: number, to: number, text: string): ReadonlySet<number> {
  const denied = new Set<number>();
  for (let i = from; i < to; i++) {
    if (!FIRST_WORDS.has(tokens[i]?.word ?? '')) continue;
    const before = longest(tokens, i, to, BEFORE);
    // `no boat except in an emergency`: an exception to a denial is not denied.
    const isException = denied.size > 0 && EXCEPTING.has(tokens[i]?.word ?? '');
    if (before && !isException && !longest(tokens, i, to, NO_DENIAL)) reachForward(tokens, i + before, to, REACH, text, denied);
    const refused = longest(tokens, i, to, REFUSED);
    if (refused) reachRefused(tokens, i + refused, to, text, denied);
    if (longest(tokens, i, to, FORBIDDEN)) reachBack(tokens, i, from, text, denied, CLAUSE_REACH);
    if (longest(tokens, i, to, BEHIND) && !longest(tokens, i, to, NO_DENIAL)) reachBack(tokens, i, from, text, denied);
  }
  return denied;
}

const endsBetween = (a: Token | undefined, b: Token | undefined, text: string) =>
  a !== undefined && b !== undefined && PUNCTUATION.test(text.slice(a.end, b.start));

function reachForward(tokens: readonly Token[], at: number, to: number, reach: number, text: string, denied: Set<number>): void {
  for (let i = at; i < Math.min(to, at + reach); i++) {
    const word = tokens[i]?.word ?? '';
    if (i > at && STOPS.has(word)) return;
    if (i > at && endsBetween(tokens[i - 1], tokens[i], text)) return;
    // `no basement, 23 units`: something counted is not denied.
    if (i > at && tokens[i]?.value !== null && text.slice(tokens[i - 1]?.end, tokens[i]?.start).includes(',')) return;
    denied.add(i);
  }
}

function reachRefused(tokens: readonly Token[], at: number, to: number, text: string, denied: Set<number>): void {
  const end = Math.min(to, at + REFUSAL_REACH);
  for (let i = at; i < Math.min(to, at + REFUSAL_REACH + 1); i++) if (PROCEDURE.has(tokens[i]?.stem ?? '')) return;
  reachForward(tokens, at, end, REFUSAL_REACH, text, denied);
}

function reachBack(tokens: readonly Token[], at: number, from: number, text: string, denied: Set<number>, reach = REFUSAL_REACH): void {
  for (let i = at - 1; i >= Math.max(from, at - reach); i--) {
    if (STOPS.has(tokens[i]?.word ?? '') || PROCEDURE.has(tokens[i]?.stem ?? '')) return;
    if (endsBetween(tokens[i], tokens[i + 1], text)) return;
    denied.add(i);
  }
}
