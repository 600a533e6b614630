/** What is lost by a restore to an earlier moment, as far as it can be compared. */
import { isExportFile, isSnapshotFile } from '../../core/store/files/exportFiles.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { GenerationFiles } from '../../core/store/files/generationFiles.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import type { LostRows, RestoredSchema, RevivedKey } from '../../core/store/postgres/restoredSchema.ts';
import type { Manifest } from './manifest.ts';

const EVER = new Date(8.64e15);

export interface RestoreLosses {
  /** seconds since the backup; everything after it is lost */
  seconds: number;
  /** lost rows of the replaced schema, by table; null when there was nothing to compare with */
  rows: LostRows[] | null;
  /**
   * keys that work again until they are revoked again: since the backup they were revoked or rotated, their user was closed or their team
   * disabled; and leaked keys that the backup does not know as such
   */
  keysThatWorkAgain: RevivedKey[];
  /** people suppressed after the backup, who are shown until they are added again */
  suppressions: { kind: string; note: string | null; addedAt: Date }[];
  /** files of exports that no longer have a job */
  exportFilesWithoutJob: string[];
  /** exports whose file is neither in the store nor in the backup; customers are refunded when they download them */
  exportsWithoutFile: string[];
  snapshotFilesWithoutJob: string[];
  /** ready snapshots of which a file is gone, since no backup has them; customers are refunded when they download them */
  snapshotsWithoutFile: string[];
  /** files of generations that belong to no commit, since they were loaded after the backup */
  generationFilesWithoutCommit: string[];
  /** files of generations that a commit needs and that do not exist */
  generationFilesMissing: string[];
  /** the difference between the served index and the one recorded in the restored Postgres; null when there is none */
  index: string | null;
}

/** Lost rows, keys and suppressions; called before the restored schema replaces the other. */
export async function findLostRows(schema: RestoredSchema, { moment }: Manifest, compares: boolean): Promise<RestoreLosses> {
  return {
    seconds: Math.max(0, Math.round((Date.now() - new Date(moment).getTime()) / 1000)),
    rows: compares ? await schema.findLostRows() : null,
    keysThatWorkAgain: compares ? await schema.findRevivedKeys() : [],
    suppressions: compares ? await schema.findLostSuppressions() : [],
    exportFilesWithoutJob: [],
    exportsWithoutFile: [],
    snapshotFilesWithoutJob: [],
    snapshotsWithoutFile: [],
    generationFilesWithoutCommit: [],
    generationFilesMissing: [],
    index: null,
  };
}

async function listFileNames(store: FileStore): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { name } of store.listOlder(EVER)) names.add(name);
  return names;
}

interface KnownFile {
  /** of its export or snapshot */
  id: string;
  name: string;
  /** whether it can still be downloaded */
  served: boolean;
}

/** Lost files of exports and snapshots, which are in one store; called after the replacement. */
export async function findLostFiles(
  database: Database,
  store: FileStore,
): Promise<Pick<RestoreLosses, 'exportFilesWithoutJob' | 'exportsWithoutFile' | 'snapshotFilesWithoutJob' | 'snapshotsWithoutFile'>> {
  const exports = await database.query<KnownFile>(
    `select id, file_name as name, true as served from export
     where file_name is not null and lost_at is null and expires_at > service_now() order by id`,
  );
  const snapshots = await database.query<KnownFile>(
    `select s.id, f.stored_as as name, s.ready_at is not null and s.lost_at is null and s.expires_at > service_now() as served
     from snapshot_file f join snapshot s on s.id = f.snapshot_id order by s.id`,
  );
  const there = await listFileNames(store);
  const nameless = (known: readonly KnownFile[], isOurs: (name: string) => boolean) => {
    const named = new Set(known.map(({ name }) => name));
    return [...there].filter((name) => isOurs(name) && !named.has(name)).sort();
  };
  const fileless = (known: readonly KnownFile[]) => [
    ...new Set(known.filter(({ name, served }) => served && !there.has(name)).map(({ id }) => id)),
  ];
  return {
    exportFilesWithoutJob: nameless(exports, isExportFile),
    exportsWithoutFile: fileless(exports),
    snapshotFilesWithoutJob: nameless(snapshots, isSnapshotFile),
    snapshotsWithoutFile: fileless(snapshots),
  };
}

/**
 * Lost files of generations; called after the replacement.
 * @param prefix of the indices, with which the names of their files begin
 */
export async function findLostGenerations(
  database: Database,
  generations: GenerationFiles | null,
  prefix: string,
): Promise<Pick<RestoreLosses, 'generationFilesWithoutCommit' | 'generationFilesMissing'>> {
  if (!generations) return { generationFilesWithoutCommit: [], generationFilesMissing: [] };
  const known = await database.query<{ name: string; current: boolean }>(
    `select name, l.ended_at is null as current from index_commit c join index_lineage l on l.id = c.lineage_id,
       unnest(array[c.state_file, c.source_file]) as name
     where name is not null and l.index_prefix = $1 order by name`,
    [prefix],
  );
  const there = await listFileNames(generations.store);
  const named = new Set(known.map(({ name }) => name));
  return {
    generationFilesWithoutCommit: [...there].filter((name) => name.startsWith(`${prefix}-g`) && !named.has(name)).sort(),
    generationFilesMissing: known.flatMap(({ name, current }) => (current && !there.has(name) ? name : [])),
  };
}
