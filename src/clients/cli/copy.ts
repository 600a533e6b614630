/**
 * A copy in a file of JSON lines, one record a line, that survives being killed at any moment. Pages go to a journal first, and a note of
 * how far it is good (`FILE.sync`) follows each page; when the walk is at its end, the journal is folded into the file. What stands in the
 * journal behind the note is cut off by the next run, and folding a journal twice changes nothing. A large copy begins with a snapshot.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished, pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../terminal/program.ts';

/** How far a copy is. */
interface Note {
  version: 1;
  url: string;
  /** of the walk, as they were typed */
  query: Record<string, unknown>;
  cursor: string | null;
  /** good bytes of the journal */
  journalBytes: number;
  /** whether the walk began without a cursor and has not ended yet: the file counts for nothing then */
  fresh: boolean;
  /** the snapshot that the walk begins with, until its records are in the file */
  snapshotId?: string | undefined;
  /** of the process that works on it */
  pid: number;
}

interface CopyPage {
  removed: readonly { id: number }[];
  records: readonly { id: number }[];
  cursor: string;
}

interface JournalLine {
  id: number;
  /** null where the record left the copy */
  record: unknown;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isNote = (value: Partial<Note> | null): value is Note =>
  value?.version === 1 &&
  typeof value.url === 'string' &&
  typeof value.query === 'object' &&
  (value.cursor === null || typeof value.cursor === 'string') &&
  Number.isSafeInteger(value.journalBytes) &&
  typeof value.fresh === 'boolean' &&
  (value.snapshotId === undefined || typeof value.snapshotId === 'string') &&
  Number.isSafeInteger(value.pid);

/** Replaces a file at once; on the disk before its name is. */
function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  const handle = openSync(fresh, 'w');
  writeSync(handle, text);
  fsyncSync(handle);
  renameSync(fresh, file);
}

export class CopyFile {
  readonly #file: string;
  readonly #noteFile: string;
  readonly #journalFile: string;
  #note: Note;

  private constructor(file: string, note: Note) {
    this.#file = file;
    this.#noteFile = `${file}.sync`;
    this.#journalFile = `${file}.journal`;
    this.#note = note;
  }

  /** The copy as it was left, or a new one. @throws UserError that says what to do */
  static async open(
    file: string,
    { url, query, rebuild }: { url: string; query: Record<string, unknown>; rebuild: boolean },
  ): Promise<CopyFile> {
    const start: Note = { version: 1, url, query, cursor: null, journalBytes: 0, fresh: true, pid: process.pid };
    const kept = rebuild ? undefined : readNote(file);
    if (kept && kept.pid !== process.pid && isAlive(kept.pid))
      throw new UserError(`Another sync (process ${kept.pid}) is working on ${file}: wait for it, or stop it.`);
    if (kept && (kept.url !== url || !isDeepStrictEqual(kept.query, query)))
      throw new UserError(
        `${file} was made of ${kept.url} with ${shownQuery(kept.query)}: repeat these, take another file, or add --rebuild.`,
      );
    if (!kept && !rebuild && existsSync(file))
      throw new UserError(`${file} was not made by sync: take another file, or add --rebuild to replace it.`);
    if (kept && !kept.fresh && !existsSync(file)) throw new UserError(`${file} is gone: put it back, or add --rebuild to start over.`);
    const copy = new CopyFile(file, { ...(kept ?? start), pid: process.pid });
    copy.#save({});
    await copy.#cutJournal();
    return copy;
  }

  get cursor(): string | undefined {
    return this.#note.cursor ?? undefined;
  }

  /** Whether nothing was copied yet. */
  get isNew(): boolean {
    return this.#note.fresh && this.#note.cursor === null;
  }

  get snapshotId(): string | undefined {
    return this.#note.snapshotId;
  }

  noteSnapshot(snapshotId: string): void {
    this.#save({ snapshotId });
  }

