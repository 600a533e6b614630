/** Downloads files of the service. An interrupted download continues at the byte at which it stopped. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../terminal/program.ts';
import type { Cli } from './context.ts';
import { explainDiskError } from './durableFiles.ts';

interface FileDownload {
  /** name of the file at the service */
  name: string;
  /** the local file; bytes that it already has are not requested again */
  part: string;
  /** size of the whole file */
  sizeBytes: number;
  /** SHA-256, hexadecimal */
  sha256: string;
  ask(from: number): Promise<Response>;
  /** called with the number of bytes received so far */
  onBytes?(bytes: number): void;
  /** advice if the download fails; the received bytes are kept */
  remedy: string;
}

/** Most interruptions in a row without progress. */
const BREAKS_MAX = 3;
const WAIT_MS = 1_000;

/**
 * Downloads a file into `part`, and verifies it.
 * @throws UserError if the disk refuses it, the connection keeps breaking, or the digest is wrong; the signal's reason; errors of `ask`
 */
export async function downloadInto(cli: Cli, file: FileDownload): Promise<void> {
  const { name, part, sizeBytes, sha256, remedy } = file;
  let breaks = 0;
  for (let from = await bytesOf(part); from < sizeBytes; from = await bytesOf(part)) {
    if (await append(cli, file, from)) break;
    const bytes = await bytesOf(part);
    breaks = bytes > from ? 0 : breaks + 1;
    if (breaks >= BREAKS_MAX) throw new UserError(`The download of ${name} broke off after ${bytes} bytes. ${remedy}`);
    await sleep(WAIT_MS, undefined, { signal: cli.signal }).catch(() => {});
  }
  if ((await bytesOf(part)) === sizeBytes && (await digestOf(part)) === sha256) return;
  await rm(part, { force: true });
  throw new UserError(`${part} is not what the service sent, and was removed. ${remedy}`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @returns false if the connection broke */
async function append(cli: Cli, { name, part, ask, onBytes, remedy }: FileDownload, from: number): Promise<boolean> {
  cli.signal.throwIfAborted();
  const { body, status } = await ask(from);
  if (!body) throw new UserError(`${name} came without content. ${remedy}`);
  const goesOn = from > 0 && status === 206;
  let bytes = goesOn ? from : 0;
  let isWhole = true;
  /** Ends when the connection breaks, so that the bytes before are written. */
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        onBytes?.(bytes);
        yield chunk;
      }
    } catch (error) {
      if (cli.signal.aborted) throw error;
      isWhole = false;
    }
  }
  try {
    await pipeline(Readable.fromWeb(body), counted, createWriteStream(part, { flags: goesOn ? 'a' : 'w', flush: true }), {
      signal: cli.signal,
    });
    return isWhole;
  } catch (error) {
    if (cli.signal.aborted) throw cli.signal.reason;
    if ((error as NodeJS.ErrnoException).syscall === 'write' || (error as NodeJS.ErrnoException).syscall === 'open')
      throw explainDiskError(error, part, remedy);
    return false;
  }
}

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
