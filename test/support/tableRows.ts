/** The rows of a copy in a table, by the libraries of the databases themselves, as records of the API. */
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import type { DatabaseKind } from '../../src/clients/cli/tables/dialects.ts';
import type { ColumnKind } from '../../src/core/domain/record/columnKind.ts';
import type { Json } from './json.ts';

/** What a query of a copy answers. */
export async function queryCopy(kind: DatabaseKind, target: string, sql: string): Promise<Json[]> {
  if (kind === 'sqlite') {
    const database = new DatabaseSync(target, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  }
  if (kind === 'duckdb') return queryDuckdb(target, sql);
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

export async function queryDuckdb(file: string, sql: string): Promise<Json[]> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** A time as milliseconds since 1970, as any of them writes it. */
export const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T').replace(/(\+00(:00)?|Z)$/, '')}Z`);

const READ: Record<ColumnKind, (text: string) => unknown> = {
  boolean: (text) => text === 'true' || text === '1',
  integer: Number,
  number: Number,
  date: (text) => text,
  instant: momentOf,
  text: (text) => text,
  list: (text) => JSON.parse(text),
  object: (text) => JSON.parse(text),
  json: (text) => JSON.parse(text),
};

/** Records by id, each with the named columns, times as milliseconds. @param from table, with a condition where one is wanted */
export async function recordsOfTable(
  kind: DatabaseKind,
  target: string,
  from: string,
  columns: ReadonlyMap<string, ColumnKind>,
): Promise<Map<number, Json>> {
  const texts = [...columns.keys()].map((name) => `cast("${name}" as ${kind === 'duckdb' ? 'varchar' : 'text'}) as "${name}"`);
  const rows = await queryCopy(kind, target, `select ${texts.join(', ')} from ${from}`);
  return new Map(
    rows.map((row) => [
      Number(row.id),
      Object.fromEntries([...columns].map(([name, one]) => [name, row[name] === null ? null : READ[one](row[name])])),
    ]),
  );
}

/** A record of an answer in the same form. */
export const comparable = (record: Json, columns: ReadonlyMap<string, ColumnKind>): Json =>
  Object.fromEntries(
    [...columns].map(([name, kind]) => [name, kind === 'instant' && record[name] !== null ? Date.parse(record[name]) : record[name]]),
  );