  /** Where a file of the snapshot is kept until it is in the copy. */
  partOf(name: string): string {
    return `${this.#file}.${name}`;
  }

  /** Takes the records of downloaded files, gzip of a record a line, in place of what the file held; the walk goes on from the cursor. */
  async beginWith(parts: readonly string[], cursor: string): Promise<void> {
    const fresh = `${this.#file}.new`;
    async function* content() {
      for (const part of parts) yield* createReadStream(part).pipe(createGunzip());
    }
    await pipeline(content, createWriteStream(fresh, { flush: true }));
    renameSync(fresh, this.#file);
    this.#save({ cursor, journalBytes: 0, fresh: false, snapshotId: undefined });
  }

  /** Keeps a page; it is good from then on. */
  async add({ removed, records, cursor }: CopyPage): Promise<void> {
    const gone: JournalLine[] = removed.map(({ id }) => ({ id, record: null }));
    const lines = [...gone, ...records.map((record): JournalLine => ({ id: record.id, record }))];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const handle = await open(this.#journalFile, 'a');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    this.#save({ cursor, journalBytes: this.#note.journalBytes + bytes.length });
  }

  /** Folds the journal into the file. @returns records in it */
  async finish(): Promise<number> {
    const last = new Map<number, number>(); // the line that counts of each id
    for await (const { line, index } of linesOf(this.#journalFile)) last.set(idOf(line, index, this.#journalFile), index);
    const fresh = `${this.#file}.new`;
    const out = createWriteStream(fresh, { flush: true });
    let records = 0;
    const write = async (line: string) => {
      records += 1;
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    };
    if (!this.#note.fresh)
      for await (const { line, index } of linesOf(this.#file)) if (!last.has(idOf(line, index, this.#file))) await write(line);
    for await (const { line, index } of linesOf(this.#journalFile)) {
      const { id, record } = JSON.parse(line) as JournalLine;
      if (record !== null && last.get(id) === index) await write(JSON.stringify(record));
    }
    out.end();
    await finished(out);
    renameSync(fresh, this.#file);
    this.#save({ journalBytes: 0, fresh: false });
    await rm(this.#journalFile, { force: true });
    return records;
  }

  #save(change: Partial<Note>): void {
    this.#note = { ...this.#note, ...change };
    replaceFile(this.#noteFile, `${JSON.stringify(this.#note)}\n`);
  }

  async #cutJournal(): Promise<void> {
    if (!this.#note.journalBytes) return rmSync(this.#journalFile, { force: true });
    const handle = await open(this.#journalFile, 'r+').catch(() => undefined);
    const size = (await handle?.stat())?.size ?? 0;
    if (size > this.#note.journalBytes) await handle?.truncate(this.#note.journalBytes);
    await handle?.close();
    if (size < this.#note.journalBytes)
      throw new UserError(`${this.#journalFile} is shorter than it was left: add --rebuild to start over.`);
  }
}

/** Of the record on a line. @throws UserError where the line is damaged */
function idOf(line: string, index: number, file: string): number {
  try {
    return (JSON.parse(line) as { id: number }).id;
  } catch {
    throw new UserError(`Line ${index + 1} of ${file} is damaged: add --rebuild to start over.`);
  }
}

const shownQuery = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ') || 'no filters';

function readNote(file: string): Note | undefined {
  const name = `${file}.sync`;
  if (!existsSync(name)) return undefined;
  try {
    const note = JSON.parse(readFileSync(name, 'utf8')) as Partial<Note> | null;
    if (isNote(note)) return note;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new UserError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new UserError(`${name}, which says how far the copy is, is damaged: add --rebuild to start over.`);
}

/** Lines of a file with their numbers; none of a file that is not there. */
async function* linesOf(file: string): AsyncGenerator<{ line: string; index: number }> {
  if (!existsSync(file)) return;
  let index = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    yield { line, index };
    index += 1;
  }
}
