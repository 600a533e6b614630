/** The files kept by loads, as recorded in Postgres, from which a lost index can be rebuilt (src/docs/loading-data.md). */
import type { GenerationFiles } from '../../core/store/files/generationFiles.ts';
import { changesNothingSql, isUnstampedSql } from '../../core/store/postgres/lineageStore.ts';
import type { Snapshot } from '../../core/store/postgres/tableSnapshot.ts';
import type { KeptFile, MissingFile } from './manifest.ts';

interface RecordedFile {
  name: string;
  sha256: string;
  /** folder or address where it was stored */
  keptIn: string | null;
}

const CURRENT = 'index_commit c join index_lineage l on l.id = c.lineage_id and l.ended_at is null';

/** SQL: files of every index in the schema, newest first, since loads delete the oldest first. */
const FILES = `
  select file.name, file.sha256, c.kept_in as "keptIn"
  from ${CURRENT}, lateral (values (1, state_file, state_sha256), (2, source_file, source_sha256)) as file (place, name, sha256)
  where file.name is not null order by c.commit desc, file.place`;

/**
 * SQL: the commits that make up the served commit of an index, and the one that sync shows while it is being stamped. A commit without its
 * file has null; one that changed nothing has no row.
 */
const SERVED = `
  select head.generation::float8 as generation,
         array(select c.state_file from index_commit shown, commits_of(shown.lineage_id, shown.commit) c
               where shown.lineage_id = head.lineage_id
               and (shown.commit = head.commit or (shown.commit = head.previous and ${isUnstampedSql('head')}))
               and (c.state_file is not null or not ${changesNothingSql('c')})) as files
  from (select c.* from ${CURRENT} where l.index_prefix = $1 and c.served_at is not null order by c.commit desc limit 1) as head`;

export const readRecordedFiles = (snapshot: Snapshot): Promise<RecordedFile[]> => snapshot.query<RecordedFile>(FILES);

const NO_PLACE =
  'This backup holds no files of generations, since no place for them was set (GENERATIONS_DIR is off): ' +
  'the index cannot be built again from it.';

/**
 * Why the index cannot be rebuilt from a backup, as sentences.
 * @returns none when it can be, or when nothing is served
 */
export async function findIndexWarnings(
  snapshot: Snapshot,
  { place, prefix }: { place: GenerationFiles | null; prefix: string },
  { files, missing }: { files: readonly KeptFile[]; missing: readonly MissingFile[] },
): Promise<string[]> {
  if (!place) return [NO_PLACE];
  const [head] = await snapshot.query<{ generation: number; files: (string | null)[] }>(SERVED, [prefix]);
  if (!head) return [];
  if (!head.files.length || head.files.includes(null))
    return [
      `What generation ${head.generation} was made of, which is served, was not kept: the index cannot be built again from this backup. ` +
        'The next increment or rollback writes it whole.',
    ];
  const kept = new Set(files.flatMap(({ kind, name }) => (kind === 'generation' ? name : [])));
  const lacking = head.files.filter((name) => name !== null && !kept.has(name)).length;
  if (!lacking) return [];
  const places = [...new Set(missing.flatMap(({ keptIn }) => keptIn ?? []))].filter((keptIn) => keptIn !== place.place);
  const hint = places.length ? ` Loads have kept files in ${places.join(', ')}, the setting names ${place.place}.` : '';
  return [`The index cannot be built again from this backup: it lacks ${lacking} of the ${head.files.length} files for that.${hint}`];
}
