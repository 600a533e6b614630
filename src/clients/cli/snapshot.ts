/**
 * Beginning a copy with a snapshot: files of one moment with the cursor from which the walk goes on, where that is faster than walking from the
 * beginning. It may be killed at any moment: the copy remembers the snapshot, and a file goes on downloading where it broke off.
 */
import { UserError } from '../../terminal/program.ts';
import { mebibytes } from '../../terminal/table.ts';
import { isRefusal, JobFailure, type Representation, type Snapshot, type SnapshotFormat, type SnapshotManifest } from '../client/index.ts';
import { type Cli, showWarnings, waitForJob } from './context.ts';
import type { CopyTarget } from './copyTarget.ts';
import { downloadInto } from './download.ts';
import { asBody, type Typed } from './filters.ts';
import type { Spending } from './spending.ts';

/** A walk brings 100 records a request and 6,000 a minute, and a small snapshot is ready in seconds. */
export const SNAPSHOT_FROM = 5_000;

export interface SnapshotWanted {
  filters: Typed;
  representation: Representation;
  format: SnapshotFormat;
  /** waits for another snapshot of the team instead of doing without one */
  patient?: boolean;
}

/**
 * Fills a new copy with what a snapshot holds.
 * @returns false where it has to be walked: another snapshot of the team is being built, or nothing matches
 */
export async function copySnapshot(cli: Cli, copy: CopyTarget, wanted: SnapshotWanted, spending: Spending): Promise<boolean> {
  const known = copy.snapshotId && (await askKnown(cli, copy.snapshotId));
  const snapshot = known || (await createSnapshot(cli, wanted, spending));
  if (!snapshot) return false;
  await copy.noteSnapshot(snapshot.id);
  const { creditsCharged, creditsReserved } = await settled(cli, snapshot);
  if (!known) spending.note((creditsCharged ?? creditsReserved) - creditsReserved);
  const manifest = await cli.ask('getSnapshotManifest', { id: snapshot.id });
  const parts = manifest.files.map(({ name }) => copy.partOf(name));
  await download(cli, manifest, parts);
  await copy.beginWith(manifest, parts);
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

async function createSnapshot(cli: Cli, wanted: SnapshotWanted, spending: Spending): Promise<Snapshot | undefined> {
  const { filters, representation, format, patient } = wanted;
  const { limit: _, ...selecting } = filters; // of the pages of the walk
  try {
    const { data, meta } = await spending.ask('createSnapshot', { body: { filters: asBody(selecting), representation, format } });
    showWarnings(cli, meta);
    if (!('id' in data)) return undefined;
    spending.note(data.creditsReserved);
    return data;
  } catch (error) {
    if (!isRefusal(error, 'snapshot_in_progress')) throw error;
    if (!patient) {
      cli.note('Another snapshot of your team is being built: the copy is walked page by page.');
      return undefined;
    }
    cli.note('Another snapshot of your team is being built: this one follows it.');
    await waitForOther(cli, error.details.snapshotId);
    return createSnapshot(cli, wanted, spending);
  }
}

/** However it ends. */
async function waitForOther(cli: Cli, id: string): Promise<void> {
  const other = await askKnown(cli, id);
  if (!other) return;
  await waitForJob(cli, 'other snapshot', other).catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
  });
}

async function settled(cli: Cli, snapshot: Snapshot): Promise<Snapshot> {
  try {
    return await waitForJob(cli, 'snapshot', snapshot);
  } catch (error) {
    throw error instanceof JobFailure ? new UserError(`${error.message} Run the same command again.`) : error;
  }
}

async function download(cli: Cli, { snapshotId, files }: SnapshotManifest, parts: readonly string[]): Promise<void> {
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const bar = cli.startPacedBar('download', total, mebibytes);
  let done = 0;
  try {
    for (const [i, { name, sizeBytes, sha256 }] of files.entries()) {
      const part = parts[i] as string;
      await downloadInto(cli, {
        name,
        part,
        sizeBytes,
        sha256,
        ask: (from) => cli.client.downloadSnapshotFile({ id: snapshotId, name, from }, { signal: cli.signal }),
        onBytes: (bytes) => bar.update(done + bytes),
        remedy: 'Run the same command again: it goes on there.',
      });
      done += sizeBytes;
      bar.update(done);
    }
  } finally {
    bar.stop();
  }
}
