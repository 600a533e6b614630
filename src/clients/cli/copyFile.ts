/**
 * A copy in a file of JSON lines, one record a line, that survives being killed at any moment. Each page is appended to a journal, and then the
 * note `FILE.sync` records the valid length of the journal; at the end of the walk the journal is merged into the file. The next run truncates
 * the journal to the recorded length, and merging a journal twice changes nothing. A large copy begins with a snapshot.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../terminal/program.ts';
import { splitLines } from '../../terminal/splitLines.ts';
import type { SnapshotManifest } from '../client/index.ts';
import { CopyInFiles, type FilesState, readState, refuseOtherProcess } from './copyInFiles.ts';
import { type CopyPage, type CopySource, type CopyTarget, isUntouched, refuseOtherSource } from './copyTarget.ts';
import { appendLines, truncateTo } from './durableFiles.ts';

/** The state of a copy, in `FILE.sync`. */
interface Note extends CopySource, FilesState {
  /** valid bytes of the journal */
  journalBytes: number;
  /** true until the first walk has ended; the file is then ignored */
  fresh: boolean;
  /** the snapshot that the walk begins with, until its records are in the file */
  snapshotId?: string | undefined;
}

interface JournalLine {
  id: number;
  /** null if the record left the copy */
  record: unknown;
}

const isNote = (value: Partial<Note> | null): value is Note =>
  value?.version === 1 &&
  typeof value.url === 'string' &&
  typeof value.query === 'object' &&
  (value.cursor === null || typeof value.cursor === 'string') &&
  Number.isSafeInteger(value.journalBytes) &&
  typeof value.fresh === 'boolean' &&
  (value.snapshotId === undefined || typeof value.snapshotId === 'string') &&
  Number.isSafeInteger(value.pid);

const START_OVER = 'add --rebuild to start over';

export class CopyFile extends CopyInFiles<Note> implements CopyTarget {
  readonly startOver = START_OVER;
  readonly #journal = `${this.name}.journal`;

  /** Opens the copy of an earlier run, or a new one. @throws UserError with a remedy */
  static async open(file: string, { rebuild, ...source }: CopySource & { rebuild: boolean }): Promise<CopyFile> {
    const start: Note = { version: 1, ...source, cursor: null, journalBytes: 0, fresh: true, pid: process.pid };
    const noted = rebuild ? undefined : readState(`${file}.sync`, isNote, START_OVER);
    if (noted) refuseOtherProcess('sync', noted.pid, file, `${file}.sync`);
    const kept = noted?.fresh && isUntouched(noted) && !existsSync(file) ? undefined : noted;
    if (kept) refuseOtherSource(file, kept, source, 'take another file, or add --rebuild');
    if (!kept && !rebuild && existsSync(file))
      throw new UserError(`${file} was not made by sync: take another file, or add --rebuild to replace it.`);
    if (kept && !kept.fresh && !existsSync(file)) throw new UserError(`${file} is gone: put it back, or ${START_OVER}.`);
    const copy = new CopyFile(file, `${file}.sync`, { ...start, ...kept, pid: process.pid });
    copy.save({});
    await copy.#cutJournal();
    return copy;
  }

  get snapshotId(): string | undefined {
    return this.state.snapshotId;
  }

  noteSnapshot(snapshotId: string): void {
    if (snapshotId !== this.state.snapshotId) this.#removeParts();
    this.save({ snapshotId });
  }

  partOf(name: string): string {
    return `${this.name}.${name}`;
  }

  /** @param parts gzip files with a record on each line */
  async beginWith({ sync: { cursor } }: SnapshotManifest, parts: readonly string[]): Promise<void> {
    const fresh = `${this.name}.new`;
    async function* content() {
      for (const part of parts) yield* createReadStream(part).pipe(createGunzip());
    }
    await pipeline(content, createWriteStream(fresh, { flush: true }));
    renameSync(fresh, this.name);
    this.save({ cursor, journalBytes: 0, fresh: false, snapshotId: undefined });
    for (const part of parts) await rm(part, { force: true });
  }

  async add({ removed, records, cursor }: CopyPage): Promise<void> {
    const gone: JournalLine[] = removed.map(({ id }) => ({ id, record: null }));
    const lines = [...gone, ...records.map((record): JournalLine => ({ id: record.id, record }))];
    const bytes = await appendLines(this.#journal, lines);
    this.save({ cursor, journalBytes: this.state.journalBytes + bytes });
  }

  /** Merges the journal into the file. */
  async finish(): Promise<{ records: number }> {
    const last = new Map<number, number>(); // the last line of each id
    for await (const { line, index } of linesOf(this.#journal)) last.set(idOf(line, index, this.#journal), index);
    const fresh = `${this.name}.new`;
    const out = createWriteStream(fresh, { flush: true });
    let records = 0;
    const write = async (line: string) => {
      records += 1;
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    };
    if (!this.state.fresh)
      for await (const { line, index } of linesOf(this.name)) if (!last.has(idOf(line, index, this.name))) await write(line);
    for await (const { line, index } of linesOf(this.#journal)) {
      const { id, record } = JSON.parse(line) as JournalLine;
      if (record !== null && last.get(id) === index) await write(JSON.stringify(record));
    }
    out.end();
    await finished(out);
    renameSync(fresh, this.name);
    this.save({ journalBytes: 0, fresh: false });
    await rm(this.#journal, { force: true });
    return { records };
  }

  async removeIfEmpty(): Promise<void> {
    if (this.state.fresh && isUntouched(this.state) && !existsSync(this.name)) this.removeState();
  }

  /** Removes files of a snapshot that cannot be used any more. */
  #removeParts(): void {
    const begin = this.partOf('part-');
    const folder = path.dirname(begin);
    for (const name of readdirSync(folder)) if (path.join(folder, name).startsWith(begin)) rmSync(path.join(folder, name));
  }

  async #cutJournal(): Promise<void> {
    if (!this.state.journalBytes) return rmSync(this.#journal, { force: true });
    await truncateTo(this.#journal, this.state.journalBytes, START_OVER);
  }
}

/** The id of the record on a line. @throws UserError if the line is damaged */
function idOf(line: string, index: number, file: string): number {
  try {
    return (JSON.parse(line) as { id: number }).id;
  } catch {
    throw new UserError(`Line ${index + 1} of ${file} is damaged: ${START_OVER}.`);
  }
}

/** The lines of a file with their indices; none if there is no such file. */
async function* linesOf(file: string): AsyncGenerator<{ line: string; index: number }> {
  if (!existsSync(file)) return;
  let index = 0;
  for await (const line of splitLines(createReadStream(file))) {
    yield { line, index };
    index += 1;
  }
}
