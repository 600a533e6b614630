/** Comparisons of measurements that a person types: "acres > 5", "units 50-200", "at least 3 stories". Pure. */
import { normalizeWords } from '../../../core/domain/words.ts';
import type { FilterFieldRow } from './filterRows.ts';

/** Bounds of a measurement, each of which counts as inside. */
interface TypedBounds {
  field: FilterFieldRow;
  min?: string;
  max?: string;
  /** true for "more than"; the filter includes the bound */
  isStrict?: boolean;
}

/** A comparison in a text; `rest` is the text without it. */
interface Comparison extends Omit<TypedBounds, 'field'> {
  rest: readonly string[];
}

const NUMBER = /(?<![\p{L}\d.])\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|thousand|million)\b)?/gu;
const TIMES: Readonly<Record<string, number>> = { k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000 };

/** `1,500` and `1.5k` are 1500. */
function plainNumber(text: string): string {
  const [, digits = '', times = ''] = /^([\d,.]+)\s?(\p{L}*)$/u.exec(text) ?? [];
  const value = Number(digits.replaceAll(',', '')) * (TIMES[times] ?? 1);
  return String(Number(value.toFixed(6)));
}

/** What may stand between two numbers. */
const BETWEEN: ReadonlySet<string> = new Set(['-', '–', 'to', 'and', '..']);
/** What may stand before a number, and behind it. */
const BEFORE = [
  [/(?:>=|≥|=>|at least|no less than|minimum|min|from)$/, 'min', false],
  [/(?:<=|≤|=<|at most|no more than|maximum|max|up to)$/, 'max', false],
  [/(?:>|over|above|more than|larger than)$/, 'min', true],
  [/(?:<|under|below|less than|fewer than|smaller than)$/, 'max', true],
] as const;
const BEHIND = [
  [/^\+|(?:or|and) (?:more|up|larger|above)$/, 'min'],
  [/(?:or|and) (?:less|fewer|smaller|below)$/, 'max'],
] as const;

/** The comparisons that a text can mean: a bare number is a bound of either kind, or the value. */
function comparisonsOf(typed: string): Comparison[] {
  const text = typed.toLowerCase();
  const numbers = (text.match(NUMBER) ?? []).map(plainNumber);
  const [before = '', between = '', behind = '', ...others] = text.split(NUMBER).map((part) => part.replace(/\s+/g, ' ').trim());
  const [first = '', second] = numbers;
  if (second !== undefined) {
    if (others.length || !BETWEEN.has(between)) return [];
    const [min, max] = Number(first) <= Number(second) ? [first, second] : [second, first];
    return [{ min, max, rest: [before.replace(/(?:between|from)$/, ''), behind] }];
  }
  if (!first) return [];
  for (const [pattern, bound, isStrict] of BEFORE)
    if (pattern.test(before)) return [{ [bound]: first, ...(isStrict && { isStrict }), rest: [before.replace(pattern, ''), between] }];
  for (const [pattern, bound] of BEHIND)
    if (pattern.test(between)) return [{ [bound]: first, rest: [before, between.replace(pattern, '')] }];
  const rest = [before.replace(/(?:exactly|is)$/, ''), between];
  return [
    { min: first, max: first, rest },
    { min: first, rest },
    { max: first, rest },
  ];
}

/** Units as they are abbreviated. */
const UNITS: Readonly<Record<string, string>> = { 'sq ft': 'square feet', sqft: 'square feet', sf: 'square feet', ft: 'feet', ac: 'acres' };

const dropPlural = (text: string) => text.replace(/e?s$/, '');

/** The names of a measurement: its label, its unit, and what its filters are called without the end of the range. */
function namesOf({ label, rows }: FilterFieldRow): string[] {
  const [first] = rows;
  const filters = first ? [first.name, ...first.aliases] : [];
  const bare = filters.map((name) => name.replace(/(Min|Max)$/, '').replaceAll(/([A-Z])/g, ' $1'));
  return [label, first?.unit ?? '', ...bare].map((name) => dropPlural(normalizeWords(name)));
}

/** Whether words name a measurement: one of its names, or the beginning or end of one. */
function isFieldMeant(field: FilterFieldRow, words: string): boolean {
  const folded = normalizeWords(words);
  const sought = dropPlural(UNITS[folded] ?? folded);
  return namesOf(field).some((name) => name === sought || name.startsWith(`${sought} `) || name.endsWith(` ${sought}`));
}

/** The bounds that a text can mean; none if it names no measurement. @param fields all of the page */
export function boundsTyped(typed: string, fields: readonly FilterFieldRow[]): TypedBounds[] {
  const measured = fields.filter(({ input }) => input === 'number');
  return comparisonsOf(typed).flatMap(({ rest, ...bounds }) => {
    const named = rest.filter((words) => normalizeWords(words));
    if (!named.length) return [];
    return measured.filter((field) => named.every((words) => isFieldMeant(field, words))).map((field) => ({ field, ...bounds }));
  });
}
