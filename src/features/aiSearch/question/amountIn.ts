/**
 * Amounts that a sentence names: `a 10-lot subdivision`, `64 multi-family attached units`, `from 12 to 20 units`.
 *
 *     amount ::= n ["(" n ")"] {word}{0,5} ["(" {word} ")"] unit | n ("to" | "-") n unit | unit {word} ("from" | "to") n | "$" n
 */
import { listWords } from './lists.ts';
import type { Token } from './tokens.ts';
import type { Amount } from './types.ts';
import { unitAt, unitNamed } from './units.ts';

/** Tokens allowed between a number and its unit. */
const REACH = 6;
const ENDING = /[;:.!?)]/;
/** Words that mark a former amount: `reduced from 300 units to 250`, `the existing 40 units`. */
const OLD = listWords('formerAmount');
const CHANGED = /^(?:reduc|increas|decreas|lower|rais|chang|amend|cut|revis|down|up|modify)/;
/** A number behind these is no amount: `No. 40`, `Section 5`, `Chapter 40`. */
const NUMBERING = listWords('numbering');

const fits = (value: number, { min, max, minOpen, maxOpen }: Amount) =>
  (min === null || (minOpen ? value > min : value >= min)) && (max === null || (maxOpen ? value < max : value <= max));

/** Occurrences of the amount asked for between two tokens of a sentence. @param denied tokens that the sentence denies */
export function amountIn(
  text: string,
  tokens: readonly Token[],
  from: number,
  to: number,
  asked: Amount,
  denied: ReadonlySet<number>,
): { from: number; to: number }[] {
  const { phrases } = unitNamed(asked.unit);
  const found: { from: number; to: number }[] = [];
  for (let i = from; i < to; i++) {
    const token = tokens[i] as Token;
    if (token.value === null || !fits(token.value, asked) || denied.has(i)) continue;
    if (!asked.former && isOld(tokens, i, from)) continue;
    const end = asked.unit === 'dollars' && tokens[i - 1]?.word === '$' ? i + 1 : unitEnd(text, tokens, i, to, phrases);
    if (end !== undefined && !isDensity(asked.unit, tokens, end)) found.push({ from: i, to: end });
    else if (end === undefined && standsBehindUnit(tokens, i, from, phrases)) found.push({ from: i, to: i + 1 });
  }
  return found;
}

/** The token behind the unit of a number; undefined where the number counts something else. */
function unitEnd(
  text: string,
  tokens: readonly Token[],
  at: number,
  to: number,
  phrases: readonly (readonly string[])[],
): number | undefined {
  if (NUMBERING.has(tokens[at - 1]?.word ?? '')) return undefined;
  let isBracketed = false;
  for (let i = at + 1; i < Math.min(to, at + 1 + REACH); i++) {
    const [before, here] = [tokens[i - 1] as Token, tokens[i] as Token];
    const gap = text.slice(before.end, here.start);
    const between = isBracketed ? gap.replace(/^[^(]{0,2}\)/, '') : gap;
    isBracketed = false;
    // `two (2) feet`
    const isSpelled = i === at + 1 && /\(\s*$/.test(text.slice(Math.max(0, (tokens[at]?.start ?? 0) - 3), tokens[at]?.start));
    if (ENDING.test(isSpelled ? between.replace(')', '') : between)) return undefined;
    // `60 age restricted (55 and over) condominium units`, `two (2) feet`
    if (/\(\s*$/.test(between)) {
      const close = closing(text, tokens, i, to);
      if (close === undefined) return undefined;
      i = close;
      isBracketed = true;
      continue;
    }
    const phrase = phrases.find((stems) => stems.every((stem, offset) => tokens[i + offset]?.stem === stem));
    if (phrase && isPlace(tokens, i, text, phrase)) return undefined;
    if (phrase) return i + phrase.length;
    // '115,700 square foot field house' counts no houses.
    if (countsOther(tokens, i, phrases)) return undefined;
    // `46,000 square feet, 12 units`: after a comma something else may be counted.
    if (i > at + 1 && between.includes(',')) return undefined;
    // '10 to 20 units': the second number has the unit of both.
    if (here.value !== null && !/^(?:to|and|or|through)$/.test(before.word) && text.slice(before.end, here.start).trim() !== '-')
      return undefined;
    if (/^(?:with|of|in|on|at|for|by|from|that|which|near)$/.test(here.word) || (here.word === 'and' && tokens[i + 1]?.value === null))
      return undefined;
  }
  return undefined;
}

/** The last token within brackets that open before `at`; undefined where they do not close soon. */
function closing(text: string, tokens: readonly Token[], at: number, to: number): number | undefined {
  for (let i = at; i < Math.min(to, at + REACH); i++) if (/^[^(]{0,2}\)/.test(text.slice(tokens[i]?.end))) return i;
  return undefined;
}

/** `the number of units from 72 to 74`: whether the unit comes before the number. */
function standsBehindUnit(tokens: readonly Token[], at: number, from: number, phrases: readonly (readonly string[])[]): boolean {
  if (!/^(?:from|to)$/.test(tokens[at - 1]?.word ?? '')) return false;
  for (let i = at - 1; i >= Math.max(from, at - REACH); i--) {
    const token = tokens[i] as Token;
    const ends = phrases.some((stems) => stems.every((stem, offset) => tokens[i - stems.length + 1 + offset]?.stem === stem));
    if (ends) return true;
    if (
      token.value === null &&
      !isPartOfNumber(tokens, i) &&
      !/^(?:from|to|rises?|rose|grows?|increased?|increases|reduced|changes?)$/.test(token.word)
    )
      return false;
  }
  return false;
}

/** Whether a token belongs to the number of one before it: `six` of `seventy-six`. */
const isPartOfNumber = (tokens: readonly Token[], at: number): boolean =>
  [1, 2, 3, 4].some((back) => (tokens[at - back]?.span ?? 1) > back);

/** `100K vacant space` counts no spaces. */
const isPlace = (tokens: readonly Token[], at: number, text: string, phrase: readonly string[]) =>
  phrase.length === 1 && tokens[at]?.word === 'space' && text[(tokens[at]?.start ?? 0) - 1] !== '-';

function countsOther(tokens: readonly Token[], at: number, phrases: readonly (readonly string[])[]): boolean {
  const other = unitAt([tokens[at]?.stem ?? '', tokens[at + 1]?.stem ?? ''], 0);
  return other !== undefined && other.unit.phrases !== phrases && other.unit.name !== 'units';
}

/** `12 units per acre` is a density, no number of units. */
const isDensity = (unit: string, tokens: readonly Token[], end: number) =>
  unit === 'units' && (tokens[end]?.word === 'per' || (/^(?:an|the)$/.test(tokens[end]?.word ?? '') && tokens[end + 1]?.stem === 'acr'));

function isOld(tokens: readonly Token[], at: number, from: number): boolean {
  const before = [tokens[at - 1], tokens[at - 2]].map((token) => token?.word ?? '');
  if (before.some((word) => OLD.has(word))) return true;
  if (before[0] !== 'from') return false;
  for (let i = Math.max(from, at - 6); i < at; i++) if (CHANGED.test(tokens[i]?.stem ?? '')) return true;
  return false;
}
