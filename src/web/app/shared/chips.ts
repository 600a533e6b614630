/** The filters of the address in words: a chip for each, or for both ends of a range. Pure. */

import {
  type FilterCatalogue,
  type FilterFieldRow,
  type FilterInput,
  type FilterRow,
  type FilterTexts,
  fieldsOf,
  rowOf,
  valuesOf,
  wordOf,
} from './filterRows.ts';
import { nameAreas, type ShapeNames } from './shapes.ts';
import { date, number } from './words.ts';

export interface FilterChip {
  key: string;
  label: string;
  text: string;
  /** the filters that it shows, by the names of the address */
  names: readonly string[];
  /** absent for a name that is no filter */
  field?: FilterFieldRow;
}

const LISTED_MAX = 3;

/** `A`, `A or B`, `A, B, C and 4 more`. */
export function anyOfWords(words: readonly string[]): string {
  if (words.length > LISTED_MAX) return `${words.slice(0, LISTED_MAX).join(', ')} and ${words.length - LISTED_MAX} more`;
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');
}

const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day, month or year in words; what is none is shown as it is. */
function periodText(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return months.format(new Date(`${text}-01T00:00:00Z`));
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? date(text) : text;
}

const numberText = (text: string) => (text.trim() && Number.isFinite(Number(text)) ? number(Number(text)) : text);

type Ends = readonly [from: string | undefined, to: string | undefined];

function numbersText({ label, unit = '' }: FilterRow, [from, to]: Ends): string {
  const shown = foldUnit(label, unit);
  const [least, most] = [from, to].map((end) => end && numberText(end));
  if (least && most) return least === most ? `exactly ${least}${shown}` : `${least} to ${most}${shown}`;
  return least ? `${least}${shown} or more` : `${most}${shown} or less`;
}

/** A unit that the label already says is left out. */
const foldUnit = (label: string, unit: string) => (label.toLowerCase() === unit ? '' : ` ${unit}`);

function datesText([from, to]: Ends): string {
  if (from && to) return from === to ? periodText(from) : `${periodText(from)} to ${periodText(to)}`;
  return from ? `from ${periodText(from)}` : `until ${periodText(to ?? '')}`;
}

/** What the drawn areas are called. What is no area is refused by the service, at this chip. */
function shapeText(name: string, text: string, areas: ShapeNames): string {
  const names = nameAreas(name, text, areas);
  return names.length ? anyOfWords(names) : text.slice(0, 40);
}

const quoted = (text: string) => anyOfWords(text.split('|').map((part) => `“${part.trim()}”`));

/** A pair of a body and a status, each a token or a label. */
function pairText(catalogue: FilterCatalogue, pair: string): string {
  const [body = '', status = ''] = pair.split('|');
  const label = (name: string, text: string) => {
    const row = rowOf(catalogue, name);
    return (row && wordOf(catalogue, row, text)?.label) ?? text;
  };
  return `${label('status', status)} by ${label('decisionBodies', body)}`;
}

/** Names of places and areas by filter and value, such as `counties 8013`. */
export type PlaceNames = ReadonlyMap<string, string>;

/** The value of a filter that is no range, in words. */
function valueText(catalogue: FilterCatalogue, row: FilterRow, text: string, places: PlaceNames): string {
  const shownAs: Record<Exclude<FilterInput, 'number' | 'date'>, () => string> = {
    places: () => anyOfWords(valuesOf(text).map((value) => places.get(`${row.name} ${value}`) ?? value)),
    words: () => anyOfWords(valuesOf(text).map((value) => wordOf(catalogue, row, value)?.label ?? value)),
    choice: () => wordOf(catalogue, row, text)?.label ?? text,
    flag: () => ({ true: 'yes', '1': 'yes', false: 'no', '0': 'no' })[text.toLowerCase()] ?? text,
    text: () => (row.name === 'q' ? quoted(text) : `“${text}”`),
    ids: () => anyOfWords(valuesOf(text)),
    list: () => anyOfWords(valuesOf(text)),
    pairs: () => anyOfWords(valuesOf(text).map((pair) => pairText(catalogue, pair))),
    shape: () => shapeText(row.name, text, places),
  };
  return shownAs[row.input as keyof typeof shownAs]();
}

/** The value of a field in words; undefined if the address has none. @param filters under their own names */
export function fieldText(
  catalogue: FilterCatalogue,
  { rows, input }: FilterFieldRow,
  filters: FilterTexts,
  places: PlaceNames = new Map(),
): string | undefined {
  const [first] = rows;
  if (!first || rows.every(({ name }) => !filters[name])) return undefined;
  const endOf = (end: FilterRow['end']) => filters[rows.find((row) => row.end === end)?.name ?? ''];
  if (input === 'number') return numbersText(first, [endOf('min'), endOf('max')]);
  if (input === 'date') return datesText([endOf('min'), endOf('max')]);
  return valueText(catalogue, first, filters[first.name] ?? '', places);
}

/** A chip for each filter of the address, in the order of the table; names that are no filter come last. @param filters under their own names */
export function chipsOf(catalogue: FilterCatalogue, filters: FilterTexts, places: PlaceNames = new Map()): FilterChip[] {
  const known = fieldsOf(catalogue).flatMap((field): FilterChip[] => {
    const text = fieldText(catalogue, field, filters, places);
    const names = field.rows.map(({ name }) => name).filter((name) => filters[name]);
    return text === undefined ? [] : [{ key: field.key, label: field.label, text, names, field }];
  });
  const unknown = Object.entries(filters).filter(([name]) => !rowOf(catalogue, name));
  return [...known, ...unknown.map(([name, text]) => ({ key: name, label: name, text: text.slice(0, 40), names: [name] }))];
}
