/** What a restore to an earlier moment loses, as far as anything is left to compare with. */
import { isExportFile } from '../../core/store/files/exportFiles.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { GenerationFiles } from '../../core/store/files/generationFiles.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import type { LostRows, RestoredSchema } from '../../core/store/postgres/restoredSchema.ts';
import type { Manifest } from './manifest.ts';

const EVER = new Date(8.64e15);

export interface Lost {
  /** from the moment of the backup on, nothing is known any more */
  seconds: number;
  /** of the replaced schema, by table; null where there was nothing to compare with */
  rows: LostRows[] | null;
  /** revoked after the backup: they work again until they are revoked again */
  keysThatWorkAgain: { id: string; teamId: number }[];
  /** suppressed after the backup: these people are shown again until they are added again */
  suppressions: { kind: string; note: string | null; addedAt: Date }[];
  /** files of exports that no job knows any more */
  exportFilesWithoutJob: string[];
  /** exports whose file is neither there nor in the backup: their customers are refunded when they download it */
  exportsWithoutFile: string[];
  /** files of generations that no commit knows any more: their loads came after the backup */
  generationFilesWithoutCommit: string[];
  /** files of generations that a commit names and that are nowhere */
  generationFilesMissing: string[];
  /** what Elasticsearch serves that the restored Postgres has not recorded, or the other way round; null where they agree */
  index: string | null;
}

/** Before the restored schema takes the place of the other. */
export async function lostOf(schema: RestoredSchema, { moment }: Manifest, compares: boolean): Promise<Lost> {
  return {
    seconds: Math.max(0, Math.round((Date.now() - new Date(moment).getTime()) / 1000)),
    rows: compares ? await schema.lostRows() : null,
    keysThatWorkAgain: compares ? await schema.keysThatWorkAgain() : [],
    suppressions: compares ? await schema.lostSuppressions() : [],
    exportFilesWithoutJob: [],
    exportsWithoutFile: [],
    generationFilesWithoutCommit: [],
    generationFilesMissing: [],
    index: null,
  };
}

/** Names of all files in a store. */
async function namesIn(store: FileStore): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { name } of store.listOlder(EVER)) names.add(name);
  return names;
}

/** After it. */
export async function lostFiles(
  database: Database,
  exports: FileStore,
): Promise<Pick<Lost, 'exportFilesWithoutJob' | 'exportsWithoutFile'>> {
  const known = await database.query<{ id: string; name: string }>(
    `select id, file_name as name from export
     where file_name is not null and lost_at is null and expires_at > service_now() order by id`,
  );
  const there = await namesIn(exports);
  const named = new Set(known.map(({ name }) => name));
  return {
    exportFilesWithoutJob: [...there].filter((name) => isExportFile(name) && !named.has(name)).sort(),
    exportsWithoutFile: known.filter(({ name }) => !there.has(name)).map(({ id }) => id),
  };
}

/** Likewise. @param prefix of the indices, with which the names of their files begin */
export async function lostGenerations(
  database: Database,
  generations: GenerationFiles | null,
  prefix: string,
): Promise<Pick<Lost, 'generationFilesWithoutCommit' | 'generationFilesMissing'>> {
  if (!generations) return { generationFilesWithoutCommit: [], generationFilesMissing: [] };
  const known = await database.query<{ name: string; current: boolean }>(
    `select name, l.ended_at is null as current from index_commit c join index_lineage l on l.id = c.lineage_id,
       unnest(array[c.state_file, c.source_file]) as name
     where name is not null and l.index_prefix = $1 order by name`,
    [prefix],
  );
  const there = await namesIn(generations.store);
  const named = new Set(known.map(({ name }) => name));
  return {
    generationFilesWithoutCommit: [...there].filter((name) => name.startsWith(`${prefix}-g`) && !named.has(name)).sort(),
    generationFilesMissing: known.flatMap(({ name, current }) => (current && !there.has(name) ? name : [])),
  };
}
