/** Parquet files, read by DuckDB. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { newFolder } from './folder.ts';
import type { Json } from './json.ts';

/** Ids and deliveries of the records in files that belong together, by id. */
export async function deliveriesInParquet(files: readonly Buffer[]): Promise<{ id: number; delivery: Json }[]> {
  const folder = newFolder('parquet');
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    for (const [i, bytes] of files.entries()) await writeFile(path.join(folder, `${i}.parquet`), bytes);
    const found = await duckdb.runAndReadAll(`select id, delivery from '${folder}/*.parquet' order by id`);
    return found.getRowObjectsJson().map(({ id, delivery }) => ({ id: Number(id), delivery }));
  } finally {
    duckdb.closeSync();
  }
}

/** The ids in files that belong together, ascending. */
export const idsInParquet = async (files: readonly Buffer[]): Promise<number[]> => (await deliveriesInParquet(files)).map(({ id }) => id);
