import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, lastLines, ServerFailed, secondsSince } from './errors.ts';
import { groupMembers } from './processTable.ts';
import type { RunAs } from './runAs.ts';

const POLL_MS = 50;
/** How often a starting server is looked at, and said to be still starting. */
const LOOK_MS = 1_000;
const REPORT_MS = 15_000;
/** Share of one core that shows that a server works, and is left to it on a busy machine. */
const WORKING_SHARE = 0.01;
/** The longest start, of a server that works but never listens. */
const START_MAX_MS = 1_800_000;

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

/** What a starting server has done so far. */
class StartingWork {
  readonly #server: ServerProcess;
  readonly #workSeconds: number;
  #logBytes = 0;
  #workedCpuSeconds = 0;
  #workedAt = Date.now();
  cpuSeconds = 0;

  constructor(server: ServerProcess, silentMs: number) {
    this.#server = server;
    this.#workSeconds = (silentMs / 1000) * WORKING_SHARE;
  }

  /** @returns for how long the server has neither written to its log nor used processor time */
  look(): number {
    const logBytes = statSync(this.#server.logFile, { throwIfNoEntry: false })?.size ?? 0;
    this.cpuSeconds = groupMembers(this.#server.pid).reduce((sum, member) => sum + member.cpuSeconds, 0);
    // It also drops, when the process that launched the server ends.
    if (logBytes !== this.#logBytes || Math.abs(this.cpuSeconds - this.#workedCpuSeconds) >= this.#workSeconds) {
      this.#logBytes = logBytes;
      this.#workedCpuSeconds = this.cpuSeconds;
      this.#workedAt = Date.now();
    }
    return Date.now() - this.#workedAt;
  }
}

/**
 * Polls until the server listens and `isReady` is true, for as long as it works: on a busy machine a start takes minutes.
 * @param silentMs for how long it may neither write to its log nor use processor time
 * @throws ServerFailed with the end of its log, if the server ends or is silent
 */
export async function untilReady(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  silentMs: number,
  signal: AbortSignal,
  log: Log = () => {},
): Promise<void> {
  const started = Date.now();
  const work = new StartingWork(server, silentMs);
  const fail = (how: string) => new ServerFailed(`${server.name} ${how}.`, readLog(server.logFile));
  const ended = server.exited.then(() => false);
  for (let [lookAt, reportAt] = [started, started + REPORT_MS]; ; await sleep(POLL_MS)) {
    signal.throwIfAborted();
    if (server.hasExited()) throw fail('ended while starting');
    if (server.listens() && (await Promise.race([ended, isReady().catch(() => false)]))) return;
    const now = Date.now();
    if (now < lookAt) continue;
    lookAt = now + LOOK_MS;
    if (work.look() > silentMs)
      throw fail(`was not ready after ${secondsSince(started)}, and did nothing in the last ${silentMs / 1000} s`);
    if (now - started > START_MAX_MS) throw fail(`was not ready after ${secondsSince(started)}`);
    if (now < reportAt) continue;
    reportAt = now + REPORT_MS;
    const [last = ''] = lastLines(readLog(server.logFile), 1);
    log(
      `${server.name} is still starting (${secondsSince(started)}; it has used ${Math.round(work.cpuSeconds)} s of processor time). ${last}`,
    );
  }
}

export function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
