/** Quotes: cut from a text, never composed. */
import type { SentenceSpan } from './sentences.ts';

/** A longer statement is shortened to its hits and some text around them. */
const QUOTE_CHARACTERS_MAX = 400;
const AROUND_CHARACTERS = 120;

/** A sentence, verbatim; of a long one a stretch around the characters of its hits, cut between words. */
export function cutQuote(text: string, { start: from, end: to }: SentenceSpan, { start, end }: SentenceSpan): string {
  if (to - from <= QUOTE_CHARACTERS_MAX) return text.slice(from, to);
  const begin = Math.max(from, start - AROUND_CHARACTERS);
  const finish = Math.min(to, Math.max(end + AROUND_CHARACTERS, begin + QUOTE_CHARACTERS_MAX / 2));
  const before = begin === from || /\s/.test(text[begin - 1] ?? ' ') ? '' : /^\S*/.exec(text.slice(begin, start))?.[0];
  const behind = finish === to || /\s/.test(text[finish] ?? ' ') ? '' : /(?<!\S)\S*$/.exec(text.slice(end, finish))?.[0];
  return text.slice(begin + (before?.length ?? 0), finish - (behind?.length ?? 0)).trim();
}
