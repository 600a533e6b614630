/** Records drawn by a seed, each beside the rows of its source, for a person who compares them value by value. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { printable } from '../../src/terminal/printable.ts';
import { chooseAdapters, dropAbsent } from './generation.ts';
import type { ProjectDraft, SourceRecord } from './types.ts';

interface DrawnRecord {
  source: string;
  id: string;
  rows: readonly object[];
  states: Partial<ProjectDraft>;
  notes: readonly string[];
}

interface DrawOptions {
  /** folder with one folder for each data set */
  from: string;
  /** names of the data sets; absent means all of them */
  only?: readonly string[];
  /** records of each data set */
  number: number;
  seed: string;
}

/** The records with the lowest hashes of seed and own id: the same ones for the same seed, whatever the order of the rows. @throws SourceError */
export async function drawRecords({ from, only, number, seed }: DrawOptions): Promise<DrawnRecord[]> {
  const places = loadPlaces();
  const drawn: DrawnRecord[] = [];
  for (const { name, read } of await chooseAdapters(from, only)) {
    let lowest: { rank: string; record: SourceRecord }[] = [];
    for await (const record of read({ folder: join(from, name), places })) {
      if (record.kind !== 'record') continue;
      const rank = createHash('sha256').update(`${seed}\n${name}\n${record.ownId}`).digest('hex');
      if (lowest.length === number && rank > (lowest.at(-1)?.rank ?? '')) continue;
      lowest = [...lowest, { rank, record }].sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, number);
    }
    for (const { ownId, rows, project, notes } of lowest.map((one) => one.record))
      drawn.push({ source: name, id: ownId, rows, states: dropAbsent(project), notes });
  }
  return drawn;
}

const COLUMN_WIDTH = 78;
const VALUE_CHARACTERS_MAX = 3000;

/** Words that fit a column, or the part of a word that does. */
const LINES = /\S.{0,77}(?=\s|$)|\S{1,78}/g;

/** `name: value` for what is stated, broken into lines of a column. */
function fieldLines(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const stated = printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
    const words = `${name}: ${stated.slice(0, VALUE_CHARACTERS_MAX)}${stated.length > VALUE_CHARACTERS_MAX ? ` … ${stated.length} characters` : ''}`;
    return words.match(LINES) ?? [];
  });
}

/** A record as two columns: what its source says, and what the adapter states. */
function twoColumns({ source, id, rows, states, notes }: DrawnRecord): string {
  const left = rows.flatMap((row, i) => [`-- row ${i + 1}`, ...fieldLines(dropAbsent(row))]);
  const right = [...fieldLines(states), ...notes.map((note) => `-- ${note}`)];
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    `${(left[i] ?? '').padEnd(COLUMN_WIDTH)} | ${right[i] ?? ''}`.trimEnd(),
  );
  return [`== ${source} ${id}`, ...lines].join('\n');
}

export const auditText = (records: readonly DrawnRecord[]): string => records.map(twoColumns).join('\n\n');
