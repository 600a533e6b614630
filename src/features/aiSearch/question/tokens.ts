/** Splits texts into tokens: words and numbers in order, each with its stem and position. Linear in the length of the text. */
import { stem } from '../../../core/domain/stem.ts';

export interface Token {
  /** lower case; a number without its commas */
  word: string;
  stem: string;
  start: number;
  end: number;
  /** number in digits or words: `10`, `ten` */
  value: number | null;
}

const TOKEN = /\d[\d,]*(?:\.\d+)?|\.\d+|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%$§#&]/gu;
const DIGITS = /^[\d.]/;

const COUNTING: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9, k: 1e3, m: 1e6 };

/** The value of a number word: `ten` is 10; null for any other word. `one` and `zero` are numbers. */
function countingWord(word: string): number | null {
  for (const numbers of [COUNTING, TENS]) if (Object.hasOwn(numbers, word)) return numbers[word] ?? null;
  return word === 'dozen' ? 12 : null;
}

const MARKS = /\p{M}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** `café` is found by `cafe`, and the other way round. */
export const withoutAccents = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFD').replace(MARKS, ''));

/** @param text at most a few hundred thousand characters */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [raw] = match;
    const start = match.index;
    const isNumber = DIGITS.test(raw);
    const word = isNumber ? raw.replaceAll(',', '') : raw.toLowerCase();
    const value = isNumber ? Number(word) : countingWord(word);
    tokens.push({ word, stem: isNumber ? word : stem(withoutAccents(word)), start, end: start + raw.replace(/,+$/, '').length, value });
  }
  joinScales(tokens, text);
  return tokens;
}

/** `1.5 million`, `twenty five`, `50k`: the first token gets the whole value, the others none. */
function joinScales(tokens: Token[], text: string): void {
  for (let i = 0; i + 1 < tokens.length; i++) {
    const [first, next] = [tokens[i] as Token, tokens[i + 1] as Token];
    if (first.value === null) continue;
    const between = text.slice(first.end, next.start);
    if (between !== '' && between !== ' ' && between !== '-') continue;
    const scale = Object.hasOwn(SCALES, next.word) ? SCALES[next.word] : undefined;
    const attached = next.word.length > 1 || between === '';
    if (scale !== undefined && attached) {
      first.value *= scale;
      next.value = null;
      if (next.word === 'hundred') addRest(tokens, i, text);
    } else if (Object.hasOwn(TENS, first.word) && next.value !== null && next.value < 10 && !DIGITS.test(next.word)) {
      first.value += next.value;
      next.value = null;
    }
  }
}

/** `two hundred and fifty-five`: adds what follows `hundred`. */
function addRest(tokens: Token[], at: number, text: string): void {
  const first = tokens[at] as Token;
  let rest = at + (tokens[at + 2]?.word === 'and' ? 3 : 2);
  for (let below = 100; rest < tokens.length; rest++) {
    const { word, value } = tokens[rest] as Token;
    const between = text.slice(tokens[rest - 1]?.end, tokens[rest]?.start);
    if (value === null || value < 1 || value >= below || DIGITS.test(word) || !/^[ -]$/.test(between)) return;
    first.value = (first.value ?? 0) + value;
    (tokens[rest] as Token).value = null;
    below = Object.hasOwn(TENS, word) ? 10 : 0;
  }
}

/** Stems of a phrase, without its numbers' commas. */
export const stemsOf = (text: string): string[] => tokensOf(text).map((token) => token.stem);
