/** Checks of the machine: Node, memory, open files, and what a local Elasticsearch needs. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { fail, makeOk, type PreflightFinding, warn } from './finding.ts';

export interface Machine {
  nodeVersion: string;
  /** limit of Node's heap */
  heapBytes: number;
  /** memory of the container, or of the machine */
  memoryBytes: number;
  /** limit of open files; null if unknown */
  openFiles: number | null;
  maxMapCount: number | null;
}

const NODE_LEAST = 24;
const MIB = 1024 * 1024;
/** An API process used 531 MiB after a long run under load (src/docs/install.md). */
const MEMORY_LEAST_BYTES = 768 * MIB;
/** A process also needs memory for buffers, code and threads. */
const HEAP_SHARE_MOST = 0.8;
const OPEN_FILES_LEAST = 4_096;
/** With less, Elasticsearch does not start. */
const MAX_MAP_COUNT_LEAST = 262_144;

function fromProc(file: string, pattern: RegExp): number | null {
  try {
    const [, number] = pattern.exec(readFileSync(file, 'utf8')) ?? [];
    return number === undefined ? null : Number(number);
  } catch {
    return null; // not Linux
  }
}

export function readMachine(): Machine {
  const constrained = process.constrainedMemory();
  return {
    nodeVersion: process.versions.node,
    heapBytes: getHeapStatistics().heap_size_limit,
    memoryBytes: constrained > 0 && constrained < totalmem() ? constrained : totalmem(),
    openFiles: fromProc('/proc/self/limits', /^Max open files\s+\d+\s+(\d+)/m), // Node raises the soft limit to the hard one
    maxMapCount: fromProc('/proc/sys/vm/max_map_count', /^(\d+)/),
  };
}

const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;

function checkMemory({ heapBytes, memoryBytes }: Machine): PreflightFinding {
  const found = `heap up to ${mib(heapBytes)}, memory ${mib(memoryBytes)}`;
  if (memoryBytes < MEMORY_LEAST_BYTES) return fail('memory', found, `Give each process at least ${mib(MEMORY_LEAST_BYTES)}`);
  if (heapBytes <= memoryBytes * HEAP_SHARE_MOST) return makeOk('memory', found);
  const size = Math.floor((memoryBytes * HEAP_SHARE_MOST) / MIB);
  return fail('memory', found, `The heap would outgrow the memory and the process be killed: NODE_OPTIONS=--max-old-space-size=${size}`);
}

export function checkMachine(machine: Machine): PreflightFinding[] {
  const { nodeVersion, openFiles } = machine;
  const isNew = Number.parseInt(nodeVersion, 10) >= NODE_LEAST;
  const files = openFiles === null ? 'no limit known' : `up to ${openFiles}`;
  return [
    isNew ? makeOk('Node', nodeVersion) : fail('Node', nodeVersion, `Run the service on Node ${NODE_LEAST} or newer`),
    checkMemory(machine),
    openFiles === null || openFiles >= OPEN_FILES_LEAST
      ? makeOk('open files', files)
      : fail(
          'open files',
          files,
          `Allow ${OPEN_FILES_LEAST} or more: ulimit -n, LimitNOFILE= of the unit, or --ulimit nofile= of the container`,
        ),
  ];
}

/** For a local Elasticsearch. One that listens on loopback only starts without it, but not as a node of a cluster. */
export function checkMapCount({ maxMapCount }: Machine, answers: boolean): PreflightFinding[] {
  if (maxMapCount === null) return [];
  const found = `vm.max_map_count is ${maxMapCount}`;
  if (maxMapCount >= MAX_MAP_COUNT_LEAST) return [makeOk('memory maps', found)];
  return [
    (answers ? warn : fail)('memory maps', found, `sysctl -w vm.max_map_count=${MAX_MAP_COUNT_LEAST}, and the same in /etc/sysctl.d`),
  ];
}
