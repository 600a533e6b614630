/** A PDF with a text layer, page by page. */
import { getDocument, OPS, type PDFDocumentLoadingTask, type PDFDocumentProxy, type PDFPageProxy } from 'unpdf/pdfjs';
import { joinPages, type PagedText, removeRunningLines } from '../pages.ts';
import { UnreadError } from '../unread.ts';
import { findDocumentGutter, orderByColumns } from './columns.ts';
import { dropSmallHead, writeLines } from './lines.ts';
import { type DrawnText, listPieces } from './pieces.ts';
import { listRows, type PageRow } from './rows.ts';

const PAGES_MAX = 20_000;
const CHARACTERS_MAX = 50_000_000;
/** A page with fewer letters that shows a picture is a scan. */
const SCAN_LETTERS = 100;
const SCAN_PAGES = 2;

/** No fonts are drawn, nothing is fetched, and no code of the file is run. */
const OPTIONS = {
  disableFontFace: true,
  useSystemFonts: false,
  isEvalSupported: false,
  useWorkerFetch: false,
  enableXfa: false,
  verbosity: 0,
};

async function readRows(page: PDFPageProxy): Promise<PageRow[]> {
  const { items } = await page.getTextContent();
  const drawn = items.filter((item) => 'str' in item) as DrawnText[];
  return listRows(listPieces(drawn, page.getViewport({ scale: 1 }).transform));
}

function writePages(pages: readonly PageRow[][]): string[][] {
  const gutter = findDocumentGutter(pages);
  return pages.map((rows, at) => {
    const blocks = orderByColumns(at > 0 ? dropSmallHead(rows) : rows, gutter);
    return blocks.flatMap((block, place) => (place > 0 ? ['', ...writeLines(block)] : writeLines(block)));
  });
}

async function showsPicture(page: PDFPageProxy): Promise<boolean> {
  const { fnArray } = await page.getOperatorList();
  return fnArray.some(
    (operator) => operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject || operator === OPS.paintImageMaskXObject,
  );
}

const countLetters = (lines: readonly string[]) => lines.join('').replaceAll(/[^\p{L}]+/gu, '').length;

/** @throws UnreadError where no page has text: `scan_without_text` if it shows pictures, `empty` if not */
async function throwIfScan(document: PDFDocumentProxy, pages: readonly string[][]): Promise<void> {
  const letters = pages.reduce((sum, lines) => sum + countLetters(lines), 0);
  if (letters >= SCAN_LETTERS * pages.length) return;
  for (let number = 1; number <= Math.min(SCAN_PAGES, document.numPages); number++)
    if (countLetters(pages[number - 1] ?? []) < SCAN_LETTERS && (await showsPicture(await document.getPage(number))))
      throw new UnreadError('scan_without_text');
  if (letters === 0) throw new UnreadError('empty');
}

async function openPdf({ promise }: PDFDocumentLoadingTask): Promise<PDFDocumentProxy> {
  try {
    return await promise;
  } catch (error) {
    throw new UnreadError((error as Error).name === 'PasswordException' ? 'encrypted' : 'broken');
  }
}

/** @throws UnreadError */
export async function readPdf(bytes: Uint8Array<ArrayBuffer>): Promise<PagedText & { title: string | null }> {
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const loading = getDocument({ ...OPTIONS, data });
  try {
    const document = await openPdf(loading);
    if (document.numPages > PAGES_MAX) throw new UnreadError('too_large');
    const rows: PageRow[][] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const ofPage = await readRows(page);
      page.cleanup();
      rows.push(ofPage);
      for (const { cells } of ofPage) for (const { text } of cells) characters += text.length;
      if (characters > CHARACTERS_MAX) throw new UnreadError('too_large');
    }
    const bare = removeRunningLines(writePages(rows));
    await throwIfScan(document, bare);
    const { info } = await document.getMetadata();
    const title = (info as { Title?: unknown }).Title;
    return { ...joinPages(bare), title: typeof title === 'string' && title.trim() !== '' ? title.trim() : null };
  } finally {
    await loading.destroy();
  }
}
