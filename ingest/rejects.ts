/** Bad lines of a file: told with number and reason and, when they are to be skipped, written beside the file. */
import { type FileHandle, open } from 'node:fs/promises';
import { LoadRefused } from './loadRefused.ts';

/** Bad lines listed one by one in an error; beyond that they are only counted. */
const LISTED = 100;

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
  readonly #listed: { line: number; reason: string }[] = [];
  #handle: FileHandle | undefined;

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
    if (this.#listed.length < LISTED) this.#listed.push({ line, reason });
    if (!this.#skip) return;
    this.#handle ??= await this.#create();
    await this.#handle.write(`${JSON.stringify({ line, reason, text })}\n`);
  }

  async #create(): Promise<FileHandle> {
    return open(this.path, 'w').catch((error: NodeJS.ErrnoException) => {
      throw new LoadRefused(`${this.path}: bad lines cannot be kept there (${error.code}); nothing was loaded`);
    });
  }

  throwIfStrict(): void {
    if (!this.doomed) return;
    const listed = this.#listed.toSorted((a, b) => a.line - b.line).map(({ line, reason }) => `${this.#file}:${line}: ${reason}`);
    const more = this.count - listed.length;
    throw new LoadRefused(
      `${this.#file}: ${this.count} bad line${this.count === 1 ? '' : 's'}, nothing was loaded; mend them, or load the rest with --skip-invalid`,
      more > 0 ? [...listed, `… and ${more} more`] : listed,
    );
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
