/** Reads a small document at an address that others name: without redirects, with bounds on time and size, never inside our own networks. */
import { Client } from 'undici';
import { type GuardOptions, makeGuardedConnector } from './guardedConnector.ts';

/** From the resolution of the name to the last byte. */
const TIMEOUT_MS = 5_000;
const HEADERS_BYTES_MAX = 16 * 1024;

export interface FetchedDocument {
  /** 3xx too, since no redirect is followed */
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export class DocumentTooLarge extends Error {}

/** @throws TargetRefused, NameNotResolved, DocumentTooLarge, or what a failed connection throws */
export async function fetchDocument(
  url: string,
  { bytesMax, timeoutMs = TIMEOUT_MS, ...guard }: GuardOptions & { bytesMax: number; timeoutMs?: number },
): Promise<FetchedDocument> {
  const { origin, pathname, search } = new URL(url);
  // A connection for each document, since a kept one would outlive the check of its address.
  const client = new Client(origin, { connect: makeGuardedConnector(guard), maxHeaderSize: HEADERS_BYTES_MAX });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { accept: 'application/json' };
    const {
      statusCode: status,
      headers: answered,
      body,
    } = await client.request({ method: 'GET', path: `${pathname}${search}`, headers, signal });
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of body) {
      received += chunk.length;
      if (received > bytesMax) throw new DocumentTooLarge(`The document has more than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
    return { status, headers: answered, text: Buffer.concat(chunks).toString() };
  } finally {
    void client.destroy().catch(() => undefined); // its socket is closed either way
  }
}
