/** How long test files took in the last whole run, in seconds: the longest start first, so that none still runs alone when the others are done. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Durations = Readonly<Record<string, number>>;

const keptIn = (root: string) => path.join(root, '.stack', 'test-durations.json');
/** The long files of a run on two processors, for a clone's first run. */
const FIRST = path.resolve(import.meta.dirname, '../../test/durations.json');

export function readDurations(root: string): Durations {
  const text = readText(keptIn(root)) ?? readFileSync(FIRST, 'utf8');
  return JSON.parse(text);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Keeps those of files that are still there. */
export function keepDurations(root: string, durations: Durations): void {
  const kept = Object.entries(durations).filter(([file]) => statSync(path.join(root, file), { throwIfNoEntry: false }));
  mkdirSync(path.dirname(keptIn(root)), { recursive: true });
  writeFileSync(keptIn(root), `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
}

/** The files, the longest first; those of unknown or equal duration by their size. */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return files.toSorted((a, b) => (durations[b] ?? 0) - (durations[a] ?? 0) || size(b) - size(a));
}
