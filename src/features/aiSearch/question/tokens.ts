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

const TOKEN = /\d[\d,]*(?:\.\d+)?|\.\d+|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%$§#&]/gu;
const DIGITS = /^[\d.]/;

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
const SCALES = new Map(Object.entries({ hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9, k: 1e3, m: 1e6 }));

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
    const value = isNumber ? Number(word) : (NUMBERS.get(word) ?? null);
    const end = start + raw.replace(/(?<!,),+$/, '').length;
    tokens.push({ word, stem: isNumber ? word : stem(withoutAccents(word)), start, end, value, span: 1 });
  }
  for (let i = 0; i < tokens.length; i++) if (tokens[i]?.value !== null) joinNumber(tokens, i, text);
  return tokens;
}

/** What may be added to a number in words: `twenty` takes less than ten more. */
const roomIn = (token: Token, value: number) => (!DIGITS.test(token.word) && TENS.includes(token.word) && value % 10 === 0 ? 10 : 0);

/**
 * Joins the tokens of one number: `1.5 million`, `twenty-five`, `50k`, `two hundred and fifty-five`.
 *
 *     number ::= part {scale} ["and"] [tens] [small]
 */
function joinNumber(tokens: readonly Token[], at: number, text: string): void {
  const first = tokens[at] as Token;
  let value = first.value as number;
  let room = roomIn(first, value);
  for (let i = at + 1; i < tokens.length; i++) {
    const [before, next] = [tokens[i - 1] as Token, tokens[i] as Token];
    const between = text.slice(before.end, next.start);
    if (between !== '' && between !== ' ' && between !== '-') break;
    const scale = next.word.length > 1 || between === '' ? SCALES.get(next.word) : undefined;
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
