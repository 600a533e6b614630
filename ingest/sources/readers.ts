/** Rows of gzipped files, streamed: newline-delimited JSON, CSV, and GeoJSON (small enough to be read at once). */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { splitLines } from '../../src/terminal/splitLines.ts';

export type CsvRow = Record<string, string>;

/** One object a line. @throws SyntaxError naming file and line where a line is no JSON */
export async function* readJsonLines<T>(folder: string, file: string): AsyncGenerator<T> {
  const lines = splitLines(createReadStream(join(folder, file)).pipe(createGunzip()));
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      yield JSON.parse(line) as T;
    } catch (error) {
      throw new SyntaxError(`${file}, line ${number} is no JSON: ${(error as Error).message}`);
    }
  }
}

/** One object a row, keyed by the header; every value a string. */
export async function* readCsvRows(folder: string, file: string): AsyncGenerator<CsvRow> {
  const parser = parse({ columns: true, bom: true, relax_column_count: true });
  const input = createReadStream(join(folder, file));
  const unzip = createGunzip();
  const fail = (error: Error) => parser.destroy(new Error(`${file} cannot be read: ${error.message}`));
  input.on('error', fail);
  unzip.on('error', fail);
  input.pipe(unzip).pipe(parser);
  for await (const row of parser) yield row as CsvRow;
}

interface GeoFeature<T> {
  properties: T;
  geometry: { coordinates: [number, number] } | null;
}

/** The features of a GeoJSON collection. */
export async function* readFeatures<T>(folder: string, file: string): AsyncGenerator<GeoFeature<T>> {
  const content = await promisify(gunzip)(await readFile(join(folder, file)));
  yield* (JSON.parse(content.toString('utf8')) as { features: GeoFeature<T>[] }).features;
}
