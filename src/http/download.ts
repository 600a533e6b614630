/** Serves a stored file as a download that can be resumed at any byte. */
import { type Duplex, PassThrough, pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import { type ByteRange, type FileStore, FileStoreError } from '../core/store/files/fileStore.ts';
import { clientHasEtag, parseRange, rangeApplies } from './byteRange.ts';

/** What was recorded when a file was written. */
export interface Download {
  /** name in the store */
  name: string;
  /** name under which the client saves it: letters, digits, `_`, `-` and `.` */
  filename: string;
  sizeBytes: number;
  /** SHA-256 of the content, hexadecimal, or another digest that changes with it */
  sha256: string;
  /** CSV by default; any other is sent as it is stored, without compression on the way */
  contentType?: string;
}

export interface DownloadOptions {
  /** adds a byte order mark, by which Excel recognises UTF-8 */
  bom?: boolean;
  /** makes another text of the file on its way: without ranges, and of unknown length */
  rewrite?: () => Duplex[];
}

type Files = Pick<FileStore, 'read'>;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NO_BYTES = Buffer.alloc(0);
/** At higher levels time grows faster than the file shrinks. */
const GZIP_LEVEL = 4;

/** Ignores errors of a stream that are handled at the end of its pipeline, which destroys both ends. */
const ignoreError = () => undefined;

/** Opens a range of the stored file. A file whose size differs from the recorded one counts as lost. */
async function openPart(store: Files, file: Download, range: ByteRange, signal: AbortSignal): Promise<Readable> {
  const { sizeBytes, content } = await store.read(file.name, signal, range);
  if (sizeBytes === file.sizeBytes) return content;
  content.destroy();
  throw new FileStoreError(
    'unavailable',
    `${file.name} has ${sizeBytes} bytes in the store, and had ${file.sizeBytes} when it was written`,
  );
}

/** Opens a range of the bytes that `prefix` and the file form together, in this order. */
async function openRange(store: Files, file: Download, prefix: Buffer, range: ByteRange, signal: AbortSignal): Promise<Readable> {
  const head = prefix.subarray(range.first, range.last + 1);
  const body = new PassThrough();
  if (range.last < prefix.length) return body.end(head);
  const part = { first: Math.max(range.first - prefix.length, 0), last: range.last - prefix.length };
  const content = await openPart(store, file, part, signal);
  if (!head.length) return content;
  body.write(head);
  return pipeline(content, body, ignoreError);
}

/** Passes a text on behind some bytes. */
function startWith(prefix: Buffer): PassThrough {
  const body = new PassThrough();
  body.write(prefix);
  return body;
}

/** Opens a body, and cancels this when the client disconnects; afterwards the body ends with the connection. */
async function openUntilClientLeaves<T>(ctx: Context, open: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController();
  const abort = () => left.abort();
  ctx.res.once('close', abort);
  try {
    return await open(left.signal);
  } finally {
    ctx.res.off('close', abort);
  }
}

/** Sends a body. If it fails, the connection is closed, so that the client notices the missing bytes. */
function send(ctx: Context, body: Readable): void {
  body.once('error', () => ctx.res.destroy());
  ctx.body = body;
}

/**
 * Answers 200, 206 or 304. Ranges refer to the uncompressed file. A request without `Range` that accepts gzip gets it, with its own `ETag`.
 * @throws ApiError `range_not_satisfiable`; FileStoreError, before anything is sent, when the file cannot be read
 */
export async function serveDownload(
  ctx: Context,
  store: Files,
  file: Download,
  { bom = false, rewrite }: DownloadOptions = {},
): Promise<void> {
  const prefix = bom ? BOM : NO_BYTES;
  const total = prefix.length + file.sizeBytes;
  const rangeHeader = rewrite ? undefined : ctx.get('Range') || undefined;
  const gzip = file.contentType === undefined && rangeHeader === undefined && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  const etag = `"${file.sha256}${bom ? '-bom' : ''}${rewrite ? '-cut' : ''}${gzip ? '-gzip' : ''}"`;

  if (file.contentType === undefined) ctx.vary('Accept-Encoding');
  ctx.set('ETag', etag);
  const isAsStored = !gzip && !rewrite;
  if (isAsStored) ctx.set('Accept-Ranges', 'bytes');
  if (clientHasEtag(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const asked = rangeApplies(ctx.get('If-Range') || undefined, etag) ? parseRange(rangeHeader, total) : undefined;
  if (asked === null)
    throw new ApiError('range_not_satisfiable', `The file has ${total} bytes, and none of those that Range asks for`, {
      param: 'Range',
      details: { sizeBytes: total },
      headers: { 'Content-Range': `bytes */${total}` },
    });
  const range = asked ?? { first: 0, last: total - 1 };
  const opened = await openUntilClientLeaves(ctx, (signal) =>
    rewrite ? openPart(store, file, { first: 0, last: file.sizeBytes - 1 }, signal) : openRange(store, file, prefix, range, signal),
  );
  const content = rewrite ? (pipeline([opened, ...rewrite(), startWith(prefix)], ignoreError) as PassThrough) : opened;
  ctx.status = asked ? 206 : 200;
  ctx.type = file.contentType ?? 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${file.filename}"`);
  if (asked) ctx.set('Content-Range', `bytes ${range.first}-${range.last}/${total}`);
  if (gzip) ctx.set('Content-Encoding', 'gzip');
  if (ctx.method === 'HEAD') {
    content.destroy();
    ctx.body = '';
  } else send(ctx, gzip ? pipeline(content, createGzip({ level: GZIP_LEVEL }), ignoreError) : content);
  if (isAsStored) ctx.length = range.last - range.first + 1;
}
