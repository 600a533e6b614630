import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerFailed } from './errors.ts';
import { groupMembers } from './processTable.ts';
import type { RunAs } from './runAs.ts';

const POLL_MS = 50;

interface ServerCommand {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  user: RunAs;
  logFile: string;
  /** The line of the server's log by which it says that it listens: an answer alone may come from another program on that port. */
  readyLine?: RegExp;
  /** The signal that shuts the server down in order, and the time after which it is killed. */
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
  /** Whether the signal goes to every process of the server's group or to its first process only. */
  signalGroup?: boolean;
}

export interface ServerProcess {
  name: string;
  /** The server leads its own process group, so that Ctrl-C reaches only this script, which stops the servers in order. */
  pid: number;
  logFile: string;
  /** Whether its own log says that it listens. */
  listens(): boolean;
  /** Resolves when the process has ended, to whether it succeeded. */
  exited: Promise<boolean>;
  hasExited(): boolean;
  stop(): Promise<void>;
  /** Kills the server at once: for a second Ctrl-C and for the end of this process. */
  kill(): void;
}

const running = new Set<ServerProcess>();
process.on('exit', killEverything);

/** Kills all servers, so that none outlives this process unless that is killed by SIGKILL. */
export function killEverything(): void {
  for (const server of running) server.kill();
}

export function startProcess(spec: ServerCommand): ServerProcess {
  const log = openSync(spec.logFile, 'w');
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['ignore', log, log],
    detached: true,
    ...spec.user.ids,
  });
  closeSync(log);
  let gone = false;
  const exited = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code === 0));
    child.once('error', () => resolve(false));
  }).then((succeeded) => {
    gone = true;
    running.delete(server);
    return succeeded;
  });
  const server: ServerProcess = {
    name: spec.name,
    pid: child.pid ?? 0,
    logFile: spec.logFile,
    listens: () => spec.readyLine?.test(readLog(spec.logFile)) ?? true,
    exited,
    hasExited: () => gone,
    stop: () => stopProcess(spec, child, exited),
    kill: () => signalGroup(child.pid, 'SIGKILL'),
  };
  running.add(server);
  return server;
}

async function stopProcess(spec: ServerCommand, child: ChildProcess, exited: Promise<boolean>): Promise<void> {
  if (child.pid === undefined) return;
  if (spec.signalGroup) signalGroup(child.pid, spec.stopSignal);
  else child.kill(spec.stopSignal);
  const giveUp = new AbortController();
  const late = sleep(spec.stopTimeoutMs, 'late', { signal: giveUp.signal }).catch(() => 'ended');
  const outcome = await Promise.race([exited.then(() => untilGroupEnds(child.pid ?? 0, giveUp.signal)), late]);
  giveUp.abort();
  if (outcome !== 'late') return;
  signalGroup(child.pid, 'SIGKILL');
  await exited;
}

/** Waits for the whole group, since a server's first process may end before the one that it launched. */
async function untilGroupEnds(pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && groupMembers(pid).length > 0) await sleep(POLL_MS);
}

/** Sends a signal to a process group. @returns whether the group exists */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (!pid) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Polls until the server listens and `isReady` is true. @throws ServerFailed with the end of its log, if the server ends or the deadline passes */
export async function untilReady(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (true) {
    signal.throwIfAborted();
    if (server.hasExited()) throw new ServerFailed(`${server.name} ended while starting.`, readLog(server.logFile));
    if (server.listens() && (await isReady().catch(() => false))) return;
    if (Date.now() > deadline)
      throw new ServerFailed(`${server.name} was not ready after ${deadlineMs / 1000} s.`, readLog(server.logFile));
    await sleep(POLL_MS);
  }
}

export function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
