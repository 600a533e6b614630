/** Processor time of the servers on this machine, as Linux counts it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listPids, statOf, TICK_MS } from '../stack/processTable.ts';

const LISTENS = '0A';

const ignoreErrors = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined; // ended meanwhile, or another user's
  }
};

const parentOf = (stat: readonly string[] | undefined): number => Number(stat?.[1]);

/** Names of the sockets that listen on a port, as in /proc/PID/fd. */
function socketsOn(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((table) => ignoreErrors(() => readFileSync(`/proc/net/${table}`, 'utf8').split('\n')) ?? []);
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    columns.filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENS).map((column) => `socket:[${column[9]}]`),
  );
}

function listenerOn(port: number): number | undefined {
  const sockets = socketsOn(port);
  const holds = (pid: number) =>
    (ignoreErrors(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some((file) =>
      sockets.has(ignoreErrors(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? ''),
    );
  const holders = listPids().filter(holds);
  return holders.find((pid) => !holders.includes(parentOf(ignoreErrors(() => statOf(pid)))));
}

/**
 * Finds the process that listens on the port of a URL; its child processes count too, since Postgres has one for each connection.
 * @returns what reads their user and system time in milliseconds, 0 once they have ended; undefined if no process of this machine is found
 */
export function cpuOfServer(url: string): (() => number) | undefined {
  const server = ignoreErrors(() => listenerOn(Number(new URL(url).port)));
  if (server === undefined) return undefined;
  const ticks = (stat: readonly string[], fields: number) => stat.slice(11, 11 + fields).reduce((sum, field) => sum + Number(field), 0);
  return () => {
    let sum = 0;
    for (const pid of listPids()) {
      const stat = ignoreErrors(() => statOf(pid));
      if (!stat) continue;
      if (pid === server)
        sum += ticks(stat, 4); // user and system, its own and of children that ended
      else if (parentOf(stat) === server) sum += ticks(stat, 2);
    }
    return TICK_MS * sum;
  };
}
