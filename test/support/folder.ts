/** Temporary folders. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Made now, and removed at the end of the process. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  made.push(folder);
  return folder;
}
