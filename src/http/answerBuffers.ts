/**
 * Buffers of answers, which are used again once an answer was sent. For new ones the system would clear memory, and V8 would mark its whole heap every
 * 64 MiB: two thirds of the time in which a page is put together.
 */
import type { ServerResponse } from 'node:http';

/** Answers of other lengths have buffers of their own. */
const LEAST_BYTES = 32 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
/** Most bytes that wait to be used again. */
const WAITING_MAX_BYTES = 32 * 1024 * 1024;

/** by length, a power of two */
const waiting = new Map<number, Buffer[]>();
let waitingBytes = 0;

/** A buffer of so many bytes, whatever is in it. */
export function takeBuffer(length: number): Buffer {
  if (length < LEAST_BYTES || length > MOST_BYTES) return Buffer.allocUnsafe(length);
  const size = 2 ** Math.ceil(Math.log2(length));
  const known = waiting.get(size)?.pop();
  if (known) waitingBytes -= size;
  return (known ?? Buffer.allocUnsafeSlow(size)).subarray(0, length);
}

/** Lets a buffer be taken again when the system has all of the answer; never if the client leaves first. @param bytes of `takeBuffer`, which nobody else reads */
export function giveBackWhenSent(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) return;
  response.once('finish', () => {
    const whole = Buffer.from(bytes.buffer);
    if (waitingBytes + whole.length > WAITING_MAX_BYTES) return;
    waitingBytes += whole.length;
    const alike = waiting.get(whole.length);
    if (alike) alike.push(whole);
    else waiting.set(whole.length, [whole]);
  });
}
