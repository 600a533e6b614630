/** Samples the memory of processes, and judges whether it stays level. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../lib/report.ts';
import type { Usage } from '../../lib/usageProbe.ts';

export interface MemorySample {
  /** in milliseconds */
  at: number;
  heldBytes: number;
  residentBytes: number;
}

export interface MemoryLevel {
  name: string;
  /** medians of the first and the last third after warming up, in MiB */
  held: { early: number; late: number };
  resident: { early: number; late: number };
  flat: boolean;
}

const MEBIBYTE = 2 ** 20;
/** Share of a run in which caches fill and code is compiled, which takes its time in a short run, too. */
const WARM_UP = 0.25;
const WARM_UP_LEAST_MS = 30_000;
/** after warming up */
const SAMPLES_LEAST = 7;
/** Growth that still counts as level: a share of the memory plus a constant. */
const MORE = { held: { share: 0.1, mebibytes: 8 }, resident: { share: 0.2, mebibytes: 48 } };

function change(warm: readonly number[]): { early: number; late: number } {
  const third = Math.ceil(warm.length / 3);
  const medianMebibytes = (part: readonly number[]) => (part.length ? Math.round((median(part) / MEBIBYTE) * 10) / 10 : 0);
  return { early: medianMebibytes(warm.slice(0, third)), late: medianMebibytes(warm.slice(-third)) };
}

/** Compares the memory at the end with that after warming up. Too few samples count as level. */
export function levelOf(name: string, samples: readonly MemorySample[]): MemoryLevel {
  const [first = 0, last = 0] = [samples[0]?.at, samples.at(-1)?.at];
  const warmAt = first + Math.max((last - first) * WARM_UP, WARM_UP_LEAST_MS);
  const warm = samples.filter(({ at }) => at >= warmAt);
  const held = change(warm.map(({ heldBytes }) => heldBytes));
  const resident = change(warm.map(({ residentBytes }) => residentBytes));
  const level = ({ early, late }: typeof held, { share, mebibytes }: typeof MORE.held) => late <= early * (1 + share) + mebibytes;
  const flat = warm.length < SAMPLES_LEAST || (level(held, MORE.held) && level(resident, MORE.resident));
  return { name, held, resident, flat };
}

/** Samples a process regularly until `until` aborts; a frozen process answers when it is resumed. */
export async function sampleMemory(
  usage: () => Promise<Usage>,
  everyMs: number,
  samples: MemorySample[],
  until: AbortSignal,
): Promise<void> {
  while (!until.aborted) {
    const { heldBytes, residentBytes } = await usage();
    samples.push({ at: Date.now(), heldBytes, residentBytes });
    await sleep(everyMs, undefined, { signal: until }).catch(() => undefined);
  }
}
