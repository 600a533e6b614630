/** A CSV of records, written page by page. */
import type { Duplex } from 'node:stream';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { CSV_FORM } from '../../core/domain/csvText.ts';
import {
  addLongCells,
  CSV_COLUMNS,
  csvCells,
  csvHeader,
  csvLines,
  fitSpreadsheetCell,
  type LongCells,
} from '../../core/domain/record/csv.ts';
import type { FileStore, WrittenFile } from '../../core/store/files/fileStore.ts';

interface WrittenCsv extends WrittenFile {
  /** rows, without the header */
  rowCount: number;
  /** null if a spreadsheet holds every cell */
  longCells: LongCells | null;
}

type ServedRecord = Readonly<Record<string, unknown>>;

/**
 * Writes pages of records to a CSV file, holding one page in memory.
 * @param name not used by any other attempt: a writer that resumes late would overwrite another's file
 * @param onProgress awaited after each page, with the number of rows so far
 * @throws errors of the pages, of `onProgress` and of the store, and the signal's reason; there is then no file
 */
export async function writeCsv(
  store: FileStore,
  name: string,
  pages: AsyncIterable<readonly ServedRecord[]>,
  signal: AbortSignal,
  onProgress: (rowCount: number) => void | Promise<void> = () => undefined,
  columns = CSV_COLUMNS,
): Promise<WrittenCsv> {
  let rowCount = 0;
  let longCells: LongCells | null = null;
  async function* text(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvHeader(columns));
    for await (const records of pages) {
      signal.throwIfAborted();
      const rows = records.map((record) => csvCells(record, columns));
      longCells = rows.reduce((known, row) => addLongCells(known, row, columns), longCells);
      if (rows.length) yield Buffer.from(csvLines(rows));
      rowCount += records.length;
      await onProgress(rowCount);
    }
  }
  const written = await store.write(name, text(), signal);
  return { ...written, rowCount, longCells };
}

/** Steps that rewrite a CSV of ours so that a spreadsheet holds every cell: cells that are too long are cut, all others stay as they are. */
export const makeSpreadsheetRewriter = (): Duplex[] => [parse(), stringify({ ...CSV_FORM, cast: { string: fitSpreadsheetCell } })];
