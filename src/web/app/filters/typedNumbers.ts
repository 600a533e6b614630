/** Comparisons of measurements that a person types: "acres > 5", "units 50-200", "at least 3 stories". Pure. */
import { type FilterFieldRow, foldText } from './filterRows.ts';

/** Bounds of a measurement, each of which counts as inside. */
export interface TypedBounds {
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

// In these forms each number is a #.
const RANGE = /^(.*?)\s*[:=]?\s*(?:between|from)?\s*#\s*(?:-|–|to|and|\.\.)\s*#\s*(.*)$/;
const LEAST = /^(.*?)\s*[:=]?\s*(>=|≥|=>|at least|no less than|minimum|min|from)\s*#\s*(.*)$/;
const MORE = /^(.*?)\s*[:=]?\s*(>|over|above|more than|larger than)\s*#\s*(.*)$/;
const MOST = /^(.*?)\s*[:=]?\s*(<=|≤|=<|at most|no more than|maximum|max|up to)\s*#\s*(.*)$/;
const LESS = /^(.*?)\s*[:=]?\s*(<|under|below|less than|fewer than|smaller than)\s*#\s*(.*)$/;
const OR_MORE = /^(.*?)\s*#\s*(?:\+\s*(.*)|(.*?)\s*(?:or|and) (?:more|up|larger|above))$/;
const OR_LESS = /^(.*?)\s*#\s*(.*?)\s*(?:or|and) (?:less|fewer|smaller|below)$/;
const ALONE = /^(.*?)\s*(?:[:=]|exactly|is)?\s*#\s*(.*)$/;

/** The comparisons that a text can mean: a bare number is a bound of either kind, or the value. */
function comparisonsOf(typed: string): Comparison[] {
  const text = typed.toLowerCase();
  const numbers = (text.match(NUMBER) ?? []).map(plainNumber);
  const form = text.replaceAll(NUMBER, '#').trim();
  const [first = '', second] = numbers;
  if (numbers.length === 2 && second !== undefined) {
    const found = RANGE.exec(form);
    const [min, max] = Number(first) <= Number(second) ? [first, second] : [second, first];
    return found ? [{ min, max, rest: [found[1] ?? '', found[2] ?? ''] }] : [];
  }
  if (numbers.length !== 1) return [];
  for (const [pattern, bound] of [
    [LEAST, { min: first }],
    [MOST, { max: first }],
    [MORE, { min: first, isStrict: true }],
    [LESS, { max: first, isStrict: true }],
  ] as const) {
    const found = pattern.exec(form);
    if (found) return [{ ...bound, rest: [found[1] ?? '', found[3] ?? ''] }];
  }
  const more = OR_MORE.exec(form);
  if (more) return [{ min: first, rest: [more[1] ?? '', more[2] ?? more[3] ?? ''] }];
  const less = OR_LESS.exec(form);
  if (less) return [{ max: first, rest: [less[1] ?? '', less[2] ?? ''] }];
  const alone = ALONE.exec(form);
  const rest = [alone?.[1] ?? '', alone?.[2] ?? ''];
  return alone
    ? [
        { min: first, max: first, rest },
        { min: first, rest },
        { max: first, rest },
      ]
    : [];
}

/** Units as they are abbreviated. */
const UNITS: Readonly<Record<string, string>> = { 'sq ft': 'square feet', sqft: 'square feet', sf: 'square feet', ft: 'feet', ac: 'acres' };

const stem = (text: string) => text.replace(/e?s$/, '');

/** The names of a measurement: its label, its unit, and what its filters are called without the end of the range. */
function namesOf({ label, rows }: FilterFieldRow): string[] {
  const [first] = rows;
  const filters = first ? [first.name, ...first.aliases] : [];
  const bare = filters.map((name) => name.replace(/(Min|Max)$/, '').replaceAll(/([A-Z])/g, ' $1'));
  return [label, first?.unit ?? '', ...bare].map((name) => stem(foldText(name)));
}

/** Whether words name a measurement: one of its names, or the beginning or end of one. */
function isNamedBy(field: FilterFieldRow, words: string): boolean {
  const folded = foldText(words);
  const sought = stem(UNITS[folded] ?? folded);
  return namesOf(field).some((name) => name === sought || name.startsWith(`${sought} `) || name.endsWith(` ${sought}`));
}

/** The bounds that a text can mean; none if it names no measurement. @param fields all of the page */
export function boundsTyped(typed: string, fields: readonly FilterFieldRow[]): TypedBounds[] {
  const measured = fields.filter(({ input }) => input === 'number');
  return comparisonsOf(typed).flatMap(({ rest, ...bounds }) => {
    const named = rest.filter((words) => foldText(words));
    if (!named.length) return [];
    return measured.filter((field) => named.every((words) => isNamedBy(field, words))).map((field) => ({ field, ...bounds }));
  });
}
