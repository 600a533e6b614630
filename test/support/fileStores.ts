/** Both kinds of file store, for tests that hold for either. */
import path from 'node:path';
import { BucketStore } from '../../src/core/store/files/bucketStore.ts';
import type { FileStore } from '../../src/core/store/files/fileStore.ts';
import { FolderStore } from '../../src/core/store/files/folderStore.ts';
import { startBucketServer } from './bucketServer.ts';
import { newFolder } from './folder.ts';

export const FOREVER = new AbortController().signal;

interface Fixture {
  store: FileStore;
  close(): Promise<void>;
}

async function folderFixture(): Promise<Fixture> {
  return { store: new FolderStore(path.join(newFolder('files'), 'exports')), close: async () => undefined };
}

async function bucketFixture(): Promise<Fixture> {
  const server = await startBucketServer();
  const store = await BucketStore.open({ ...server.options, url: `${server.options.url}/kept/here` });
  const close = async () => {
    store.close();
    await server.stop();
  };
  return { store, close };
}

/** One `describe` for each kind of store, with a new store, started before and stopped after its tests. */
export function describeStores(title: string, tests: (store: () => FileStore) => void): void {
  for (const [kind, start] of Object.entries({ 'a folder': folderFixture, 'a bucket': bucketFixture }))
    describe(`${title} in ${kind}`, () => {
      let fixture: Fixture;
      before(async () => {
        fixture = await start();
      });
      after(() => fixture?.close());
      tests(() => fixture.store);
    });
}

/** Pieces of the given sizes in bytes, each of another letter. */
export async function* pieces(...sizes: number[]): AsyncGenerator<Buffer> {
  for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, 97 + (index % 26));
}

export async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function namesOlder(store: FileStore, than: Date): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.listOlder(than)) names.push(name);
  return names.sort();
}

/** Later than every file of a test, whatever the clocks of the stores. */
export const LATER = new Date(Date.now() + 3_600_000);
export const EARLIER = new Date(Date.now() - 3_600_000);
