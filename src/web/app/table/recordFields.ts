/** The fields of the record as columns: which ones a table shows, how each is headed and what its cells say. */
import { escapeFormulas } from '../../../core/domain/csvText.ts';
import * as cellText from '../../../core/domain/record/cellText.ts';
import type { RecordField, RecordFields } from '../../shared/recordField.ts';
import { onceRead } from '../shared/api.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { csvOf, saveText } from '../shared/files.ts';
import { settings } from '../shared/settings.ts';
import { date, moment, nameInWords, number } from '../shared/words.ts';

/** Parts of a list are guarded one by one: a spreadsheet that is set to semicolons would split them. */
function fileCell(value: unknown, field: RecordField): string {
  const text = fileText(value, field);
  return field.kind === 'list' ? escapeFormulas(text) : text;
}

/** Rows as the text of a CSV whose header has the names of the fields. */
const csvOfRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): string =>
  csvOf([
    ['id', ...columns.map(({ name }) => name)],
    ...records.map((record) => [String(record.id), ...columns.map((field) => fileCell(record[field.name], field))]),
  ]);

/** For Excel, which reads other files as Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

export const saveRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): void =>
  saveText(`${BYTE_ORDER_MARK}${csvOfRecords(records, columns)}`, 'text/csv', 'projects.csv');

export type { RecordField, RecordFields };

/** A record as an answer has it. */
export type TableRecord = Readonly<Record<string, unknown>> & { id: number; displayName?: string | null; projectName: string | null };

/** The column that stays in place; every table has it. */
export const NAME_FIELD = 'projectName';

/** Fields of a table for which nothing was chosen. */
const USUAL_COLUMNS = [
  ...['statusLabel', 'meetingDate', 'city', 'county', 'state', 'propertyTypeLabel', 'totalUnitCount', 'acreage'],
  ...['requestTypeLabel', 'decisionBodyLabel', 'lastUpdated'],
];

/** Reads the record table; the browser caches the file, which never changes under its name. */
export const readRecordFields = onceRead<RecordFields>(settings.recordFields);

interface ChosenColumns {
  /** the name first */
  columns: readonly RecordField[];
  /** names that the record does not have */
  unknown: readonly string[];
  /** the smallest representation that carries them all, and what a table shows without asking again */
  representation: 'standard' | 'full';
}

/** @param columns names separated by commas; null for the usual ones */
export function chosenColumns({ fields }: RecordFields, columns: string | null): ChosenColumns {
  const names = (columns?.split(',') ?? USUAL_COLUMNS).map((name) => name.trim()).filter((name) => name && name !== NAME_FIELD);
  const known = [...new Set([NAME_FIELD, ...names])].map((name) => fields.find((field) => field.name === name) ?? name);
  const found = known.filter((field) => typeof field !== 'string');
  return {
    columns: found,
    unknown: known.filter((field) => typeof field === 'string'),
    representation: found.some(({ tier }) => tier === 'full') ? 'full' : 'standard',
  };
}

/** The heading of a column: a field with a label says that it is the token. */
export function headingOf({ name, labels }: RecordField, fields: readonly RecordField[]): string {
  if (name === NAME_FIELD) return 'Name';
  if (labels) return nameInWords(labels);
  return fields.some((field) => field.labels === name) ? `${nameInWords(name)}, token` : nameInWords(name);
}

const WIDTHS: Readonly<Record<RecordField['kind'], number>> = {
  measure: 136,
  number: 120,
  flag: 120,
  day: 136,
  moment: 190,
  text: 160,
  prose: 320,
  list: 240,
};
const NAME_WIDTH = 280;
const NARROW_NAME_WIDTH = 150;
const NARROW_WINDOW = 600;

/** The width of a column, in pixels, until a reader changes it. */
export const usualWidth = ({ name, kind }: RecordField) =>
  name !== NAME_FIELD ? WIDTHS[kind] : innerWidth < NARROW_WINDOW ? NARROW_NAME_WIDTH : NAME_WIDTH;

export const isNumeric = ({ kind }: RecordField) => kind === 'measure' || kind === 'number';

const isEmpty = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** The text of a list or an object, as a CSV of the service has it. */
function listText(value: unknown, text: string | undefined): string {
  const known = cellText as unknown as Readonly<Record<string, (value: unknown) => string>>;
  return (text && known[text]?.(value)) ?? JSON.stringify(value);
}

/** A value as a file has it: numbers and times as they are, lists as texts; empty if nothing is stated. */
function fileText(value: unknown, { kind, text }: RecordField): string {
  if (isEmpty(value)) return '';
  return kind === 'list' ? listText(value, text) : String(value);
}

/** A value in words, for a reader; empty if nothing is stated. */
export function shownText(record: TableRecord, field: RecordField): string {
  const { name, kind } = field;
  if (name === NAME_FIELD) return nameOfRecord(record);
  const value = record[name];
  if (isEmpty(value)) return '';
  if (kind === 'measure') return number(value as number);
  if (kind === 'flag') return value ? 'Yes' : 'No';
  if (kind === 'day') return date(value as string);
  if (kind === 'moment') return moment(value as string);
  return fileText(value, field);
}
