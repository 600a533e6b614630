/** The thread of `DocumentReader`: a document that ends it ends nothing else. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ReadPart } from './pages.ts';
import { readBytes, unreadPart } from './readBytes.ts';
import { UnreadError } from './unread.ts';

export interface FileReading {
  sha256: string;
  parts: ReadPart[];
}

export function ready(): void {}

export default async function readFileParts(file: string): Promise<FileReading> {
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    return { sha256, parts: await readBytes(bytes, file) };
  } catch (error) {
    return { sha256, parts: [unreadPart(file, error instanceof UnreadError ? error.reason : 'broken')] };
  }
}
