/** Files in a folder: on this machine, or on a drive that all processes of the service share. */

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ContentDigest } from './contentDigest.ts';
import {
  type ByteRange,
  checkName,
  EXPORT_FILES,
  type FilePurpose,
  type FileStore,
  FileStoreError,
  type OpenFile,
  type StoredFile,
  type WrittenFile,
} from './fileStore.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from './modes.ts';

/** Prefix of files that are being written; no completed file has it. */
const PARTIAL = '.partial-';
/** Errors of a full disk, an exceeded quota and a file size limit, which are the same for the caller. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const OF_OTHERS = 0o077;
/** Mode bit of a folder that is shared on purpose, such as /tmp. */
const STICKY = 0o1000;
/** Errors of a folder that belongs to another user, or that is mounted read-only: its mode cannot be changed. */
const NOT_OURS = ['EPERM', 'EROFS'];

/** Whether an error comes from the file system rather than from the content or an abort. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error && 'code' in error;
const isMissing = (error: unknown) => isSystemError(error) && error.code === 'ENOENT';

function toFailure({ files, place }: FilePurpose, name: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  if (NO_ROOM.includes(error.code ?? ''))
    return new FileStoreError('full', `No room for ${name} in the folder of ${files}: free some, or let ${place} name another`, error);
  const hint = `see whether ${place} names a folder that this process may read and write`;
  return new FileStoreError('unavailable', `The folder of ${files} failed at ${name} (${error.code}): ${hint}`, error);
}

/** Writes content to a file. @returns once every byte is on the disk */
async function writeSynced(file: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile> {
  const digest = new ContentDigest();
  const handle = await open(file, 'wx', OWNER_ONLY_FILE);
  try {
    for await (const chunk of content) {
      signal.throwIfAborted();
      await handle.writeFile(chunk);
      digest.add(chunk);
    }
    signal.throwIfAborted();
    await handle.sync();
  } finally {
    await handle.close();
  }
  return digest.end();
}

/** Removes other users' access to a folder and the files in it. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if (!(mode & OF_OTHERS) || mode & STICKY) return;
  try {
    await chmod(folder, OWNER_ONLY_FOLDER);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isFile()) await chmod(path.join(folder, entry.name), OWNER_ONLY_FILE);
  } catch (error) {
    // A file may have been deleted meanwhile.
    if (!isSystemError(error) || ![...NOT_OURS, 'ENOENT'].includes(error.code ?? '')) throw error;
  }
}

/** Syncs a folder, which makes a new name in it durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export class FolderStore implements FileStore {
  readonly #folder: string;
  readonly #purpose: FilePurpose;

  /** @param folder created if it does not exist */
  constructor(folder: string, purpose: FilePurpose = EXPORT_FILES) {
    this.#folder = folder;
    this.#purpose = purpose;
  }

  async write(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile> {
    const target = path.join(this.#folder, checkName(name));
    const partial = path.join(this.#folder, `${PARTIAL}${randomBytes(8).toString('hex')}-${name}`);
    signal.throwIfAborted();
    try {
      await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      await closeToOthers(this.#folder);
      return await this.#writeThenRename(partial, target, content, signal);
    } catch (error) {
      throw toFailure(this.#purpose, name, error);
    }
  }

  async #writeThenRename(partial: string, target: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile> {
    try {
      const written = await writeSynced(partial, content, signal);
      await rename(partial, target);
      await syncFolder(this.#folder);
      return written;
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async read(name: string, signal: AbortSignal, range?: ByteRange): Promise<OpenFile> {
    signal.throwIfAborted();
    try {
      await closeToOthers(this.#folder);
      const handle = await open(path.join(this.#folder, checkName(name)), 'r');
      const { size } = await handle.stat();
      const content = handle.createReadStream({ ...(range ? { start: range.first, end: range.last } : {}), signal });
      return { sizeBytes: size, content };
    } catch (error) {
      throw isMissing(error)
        ? new FileStoreError('missing', `There is no ${name} in the folder of ${this.#purpose.files}`, error)
        : toFailure(this.#purpose, name, error);
    }
  }

  stat(name: string): Promise<StoredFile | undefined> {
    return this.#describe(checkName(name));
  }

  async delete(name: string): Promise<void> {
    await this.#remove(checkName(name));
  }

  async *listOlder(than: Date): AsyncIterable<StoredFile> {
    for (const name of await this.#names()) {
      const file = name.startsWith(PARTIAL) ? undefined : await this.#describe(name);
      if (file && file.modifiedAt < than) yield file;
    }
  }

  async removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    for (const name of await this.#names()) {
      const file = name.startsWith(PARTIAL) ? await this.#describe(name) : undefined;
      if (!file || file.modifiedAt >= before) continue;
      await this.#remove(name);
      removed++;
    }
    return removed;
  }

  async freeBytes(): Promise<number | null> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      const { bavail, bsize } = await statfs(this.#folder);
      return bavail * bsize;
    } catch (error) {
      throw toFailure(this.#purpose, 'its free space', error);
    }
  }

  async #describe(name: string): Promise<StoredFile | undefined> {
    try {
      const { size, mtime } = await stat(path.join(this.#folder, name));
      return { name, sizeBytes: size, modifiedAt: mtime };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw toFailure(this.#purpose, name, error);
    }
  }

  async #remove(name: string): Promise<void> {
    try {
      await rm(path.join(this.#folder, name), { force: true });
    } catch (error) {
      throw toFailure(this.#purpose, name, error);
    }
  }

  async #names(): Promise<string[]> {
    try {
      await closeToOthers(this.#folder);
      const entries = await readdir(this.#folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    } catch (error) {
      if (isMissing(error)) return [];
      throw toFailure(this.#purpose, 'the list of files', error);
    }
  }
}
