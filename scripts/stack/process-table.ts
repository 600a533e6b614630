import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  group: number;
  command: string;
}

/** The living members of a process group; a zombie nobody has collected yet is not one. */
export function groupMembers(group: number): ProcessEntry[] {
  const entries = process.platform === 'linux' ? readProc() : askPs();
  return entries.filter((entry) => entry.group === group);
}

/** Of every process, as Linux lists them. */
export const pids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** Fields of /proc/PID/stat from the third on: the command before them may hold blanks. @throws Error where the process has ended */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(): ProcessEntry[] {
  return pids().flatMap((pid) => {
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

function askPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,pgid=,stat=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined || state?.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), command }];
  });
}
