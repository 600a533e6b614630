/** The public data sets, which are no part of the project, as lines of a generation file. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { writeGeneration } from '../../ingest/sources/generation.ts';
import { UserError } from '../../src/terminal/program.ts';
import { splitLines } from '../../src/terminal/splitLines.ts';
import { root } from './sandbox.ts';

export const DATA_FOLDER = path.resolve(process.env.REAL_DATA ?? path.join(root, '../shared/data'));
export const DATA_ABSENT = `The public data sets are not in ${DATA_FOLDER}; REAL_DATA names their folder.`;
export const hasPublicData = (): boolean => existsSync(DATA_FOLDER);

/** @throws UserError where the data are absent */
export function requirePublicData(): void {
  if (!hasPublicData()) throw new UserError(DATA_ABSENT);
}

// biome-ignore lint/suspicious/noExplicitAny: lines are looked into field by field
export type PublicLine = Record<string, any>;

/** Writes some of the sets, or all, as a generation file. @returns its path */
async function writePublicData(folder: string, only?: readonly string[]): Promise<string> {
  return (await writeGeneration({ from: DATA_FOLDER, to: folder, generation: 1, ...(only && { only }), onProgress: () => {} })).file;
}

/**
 * The lines of some of the sets, or of all, without projects of which no land use is known: the loader refuses those that are new.
 * @param folder for the file of all of them
 */
export async function* readPublicLines(folder: string, only?: readonly string[]): AsyncGenerator<PublicLine & { kind: string }> {
  const file = createReadStream(await writePublicData(folder, only)).pipe(createGunzip());
  for await (const text of splitLines(file)) {
    const { records: _, sha256: __, ...line } = JSON.parse(text);
    if (line.kind !== 'project' || line.landUses?.length) yield line;
  }
}

/** Writes a part of the projects as a generation file, as `pick` gives them back. @returns its path */
export async function writePicked(folder: string, only: readonly string[] | undefined, pick: (project: PublicLine) => object | undefined) {
  const picked = async function* () {
    for await (const line of readPublicLines(folder, only)) {
      const kept = line.kind === 'generation' ? line : line.kind === 'project' ? pick(line) : undefined;
      if (kept) yield `${JSON.stringify(kept)}\n`;
    }
  };
  const file = path.join(folder, 'picked.ndjson');
  await pipeline(Readable.from(picked()), createWriteStream(file));
  return file;
}
