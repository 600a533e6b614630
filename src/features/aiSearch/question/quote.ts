/** Quotes: cut from a text, never composed. */
import type { SentenceSpan } from './sentences.ts';

/** A longer statement is shortened to its hits and some text around them. */
const QUOTE_CHARACTERS_MAX = 400;
const AROUND_CHARACTERS = 120;

/** A sentence, verbatim; of a long one a stretch around the characters of its hits, cut between words. */
export function quoteOf(text: string, { start: from, end: to }: SentenceSpan, { start, end }: SentenceSpan): string {
  if (to - from <= QUOTE_CHARACTERS_MAX) return text.slice(from, to);
  const begin = Math.max(from, start - AROUND_CHARACTERS);
  const finish = Math.min(to, Math.max(end + AROUND_CHARACTERS, begin + QUOTE_CHARACTERS_MAX / 2));
  return text.slice(begin === from ? from : wordStart(text, begin, start), finish === to ? to : wordEnd(text, finish, end)).trim();
}

function wordStart(text: string, at: number, last: number): number {
  for (let i = at; i < last; i++) if (/\s/.test(text[i - 1] ?? ' ')) return i;
  return last;
}

function wordEnd(text: string, at: number, first: number): number {
  for (let i = at; i > first; i--) if (/\s/.test(text[i] ?? ' ')) return i;
  return first;
}
