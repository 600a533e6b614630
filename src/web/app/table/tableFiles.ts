/** The rows of the table for other programs: as a CSV, and as cells for the clipboard. */
import { escapeFormula, escapeFormulas } from '../../../core/domain/csvText.ts';
import { copyText } from '../shared/clipboard.ts';
import { nameOfField } from '../shared/facts.ts';
import { csvOf, saveText } from '../shared/files.ts';
import { fileText, type RecordField, type TableRecord } from './recordFields.ts';

/** Parts of a list are guarded one by one: a spreadsheet that is set to semicolons would split them. */
function fileCell(record: TableRecord, field: RecordField): string {
  const text = fileText(record, field);
  return field.kind === 'list' ? escapeFormulas(text) : text;
}

const rowsOf = (records: readonly TableRecord[], columns: readonly RecordField[]): string[][] => [
  [nameOfField('id'), ...columns.map(({ heading }) => heading)],
  ...records.map((record) => [String(record.id), ...columns.map((field) => fileCell(record, field))]),
];

/** For Excel, which reads other files as Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

export const saveRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): void =>
  saveText(`${BYTE_ORDER_MARK}${csvOf(rowsOf(records, columns))}`, 'text/csv', 'projects.csv');

/** Cells between tabs, as spreadsheets paste them; a line or a tab within a cell becomes a blank. */
export const copyRecords = (records: readonly TableRecord[], columns: readonly RecordField[]): Promise<void> =>
  copyText(
    rowsOf(records, columns)
      .map((cells) => cells.map((cell) => escapeFormula(cell.replaceAll(/[\t\r\n]+/g, ' '))).join('\t'))
      .join('\n'),
  );
