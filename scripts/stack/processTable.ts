import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  group: number;
  command: string;
}

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
      const [state, , group] = statOf(pid);
      if (state === 'Z') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid, group: Number(group), command }];
    } catch {
      return []; // ended meanwhile
    }
  });
}

function readPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,pgid=,stat=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined || state?.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), command }];
  });
}
