/** Bad lines of a file: told with number and reason and, when they are to be skipped, written beside the file. */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { LoadRefused } from './load.ts';

/** Bad lines listed one by one in an error; beyond that they are only counted. */
const LISTED = 20;

export interface Rejects {
  readonly count: number;
  readonly path: string;
  /** true once a bad line means that nothing of the file will be committed */
  readonly doomed: boolean;
  add(line: number, reason: string, text?: string): Promise<void>;
  throwIfStrict(): void;
  close(): Promise<void>;
}

export class RejectFile implements Rejects {
  count = 0;
  readonly path: string;
  readonly #file: string;
  readonly #skip: boolean;
  readonly #listed: string[] = [];
  #stream: WriteStream | undefined;

  constructor(file: string, skip: boolean) {
    this.#file = file;
    this.#skip = skip;
    this.path = `${file}.rejects.ndjson`;
  }

  get doomed(): boolean {
    return this.count > 0 && !this.#skip;
  }

  async add(line: number, reason: string, text?: string): Promise<void> {
    this.count += 1;
    if (this.#listed.length < LISTED) this.#listed.push(`${this.#file}:${line}: ${reason}`);
    if (!this.#skip) return;
    this.#stream ??= createWriteStream(this.path);
    const written = this.#stream.write(`${JSON.stringify({ line, reason, text })}\n`);
    if (!written) await once(this.#stream, 'drain');
  }

  throwIfStrict(): void {
    if (!this.doomed) return;
    const more = this.count - this.#listed.length;
    throw new LoadRefused(
      `${this.#file}: ${this.count} bad line${this.count === 1 ? '' : 's'}, nothing was loaded; mend them, or load the rest with --skip-invalid`,
      more > 0 ? [...this.#listed, `… and ${more} more`] : this.#listed,
    );
  }

  async close(): Promise<void> {
    if (!this.#stream) return;
    this.#stream.end();
    await finished(this.#stream);
  }
}
