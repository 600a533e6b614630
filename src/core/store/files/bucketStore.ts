/**
 * Files in an S3-compatible bucket. The AWS SDK, which handles abort signals, time limits, retries and signatures, is loaded only when a
 * bucket is configured.
 */
import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import type { _Object as ListedObject, S3Client } from '@aws-sdk/client-s3';
import { ContentDigest } from './contentDigest.ts';
import {
  type BucketKey,
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

export interface BucketOptions extends BucketKey {
  /** an address of the form BUCKET_ADDRESS; an endpoint may not have a path of its own */
  url: string;
  /** longest wait for a connection, and for the answer to a call, in milliseconds */
  timeoutMs?: number;
  /** exports by default */
  purpose?: FilePurpose;
}

type Sdk = typeof import('@aws-sdk/client-s3');

/** Size of a part, which a writer holds in memory. A bucket accepts parts from 5 MiB and at most 10,000 of them: 78 GiB a file. */
const PART_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 3;
/** Factor on the time limit for parts and for the call that joins them: 8 MiB in a minute. */
const PART_PATIENCE = 6;
/** Longest pause of a reader whose client downloads slowly. */
const IDLE_TIMEOUT_MS = 300_000;

const AMAZON_REGION = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com/;
/** Region for buckets outside AWS, which accept it by default. */
const USUAL_REGION = 'us-east-1';

interface PartCall {
  abortSignal: AbortSignal;
  /** milliseconds */
  requestTimeout: number;
}

/** The error's name: that of the bucket's answer, or of the connection's failure, such as ECONNREFUSED. */
function nameOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  return name && name !== 'Error' && name !== 'AggregateError' ? name : (code ?? 'Error');
}
const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } })?.$metadata?.httpStatusCode;

/** How a bucket says that it is full, or that its quota is used up: HTTP's own status, and the codes of Ceph and of MinIO. */
const STATUS_FULL = 507;
const CODES_FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);

function toFailure({ files, place, key }: FilePurpose, name: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (nameOf(error) === 'NoSuchKey') return new FileStoreError('missing', `There is no ${name} in the bucket of ${files}`, error);
  const status = statusOf(error);
  if (status === STATUS_FULL || CODES_FULL.has(nameOf(error)))
    return new FileStoreError('full', `No room for ${name} in the bucket of ${files}: free some, or let ${place} name another`, error);
  const why = status ? `${nameOf(error)}, status ${status}` : nameOf(error);
  const hint = status === 403 ? `see ${key} and what it may do` : `see ${place}, and whether that server is up`;
  return new FileStoreError('unavailable', `The bucket of ${files} failed at ${name} (${why}): ${hint}`, error);
}

/** Splits content into pieces of `PART_BYTES`. The last one is smaller, and empty if the content is. */
async function* splitIntoParts(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<{ part: Buffer; last: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of content) {
    signal.throwIfAborted();
    let rest = chunk;
    while (heldBytes + rest.length > PART_BYTES) {
      const taken = rest.subarray(0, PART_BYTES - heldBytes);
      rest = rest.subarray(taken.length);
      yield { part: Buffer.concat([...held, taken]), last: false };
      held = [];
      heldBytes = 0;
    }
    held.push(rest);
    heldBytes += rest.length;
  }
  signal.throwIfAborted();
  yield { part: Buffer.concat(held), last: true };
}

/** Passes content through; if it fails, the error names the file. */
function nameFailures(content: Readable, failure: (error: Error) => unknown): Readable {
  const passed = new PassThrough();
  content.once('error', (error) => passed.destroy(failure(error) as Error));
  passed.once('close', () => content.destroy());
  return content.pipe(passed);
}

/** Distinguishes errors thrown by the content from those of the bucket. */
class ContentFailure extends Error {}

async function* markFailures(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw new ContentFailure('The content of a file failed', { cause: error });
  }
}

export class BucketStore implements FileStore {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #partTimeoutMs: number;
  readonly #purpose: FilePurpose;

