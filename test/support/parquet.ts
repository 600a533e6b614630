/** Parquet files, read by DuckDB. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** The ids in files that belong together, ascending. */
export async function idsInParquet(files: readonly Buffer[]): Promise<number[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parquet-'));
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    for (const [i, bytes] of files.entries()) await writeFile(path.join(folder, `${i}.parquet`), bytes);
    const found = await duckdb.runAndReadAll(`select id from '${folder}/*.parquet' order by id`);
    return found.getRowObjectsJson().map(({ id }) => Number(id));
  } finally {
    duckdb.closeSync();
    await rm(folder, { recursive: true });
  }
}
