/** Files that are whole whenever the process is killed: replaced at once, or good up to a noted byte. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { UserError } from '../../terminal/program.ts';

/** Replaces a file at once; on the disk before its name is. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  const handle = openSync(fresh, 'w');
  try {
    writeFileSync(handle, text); // all of it: a disk that is nearly full takes a part, without an error
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
}

/** Appends, and is done when the bytes are on the disk. */
export async function appendDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'a');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Cuts off what stands behind the good bytes. @throws UserError where fewer are there */
export async function cutBehind(file: string, goodBytes: number, startOver: string): Promise<void> {
  const handle = await open(file, 'r+').catch(() => undefined);
  const size = (await handle?.stat())?.size ?? 0;
  if (size > goodBytes) await handle?.truncate(goodBytes);
  await handle?.close();
  if (size < goodBytes) throw new UserError(`${file} is shorter than it was left: ${startOver}.`);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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

/** An error of the disk as a sentence; any other as it is. */
export function diskFailure(error: unknown, name: string, remedy: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || !code || !FAILURES_OF_DISKS.has(code)) return error;
  const why = WHY[code] ?? code;
  return new UserError(`${name} cannot be written: ${why}. ${remedy}`);
}
