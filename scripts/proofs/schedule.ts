/** What is loaded in which order: increments until all changes are made, now and then a full generation or a rollback, and renewals beside them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generations } from '../../ingest/write/generations.ts';
import type { Random } from '../sample/random.ts';
import type { Copy } from './copy.ts';
import type { Loads } from './loaders.ts';
import type { LoadFile, World } from './world.ts';

/** At most, between two loads. */
const PAUSE_MS = 500;
const TOGETHER_CHANCE = 0.1;
const REPORT_EVERY_MS = 10_000;
const ASK_RETRIES = 60;
const ASK_WAIT_MS = 500;
/** One full generation and one rollback for so many changes, and at least one of each. */
const CHANGES_PER_SWITCH = 12_500;

interface Schedule {
  world: World;
  loaders: Loads;
  /** after so many of either no further load begins */
  options: { changes: number; minutes: number };
  /** at most, between two loads */
  pauseMs?: number;
  /** changes between two switches of generations */
  changesPerSwitch?: number;
  /** true where what is served is made again now and then, beside the loads */
  renews?: boolean;
  /** what is loaded now */
  search: () => Promise<Generations>;
  random: Random;
  report: (line: string) => void;
  clients: readonly Copy[];
  signal: AbortSignal;
}

/** Returns the number of changes that were loaded. */
export async function schedule(what: Schedule): Promise<number> {
  const { world, loaders, options, search, random, report, clients, signal, pauseMs = PAUSE_MS } = what;
  const began = Date.now();
  const switches = switchesOf(options.changes, what.changesPerSwitch ?? CHANGES_PER_SWITCH).filter(
    ({ kind }) => kind !== 'renewal' || what.renews,
  );
  let renewing = Promise.resolve();
  let newest = 1;
  let changes = 0;
  let lastReport = began;
  while (changes < options.changes && Date.now() - began < options.minutes * 60_000) {
    signal.throwIfAborted();
    await sleep(random.int(0, pauseMs));
    const next = switches[0];
    if (next && changes >= next.at) {
      switches.shift();
      if (next.kind === 'renewal') {
        await renewing;
        renewing = loaders.renew();
        renewing.catch(() => undefined); // awaited later
      } else if (next.kind === 'rollback') await loaders.rollback({ kill: true });
      else await loaders.loadFull([world.header(++newest, 'full'), ...world.full().lines]);
    } else
      changes += await increments(
        world,
        loaders,
        Math.ceil((next?.at ?? options.changes) - changes),
        await servedGeneration(search),
        random,
      );
    if (Date.now() - lastReport < REPORT_EVERY_MS) continue;
    lastReport = Date.now();
    const pages = clients.reduce((sum, { counts }) => sum + counts.pages, 0);
    const { loads, kills } = loaders.counts;
    report(
      `${changes} of ${options.changes} changes, ${loads} loads (${kills} killed), ${pages} pages, ${Math.round((lastReport - began) / 1000)} s`,
    );
  }
  await renewing;
  return changes;
}

function switchesOf(changes: number, every: number): { at: number; kind: 'full' | 'rollback' | 'renewal' }[] {
  const count = Math.max(1, Math.round(changes / every));
  return Array.from({ length: count }, (_, i) => [
    { at: (changes * (i + 0.05)) / count, kind: 'renewal' as const },
    { at: (changes * (i + 0.3)) / count, kind: 'full' as const },
    { at: (changes * (i + 0.4)) / count, kind: 'renewal' as const },
    { at: (changes * (i + 0.7)) / count, kind: 'rollback' as const },
  ]).flat();
}

async function increments(world: World, loaders: Loads, left: number, generation: number, random: Random): Promise<number> {
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

/** Asked of the cluster, since a command that failed may have done its work all the same. */
async function servedGeneration(search: () => Promise<Generations>): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { served } = await search();
      if (served) return served.generation;
    } catch (error) {
      if (attempt === ASK_RETRIES) throw error;
    }
    await sleep(ASK_WAIT_MS);
  }
}
