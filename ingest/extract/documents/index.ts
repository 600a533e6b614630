/** Reads the files of a folder into text, each on a thread of its own with bounded time and memory. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { OutOfTime, OwnThread } from '../../../src/core/store/ownThread.ts';
import type { ReadDocument } from '../types.ts';
import { unreadPart } from './readBytes.ts';
import type { FileReading } from './readerThread.ts';
import type { UnreadReason } from './unread.ts';

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

/** The SHA-256 of a file's bytes, in hexadecimal. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export class DocumentReader {
  readonly #limits: ReadingLimits;
  readonly #thread: OwnThread<string, FileReading>;

  constructor(limits: Partial<ReadingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    const { deadlineMs, memoryBytesMax } = this.#limits;
    const heap = { maxOldGenerationSizeMb: memoryBytesMax / MIB, maxYoungGenerationSizeMb: 32 };
    this.#thread = new OwnThread(THREAD, 1, heap, { deadlineMs, waitingMax: WAITING_MAX });
  }

  /**
   * The documents of one file: one, or one for each meeting of an API's answer. A file that cannot be read is one document with `unread`, its
   * reason (`UnreadReason`), and an empty text.
   * @param name the file as the documents and the report name it @throws if the file is not there or may not be opened
   */
  async read(file: string, name = file): Promise<ReadDocument[]> {
    const { size } = await stat(file);
    const { sha256, parts } = size > this.#limits.fileBytesMax ? await this.#unread(file, 'too_large') : await this.#readOnThread(file);
    return parts.map((part) => ({ file: name, sha256, ...part }));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #readOnThread(file: string): Promise<FileReading> {
    const tooMuch = new AbortController();
    const before = process.memoryUsage.rss();
    const check = setInterval(() => {
      if (process.memoryUsage.rss() - before > this.#limits.memoryBytesMax) tooMuch.abort();
    }, MEMORY_CHECK_MS);
    try {
      return await this.#thread.run(file, tooMuch.signal);
    } catch (error) {
      if (error instanceof OutOfTime) return await this.#unread(file, 'took_too_long');
      const { code } = error as NodeJS.ErrnoException;
      if (tooMuch.signal.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY') return await this.#unread(file, 'took_too_much_memory');
      if (code === 'EACCES' || code === 'ENOENT' || code === 'EISDIR') throw error;
      return await this.#unread(file, 'broken');
    } finally {
      clearInterval(check);
    }
  }

  async #unread(file: string, reason: UnreadReason): Promise<FileReading> {
    return { sha256: await hashFile(file), parts: [unreadPart(file, reason)] };
  }
}

let shared: DocumentReader | undefined;

/** `DocumentReader.read` of one reader for the whole process; `endReading` ends its thread. */
export function readDocuments(file: string, { name = file }: { name?: string } = {}): Promise<ReadDocument[]> {
  shared ??= new DocumentReader();
  return shared.read(file, name);
}

export async function endReading(): Promise<void> {
  await shared?.close();
  shared = undefined;
}
