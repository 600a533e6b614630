/** Brings a schema to the newest version: the numbered SQL files beside this one, each applied once. */
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { runner } from 'node-pg-migrate';

const folder = fileURLToPath(new URL('migrations', import.meta.url));
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Applies every migration that `schema` lacks, in one transaction, and returns their names.
 * A second process that migrates the same schema waits for the first and then finds nothing to do.
 */
export async function migrate(databaseUrl: string, schema: string, log: (line: string) => void = () => {}): Promise<string[]> {
  const applied = await runner({
    databaseUrl: { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'landuse-migrate' },
    dir: folder,
    direction: 'up',
    migrationsTable: 'migration',
    schema,
    createSchema: schema !== 'public',
    advisoryLockMode: 'wait',
    lockValue: crc32(`landuse migrations of ${schema}`),
    log,
  });
  return applied.map((migration) => migration.name);
}
