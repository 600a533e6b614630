/** What the page knows of the filters: a row for each, derived by the service from its table of filters. */

/** How a filter is asked for and read back. */
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
  /** pairs of a deciding body and a status */
  | 'pairs'
  /** drawn on the map */
  | 'shape';

export interface FilterWord {
  token: string;
  label: string;
  aliases?: readonly string[];
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
}
