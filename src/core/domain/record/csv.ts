/** Records as the text of a CSV (RFC 4180, CRLF): the columns are the fields of a standard record, in their order. */
import { stringify } from 'csv-stringify/sync';
import { CSV_FORM, escapeFormula, escapeFormulas } from '../csvText.ts';
import { fieldOf } from './fields.ts';
import { FIELDS_OF } from './schemas.ts';

/** The field names of the header row. */
export const CSV_COLUMNS = FIELDS_OF.standard;

const CELLS = CSV_COLUMNS.map((name) => ({ name, text: fieldOf(name).csv }));

/**
 * One standard record, as it is served, to the texts of its cells; null is empty.
 * @throws TypeError if a field holds an object that the record table has no text for
 */
export function csvCells(record: Readonly<Record<string, unknown>>): string[] {
  return CELLS.map(({ name, text }) => {
    const value = record[name];
    if (value === null || value === undefined) return '';
    if (text) return escapeFormulas(text(value));
    if (typeof value === 'object') throw new TypeError(`The record table says no text for ${name} in a CSV`);
    return escapeFormula(String(value));
  });
}

const lines = (rows: readonly (readonly string[])[]) => stringify([...rows], CSV_FORM);

/** The header row with its line end. */
export const csvHeader = (): string => lines([CSV_COLUMNS]);

/** A row with its line end for each standard record. */
export const csvRows = (records: readonly Readonly<Record<string, unknown>>[]): string => lines(records.map(csvCells));
