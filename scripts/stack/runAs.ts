import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../../src/terminal/program.ts';

/** The user that the servers run as. Elasticsearch and Postgres refuse root, so root runs them as `nobody`. */
export interface RunAs {
  /** Empty: the user who runs this script. */
  ids: { uid?: number; gid?: number };
  name: string;
}

export function serverUser(): RunAs {
  const me = os.userInfo();
  if (me.uid !== 0) return { ids: {}, name: me.username };
  try {
    const env = { PATH: `${process.env.PATH}:/usr/bin:/bin` };
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'nobody'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { ids: { uid: id('-u'), gid: id('-g') }, name: 'nobody' };
  } catch {
    throw new UserError('The servers refuse to run as root and this system has no user "nobody": run the command as an ordinary user.');
  }
}

/** Whether the user can read the file or list the folder; it is tried, since any folder above it may be closed. */
export function canRead(user: RunAs, file: string): boolean {
  if (user.ids.uid === undefined) return true;
  const test = 'if [ -d "$0" ]; then [ -x "$0" ]; fi && [ -r "$0" ]';
  return spawnSync('/bin/sh', ['-c', test, file], { ...user.ids, cwd: '/', stdio: 'ignore' }).status === 0;
}

export function changeOwner(user: RunAs, folder: string): void {
  const { uid, gid } = user.ids;
  if (uid === undefined || gid === undefined) return;
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    lchownSync(path.join(entry.parentPath, entry.name), uid, gid);
}

/** A new folder outside the project that the user can enter. */
export function makeReachableFolder(user: RunAs): string {
  for (const parent of [os.tmpdir(), '/tmp', '/var/tmp']) if (canRead(user, parent)) return newFolderIn(parent);
  throw new UserError(
    `The servers run as "${user.name}", who can enter neither the project's folder nor a temporary one: set TMPDIR to one that everybody may enter.`,
  );
}

function newFolderIn(parent: string): string {
  const folder = mkdtempSync(path.join(parent, 'land-use-stack-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** The folder of files in memory on Linux; in containers it is often too small. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_LEAST_BYTES = 1024 ** 3;

/** A new folder in memory that the user can enter; undefined if there is no room. */
export function makeMemoryFolder(user: RunAs): string | undefined {
  if (!existsSync(MEMORY_FOLDER) || !canRead(user, MEMORY_FOLDER)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize < MEMORY_LEAST_BYTES ? undefined : newFolderIn(MEMORY_FOLDER);
}

/** The file or folder itself if the user can read it, else a copy in the folder that `elsewhere` returns. */
export function copyIfUnreadable(user: RunAs, source: string, probe: string, elsewhere: () => string): string {
  if (canRead(user, path.join(source, probe))) return source;
  const copy = path.join(elsewhere(), path.basename(source));
  cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}
