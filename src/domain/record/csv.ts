/** Records as the text of a CSV (RFC 4180, CRLF): the columns are the fields of a standard record, in their order. */
import { stringify } from 'csv-stringify/sync';
import { fieldOf } from './fields.ts';
import { FIELDS_OF } from './schemas.ts';

/** The field names of the header row. */
export const CSV_COLUMNS = FIELDS_OF.standard;

const CELLS = CSV_COLUMNS.map((name) => ({ name, text: fieldOf(name).csv }));

/** Cells that begin so are never run; they are by far the most. */
const PLAIN_START = /^[A-Za-z0-9]/;
const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/**
 * A first character that starts a formula, also in its wide, small and raised forms, which some programs read alike; spaces, controls, unassigned and
 * characters without width before it are dropped by some on opening. A tab or carriage return in front suffices by itself.
 */
const RUN_BY_A_SPREADSHEET = /^([\t\r]|[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@|＝＋－＠｜﹦﹢﹣﹫⁼⁺⁻₌₊₋⩵⩶﬩])/u;

/** The text of a cell as no spreadsheet runs it: with `'` in front where one would take it for a formula. Numbers stay as they are. */
export function guarded(text: string): string {
  if (PLAIN_START.test(text) || PLAIN_NUMBER.test(text) || !RUN_BY_A_SPREADSHEET.test(text)) return text;
  return `'${text}`;
}

/**
 * One standard record, as it is served, to the texts of its cells; null is empty.
 * @throws TypeError where a field holds an object that the record table has no text for
 */
export function csvCells(record: Readonly<Record<string, unknown>>): string[] {
  return CELLS.map(({ name, text }) => {
    const value = record[name];
    if (value === null || value === undefined) return '';
    if (text) return guarded(text(value));
    if (typeof value === 'object') throw new TypeError(`The record table says no text for ${name} in a CSV`);
    return guarded(String(value));
  });
}

const lines = (rows: readonly (readonly string[])[]) => stringify([...rows], { record_delimiter: 'windows' });

/** The header row with its line end. */
export const csvHeader = (): string => lines([CSV_COLUMNS]);

/** A row with its line end for each standard record. */
export const csvRows = (records: readonly Readonly<Record<string, unknown>>[]): string => lines(records.map(csvCells));
