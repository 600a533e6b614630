/** A large file of this machine, of which pages read ranges of bytes. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { serveDownload } from './download.ts';
import type { OpenRoute } from './openRoutes.ts';

const DIGEST_LENGTH = 12;
const DAY_SECONDS = 86_400;

/**
 * The route of a file. Its path has a digest of the file's size and time of change: a file that is replaced is served after the next start.
 * @param folder path that the file is served below, with slashes at both ends
 */
export function fileRoute(
  folder: string,
  filePath: string,
  contentType: string,
  reference: OpenRoute['reference'],
): OpenRoute & { path: string } {
  const { size: sizeBytes, mtimeMs } = statSync(filePath);
  const version = createHash('sha256').update(`${sizeBytes} ${mtimeMs}`).digest('hex').slice(0, DIGEST_LENGTH);
  const { name, ext } = path.parse(filePath);
  const served = `${folder}${encodeURIComponent(name)}.${version}${ext}`;
  const store = {
    read: async (_: string, signal: AbortSignal, range = { first: 0, last: sizeBytes - 1 }) => {
      const handle = await open(filePath);
      const { size } = await handle.stat();
      return { sizeBytes: size, content: handle.createReadStream({ start: range.first, end: range.last, signal }) };
    },
  };
  const download = { name, filename: `${name}${ext}`, sizeBytes, sha256: version, contentType };
  return {
    path: served,
    paths: [served],
    rate: 'file',
    headers: { 'Cache-Control': `public, max-age=${DAY_SECONDS}` },
    handle: () => '',
    send: (ctx) => serveDownload(ctx, store, download),
    reference,
  };
}
