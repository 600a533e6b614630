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

/**
 *     token    ::= fraction | n ["½" | …] | word | sign
 *     fraction ::= "half" | ["three"] "quarter" | [n] n "/" n, before what is measured in it: `1/2 acre`, `half an acre`, not `a 1/2 vote`
 *
 * `a couple of dozen` is two of them.
 */
const TOKEN =
  /couple(?: of)?(?=[ -](?:dozen|hundred|thousand|million|acre|unit|home|lot|day|week|month|quarter|year)s?\b)|(?:(?:and a |(?:and )?three |\ba )?quarters?|(?:and a )?half)(?:[ -]of)?(?:[ -]an?)?(?=[ -](?:acre|ac|mile|hundred|thousand|million|dozen)s?\b)|(?:\d{1,3}[ -])?\d\/\d{1,2}(?=[ -](?:of an? )?(?:acre|ac|mile)s?\b)|\d[\d,]*(?:\.\d+)?[¼½¾⅓⅔]?|[¼½¾⅓⅔]|\.\d+|k(?=sf\b)|(?<=\d)['’′](?![\p{L}\d'’])|b\/w\b|w\/o?(?=\s)|\p{L}[\p{L}\p{M}]*(?:['’][\p{L}\p{M}]+)*|[%$§#&]|(?:[≤≥±≈~]|\+\/-|=[<>]|[<>]=?)(?=\s?\$?\d)|±|(?<=[\d\p{L}])\+(?![/\w])|(?<=[\d\p{L}] )\+(?=\s*(?:$|[,;?.)]))|\p{Nd}+|\p{Emoji_Presentation}/giu;
/** `a few dozen` is no number. */
const VAGUE = /^(?:few|several|many)$/;
const COUPLE = /^couple/;
const DIGITS = /^[\d.¼½¾⅓⅔]/;
const FRACTIONS: Readonly<Record<string, number>> = { '¼': 1 / 4, '½': 1 / 2, '¾': 3 / 4, '⅓': 1 / 3, '⅔': 2 / 3 };
const PART = /^(?:and a |(?:and )?three |a )?(?:quarter|half)/i;

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

/** Short forms. */
const WRITTEN: Readonly<Record<string, string>> = {
  'b/w': 'between',
  '′': 'feet',
  '’': 'feet',
  "'": 'feet',
  'w/': 'with',
  'w/o': 'without',
};

const MARKS = /\p{M}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** `café` is found by `cafe`, and the other way round. */
export const withoutAccents = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFD').replace(MARKS, ''));

/** @param text at most a few hundred thousand characters */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: raw, index: start } of text.matchAll(TOKEN)) {
    const isNumber = DIGITS.test(raw);
    const lower = raw.toLowerCase();
    const word = isNumber ? raw.replaceAll(',', '') : (WRITTEN[lower] ?? lower);
    const isPart = PART.test(raw) && /^[ -](?:acre|ac|mile|hundred|thousand|million|dozen)/i.test(text.slice(start + raw.length));
    const isScale = word.length > 2 && tokens.at(-1)?.word === 'a' && SCALES.has(word);
    // `5,5` and `1,2,3` are no number.
    const isNone = isNumber && /,\d/.test(raw) && !/^\d{1,3}(?:,\d{3})+(?!\d|,\d)/.test(raw);
    const isVague = VAGUE.test(tokens.at(-1)?.word ?? '');
    const counted = COUPLE.test(lower) ? 2 : isVague ? null : ((isScale ? SCALES : NUMBERS).get(word) ?? null);
    const value = isNumber || isPart ? (isNone ? null : numberOf(word)) : counted;
    const end = start + raw.replace(/(?<!,),+$/, '').length;
    tokens.push({ word, stem: isNumber ? word : stem(withoutAccents(word)), start, end, value, span: 1 });
  }
  for (let i = 0; i < tokens.length; i++) if (tokens[i]?.value !== null) joinNumber(tokens, i, text);
  return tokens;
}

/** `2.5`, `2½`, `1/2`, `2 1/2`, `three quarters of an` */
function numberOf(text: string): number {
  if (PART.test(text)) return text.includes('half') ? 1 / 2 : text.includes('three') ? 3 / 4 : 1 / 4;
  const [, whole = '', over, under] = /^(?:(\d+)[ -])?(?:(\d)\/(\d+))?/.exec(text) ?? [];
  if (over) return Number(whole) + Number(over) / Number(under);
  const sign = FRACTIONS[text.at(-1) ?? ''];
  return sign ? Number(text.slice(0, -1)) + sign : Number(text);
}

/** What may be added to a number in words: `twenty` takes less than ten more, `a hundred` less than a hundred. */
const roomIn = ({ word }: Token) => (TENS.includes(word) ? 10 : word === 'hundred' ? 100 : 0);

/**
 * Joins the tokens of one number: `1.5 million`, `twenty-five`, `50k`, `two hundred and fifty-five`, `forty thousand five hundred`, `two and a half`.
 *
 *     number ::= group {scale [group]} | number "and" fraction
 *     group  ::= part ["hundred"] ["and"] [tens] [small]
 */
function joinNumber(tokens: readonly Token[], at: number, text: string): void {
  const first = tokens[at] as Token;
  let [total, group] = [0, first.value as number];
  let room = roomIn(first);
  let scaled = 0;
  const fits = ({ value, word }: Token, most: number) => value !== null && value >= 1 && value < most && !DIGITS.test(word);
  for (let i = at + 1; i < tokens.length; i++) {
    const [before, next] = [tokens[i - 1] as Token, tokens[i] as Token];
    const between = text.slice(before.end, next.start);
    if (between !== '' && between !== ' ' && between !== '-') break;
    const scale = next.word.length > 1 || between === '' || /^k ?sf/i.test(text.slice(next.start)) ? SCALES.get(next.word) : undefined;
    if (next.value !== null && next.word.startsWith('and ')) {
      group += next.value;
      room = 0;
    } else if (scale !== undefined) {
      group *= scale;
      room = next.word === 'hundred' ? 100 : 0;
      scaled = scale >= 1000 && !DIGITS.test(first.word) ? scale : 0;
    } else if (fits(next, room)) {
      group += next.value as number;
      room = roomIn(next);
    } else if (scaled && fits(next, scaled)) {
      [total, group, room, scaled] = [total + group, next.value as number, roomIn(next), 0];
    } else if (next.word === 'and' && room === 100 && ![i + 2, i + 3].some((k) => SCALES.has(tokens[k]?.word ?? ''))) continue;
    else break;
    next.value = null;
    first.span = i + 1 - at;
  }
  first.value = total + group;
}

/** Stems of a phrase, without its numbers' commas. */
export const stemsOf = (text: string): string[] => tokensOf(text).map((token) => token.stem);
