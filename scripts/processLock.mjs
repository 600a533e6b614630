// A lock file; the lock of a killed process is recognised as stale and replaced. Plain JavaScript: the installer runs it before any package is there.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 200;
/** Longer than two processes take that both find a stale lock and replace it. */
const SETTLE_MS = 100;

/** When a process started, by which a reused pid is recognised; undefined if there is no such process. */
export function startedAt(pid) {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function identify(pid = process.pid) {
  return { pid, startedAt: startedAt(pid) ?? '' };
}

export function isAlive(identity) {
  const started = startedAt(identity.pid);
  return started !== undefined && started === identity.startedAt;
}

/** Runs `work` while this process alone holds `file`; `onWait` is called once when another process holds it. */
export async function withLock(file, work, onWait = () => {}) {
  mkdirSync(path.dirname(file), { recursive: true });
  const token = JSON.stringify({ ...identify(), token: randomUUID() });
  let waited = false;
  while (!(await tryLock(file, token))) {
    if (!waited) onWait();
    waited = true;
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if (read(file) === token) rmSync(file, { force: true });
  }
}

async function tryLock(file, token) {
  const held = read(file);
  if (held !== undefined) {
    if (isAlive(parse(held))) return false;
    rmSync(file, { force: true });
  }
  try {
    writeFileSync(file, token, { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  if (held === undefined) return true;
  await sleep(SETTLE_MS); // another process may have removed ours together with the stale one
  return read(file) === token;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { pid: 0, startedAt: '' };
  }
}
