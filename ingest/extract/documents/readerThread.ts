/** The thread of `DocumentReader`: a document that ends it ends nothing else. */
import type { ReadPart } from './pages.ts';
import { readBytes, unreadPart } from './readBytes.ts';
import { UnreadError } from './unread.ts';

/** A file by its name, whose end tells the format of some. */
export interface FileBytes {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export function ready(): void {}

export default async function readParts({ name, bytes }: FileBytes): Promise<ReadPart[]> {
  try {
    return await readBytes(bytes, name);
  } catch (error) {
    return [unreadPart(name, error instanceof UnreadError ? error.reason : 'broken')];
  }
}
