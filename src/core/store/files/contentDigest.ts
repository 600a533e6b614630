/** Computes SHA-256 and size of content while it passes. */
import { createHash } from 'node:crypto';
import type { FileStore, WrittenFile } from './fileStore.ts';

export class ContentDigest {
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
  }

  /** The digest of everything added; nothing can be added after it. */
  end(): WrittenFile {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') };
  }
}

/** Digest and size of a whole file. @throws FileStoreError */
export async function digestFile(store: FileStore, name: string, signal: AbortSignal): Promise<WrittenFile> {
  const digest = new ContentDigest();
  const { content } = await store.read(name, signal);
  for await (const chunk of content as AsyncIterable<Buffer>) digest.add(chunk);
  return digest.end();
}
