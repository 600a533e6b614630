/** Reads a file that a test writes, as an extraction reads it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DocumentReader, type ReadingLimits } from '../../ingest/extract/documents/index.ts';
import type { ReadDocument } from '../../ingest/extract/types.ts';
import { newFolder } from './folder.ts';

export class TestReader {
  readonly #reader: DocumentReader;
  readonly #folder = newFolder('documents');

  constructor(limits: Partial<ReadingLimits> = {}) {
    this.#reader = new DocumentReader(limits);
  }

  async readAll(name: string, content: string | Uint8Array): Promise<ReadDocument[]> {
    const file = path.join(this.#folder, name);
    await writeFile(file, content);
    return (await this.#reader.open(file, name)).read();
  }

  /** The only document of a file. */
  async read(name: string, content: string | Uint8Array): Promise<ReadDocument> {
    const [document, ...more] = await this.readAll(name, content);
    if (!document || more.length > 0) throw new Error(`${name} is ${more.length + 1} documents`);
    return document;
  }

  close = () => this.#reader.close();
}

/** A reader for the tests of a suite. */
export function provideReader(limits?: Partial<ReadingLimits>): TestReader {
  const reader = new TestReader(limits);
  after(() => reader.close());
  return reader;
}
