/**
 * Begins a copy with a snapshot: files of one moment, with the cursor from which the walk continues. The process may be killed at any moment: the
 * copy remembers the snapshot, and an interrupted download continues where it stopped.
 */
import { UserError } from '../../terminal/program.ts';
import { mebibytes } from '../../terminal/textTable.ts';
import {
  isRefusal,
  JobFailure,
  type Representation,
  type Snapshot,
  type SnapshotFormat,
  type SnapshotManifest,
  withDerived,
} from '../client/index.ts';
import { type Cli, showWarnings, waitForFiles } from './context.ts';
import type { CopyTarget } from './copyTarget.ts';
import { downloadInto } from './download.ts';
import { asBody, type Typed } from './filters.ts';
import type { Spending } from './spending.ts';

/** From this number of records on a snapshot is faster than a walk, which brings 100 records a request and 6,000 a minute. */
export const SNAPSHOT_FROM = 5_000;

export interface SnapshotWanted {
  filters: Typed;
  representation: Representation;
  format: SnapshotFormat;
  /** whether to wait for another snapshot of the team, instead of walking */
  patient?: boolean;
}

/**
 * Fills a new copy from a snapshot.
 * @returns false if the copy has to be walked, since another snapshot of the team is being built or nothing matches
 */
export async function copySnapshot(cli: Cli, copy: CopyTarget, wanted: SnapshotWanted, spending: Spending): Promise<boolean> {
  const known = copy.snapshotId && (await readKnown(cli, copy.snapshotId));
  const snapshot = known || (await createSnapshot(cli, wanted, spending));
  if (!snapshot) return false;
  await copy.noteSnapshot(snapshot.id);
  const { creditsCharged, creditsReserved } = await waitForSnapshot(cli, snapshot);
  if (!known) spending.recordCharge((creditsCharged ?? creditsReserved) - creditsReserved);
  const manifest = await cli.ask('getSnapshotManifest', { id: snapshot.id });
  const parts = manifest.files.map(({ name }) => copy.partOf(name));
  await download(cli, manifest, parts);
  await copy.beginWith(manifest, parts);
  return true;
}

/** The snapshot that an earlier run began; undefined if it no longer exists. */
async function readKnown(cli: Cli, id: string): Promise<Snapshot | undefined> {
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
  const { limit: _, ...selecting } = filters; // `limit` is the page size of the walk
  const body = withDerived({ filters: asBody(selecting), representation, format });
  try {
    const { data, meta } = await spending.ask('createSnapshot', { body });
    showWarnings(cli, meta);
    if (!('id' in data)) return undefined;
    spending.recordCharge(data.creditsReserved);
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

/** Waits for another snapshot of the team, whether it succeeds or fails. */
async function waitForOther(cli: Cli, id: string): Promise<void> {
  const other = await readKnown(cli, id);
  if (!other) return;
  await waitForFiles(cli, 'other snapshot', other).catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
  });
}

async function waitForSnapshot(cli: Cli, snapshot: Snapshot): Promise<Snapshot> {
  try {
    return await waitForFiles(cli, 'snapshot', snapshot);
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
