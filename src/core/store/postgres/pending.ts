/** Finds what a schema lacks of this version, without changing it. */
import type { Database } from './pool.ts';
import { readCommittedChecksums, readMigrationFiles } from './sqlFiles.ts';

interface PendingSql {
  /** names of migrations that are not applied, in order; `functions` if those are of an older version */
  pending: string[];
  /** names of migrations whose applied text differs from their file */
  changed: string[];
}

/** @throws ApiError `service_unavailable` */
export async function findPendingSql(database: Database, schema: string): Promise<PendingSql> {
  const files = readMigrationFiles();
  const [known] = await database.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`"${schema}".applied_sql`]);
  if (!known?.there) return { pending: files.map(({ name }) => name), changed: [] };
  const rows = await database.query<{ name: string; checksum: string; version: number | null }>(
    'select name, checksum, version from applied_sql',
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  const { version, checksum } = readCommittedChecksums().functions;
  const there = applied.get('functions');
  const areOlder = !there || (there.checksum !== checksum && (there.version ?? 0) <= version);
  return {
    pending: [...files.flatMap(({ name }) => (applied.has(name) ? [] : [name])), ...(areOlder ? ['functions'] : [])],
    changed: files.flatMap(({ name, checksum: text }) => ((applied.get(name)?.checksum ?? text) === text ? [] : [name])),
  };
}
