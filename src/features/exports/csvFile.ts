/** A CSV of records, written page by page. */
import { csvHeader, csvRows } from '../../core/domain/record/csv.ts';
import type { FileStore, WrittenFile } from '../../core/store/files/fileStore.ts';

interface WrittenCsv extends WrittenFile {
  /** rows, without the header */
  rowCount: number;
}

type StandardRecord = Readonly<Record<string, unknown>>;

/**
 * Writes pages of standard records to a CSV file, holding one page in memory.
 * @param name not used by any other attempt: a writer that resumes late would overwrite another's file
 * @param onProgress awaited after each page, with the number of rows so far
 * @throws errors of the pages, of `onProgress` and of the store, and the signal's reason; there is then no file
 */
export async function writeCsv(
  store: FileStore,
  name: string,
  pages: AsyncIterable<readonly StandardRecord[]>,
  signal: AbortSignal,
  onProgress: (rowCount: number) => void | Promise<void> = () => undefined,
): Promise<WrittenCsv> {
  let rowCount = 0;
  async function* text(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvHeader());
    for await (const records of pages) {
      signal.throwIfAborted();
      if (records.length) yield Buffer.from(csvRows(records));
      rowCount += records.length;
      await onProgress(rowCount);
    }
  }
  const written = await store.write(name, text(), signal);
  return { ...written, rowCount };
}
