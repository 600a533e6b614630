/** JSON that pages load, such as the map's outlines. Each name contains a digest of its content. */
import { createHash } from 'node:crypto';
import path from 'node:path';

export interface Asset {
  /** the path with the digest */
  path: string;
  content(): string | Promise<string>;
}

const ROOT = '/assets/';
const DIGEST_LENGTH = 12;

/** A short digest of a text, for addresses of files that can be stored for ever. */
export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/**
 * An asset.
 * @param name without the digest
 * @param seed text from which the content follows
 */
export function assetOf(name: string, seed: string, content: () => string | Promise<string> = () => seed): Asset {
  const { dir, name: stem, ext } = path.posix.parse(name);
  return { path: `${ROOT}${path.posix.join(dir, `${stem}.${digestOf(seed)}${ext}`)}`, content };
}
