/** The page's data about filters: a row for each, which the service derives from its table of filters. */
import { normalizeWords } from '../../../core/domain/words.ts';

export type FilterInput =
  /** places of the catalogue, by typing */
  | 'places'
  /** several words of a vocabulary */
  | 'words'
  /** one word of a vocabulary */
  | 'choice'
  | 'flag'
  | 'number'
  | 'date'
  | 'text'
  /** ids of projects */
  | 'ids'
  /** texts of a kind, such as numbers of cases */
  | 'list'
  /** pairs of a deciding body and a status */
  | 'pairs'
  /** drawn on the map */
  | 'shape';

export interface FilterWord {
  token: string;
  label: string;
  aliases?: readonly string[];
  /** everyday phrases for it, by which typed text finds it; the API does not accept them */
  phrases?: readonly string[];
  /** the Building Type, and the subtype, that it lies under */
  type?: string;
  subtype?: string;
  /** a flag that must be set with it */
  needs?: string;
}

export interface FilterRow {
  name: string;
  aliases: readonly string[];
  label: string;
  summary: string;
  example: string;
  subject: string;
  input: FilterInput;
  /** of a number */
  unit?: string;
  /** the end of a range that it is; both ends have the same label */
  end?: 'min' | 'max';
  /** name of its vocabulary */
  vocabulary?: string;
  /** a flag that must be set with each of its values */
  needs?: string;
  /** a flag of which false selects the same as leaving it out */
  onlyTrue?: boolean;
}

export interface FilterCatalogue {
  rows: readonly FilterRow[];
  /** words by the name of their vocabulary */
  vocabularies: Readonly<Record<string, readonly FilterWord[]>>;
  /** the value of `dateRange` that applies where neither meetings nor ids are chosen */
  defaultDateRange: string;
}

/** Values by the names of filters, as the address has them. */
export type FilterTexts = Readonly<Record<string, string>>;

/** One field and one chip: a filter, or both ends of a range. */
export interface FilterFieldRow {
  /** name of its first filter */
  key: string;
  label: string;
  subject: string;
  input: FilterInput;
  rows: readonly FilterRow[];
}

/** The fields in the order of the table. */
export function fieldsOf({ rows }: FilterCatalogue): FilterFieldRow[] {
  return [...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, ofLabel]) => {
    const [first] = ofLabel;
    return first ? [{ key: first.name, label, subject: first.subject, input: first.input, rows: ofLabel }] : [];
  });
}

/** The filter for a name in the address. */
export const rowOf = ({ rows }: FilterCatalogue, name: string): FilterRow | undefined =>
  rows.find((row) => row.name === name || row.aliases.includes(name));

/** The word of a vocabulary that a token, label or alias means. */
export function wordOf({ vocabularies }: FilterCatalogue, { vocabulary }: FilterRow, text: string): FilterWord | undefined {
  const folded = normalizeWords(text);
  const words = vocabulary === undefined ? [] : (vocabularies[vocabulary] ?? []);
  return words.find(({ token, label, aliases = [] }) => [token, label, ...aliases].some((name) => normalizeWords(name) === folded));
}

/** The values of a list in the address. In "Boulder, CO,Denver, CO" a comma within a name is followed by a space. */
export function valuesOf(text: string | undefined): string[] {
  if (!text) return [];
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // A text that is no JSON is a single value, which the service refuses.
      return [text];
    }
  }
  return text.split(/,(?! )/).flatMap((value) => value.trim() || []);
}

/** A list as the address has it; null for none. */
export const listText = (values: readonly string[]): string | null => (values.length ? values.join(',') : null);

/** Filters under their own names instead of other names that the address may have. */
export function withOwnNames(catalogue: FilterCatalogue, filters: FilterTexts): FilterTexts {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) {
    const to = rowOf(catalogue, name)?.name ?? name;
    own[to] = to in own ? `${own[to]},${value}` : value;
  }
  return own;
}
