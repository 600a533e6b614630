/** Reads a generation file line by line: newline-delimited JSON, UTF-8, plain or gzip. Memory is bounded by the longest line. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

export const LINE_LIMIT_BYTES = 32 * 1024 * 1024;

export interface Line {
  /** 1 for the first line of the file */
  number: number;
  /** undefined when the bytes are no UTF-8 or too many */
  text: string | undefined;
}

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
  lines: AsyncGenerator<Line>;
  totalBytes: number;
  /** bytes of the file read so far */
  bytesRead: () => number;
}

/** @throws UnreadableFile when the file is missing or no file; iterating throws it when gzip data is damaged */
export async function openLines(path: string): Promise<LineSource> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) throw new UnreadableFile(`${path}: there is no such file; check the path`);
  const input = createReadStream(path, { highWaterMark: 1 << 18 });
  const gzip = await isGzip(path);
  const chunks = gzip ? input.pipe(createGunzip({ chunkSize: 1 << 18 })) : input;
  if (gzip) input.on('error', (error) => (chunks as ReturnType<typeof createGunzip>).destroy(error));
  return { lines: splitLines(path, chunks), totalBytes: info.size, bytesRead: () => input.bytesRead };
}

async function* splitLines(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (last: Buffer): Line => {
    const bytes = pending.length ? Buffer.concat([...pending, last]) : last;
    const tooLong = pendingBytes + last.length > LINE_LIMIT_BYTES;
    pending = [];
    pendingBytes = 0;
    number += 1;
    return { number, text: tooLong ? undefined : decode(decoder, bytes) };
  };
  try {
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield take(chunk.subarray(start, end));
        start = end + 1;
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
