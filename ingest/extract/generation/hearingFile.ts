/** Hearings that wait until all documents are read, in a file, so that memory holds only what joins them. */
import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import type { CaseHearing } from './types.ts';

/** Where a hearing stands in the file. */
export interface StoredHearing {
  offset: number;
  bytes: number;
}

export class HearingFile {
  readonly #file: number;
  #end = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w+');
    // An open file needs no name: a kill leaves nothing, and another run has one of its own.
    rmSync(path);
  }

  add(hearing: CaseHearing): StoredHearing {
    const bytes = Buffer.from(JSON.stringify(hearing));
    writeFileSync(this.#file, bytes);
    const stored = { offset: this.#end, bytes: bytes.length };
    this.#end += bytes.length;
    return stored;
  }

  read({ offset, bytes }: StoredHearing): CaseHearing {
    const buffer = Buffer.alloc(bytes);
    readSync(this.#file, buffer, 0, bytes, offset);
    return JSON.parse(buffer.toString()) as CaseHearing;
  }

  close(): void {
    closeSync(this.#file);
  }
}