  private constructor(sdk: Sdk, client: S3Client, bucket: string, prefix: string, partTimeoutMs: number, purpose: FilePurpose) {
    this.#purpose = purpose;
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#partTimeoutMs = partTimeoutMs;
  }

  /** Makes a store without a request to the bucket. */
  static async open({ url, keyId, secret, timeoutMs = TIMEOUT_MS, purpose = EXPORT_FILES }: BucketOptions): Promise<BucketStore> {
    const sdk = await import('@aws-sdk/client-s3');
    const { origin, hostname, pathname, searchParams } = new URL(url);
    const [bucket = '', ...folders] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    const client = new sdk.S3Client({
      endpoint: origin,
      region: searchParams.get('region') ?? AMAZON_REGION.exec(hostname)?.[1] ?? USUAL_REGION,
      forcePathStyle: true,
      credentials: { accessKeyId: keyId, secretAccessKey: secret },
      maxAttempts: ATTEMPTS,
      // Buckets outside AWS do not support the checksums that AWS added in 2025.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
        socketTimeout: IDLE_TIMEOUT_MS,
        // A download keeps its connection for as long as its client takes.
        httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
        httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
      },
    });
    const prefix = folders.map((folder) => `${folder}/`).join('');
    return new BucketStore(sdk, client, bucket, prefix, timeoutMs * PART_PATIENCE, purpose);
  }

  /** Closes idle connections. */
  close(): void {
    this.#client.destroy();
  }

  #at(name: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${checkName(name)}` };
  }

  async write(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WrittenFile> {
    const at = this.#at(name);
    signal.throwIfAborted();
    const digest = new ContentDigest();
    const call = { abortSignal: signal, requestTimeout: this.#partTimeoutMs };
    const upload = new Upload(this.#sdk, this.#client, { ...at, ContentType: this.#purpose.contentType }, call);
    try {
      for await (const { part, last } of splitIntoParts(markFailures(content), signal)) {
        digest.add(part);
        await upload.add(part, last);
      }
      return digest.end();
    } catch (error) {
      await upload.abandon();
      throw error instanceof ContentFailure ? error.cause : toFailure(this.#purpose, name, error, signal);
    }
  }

  async read(name: string, signal: AbortSignal, range?: ByteRange): Promise<OpenFile> {
    const at = this.#at(name);
    signal.throwIfAborted();
    try {
      const part = range ? { Range: `bytes=${range.first}-${range.last}` } : {};
      const answer = await this.#client.send(new this.#sdk.GetObjectCommand({ ...at, ...part }), { abortSignal: signal });
      const { Body: content, ContentRange: contentRange, ContentLength: length = 0 } = answer;
      if (!(content instanceof Readable)) throw new Error('The bucket answered no content');
      const failure = (error: Error) => toFailure(this.#purpose, name, error, signal);
      const sizeBytes = contentRange ? Number(contentRange.split('/')[1]) : length;
      return { sizeBytes, content: nameFailures(addAbortSignal(signal, content), failure) };
    } catch (error) {
      throw toFailure(this.#purpose, name, error, signal);
    }
  }

  /** Lists the one name: unlike HEAD, this distinguishes a missing bucket from a missing file. */
  async stat(name: string): Promise<StoredFile | undefined> {
    const { Bucket, Key } = this.#at(name);
    try {
      const { Contents: [first] = [] } = await this.#client.send(new this.#sdk.ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 }));
      return first?.Key === Key ? this.#describe(first) : undefined;
    } catch (error) {
      throw toFailure(this.#purpose, name, error);
    }
  }

  #describe({ Key = '', Size = 0, LastModified = new Date(0) }: ListedObject): StoredFile {
    return { name: Key.slice(this.#prefix.length), sizeBytes: Size, modifiedAt: LastModified };
  }

  async delete(name: string): Promise<void> {
    const at = this.#at(name);
    try {
      await this.#client.send(new this.#sdk.DeleteObjectCommand(at));
    } catch (error) {
      if (nameOf(error) !== 'NoSuchKey') throw toFailure(this.#purpose, name, error);
    }
  }

  /** Lists the files of the top level only; folders belong to others. */
  async *listOlder(than: Date): AsyncIterable<StoredFile> {
    const list = { client: this.#client };
    try {
      for await (const page of this.#sdk.paginateListObjectsV2(list, { Bucket: this.#bucket, Prefix: this.#prefix, Delimiter: '/' }))
        for (const file of (page.Contents ?? []).map((listed) => this.#describe(listed))) if (file.modifiedAt < than) yield file;
    } catch (error) {
      throw toFailure(this.#purpose, 'the list of files', error);
    }
  }

  async removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    try {
      for await (const { Key, UploadId } of this.#uploadsBefore(before)) {
        await this.#client.send(new this.#sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
        removed++;
      }
    } catch (error) {
      throw toFailure(this.#purpose, 'the list of uploads', error);
    }
    return removed;
  }

  async freeBytes(): Promise<null> {
    return null;
  }

  async *#uploadsBefore(before: Date) {
    let markers = {};
    for (let more = true; more; ) {
      const page = await this.#client.send(
        new this.#sdk.ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix, ...markers }),
      );
      for (const upload of page.Uploads ?? [])
        if (upload.Initiated && upload.Initiated < before && !upload.Key?.slice(this.#prefix.length).includes('/')) yield upload;
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      more = page.IsTruncated === true;
    }
  }
}

/** One upload: a single call if the content fits into one part, otherwise a multipart upload, one part after another. */
class Upload {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #at: { Bucket: string; Key: string };
  readonly #contentType: string;
  readonly #call: PartCall;
  readonly #parts: { PartNumber: number; ETag: string | undefined }[] = [];
  #id: string | undefined;

  constructor(sdk: Sdk, client: S3Client, { ContentType, ...at }: { Bucket: string; Key: string; ContentType: string }, call: PartCall) {
    this.#contentType = ContentType;
    this.#sdk = sdk;
    this.#client = client;
    this.#at = at;
    this.#call = call;
  }

  /** Adds a part. The call that makes the file visible cannot be aborted, since its result would then be unknown. */
  async add(part: Buffer, last: boolean): Promise<void> {
    const { abortSignal, requestTimeout } = this.#call;
    if (last && !this.#id) {
      const command = new this.#sdk.PutObjectCommand({ ...this.#at, Body: part, ContentType: this.#contentType });
      await this.#client.send(command, { requestTimeout });
      return;
    }
    this.#id ??= await this.#begin();
    const ids = { ...this.#at, UploadId: this.#id };
    const PartNumber = this.#parts.length + 1;
    const { ETag } = await this.#client.send(new this.#sdk.UploadPartCommand({ ...ids, PartNumber, Body: part }), this.#call);
    this.#parts.push({ PartNumber, ETag });
    if (!last) return;
    abortSignal.throwIfAborted();
    const command = new this.#sdk.CompleteMultipartUploadCommand({ ...ids, MultipartUpload: { Parts: this.#parts } });
    await this.#client.send(command, { requestTimeout });
  }

  /** Begins a multipart upload. It cannot be aborted either: without its id, the upload could not be removed. */
  async #begin(): Promise<string> {
    const answer = await this.#client.send(new this.#sdk.CreateMultipartUploadCommand({ ...this.#at, ContentType: this.#contentType }));
    if (!answer.UploadId) throw new Error('The bucket began an upload without an id');
    return answer.UploadId;
  }

  /** Deletes the uploaded parts. If the bucket does not answer, removeAbandoned does it later. */
  async abandon(): Promise<void> {
    if (!this.#id) return;
    const command = new this.#sdk.AbortMultipartUploadCommand({ ...this.#at, UploadId: this.#id });
    await this.#client.send(command).catch(() => undefined);
  }
}
