/** Schedules loads: increments until all changes are made, from time to time a full generation or a rollback, and renewals beside them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generations } from '../../../ingest/write/generationSets.ts';
import type { Random } from '../../sample/random.ts';
import type { Loads } from './loaders.ts';
import type { LoadFile, World } from './world.ts';

const TOGETHER_CHANCE = 0.1;
const ASK_RETRIES = 60;
const ASK_WAIT_MS = 500;

/** How much is loaded, and how fast. */
export interface LoadPlan {
  /** no further load begins after this number of changes */
  changes: number;
  /** no further load begins after this time */
  minutes: number;
  /** longest pause between two loads */
  pauseMs: number;
  /** number of changes between two full generations, and between two rollbacks; at least one of each occurs */
  changesPerSwitch: number;
  /** largest number of changes of an increment */
  batchMax: number;
  /** whether records are merged and separated again, which the model of the visits does not support */
  hasMerges: boolean;
}

export interface Schedule {
  world: World;
  loaders: Loads;
  plan: LoadPlan;
  /** what is loaded now */
  readGenerations: () => Promise<Generations>;
  random: Random;
  signal: AbortSignal;
  /** counts the changes that were loaded */
  done: { changes: number };
}

/** Practically unlimited, if only the time ends the loads. */
const CHANGES_MAX = 1_000_000;

/** Runs loads until all changes are made or the time is over. */
export async function runLoads({ world, loaders, plan, readGenerations, random, signal, done }: Schedule): Promise<void> {
  const until = Date.now() + plan.minutes * 60_000;
  const wanted = Math.min(plan.changes, CHANGES_MAX);
  const switches = planSwitches(wanted, plan.changesPerSwitch);
  let renewal = Promise.resolve();
  let newest = 1;
  while (done.changes < wanted && Date.now() < until) {
    signal.throwIfAborted();
    await sleep(random.int(0, plan.pauseMs));
    const next = switches[0];
    if (!next || done.changes < next.at) {
      const generation = await servedGeneration(readGenerations);
      done.changes += await loadIncrements(world, loaders, Math.ceil((next?.at ?? wanted) - done.changes), generation, random);
      continue;
    }
    switches.shift();
    if (next.kind === 'full') await loaders.loadFull([world.header(++newest, 'full'), ...world.full().lines]);
    else if (next.kind === 'rollback') await loaders.rollback({ kill: true });
    else {
      await renewal;
      renewal = loaders.renew();
      renewal.catch(() => undefined); // awaited later
    }
  }
  await renewal;
}

function planSwitches(changes: number, every: number): { at: number; kind: 'full' | 'rollback' | 'renewal' }[] {
  const count = Math.max(1, Math.round(changes / every));
  return Array.from({ length: count }, (_, i) => [
    { at: (changes * (i + 0.05)) / count, kind: 'renewal' as const },
    { at: (changes * (i + 0.3)) / count, kind: 'full' as const },
    { at: (changes * (i + 0.4)) / count, kind: 'renewal' as const },
    { at: (changes * (i + 0.7)) / count, kind: 'rollback' as const },
  ]).flat();
}

/** Loads one increment, or two at the same time. @returns the number of changes */
async function loadIncrements(world: World, loaders: Loads, left: number, generation: number, random: Random): Promise<number> {
  const header = world.header(generation, 'increment');
  const lines = (file: LoadFile) => [header, ...file.lines];
  const first = world.increment(left);
  if (first.changes >= left || !random.chance(TOGETHER_CHANCE)) {
    await loaders.load(lines(first));
    return first.changes;
  }
  const second = world.increment(left - first.changes);
  await loaders.loadTogether(lines(first), lines(second));
  return first.changes + second.changes;
}

/** Reads the served generation from the cluster, since a failed command may have changed it. */
async function servedGeneration(readGenerations: () => Promise<Generations>): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { served } = await readGenerations();
      if (served) return served.generation;
    } catch (error) {
      if (attempt === ASK_RETRIES) throw error;
    }
    await sleep(ASK_WAIT_MS);
  }
}
