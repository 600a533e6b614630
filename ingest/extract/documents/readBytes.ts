/** The bytes of one file become documents: their format is recognised, and its reader called. */
import path from 'node:path';
import { decodeText } from '../../../src/clients/client/decodeText.ts';
import type { DocumentFormat, ReadDocument } from '../types.ts';
import { readJson } from './api/readJson.ts';
import { readDocx } from './docx.ts';
import { readHtml } from './html.ts';
import { findUnreadReason } from './judgeText.ts';
import type { ReadPart } from './pages.ts';
import { readPdf } from './pdf/readPdf.ts';
import { readFrontMatter, readMarkdown, readPlainText } from './plainText.ts';
import { tidyCharacters } from './tidyCharacters.ts';
import { UnreadError } from './unread.ts';

const SILENT: ReadDocument['stated'] = { kind: null, date: null, title: null, url: null };
const FORMATS: Record<string, DocumentFormat> = {
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.docx': 'docx',
  '.md': 'markdown',
  '.markdown': 'markdown',
};
const HEAD_BYTES = 1024;

/** The format that a file's name states. */
const statedFormat = (file: string): DocumentFormat => FORMATS[path.extname(file).toLowerCase()] ?? 'text';

/** A file of which nothing can be read. */
export const unreadPart = (file: string, unread: string): ReadPart => ({
  format: statedFormat(file),
  text: '',
  pageStarts: [0],
  stated: SILENT,
  unread,
});

/** A text in one of the formats that are characters; a name says which only where the text does not. */
function readCharacters(text: string, file: string): ReadPart[] {
  const start = text.trimStart();
  if (/^[{[]\s*["{[\]}]/.test(start)) return readJson(text);
  if (start.startsWith('{\\rtf')) throw new UnreadError('wrong_type');
  const stated = statedFormat(file);
  if (/^<(?:!doctype html|html|\?xml[^>]{0,200}>\s*<(?:!doctype html|html))/i.test(start) || stated === 'html') return [readPage(text)];
  if (start.startsWith('<?xml')) throw new UnreadError('wrong_type');
  if (stated === 'pdf' || stated === 'docx') throw new UnreadError('broken');
  if (stated !== 'markdown') return [{ ...readPlainText(text), format: 'text', stated: SILENT, unread: null }];
  return [{ ...readMarkdown(text), format: 'markdown', stated: { ...SILENT, ...readFrontMatter(text) }, unread: null }];
}

function readPage(html: string): ReadPart {
  const { title, url, ...page } = readHtml(html);
  // A wall of consent alone leaves no text: the whole page says what it is.
  if (page.text === '') throw new UnreadError(findUnreadReason(html) ?? 'empty');
  const unread = findUnreadReason(`${title ?? ''}\n${page.text}`) ?? null;
  return { ...page, format: 'html', stated: { ...SILENT, title, url }, unread };
}

async function readByFormat(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<ReadPart[]> {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (head.includes('%PDF-')) {
    const { title, ...pages } = await readPdf(bytes);
    return [{ ...pages, format: 'pdf', stated: { ...SILENT, title }, unread: null }];
  }
  if (head.startsWith('PK\x03\x04')) return [{ ...(await readDocx(bytes)), format: 'docx', stated: SILENT, unread: null }];
  const { text } = decodeText(bytes);
  if (text.slice(0, HEAD_BYTES).includes('\0')) throw new UnreadError('wrong_type');
  return readCharacters(tidyCharacters(text), file);
}

/** @throws UnreadError if nothing of the file can be read */
export async function readBytes(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<ReadPart[]> {
  if (bytes.length === 0) throw new UnreadError('empty');
  const parts = await readByFormat(bytes, file);
  return parts.map((part) => {
    const isOfApi = part.format === 'legistar' || part.format === 'primegov' || part.format === 'civicclerk';
    const unread = part.unread ?? (isOfApi ? null : (findUnreadReason(part.text) ?? null));
    return unread === null ? part : { ...part, text: '', pageStarts: [0], unread };
  });
}
