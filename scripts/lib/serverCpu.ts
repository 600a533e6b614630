/** Processor time of the servers on this machine, as Linux counts it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENS = '0A';
/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** Fields of /proc/PID/stat from the third on: the command before them may hold blanks. */
function statOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const quietly = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined; // ended meanwhile, or another user's
  }
};

const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** Sockets that listen on a port, as /proc names them among the files of a process. */
function socketsOn(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((table) => quietly(() => readFileSync(`/proc/net/${table}`, 'utf8').split('\n')) ?? []);
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    columns.filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENS).map((column) => `socket:[${column[9]}]`),
  );
}

function listenerOn(port: number): string | undefined {
  const sockets = socketsOn(port);
  const holds = (pid: string) =>
    (quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some((file) =>
      sockets.has(quietly(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? ''),
    );
  const holders = pids().filter(holds);
  return holders.find((pid) => !holders.includes(quietly(() => statOf(pid))?.[1] ?? ''));
}

/**
 * The process that listens on the port of this URL, with its children, as Postgres has one for each connection.
 * @returns milliseconds of user and system time since it began, 0 where it has ended; undefined where no process of this machine can be seen there
 */
export function cpuOfServer(url: string): (() => number) | undefined {
  const server = quietly(() => listenerOn(Number(new URL(url).port)));
  if (server === undefined) return undefined;
  const ticks = (stat: readonly string[], fields: number) => stat.slice(11, 11 + fields).reduce((sum, field) => sum + Number(field), 0);
  return () => {
    let sum = 0;
    for (const pid of pids()) {
      const stat = quietly(() => statOf(pid));
      if (stat && pid === server)
        sum += ticks(stat, 4); // user and system, its own and of children that ended
      else if (stat?.[1] === server) sum += ticks(stat, 2);
    }
    return TICK_MS * sum;
  };
}
