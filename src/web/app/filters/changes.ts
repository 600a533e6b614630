/** Changes of the filters that keep them consistent: companion filters are set, and broader words are removed when narrower ones are chosen. Pure. */

import {
  type FilterCatalogue,
  type FilterRow,
  type FilterTexts,
  type FilterWord,
  listText,
  valuesOf,
  wordOf,
} from '../shared/filterRows.ts';
import type { FilterChange } from '../shared/state.ts';

/** Levels of the Building Type tree, the broadest first. */
const LEVELS = ['propertyTypes', 'propertySubtypes', 'assetClasses'] as const;

/** The filters that say when meetings were: one of them replaces the others. */
const MEETINGS = ['dateRange', 'meetingDateFrom', 'meetingDateTo'];

const liesUnder = (narrow: FilterWord, broad: string) => narrow.type === broad || narrow.subtype === broad;

/** The service ignores a narrower word next to a broader one, so only the last chosen one is kept. */
function othersOfTree(catalogue: FilterCatalogue, filters: FilterTexts, name: string, chosen: FilterWord): Record<string, string | null> {
  const change: Record<string, string | null> = {};
  const at = LEVELS.indexOf(name as (typeof LEVELS)[number]);
  for (const [i, level] of LEVELS.entries()) {
    const row = catalogue.rows.find((one) => one.name === level);
    if (at < 0 || i === at || !row || !filters[level]) continue;
    const values = valuesOf(filters[level]);
    const kept = values.filter((value) => {
      const word = wordOf(catalogue, row, value);
      return !word || !(i < at ? liesUnder(chosen, word.token) : liesUnder(word, chosen.token));
    });
    if (kept.length < values.length) change[level] = listText(kept);
  }
  return change;
}

const companionOf = (row: FilterRow, word?: FilterWord): Record<string, string> => {
  const needs = row.needs ?? word?.needs;
  return needs ? { [needs]: 'true' } : {};
};

export function addWord(catalogue: FilterCatalogue, filters: FilterTexts, row: FilterRow, word: FilterWord): FilterChange {
  if (row.input === 'choice') return setValue(row, word.token);
  const tokens = valuesOf(filters[row.name]).map((value) => wordOf(catalogue, row, value)?.token ?? value);
  return {
    ...othersOfTree(catalogue, filters, row.name, word),
    ...companionOf(row, word),
    [row.name]: listText([...new Set([...tokens, word.token])]),
  };
}

/** Removes a word or a place from a list. */
export function removeValue(catalogue: FilterCatalogue, filters: FilterTexts, row: FilterRow, value: string): FilterChange {
  const token = wordOf(catalogue, row, value)?.token ?? value;
  const kept = valuesOf(filters[row.name]).filter((one) => (wordOf(catalogue, row, one)?.token ?? one) !== token);
  return { [row.name]: listText(kept) };
}

/** Sets the value of a filter; null or nothing removes it. */
export function setValue(row: FilterRow, value: string | null): FilterChange {
  const others = value && MEETINGS.includes(row.name) ? MEETINGS.filter((name) => isReplaced(name, row.name)) : [];
  return { ...Object.fromEntries(others.map((name) => [name, null])), ...(value ? companionOf(row) : {}), [row.name]: value || null };
}

/** A named period replaces bounds, and bounds replace a named period. */
const isReplaced = (name: string, chosen: string) => (name === 'dateRange') !== (chosen === 'dateRange');

/** Sets both ends of a range; an end that is not given is removed. */
export const setEnds = (rows: readonly FilterRow[], ends: { min?: string | undefined; max?: string | undefined }): FilterChange =>
  Object.assign({}, ...rows.map((row) => setValue(row, (row.end && ends[row.end]) || null)));

const PLACES = ['states', 'counties', 'cities'];

/** Adds a place and removes places of other kinds, since the service would ignore the wider ones or require both. */
export function addPlace(filters: FilterTexts, name: string, value: string): FilterChange {
  const others = PLACES.filter((other) => other !== name && filters[other]);
  return {
    ...Object.fromEntries(others.map((other) => [other, null])),
    [name]: listText([...new Set([...valuesOf(filters[name]), value])]),
  };
}

/** Sets the filters of a sentence in place of those of the same kind; places replace places. */
export function setFilters(catalogue: FilterCatalogue, read: FilterTexts): FilterChange {
  const replaced = PLACES.some((name) => read[name]) ? PLACES : [];
  const rows = catalogue.rows.filter(({ name }) => read[name]);
  return Object.assign(
    Object.fromEntries(replaced.map((name) => [name, null])),
    ...rows.map((row) => setValue(row, read[row.name] ?? null)),
  );
}
