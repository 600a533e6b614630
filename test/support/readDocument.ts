/** Reads a file that a test writes, as an extraction reads it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DocumentReader, type ReadingLimits } from '../../ingest/extract/documents/index.ts';
import type { ReadDocument } from '../../ingest/extract/types.ts';

export class TestReader {
  readonly #reader: DocumentReader;
  readonly #folder: Promise<string>;

  constructor(limits: Partial<ReadingLimits> = {}) {
    this.#reader = new DocumentReader(limits);
    this.#folder = mkdtemp(path.join(os.tmpdir(), 'documents-'));
  }

  async readAll(name: string, content: string | Uint8Array): Promise<ReadDocument[]> {
    const file = path.join(await this.#folder, name);
    await writeFile(file, content);
    return (await this.#reader.open(file, name)).read();
  }

  /** The only document of a file. */
  async read(name: string, content: string | Uint8Array): Promise<ReadDocument> {
    const [document, ...more] = await this.readAll(name, content);
    if (!document || more.length > 0) throw new Error(`${name} is ${more.length + 1} documents`);
    return document;
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await rm(await this.#folder, { recursive: true });
  }
}
