/** The bytes of one file become documents: their format is recognised, and its reader called. */
import path from 'node:path';
import type { DocumentFormat, ReadDocument } from '../types.ts';
import { decodeText, tidyCharacters } from './decodeText.ts';
import type { PagedText } from './pages.ts';
import { readFrontMatter, readMarkdown, readPlainText } from './plainText.ts';
import { UnreadError } from './unread.ts';

/** A document as its format gives it; `ReadDocument` adds the file. */
export type ReadPart = PagedText & Pick<ReadDocument, 'format' | 'stated' | 'unread'>;

const SILENT: ReadDocument['stated'] = { kind: null, date: null, title: null, url: null };
const MARKDOWN = new Set(['.md', '.markdown']);

/** @throws UnreadError */
export async function readBytes(bytes: Uint8Array, file: string): Promise<ReadPart[]> {
  if (bytes.length === 0) throw new UnreadError('empty');
  const text = tidyCharacters(decodeText(bytes));
  const isMarkdown = MARKDOWN.has(path.extname(file).toLowerCase());
  if (!isMarkdown) return [{ ...readPlainText(text), format: 'text', stated: SILENT, unread: null }];
  return [{ ...readMarkdown(text), format: 'markdown', stated: { ...SILENT, ...readFrontMatter(text) }, unread: null }];
}

const FORMATS: Record<string, DocumentFormat> = { '.pdf': 'pdf', '.html': 'html', '.htm': 'html', '.docx': 'docx', '.md': 'markdown' };

/** The format that a file's name states, for a file that cannot be read. */
export const statedFormat = (file: string): DocumentFormat => FORMATS[path.extname(file).toLowerCase()] ?? 'text';

/** A file of which nothing can be read. */
export const unreadPart = (file: string, unread: string): ReadPart => ({
  format: statedFormat(file),
  text: '',
  pageStarts: [0],
  stated: SILENT,
  unread,
});
