/** Records as the text of a CSV (RFC 4180, CRLF). The usual columns are the fields of a standard record, in their order. */
import { stringify } from 'csv-stringify/sync';
import { CSV_FORM, escapeFormula, escapeFormulas } from '../csvText.ts';
import { type FieldName, fieldOf } from './fields.ts';
import { FIELDS_OF } from './schemas.ts';

/** The usual columns. */
export const CSV_COLUMNS: readonly FieldName[] = FIELDS_OF.standard;

/**
 * One record, as it is served, to the texts of its cells; null is empty.
 * @throws TypeError if a field holds an object that the record table has no text for
 */
export function csvCells(record: Readonly<Record<string, unknown>>, columns = CSV_COLUMNS): string[] {
  return columns.map((name) => {
    const { csv: text } = fieldOf(name);
    const value = record[name];
    if (value === null || value === undefined) return '';
    if (text) return escapeFormulas(text(value));
    if (typeof value === 'object') throw new TypeError(`The record table says no text for ${name} in a CSV`);
    return escapeFormula(String(value));
  });
}

/** Rows of cells, each with its line end. */
export const csvLines = (rows: readonly (readonly string[])[]) => stringify([...rows], CSV_FORM);

export const csvHeader = (columns = CSV_COLUMNS): string => csvLines([columns]);

/** A row with its line end for each record. */
export const csvRows = (records: readonly Readonly<Record<string, unknown>>[], columns = CSV_COLUMNS): string =>
  csvLines(records.map((record) => csvCells(record, columns)));

/** Characters (of UTF-16) that a cell holds in Excel; what is longer spills into the rows below. */
export const SPREADSHEET_CELL_MAX = 32_767;

/** The cells of a file that a spreadsheet does not hold. */
export interface LongCells {
  /** names of their columns */
  fields: string[];
  /** number of rows with at least one */
  rows: number;
}

/** Adds what the cells of a row are too long for a spreadsheet to what is known of the rows before. */
export function addLongCells(known: LongCells | null, row: readonly string[], columns = CSV_COLUMNS): LongCells | null {
  const fields: string[] = columns.filter((_, i) => (row[i]?.length ?? 0) > SPREADSHEET_CELL_MAX);
  if (fields.length === 0) return known;
  return { fields: [...new Set([...(known?.fields ?? []), ...fields])], rows: (known?.rows ?? 0) + 1 };
}

/** A text as a spreadsheet holds it whole: one that is too long is cut, with a mark that says how long it is. */
export function fitSpreadsheetCell(text: string): string {
  if (text.length <= SPREADSHEET_CELL_MAX) return text;
  const mark = ` … [cut: ${text.length} characters]`;
  const kept = text.slice(0, SPREADSHEET_CELL_MAX - mark.length);
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + mark;
}
