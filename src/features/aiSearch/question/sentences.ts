/**
 * Splits a text into sentences, and cuts quotes from them; and says which address a machine. Abbreviations, case numbers, initials, decimals and line
 * breaks of a scan end none. Linear.
 */
import data from '../../../catalogue/questionInstructions.json' with { type: 'json' };
import { listWords } from './words.ts';

/** A stretch of a text: `text.slice(start, end)`, without space at its ends. */
export interface SentenceSpan {
  start: number;
  end: number;
}

/** Longer sentences, such as those of resolutions, are cut at a semicolon, a comma or a space. */
const SENTENCE_CHARACTERS_MAX = 600;

const ABBREVIATIONS = listWords('abbreviations');

const END =
  /[.!?]{1,8}["'”’)\]]{0,4}(?=\s|$)|\n[^\S\n]{0,80}\n|\n(?=[^\S\n]{0,80}(?:[-•*]|\d{1,2}[.)]|\([a-z\d]\))\s)|\n(?=(?:Item|Case|WHEREAS|RESOLVED)\b)/g;
const WORD_BEFORE = /(?<![A-Za-z.])\.*([A-Za-z][A-Za-z.]*)$/;

/** Whether the full stop at `at` belongs to the word before it. */
function isAbbreviation(text: string, from: number, at: number): boolean {
  const before = WORD_BEFORE.exec(text.slice(Math.max(from, at - 12), at))?.[1];
  if (before === undefined) return endsListNumber(text, from, at);
  if (before.length === 1 && /[A-Z]/.test(before)) return true;
  if (/^(?:[A-Za-z]\.)+[A-Za-z]$/.test(before)) return !/^[ap]\.m$/i.test(before) || !/^\.\s+[A-Z]/.test(text.slice(at, at + 5));
  if (!ABBREVIATIONS.has(before.toLowerCase())) return false;
  // `No. 5` continues, `I vote no. The chair` does not.
  if (/^no$/i.test(before)) return /^\.\s{0,3}(?:\S{0,2}|[A-Z]{1,3}\s?)\d/.test(text.slice(at, at + 10));
  if (/^(?:inc|llc|co|corp|ltd|etc|ft|ac|esq|am|pm|a\.m|p\.m)$/i.test(before)) return !/^\.\s+[A-Z]/.test(text.slice(at, at + 5));
  return true;
}

/** `1. Except while loading`: a number at the beginning of a sentence is its list number. */
const endsListNumber = (text: string, from: number, at: number) => /^\s*\(?\d{1,2}$/.test(text.slice(from, at));

/** @param text any; spans come in order and do not overlap */
export function splitSentences(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(END)) {
    const isStop = match[0].startsWith('.');
    if (isStop && isAbbreviation(text, from, match.index)) continue;
    const end = match.index + match[0].length;
    pushTrimmed(spans, text, from, end);
    from = end;
  }
  pushTrimmed(spans, text, from, text.length);
  return spans;
}

function pushTrimmed(spans: SentenceSpan[], text: string, from: number, to: number): void {
  let [start, end] = [from, to];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  while (end - start > SENTENCE_CHARACTERS_MAX) {
    const cut = findCut(text, start);
    spans.push({ start, end: cut });
    start = cut;
    while (start < end && text.charCodeAt(start) <= 32) start++;
  }
  if (end > start) spans.push({ start, end });
}

/** Where a sentence that is too long is cut: after its last semicolon or comma, else at its last space. */
function findCut(text: string, start: number): number {
  const most = text.slice(start, start + SENTENCE_CHARACTERS_MAX);
  for (const mark of ['; ', ', ', ' ']) {
    const at = most.lastIndexOf(mark);
    if (at > SENTENCE_CHARACTERS_MAX / 2) return start + at + (mark === ' ' ? 0 : 1);
  }
  // Never within a surrogate pair.
  return start + SENTENCE_CHARACTERS_MAX - (/[\uD800-\uDBFF]$/.test(most) ? 1 : 0);
}

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

const INSTRUCTIONS = data.patterns.map(
  (pattern) =>
    new RegExp(
      Object.entries(data.names).reduce((filled, [name, any]) => filled.replaceAll(`{${name}}`, any), pattern),
      'im',
    ),
);

/**
 * Whether a sentence of a record addresses a machine that reads it: it says nothing about the project. A sentence of minutes may speak of rules,
 * systems and confirmations; one that addresses a reader names the reader, its orders or its answer.
 */
export const isInstruction = (sentence: string): boolean => INSTRUCTIONS.some((pattern) => pattern.test(sentence));
