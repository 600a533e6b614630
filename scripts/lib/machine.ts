/** Describes the machine on which figures were measured, without naming it. */
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Elastic } from './sandbox.ts';

export interface BenchMachine {
  date: string;
  commit: string;
  cores: number;
  processor: string;
  memoryGibibytes: number;
  system: string;
  node: string;
  elasticsearch: string;
  elasticsearchHeapGibibytes: number;
  /** share of all cores that other work took in the seconds before the run */
  busyBefore: number;
  loadAverageBefore: number;
}

const GIBIBYTE = 2 ** 30;
const BUSY_WATCH_MS = 3_000;
/** share of other work above which figures are not reliable */
const BUSY_SHARE = 0.1;

/** The commit of the working tree; a `+` follows if it has uncommitted changes. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return (
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../../src', '../../ingest', '../../mappings') ? '+' : '')
    );
  } catch {
    return 'unknown';
  }
}

function processorTimes(): { idle: number; all: number } {
  const times = os.cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  return { idle, all: times.reduce((sum, { user, nice, sys, idle: own, irq }) => sum + user + nice + sys + own + irq, 0) };
}

/** Share of processor time that other work takes; it slows the side with more processes more, which distorts comparisons. */
async function busyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(BUSY_WATCH_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

export async function describeMachine(client: Elastic): Promise<BenchMachine> {
  const { nodes } = await client.nodes.info({ metric: 'jvm' });
  const [node] = Object.values(nodes);
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model.trim() ?? 'unknown',
    memoryGibibytes: Math.round(os.totalmem() / GIBIBYTE),
    system: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    node: process.versions.node,
    elasticsearch: node?.version ?? 'unknown',
    elasticsearchHeapGibibytes: Number((Number(node?.jvm?.mem.heap_max_in_bytes ?? 0) / GIBIBYTE).toFixed(1)),
    busyBefore: await busyShare(),
    loadAverageBefore: os.loadavg()[0] ?? 0,
  };
}

/** The description as a paragraph. */
export const machineText = (
  machine: BenchMachine,
): string => `${machine.cores} cores (${machine.processor}), ${machine.memoryGibibytes} GiB, ${machine.system}, Node ${machine.node}, Elasticsearch
${machine.elasticsearch} with a heap of ${machine.elasticsearchHeapGibibytes} GiB. Servers, API and clients share these cores; other work kept them ${Math.round(100 * machine.busyBefore)} % busy
before the run, with a load average of ${machine.loadAverageBefore.toFixed(1)}.${machine.busyBefore > BUSY_SHARE ? ' That lengthens every hop between processes: take the figures again on a quiet machine.' : ''}`;
