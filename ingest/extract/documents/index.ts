/** Reads the files of a folder into text, each on a thread of its own with bounded time and memory. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { OutOfTime, OwnThread } from '../../../src/core/store/ownThread.ts';
import type { ReadDocument } from '../types.ts';
import type { ReadPart } from './pages.ts';
import { unreadPart } from './readBytes.ts';
import type { FileBytes } from './readerThread.ts';

export type { UnreadReason } from './unread.ts';

/** Limits of one file. */
export interface ReadingLimits {
  fileBytesMax: number;
  deadlineMs: number;
  /** by how much reading a file may make the process grow */
  memoryBytesMax: number;
}

const MIB = 1024 ** 2;
const LIMITS: ReadingLimits = { fileBytesMax: 256 * MIB, deadlineMs: 300_000, memoryBytesMax: 512 * MIB };
const THREAD = fileURLToPath(new URL('readerThread.ts', import.meta.url));
const MEMORY_CHECK_MS = 50;
const WAITING_MAX = 1000;

/** A file whose documents can be read: one, or one for each meeting of an API's answer. */
export interface OpenedFile {
  sha256: string;
  /** once */
  read(): Promise<ReadDocument[]>;
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export class DocumentReader {
  readonly #limits: ReadingLimits;
  readonly #thread: OwnThread<FileBytes, ReadPart[]>;

  constructor(limits: Partial<ReadingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    const { deadlineMs, memoryBytesMax } = this.#limits;
    const heap = { maxOldGenerationSizeMb: memoryBytesMax / MIB, maxYoungGenerationSizeMb: 32 };
    this.#thread = new OwnThread(THREAD, 1, heap, { deadlineMs, waitingMax: WAITING_MAX });
  }

  /**
   * A file with its digest; its bytes are read once. A file that cannot be read is one document with `unread`, its reason (`UnreadReason`), and an
   * empty text.
   * @param name the file as the documents and the report name it @throws if the file is not there or may not be opened
   */
  async open(file: string, name = file): Promise<OpenedFile> {
    const before = process.memoryUsage.rss();
    const { size } = await stat(file);
    const isTooLarge = size > this.#limits.fileBytesMax;
    const bytes = isTooLarge ? null : new Uint8Array(await readFile(file));
    const sha256 = bytes ? createHash('sha256').update(bytes).digest('hex') : await hashFile(file);
    const readParts = async () => (bytes ? this.#readOnThread({ bytes, name }, before) : [unreadPart(name, 'too_large')]);
    return { sha256, read: async () => (await readParts()).map((part) => ({ file: name, sha256, ...part })) };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** @param before memory of the process before the file's bytes were in it */
  async #readOnThread(task: FileBytes, before: number): Promise<ReadPart[]> {
    const tooMuch = new AbortController();
    const check = setInterval(() => {
      if (process.memoryUsage.rss() - before > this.#limits.memoryBytesMax) tooMuch.abort();
    }, MEMORY_CHECK_MS);
    try {
      return await this.#thread.run(task, tooMuch.signal, [task.bytes.buffer]);
    } catch (error) {
      const isTooMuch = tooMuch.signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      return [unreadPart(task.name, error instanceof OutOfTime ? 'took_too_long' : isTooMuch ? 'took_too_much_memory' : 'broken')];
    } finally {
      clearInterval(check);
    }
  }
}

let shared: DocumentReader | undefined;

/** `DocumentReader.open` of one reader for the whole process; `endReading` ends its thread. */
export function openDocument(file: string, name: string): Promise<OpenedFile> {
  shared ??= new DocumentReader();
  return shared.open(file, name);
}

export async function endReading(): Promise<void> {
  await shared?.close();
  shared = undefined;
}
