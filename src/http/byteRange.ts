/** Which part of a file a request asks for (RFC 9110 sections 13 and 14). Pure. */
import type { ByteRange } from '../core/store/files/fileStore.ts';

const SINGLE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The range requested by `Range` of a file of `sizeBytes`; null when it cannot be satisfied (416); undefined when the header is not a
 * single range of bytes, and the whole file is sent.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null | undefined {
  const [matched, first, last, suffix] = SINGLE.exec(header ?? '') ?? [];
  if (matched === undefined) return undefined;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), sizeBytes);
    return length > 0 ? { first: sizeBytes - length, last: sizeBytes - 1 } : null;
  }
  const start = Number(first);
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return undefined;
  return start < sizeBytes ? { first: start, last: Math.min(end, sizeBytes - 1) } : null;
}

/** Whether a `Range` applies: an `If-Range` has to match the ETag. A date never matches, since answers have none. */
export const rangeApplies = (ifRange: string | undefined, etag: string): boolean => ifRange === undefined || ifRange.trim() === etag;

/** Whether `If-None-Match` contains the ETag. */
export function clientHasEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
