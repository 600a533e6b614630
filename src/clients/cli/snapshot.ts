/**
 * Beginning a copy with a snapshot: files of one moment with the cursor from which the walk goes on, where that is faster than walking from the
 * beginning. It may be killed at any moment: the copy remembers the snapshot, and a file goes on downloading where it broke off.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../terminal/program.ts';
import { isRefusal, JobFailure, type Representation, type Snapshot, type SnapshotManifest } from '../client/index.ts';
import { type Cli, showWarnings, waitForJob } from './context.ts';
import type { CopyFile } from './copy.ts';
import { asBody, type Typed } from './filters.ts';
import type { Spending } from './spending.ts';

/** A walk brings 100 records a request and 6,000 a minute, and a small snapshot is ready in seconds. */
export const SNAPSHOT_FROM = 5_000;

interface Wanted {
  filters: Typed;
  representation: Representation;
}

/** Fills a new copy with what a snapshot holds. @returns false where it has to be walked: another snapshot of the team is being built, or nothing matches */
export async function copySnapshot(cli: Cli, copy: CopyFile, wanted: Wanted, spending: Spending): Promise<boolean> {
  const known = copy.snapshotId && (await askKnown(cli, copy.snapshotId));
  const snapshot = known || (await createSnapshot(cli, wanted, spending));
  if (!snapshot) return false;
  copy.noteSnapshot(snapshot.id);
  const { creditsCharged, creditsReserved } = await settled(cli, snapshot);
  if (!known) spending.note((creditsCharged ?? creditsReserved) - creditsReserved);
  const manifest = await cli.ask('getSnapshotManifest', { id: snapshot.id });
  const parts = manifest.files.map(({ name }) => copy.partOf(name));
  await download(cli, manifest, parts);
  await copy.beginWith(parts, manifest.sync.cursor);
  for (const part of parts) await rm(part, { force: true });
  return true;
}

/** The snapshot that an earlier run began, unless it is gone. */
async function askKnown(cli: Cli, id: string): Promise<Snapshot | undefined> {
  try {
    const { data } = await cli.ask('getSnapshot', { id });
    return ['queued', 'building', 'ready'].includes(data.status) ? data : undefined;
  } catch (error) {
    if (isRefusal(error, 'resource_not_found')) return undefined;
    throw error;
  }
}

async function createSnapshot(cli: Cli, { filters, representation }: Wanted, spending: Spending): Promise<Snapshot | undefined> {
  try {
    const { data, meta } = await spending.ask('createSnapshot', { body: { filters: asBody(filters), representation } });
    showWarnings(cli, meta);
    if (!('id' in data)) return undefined;
    spending.note(data.creditsReserved);
    return data;
  } catch (error) {
    if (!isRefusal(error, 'snapshot_in_progress')) throw error;
    cli.note('Another snapshot of your team is being built: the copy is walked page by page.');
    return undefined;
  }
}

async function settled(cli: Cli, snapshot: Snapshot): Promise<Snapshot> {
  try {
    return await waitForJob(cli, 'snapshot', snapshot);
  } catch (error) {
    throw error instanceof JobFailure ? new UserError(`${error.message} Run the same command again.`) : error;
  }
}

async function download(cli: Cli, { snapshotId, files }: SnapshotManifest, parts: readonly string[]): Promise<void> {
  const bar = cli.startBar(
    'download',
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  let done = 0;
  try {
    for (const [i, { name, sizeBytes, sha256 }] of files.entries()) {
      const part = parts[i] as string;
      const from = await bytesOf(part);
      if (from < sizeBytes) await append(cli, { id: snapshotId, name, from, part }, (bytes) => bar.update(done + from + bytes));
      if ((await digestOf(part)) !== sha256) {
        await rm(part, { force: true });
        throw new UserError(`${part} is not what the service sent. It was removed: run the same command again.`);
      }
      done += sizeBytes;
      bar.update(done);
    }
  } finally {
    bar.stop();
  }
}

async function append(
  cli: Cli,
  { part, ...wanted }: { id: string; name: string; from: number; part: string },
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { body } = await cli.client.downloadSnapshotFile(wanted, { signal: cli.signal });
  if (!body) throw new UserError(`${wanted.name} came without content: run the same command again.`);
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      onBytes(bytes);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.fromWeb(body), counted, createWriteStream(part, { flags: wanted.from ? 'a' : 'w' }), { signal: cli.signal });
  } catch (error) {
    if (cli.signal.aborted) throw cli.signal.reason;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EACCES') throw new UserError(`${part} cannot be written (${code}).`);
    throw new UserError(`The download of ${wanted.name} broke off after ${wanted.from + bytes} bytes: the same command goes on there.`);
  }
}

const bytesOf = async (file: string): Promise<number> =>
  (
    await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { size: 0 };
      throw error;
    })
  ).size;

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
