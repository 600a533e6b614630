import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  group: number;
  /** processor time that it has used */
  cpuSeconds: number;
  command: string;
}

/** Linux counts processor time in hundredths of a second. */
export const TICK_MS = 10;
/** Fields of `statOf` with the processor time of the process and of the system for it. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/** The living members of a process group, without zombies. */
export function groupMembers(group: number): ProcessEntry[] {
  const entries = process.platform === 'linux' ? readProc() : readPs();
  return entries.filter((entry) => entry.group === group);
}

/** The ids of all processes, on Linux. */
export const listPids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** Fields of /proc/PID/stat from the third on, since the command before them may contain blanks. @throws Error if the process has ended */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(): ProcessEntry[] {
  return listPids().flatMap((pid) => {
    try {
      const stat = statOf(pid);
      const [state, , group] = stat;
      if (state === 'Z') return [];
      const cpuSeconds = ((Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) * TICK_MS) / 1000;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid, group: Number(group), cpuSeconds, command }];
    } catch {
      return []; // ended meanwhile
    }
  });
}

function readPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,pgid=,stat=,time=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, group, state, time = '', command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const cpuSeconds = time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    return command === undefined || state?.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), cpuSeconds, command }];
  });
}
