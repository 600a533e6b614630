/** Stores of whole files (exports, generations or backups): a folder, or an S3-compatible bucket. */
import type { Readable } from 'node:stream';

export interface WrittenFile {
  sizeBytes: number;
  /** SHA-256 of the content, hexadecimal */
  sha256: string;
}

export interface StoredFile {
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export interface OpenFile {
  /** size of the whole file, even if only a part of it is read */
  sizeBytes: number;
  /** fails with an error if the store does; destroying it releases the store */
  content: Readable;
}

/** Offsets of the first and the last byte, from 0, inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Files by name. Names are made by the service, never by a client, and consist of letters, digits, `_`, `-` and `.`. Every method may throw
 * a FileStoreError; an aborted signal throws its reason.
 */
export interface FileStore {
  /**
   * Writes a whole file in constant memory, replacing one with the same name. The file is visible only after success; a failed or aborted
   * write leaves nothing.
   */
  write(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile>;
  /** Opens a file, or a range within it. An abort also destroys the content. */
  read(name: string, signal: AbortSignal, range?: ByteRange): Promise<OpenFile>;
  /** Undefined if there is no such file. */
  stat(name: string): Promise<StoredFile | undefined>;
  /** Deletes a file, if it exists. */
  delete(name: string): Promise<void>;
  /** Completed files last written before a time. */
  listOlder(than: Date): AsyncIterable<StoredFile>;
  /** Removes unfinished writes of processes that were killed before a time. @returns number removed */
  removeAbandoned(before: Date): Promise<number>;
  /** Bytes that can still be written; null where that is not known, as of a bucket. */
  freeBytes(): Promise<number | null>;
}

export type FileStoreFailure = 'missing' | 'full' | 'unavailable';

/** `missing`: no such file. `full`: no space for it. `unavailable`: the store does not answer, or denies access. */
export class FileStoreError extends Error {
  readonly failure: FileStoreFailure;

  constructor(failure: FileStoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FileStoreError';
    this.failure = failure;
  }
}

/**
 * Path-style address of an S3-compatible bucket, without a trailing `/`. An address of AWS contains its region, such as
 * `s3.eu-west-1.amazonaws.com`; any other region than us-east-1 is appended.
 */
export const BUCKET_ADDRESS = /^https?:\/\/[^/?#@]+\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_.-]+)*(\?region=[a-z0-9-]{1,60})?$/;

/** Matches the address of a bucket, but not a folder. */
export const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

export interface BucketKey {
  keyId: string;
  secret: string;
}

/** What a store is for, as its messages say. */
export interface FilePurpose {
  /** plural, such as 'exports' */
  files: string;
  /** setting, or command option, with the folder or bucket */
  place: string;
  /** setting with the access key */
  key: string;
  contentType: string;
}

export const EXPORT_FILES: FilePurpose = {
  files: 'exports',
  place: 'EXPORT_DIR',
  key: 'EXPORT_BUCKET_KEY',
  contentType: 'text/csv; charset=utf-8',
};

const NAME = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const NAME_MAX = 200;

/** @throws TypeError for a name that could refer to another location */
export function checkName(name: string): string {
  if (NAME.test(name) && name.length <= NAME_MAX) return name;
  throw new TypeError(`A file is named with letters, digits, '_', '-' and '.', not ${JSON.stringify(name.slice(0, NAME_MAX))}`);
}
