/** Preloaded into a child process (`--import`): answers, over its IPC channel, what the process has used. */
import { writeFileSync } from 'node:fs';

export interface Usage {
  /** processor time since its start, user and system, in microseconds */
  cpuMicroseconds: number;
  residentBytes: number;
  peakBytes: number;
}

const KIBIBYTE = 1024;

function usage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMicroseconds: userCPUTime + systemCPUTime, residentBytes: process.memoryUsage.rss(), peakBytes: maxRSS * KIBIBYTE };
}

process.on('message', () => process.send?.(usage()));
process.channel?.unref(); // being asked must not keep the process alive

const file = process.env.USAGE_FILE;
if (file) process.on('exit', () => writeFileSync(file, JSON.stringify(usage())));
