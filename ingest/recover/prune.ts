/** Deletes kept files that the current lineage of the index does not need: those of lineages that have ended, and those that nothing names. */
import type { GenerationFiles } from '../../src/core/store/files/generationFiles.ts';
import type { LineageStore } from '../../src/core/store/postgres/lineageStore.ts';
import { mebibytes } from '../../src/terminal/textTable.ts';
import { LoadRefused } from '../loadRefused.ts';
import { compareServed } from '../publish/repair.ts';
import { isKeptFile } from '../write/commitFiles.ts';
import type { GenerationStore } from '../write/generationSets.ts';
import type { OpenLineageStore } from '../write/recordedCommits.ts';

export const PRUNED_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;
const EVER = new Date(8.64e15);

interface PruneContext {
  store: GenerationStore;
  lineage: OpenLineageStore;
  /** null where nothing is kept */
  files: GenerationFiles | null;
  now: () => Date;
  /** throws once the load lock is lost; asked before each deletion */
  assertLocked?: () => void;
}

interface PruneOptions {
  /** only files that were written, and whose lineage ended, at least so many days ago */
  olderThanDays: number;
  /** deletes nothing */
  dryRun: boolean;
}

interface NeedlessFile {
  name: string;
  sizeBytes: number;
  /** ISO 8601 */
  modifiedAt: string;
  /** `ended`: of a lineage that has ended. `unnamed`: of a load that was lost with the rows of Postgres, or killed. */
  why: 'ended' | 'unnamed';
}

export interface Pruned {
  dryRun: boolean;
  olderThanDays: number;
  /** files that were deleted, or would be */
  files: NeedlessFile[];
  freedBytes: number;
  /** files of the current lineage, which stay */
  needed: number;
  /** number of unneeded files that are too recent to be deleted */
  younger: number;
}

/**
 * Deletes unneeded files. Call it under the load lock. If it is killed, run it again.
 * @throws LoadRefused if it cannot be determined which files are needed; FileStoreError
 */
export async function pruneFiles({ store, lineage, files, now, assertLocked }: PruneContext, options: PruneOptions): Promise<Pruned> {
  const { olderThanDays, dryRun } = options;
  if (!files) throw new LoadRefused('No files are kept here: GENERATIONS_DIR is off. Nothing was deleted');
  const lineages = await lineage();
  await refuseDisagreement(store, lineages);
  const before = new Date(now().getTime() - olderThanDays * DAY_MS);
  const found = await findNeedlessFiles(files, await lineages.listNamedFiles(), { prefix: store.names.prefix, before });
  for (const { name } of dryRun ? [] : found.files) {
    assertLocked?.();
    await files.store.delete(name);
  }
  if (!dryRun) await files.store.removeAbandoned(before);
  return { dryRun, olderThanDays, ...found, freedBytes: found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** Refuses to prune if the records in Postgres do not belong to this index, or are out of date: they do not tell which files it needs. */
async function refuseDisagreement(store: GenerationStore, lineages: LineageStore): Promise<void> {
  const { served } = await store.read();
  const lineage = await lineages.readCurrent();
  const apart = compareServed(served, lineage);
  if (apart) throw new LoadRefused(`${apart.message}. Nothing was deleted`, [], { fault: apart.fault });
  if (!lineage)
    throw new LoadRefused(
      `Postgres has recorded no load of the indices ${store.names.prefix}-…: are DATABASE_URL, DATABASE_SCHEMA and INDEX_PREFIX right? Nothing was deleted`,
    );
}

type Found = Pick<Pruned, 'files' | 'needed' | 'younger'>;

/** @param named files that Postgres names, with the end of their lineage; null for the current one */
async function findNeedlessFiles(
  { store }: GenerationFiles,
  named: ReadonlyMap<string, Date | null>,
  { prefix, before }: { prefix: string; before: Date },
): Promise<Found> {
  const found: Found = { files: [], needed: 0, younger: 0 };
  for await (const { name, sizeBytes, modifiedAt } of store.listOlder(EVER)) {
    const endedAt = named.get(name);
    if (endedAt === null) found.needed++;
    else if (!isKeptFile(prefix, name)) continue;
    else if (modifiedAt >= before || (endedAt && endedAt >= before)) found.younger++;
    else found.files.push({ name, sizeBytes, modifiedAt: modifiedAt.toISOString(), why: endedAt ? 'ended' : 'unnamed' });
  }
  found.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

const REASON: Record<NeedlessFile['why'], string> = { ended: 'of a lineage that has ended', unnamed: 'named by no load' };

export function pruneText({ dryRun, olderThanDays, files, freedBytes, needed, younger }: Pruned): string {
  const done = dryRun ? 'Would delete' : 'Deleted';
  return [
    ...files.map(
      ({ name, sizeBytes, modifiedAt, why }) => `  ${name}  ${mebibytes(sizeBytes)}  ${modifiedAt.slice(0, 10)}  ${REASON[why]}`,
    ),
    `${done} ${files.length} files, ${mebibytes(freedBytes)}. Kept: ${needed} that the index is built again from, ${younger} younger than ${olderThanDays} days.`,
  ].join('\n');
}
