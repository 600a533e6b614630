/** Reads a generation file line by line: newline-delimited JSON, UTF-8, plain or gzip. Memory is bounded by the longest line. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export const LINE_LIMIT_BYTES = 32 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** A line of the file, numbered from 1. A line that is not UTF-8, or too long, has a problem instead of a text. */
export type FileLine = { number: number; text: string; problem?: undefined } | { number: number; text?: undefined; problem: string };

export class UnreadableFile extends Error {}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

export interface LineSource {
  lines: AsyncGenerator<FileLine>;
  totalBytes: number;
  /** bytes of the file read so far */
  bytesRead: () => number;
  /** requests the digest of all bytes after the first line, uncompressed; call it directly after reading that line */
  digestRest: () => void;
  /** SHA-256 in hexadecimal once the last line has been read; undefined unless asked for */
  digest: () => string | undefined;
  /** the same of the whole file as it is stored */
  fileDigest: () => string;
  /** call it even if reading stops before the last line */
  close: () => Promise<void>;
}

/** @throws UnreadableFile if the path is not a file; iterating throws it if gzip data is damaged */
export async function openLines(path: string): Promise<LineSource> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) throw new UnreadableFile(`${path}: there is no such file; check the path`);
  const input = createReadStream(path, { highWaterMark: READ_BYTES });
  const ofFile = createHash('sha256');
  const read = Readable.from(hashChunks(input, ofFile), { objectMode: false, highWaterMark: READ_BYTES });
  const chunks = (await isGzip(path)) ? pipeline(read, createGunzip({ chunkSize: READ_BYTES }), () => undefined) : read;
  let hash: Hash | undefined;
  const lines = splitLines(path, chunks, () => hash);
  const close = async () => {
    await lines.return(undefined);
    chunks.destroy();
    input.destroy();
  };
  const digestRest = () => {
    hash = createHash('sha256');
  };
  return {
    lines,
    totalBytes: info.size,
    bytesRead: () => input.bytesRead,
    digestRest,
    close,
    digest: () => hash?.copy().digest('hex'),
    fileDigest: () => ofFile.copy().digest('hex'),
  };
}

async function* hashChunks(chunks: AsyncIterable<Buffer>, into: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    into.update(chunk);
    yield chunk;
  }
}

/** @param digestOf returns the hash that the bytes after the first line are added to; called once that line has been consumed */
async function* splitLines(path: string, chunks: Readable, digestOf: () => Hash | undefined): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (last: Buffer): FileLine => {
    const bytes = pending.length ? Buffer.concat([...pending, last]) : last;
    const tooLong = pendingBytes + last.length > LINE_LIMIT_BYTES;
    pending = [];
    pendingBytes = 0;
    number += 1;
    if (tooLong) return { number, problem: `the line is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MB` };
    const text = decode(decoder, bytes);
    return text === undefined ? { number, problem: 'the line is not UTF-8' } : { number, text };
  };
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      let start = 0;
      if (number) digestOf()?.update(chunk);
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield take(chunk.subarray(start, end));
        start = end + 1;
        if (number === 1) digestOf()?.update(chunk.subarray(start));
      }
      if (start < chunk.length) {
        pendingBytes += chunk.length - start;
        if (pendingBytes <= LINE_LIMIT_BYTES) pending.push(chunk.subarray(start));
      }
    }
  } catch (error) {
    throw new UnreadableFile(`${path}: cannot be read beyond line ${number} (${(error as Error).message}); is the file complete?`);
  }
  if (pendingBytes) yield take(Buffer.alloc(0));
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
