/** Writes PDFs for tests: text at given places, and whatever objects a test wants broken. */
import { deflateSync } from 'node:zlib';

/** Text at a place in points, from the left and from the top of a page of 612 × 792. */
export type Placed = [left: number, top: number, text: string, size?: number];

const literal = (text: string) => text.replaceAll(/[\\()]/g, '\\$&');

/** A page's drawing of texts in Helvetica. */
export const drawTexts = (texts: readonly Placed[]): string =>
  texts.map(([left, top, text, size = 11]) => `BT /F1 ${size} Tf 1 0 0 1 ${left} ${792 - top} Tm (${literal(text)}) Tj ET`).join('\n');

/** A stream object; `packed` is deflated and says so. */
export function writeStream(content: string | Uint8Array, { packed = false, entries = '' } = {}): string {
  const bytes = Buffer.from(content as string, 'latin1');
  const body = packed ? deflateSync(bytes) : bytes;
  return `<< /Length ${body.length} ${packed ? '/Filter /FlateDecode' : ''} ${entries} >>\nstream\n${body.toString('latin1')}\nendstream`;
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

export interface PdfParts {
  /** a stream object for each page */
  pages: readonly string[];
  font?: string;
  /** further entries of the trailer, such as `/Encrypt` */
  trailer?: string;
  /** further objects, from number 10 on */
  objects?: readonly string[];
  /** entries of the pages' resources besides the font */
  resources?: string;
}

/** Objects 1 to 3 are catalogue, tree of pages and font; pages stand after the further objects. */
export function writePdf({ pages, font = FONT, trailer = '', objects = [], resources = '' }: PdfParts): Buffer {
  const first = 10 + objects.length;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  const written: Record<number, string> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
    3: font,
  };
  for (const [at, object] of objects.entries()) written[10 + at] = object;
  for (const [at, page] of pages.entries()) {
    written[first + 2 * at] = `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * at + 1} 0 R >>`;
    written[first + 2 * at + 1] = page;
  }
  let file = '%PDF-1.7\n';
  const offsets = new Map<number, number>();
  for (const [number, object] of Object.entries(written)) {
    offsets.set(Number(number), file.length);
    file += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const size = Math.max(...offsets.keys()) + 1;
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return Buffer.from(
    `${file}xref\n0 ${size}\n${entries.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

export const writeTextPdf = (pages: readonly (readonly Placed[])[]): Buffer =>
  writePdf({ pages: pages.map((texts) => writeStream(drawTexts(texts))) });
