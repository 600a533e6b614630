/** Splits texts into tokens: words and numbers in order, each with its stem and position. Linear in the length of the text. */
import { stem } from '../../../core/domain/stem.ts';

export interface Token {
  /** lower case; a number without its commas */
  word: string;
  stem: string;
  start: number;
  end: number;
  /** number in digits or words: `10`, `ten`; of `two hundred` the first token has the whole value, the others have none */
  value: number | null;
  /** tokens that write the number; 1 for a word */
  span: number;
}

/** A fraction counts where something is measured in it: `1/2 acre`, not `a 1/2 vote`. */
const TOKEN =
  /(?:\d{1,3}[ -])?\d\/\d{1,2}(?=[ -](?:of an? )?(?:acre|ac|mile)s?\b)|\d[\d,]*(?:\.\d+)?[¼½¾⅓⅔]?|[¼½¾⅓⅔]|\.\d+|k(?=sf\b)|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%$§#&]/giu;
const DIGITS = /^[\d.¼½¾⅓⅔]/;
const FRACTIONS: Readonly<Record<string, number>> = {
  '¼': 1 / 4,
  '½': 1 / 2,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  half: 1 / 2,
  quarter: 1 / 4,
};
/** `half an acre`, `quarters of a mile`; the words up to the unit belong to the number. */
const PART = /^(half|quarter)s?((?:[ -]of)?(?:[ -]an?)?)[ -](?=(?:acre|mile|million|dozen|ac\b))/i;

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** `one` and `zero` are numbers. */
const NUMBERS = new Map([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
  ['dozen', 12] as const,
]);
const SCALES = new Map(Object.entries({ dozen: 12, hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9, k: 1e3, m: 1e6, mm: 1e6 }));

const MARKS = /\p{M}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** `café` is found by `cafe`, and the other way round. */
export const withoutAccents = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFD').replace(MARKS, ''));

/** @param text at most a few hundred thousand characters */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: raw, index: start } of text.matchAll(TOKEN)) {
    const isNumber = DIGITS.test(raw);
    const word = isNumber ? raw.replaceAll(',', '') : raw.toLowerCase();
    const isScale = SCALES.has(word) && tokens.at(-1)?.word === 'a' && word.length > 2;
    const value = isNumber
      ? numberOf(word)
      : isScale
        ? (SCALES.get(word) ?? null)
        : (NUMBERS.get(word) ?? partAt(text, start)?.value ?? null);
    const end = start + raw.replace(/(?<!,),+$/, '').length;
    tokens.push({ word, stem: isNumber ? word : stem(withoutAccents(word)), start, end, value, span: 1 });
  }
  for (let i = 0; i < tokens.length; i++) if (tokens[i]?.value !== null) joinNumber(tokens, i, text);
  return tokens;
}

/** `2.5`, `2½`, `1/2`, `2 1/2` */
function numberOf(text: string): number {
  const [, whole = '', over, under] = /^(?:(\d+)[ -])?(?:(\d)\/(\d+))?/.exec(text) ?? [];
  if (over) return Number(whole) + Number(over) / Number(under);
  const sign = FRACTIONS[text.at(-1) ?? ''];
  return sign ? Number(text.slice(0, -1)) + sign : Number(text);
}

/** `half an`, before what is measured in parts: its value, and its tokens. */
function partAt(text: string, start: number): { value: number; span: number } | undefined {
  const [, part = '', small = ''] = PART.exec(text.slice(start, start + 40)) ?? [];
  return part ? { value: FRACTIONS[part.toLowerCase()] as number, span: 1 + (small.match(/\w+/g)?.length ?? 0) } : undefined;
}

/** `quarters of an` behind a number, and what `and a half` or `and three quarters` add to it. */
function partBehind(tokens: readonly Token[], at: number, text: string): { value: number; span: number } | undefined {
  const times = tokens[at]?.word === 'and' ? ({ a: 1, one: 1, three: 3 }[tokens[at + 1]?.word ?? ''] ?? 0) : 0;
  const before = times ? 2 : 0;
  const next = tokens[at + before];
  const part = next && (times || next.word.startsWith('quarter')) ? partAt(text, next.start) : undefined;
  return part && { value: part.value * (times || 1), span: part.span + before };
}

/** What may be added to a number in words: `twenty` takes less than ten more. */
const roomIn = (token: Token, value: number) => (!DIGITS.test(token.word) && TENS.includes(token.word) && value % 10 === 0 ? 10 : 0);

/**
 * Joins the tokens of one number: `1.5 million`, `twenty-five`, `50k`, `two hundred and fifty-five`.
 *
 *     number ::= part {scale} ["and"] [tens] [small] | [number ["and" "a"]] ("half" | "quarters") ["of"] ["a"]
 */
function joinNumber(tokens: readonly Token[], at: number, text: string): void {
  const first = tokens[at] as Token;
  let value = first.value as number;
  let room = roomIn(first, value);
  first.span = partAt(text, first.start)?.span ?? 1;
  for (let i = at + first.span; i < tokens.length; i++) {
    const [before, next] = [tokens[i - 1] as Token, tokens[i] as Token];
    const between = text.slice(before.end, next.start);
    if (between !== '' && between !== ' ' && between !== '-') break;
    const scale = next.word.length > 1 || between === '' || /^k ?sf/i.test(text.slice(next.start)) ? SCALES.get(next.word) : undefined;
    const part = partBehind(tokens, i, text);
    if (part) {
      value = next.word === 'and' ? value + part.value : value * part.value;
      for (const one of tokens.slice(i, i + part.span)) one.value = null;
      first.span = i + part.span - at;
      i = at + first.span - 1;
      room = 0;
      continue;
    }
    const fits = ({ value: more, word }: Token) => more !== null && more >= 1 && more < room && !DIGITS.test(word);
    if (scale !== undefined) {
      value *= scale;
      room = next.word === 'hundred' ? 100 : 0;
    } else if (fits(next)) {
      value += next.value as number;
      room = roomIn(next, next.value as number);
    } else if (next.word === 'and' && room === 100 && tokens[i + 1] && fits(tokens[i + 1] as Token)) continue;
    else break;
    next.value = null;
    first.span = i + 1 - at;
  }
  first.value = value;
}

/** Stems of a phrase, without its numbers' commas. */
export const stemsOf = (text: string): string[] => tokensOf(text).map((token) => token.stem);
