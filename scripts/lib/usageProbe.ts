/** Preloaded into a child process (`--import`): reports over IPC what the process has used, and disturbs it on request. */
import { writeFileSync } from 'node:fs';

export interface Usage {
  /** processor time since its start, user and system, in microseconds */
  cpuMicroseconds: number;
  residentBytes: number;
  peakBytes: number;
  /** heap in use, after a garbage collection if the process runs with --expose-gc */
  heldBytes: number;
}

/** A disturbance of a process: its clock is ahead by `clockMs` (behind if negative), or it leaks `leakBytes` a second. */
export interface Disturbance {
  clockMs?: number;
  leakBytes?: number;
}

const KIBIBYTE = 1024;

function usage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuMicroseconds: userCPUTime + systemCPUTime, residentBytes: rss, peakBytes: maxRSS * KIBIBYTE, heldBytes: heapUsed + external };
}

const leaked: string[][] = [];
let aheadMs: number | undefined;

function disturb({ clockMs, leakBytes = 0 }: Disturbance): void {
  if (clockMs !== undefined) setClock(clockMs);
  if (leakBytes) setInterval(() => leaked.push(Array.from({ length: leakBytes / 64 }, () => `${Math.random()} is kept`)), 1000).unref();
}

/** Shifts every later reading of the clock; dates made from a given time are not shifted. */
function setClock(ms: number): void {
  if (aheadMs === undefined) {
    const RealDate = Date;
    const now = () => RealDate.now() + (aheadMs ?? 0);
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
      get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
    });
  }
  aheadMs = ms;
}

process.on('message', (message) => (message === 'usage' ? process.send?.(usage()) : disturb(message as Disturbance)));
process.channel?.unref(); // being asked must not keep the process alive

const file = process.env.USAGE_FILE;
if (file) process.on('exit', () => writeFileSync(file, JSON.stringify(usage())));
