/** The record table and the orders of a search, as the page reads them from one file. */

/**
 * How a value is shown: `measure` is a number with separators of thousands, `number` one without (ids, degrees), `prose` a long text, `list` a list or an
 * object, for which `text` names the function of `cellText.ts`.
 */
export type FieldKind = 'measure' | 'number' | 'flag' | 'day' | 'moment' | 'text' | 'prose' | 'list';

export interface RecordField {
  /** of a field, or of the entries of a list that have a role: `parties.developer` */
  name: string;
  /** what it is called on every tab, in files and on paper */
  heading: string;
  /** the smallest representation that has it */
  tier: 'compact' | 'standard' | 'full';
  /** one line for the reference */
  summary: string;
  kind: FieldKind;
  /** name of the field whose label this is */
  labels?: string;
  /** of a list or an object: the function of `cellText.ts` that makes it a text */
  text?: string;
  /** the list whose entries of a role it has */
  of?: 'parties' | 'contacts';
}

export interface RecordFields {
  /** in the order of answers */
  fields: readonly RecordField[];
  /** each value of `sort`, with its field and, if the name includes one, its direction */
  sorts: Readonly<Record<string, { field: string; direction?: 'asc' | 'desc' }>>;
}
