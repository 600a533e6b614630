/** The selected rows as a CSV file of the shown columns, made in the browser: it costs nothing. */
import { escapeFormulas } from '../../../core/domain/csvText.ts';
import { csvOf, saveText } from '../shared/files.ts';
import { fileText, type RecordField, type TableRecord } from './recordFields.ts';

/** Parts of a list are guarded one by one: a spreadsheet that is set to semicolons would split them. */
function cellText(value: unknown, field: RecordField): string {
  const text = fileText(value, field);
  return field.kind === 'list' ? escapeFormulas(text) : text;
}

/** Rows as the text of a CSV whose header has the names of the fields. */
export const csvOfRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): string =>
  csvOf([
    ['id', ...columns.map(({ name }) => name)],
    ...records.map((record) => [String(record.id), ...columns.map((field) => cellText(record[field.name], field))]),
  ]);

/** For Excel, which reads other files as Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

export const saveRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): void =>
  saveText(`${BYTE_ORDER_MARK}${csvOfRecords(records, columns)}`, 'text/csv', 'projects.csv');
