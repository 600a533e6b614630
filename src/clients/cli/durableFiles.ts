/** Writes that survive a kill of the process: atomic replacement, and appending with a valid length that the caller records. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { UserError } from '../../terminal/program.ts';

/** Replaces a file atomically; the content is on the disk before the rename. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  const handle = openSync(fresh, 'w');
  try {
    writeFileSync(handle, text); // all of it: a disk that is nearly full takes a part, without an error
    fsyncSync(handle);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
}

/** Appends a line of JSON for each value. @returns the number of bytes, when they are on the disk */
export async function appendLines(file: string, values: readonly object[]): Promise<number> {
  if (!values.length) return 0;
  const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const handle = await open(file, 'a');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return bytes.length;
}

/** Truncates a file to its valid bytes. @throws UserError if it has fewer */
export async function truncateTo(file: string, goodBytes: number, startOver: string): Promise<void> {
  const handle = await open(file, 'r+').catch(() => undefined);
  const size = (await handle?.stat())?.size ?? 0;
  if (size > goodBytes) await handle?.truncate(goodBytes);
  await handle?.close();
  if (size < goodBytes) throw new UserError(`${file} is shorter than it was left: ${startOver}.`);
}

const FAILURES_OF_DISKS = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EFBIG']);

const [FULL, DENIED] = ['the disk is full', 'you may not write there'];
const WHY: Readonly<Record<string, string>> = {
  ENOSPC: `${FULL} (ENOSPC); make room`,
  EDQUOT: `${FULL} (EDQUOT); make room`,
  EACCES: `${DENIED} (EACCES)`,
  EPERM: `${DENIED} (EPERM)`,
  EROFS: `${DENIED} (EROFS)`,
};

/** Turns an error of the disk into a UserError; other errors are returned unchanged. */
export function explainDiskError(error: unknown, name: string, remedy: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || !code || !FAILURES_OF_DISKS.has(code)) return error;
  const why = WHY[code] ?? code;
  return new UserError(`${name} cannot be written: ${why}. ${remedy}`);
}
