/** A temporary folder for the tests of a suite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Made now, and removed after the tests of the suite that calls this. */
export function provideFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}
