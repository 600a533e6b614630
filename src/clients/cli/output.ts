/** Formats an answer: a table for people, JSON or CSV for programs; all fields or the named ones. Pure. */
import { printableJson } from '../../terminal/printable.ts';
import { UserError } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';

type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

export interface OutputOptions {
  form: 'table' | 'json' | 'csv';
  /** fields of each record, in this order; all by default */
  fields?: readonly string[] | undefined;
  /** characters per line of a table */
  width: number;
}

type Fields = Readonly<Record<string, unknown>>;

const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

type Titles = ReadonlyMap<string, string>;

/** CSV (RFC 4180) with a header. @param titles of columns that have another one than their name */
function csvOf(records: readonly Fields[], names: readonly string[], titles: Titles): string {
  const quoted = (value: unknown) => {
    const text = String(cellOf(value) ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = names.map((name) => titles.get(name) ?? name);
  return [header, ...records.map((record) => names.map((name) => record[name]))].map((line) => line.map(quoted).join(',')).join('\r\n');
}

/** The named fields of records. @throws UserError for a name that no record has */
function picked(records: readonly Fields[], names: readonly string[]): Fields[] {
  const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const unknown = names.filter((name) => known.length > 0 && !known.includes(name));
  if (unknown.length) throw new UserError(`--fields: there is no ${unknown.join(', ')} in this answer. It has ${known.join(', ')}.`);
  return records.map((record) => Object.fromEntries(names.map((name) => [name, record[name]])));
}

/** Whether an answer is one object whose groups are rows, such as an analysis. */
const hasGroups = (value: unknown): boolean => Array.isArray((value as { groups?: unknown } | null)?.groups);

/** @param rows of the table for people @param none the sentence for an empty answer @param titles of the columns of a CSV, all in their order @returns the text without a final line break */
export function formatOutput(
  value: unknown,
  rows: readonly Row[],
  none: string,
  { form, fields, width }: OutputOptions,
  titles: Titles = new Map(),
): string {
  const all = (Array.isArray(value) ? value : form !== 'json' && hasGroups(value) ? rows : [value]) as Fields[];
  const records = fields ? picked(all, fields) : all;
  if (form === 'csv') return csvOf(records, fields ?? (titles.size ? [...titles.keys()] : Object.keys(all[0] ?? {})), titles);
  if (form === 'json') return printableJson(fields ? (Array.isArray(value) ? records : records[0]) : value);
  const shown = fields
    ? records.map((record) => Object.fromEntries(Object.entries(record).map(([name, one]) => [name, cellOf(one)])))
    : rows;
  return textTable(shown, none, width).join('\n');
}
