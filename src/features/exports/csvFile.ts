/** A CSV of records, written page by page. */
import { csvHeader, csvRows } from '../../core/domain/record/csv.ts';
import type { FileStore, WrittenFile } from '../../core/store/files/fileStore.ts';

interface WrittenCsv extends WrittenFile {
  /** rows without the header */
  rowCount: number;
}

type StandardRecord = Readonly<Record<string, unknown>>;

/**
 * Streams pages of standard records into a file; no more than one page is held.
 * @param name one that no other attempt at the file uses: a writer that wakes up late would replace the file of another
 * @param onProgress is awaited after each page, with the rows so far
 * @throws what the pages, `onProgress` and the store throw, and the signal's reason; the file is then not there
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
