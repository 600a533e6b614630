/** Where whole files are kept, of exports, of generations or of backups: a folder, or an S3-compatible bucket. */
import type { Readable } from 'node:stream';

export interface WrittenFile {
  sizeBytes: number;
  /** of the content, hexadecimal */
  sha256: string;
}

export interface StoredFile {
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export interface OpenFile {
  /** of the whole file, whatever part of it is read */
  sizeBytes: number;
  /** ends early, with an error, where the store fails; destroying it lets the store go */
  content: Readable;
}

/** Offsets of the first and the last byte, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Files by name. Names are made by the service, never by a client: letters, digits, `_`, `-` and `.`. Everything may throw a FileStoreError;
 * an aborted signal throws its reason.
 */
export interface FileStore {
  /**
   * Writes a whole file, in constant memory, and replaces one of the same name. Until it returns nothing is seen under the name: a failing or
   * aborted write leaves nothing.
   */
  write(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile>;
  /** Opens a file, or a part of it that lies within. An abort destroys the content, too. */
  read(name: string, signal: AbortSignal, range?: ByteRange): Promise<OpenFile>;
  /** undefined where there is no such file */
  stat(name: string): Promise<StoredFile | undefined>;
  /** A file that is not there is deleted already. */
  delete(name: string): Promise<void>;
  /** Finished files last written before the moment. */
  listOlder(than: Date): AsyncIterable<StoredFile>;
  /** Removes what writers that were killed before the moment left half done. @returns how many were removed */
  removeAbandoned(before: Date): Promise<number>;
}

export type FileStoreFailure = 'missing' | 'full' | 'unavailable';

/** `missing`: no such file. `full`: no room for it. `unavailable`: the store does not answer, or refuses us. */
export class FileStoreError extends Error {
  readonly failure: FileStoreFailure;

  constructor(failure: FileStoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FileStoreError';
    this.failure = failure;
  }
}

/**
 * Path-style address of an S3-compatible bucket, without a `/` at its end. An address of Amazon names the region, `s3.eu-west-1.amazonaws.com`;
 * any other that is not us-east-1 is appended.
 */
export const BUCKET_ADDRESS = /^https?:\/\/[^/?#@]+\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_.-]+)*(\?region=[a-z0-9-]{1,60})?$/;

/** True of the address of a bucket, false of a folder. */
export const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Access key to a bucket. */
export interface BucketKey {
  keyId: string;
  secret: string;
}

/** What a store holds, for its messages and for whoever downloads from it. */
export interface FilePurpose {
  /** 'exports' */
  files: string;
  /** setting, or option of a command, that names the folder or bucket */
  place: string;
  /** setting of the access key */
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

/** @throws TypeError for a name that could mean another place */
export function checkName(name: string): string {
  if (NAME.test(name) && name.length <= NAME_MAX) return name;
  throw new TypeError(`A file is named with letters, digits, '_', '-' and '.', not ${JSON.stringify(name.slice(0, NAME_MAX))}`);
}
