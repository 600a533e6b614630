/** Hearings that wait until all documents are read, in a file, so that memory holds only what joins them. */
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { CaseHearing } from './types.ts';

/** Where a hearing stands in the file. */
export interface StoredHearing {
  offset: number;
  bytes: number;
}

export class HearingFile {
  readonly #path: string;
  readonly #file: number;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w+');
    ftruncateSync(this.#file);
  }

  add(hearing: CaseHearing): StoredHearing {
    const bytes = Buffer.from(JSON.stringify(hearing));
    writeSync(this.#file, bytes, 0, bytes.length, this.#end);
    const stored = { offset: this.#end, bytes: bytes.length };
    this.#end += bytes.length;
    return stored;
  }

  read({ offset, bytes }: StoredHearing): CaseHearing {
    const buffer = Buffer.alloc(bytes);
    readSync(this.#file, buffer, 0, bytes, offset);
    return JSON.parse(buffer.toString()) as CaseHearing;
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
