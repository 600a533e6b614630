/** Runs the loader in child processes: kills some, starts two at once, and repeats commands that failed. */

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCEPT_OPTIONS } from '../../../ingest/findings/acceptance.ts';
import { type EndedProgram, runIngest } from '../../lib/programs.ts';
import type { SandboxEnvironment } from '../../lib/sandbox.ts';
import type { Random } from '../../sample/random.ts';
import type { LoadLine } from './world.ts';

/** Smallest number of loads of every hundred that are killed. */
const KILLED_LEAST = 12;
const KILL_CHANCE = 0.1;
const ATTEMPTS_MAX = 30;
const RETRY_MS = 300;
const SHARDS_MAX = 3;
const RENEWAL_KILL_CHANCE = 0.4;
const OVERTAKEN = /Another set has come to be served|waits to be served/;
const REFUSED_FOR_ANOTHER = /Another load, activation or rollback is running/;

export interface LoaderCounts {
  loads: number;
  kills: number;
  /** loads that were refused because another one ran */
  refusals: number;
  /** loads that failed because of an outage */
  failures: number;
  fulls: number;
  rollbacks: number;
  /** runs of `ingest renew` that ended well */
  renewals: number;
}

/** A command failed for an unexpected reason. */
class LoaderFailed extends Error {}

/** The loads that a schedule uses. */
export type Loads = Pick<Loaders, 'counts' | 'load' | 'loadFull' | 'loadTogether' | 'rollback' | 'renew'>;

export interface LoaderOptions {
  folder: string;
  /** settings of a run, computed for each run since the node may change */
  environment: () => SandboxEnvironment;
  /** whether servers are killed, so that loads may fail because of that */
  outages: boolean;
  random: Random;
  /** used by work that runs beside loads */
  beside: Random;
  signal: AbortSignal;
}

function* texts(lines: Iterable<LoadLine>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

export class Loaders {
  readonly counts: LoaderCounts = { loads: 0, kills: 0, refusals: 0, failures: 0, fulls: 0, rollbacks: 0, renewals: 0 };
  readonly #options: LoaderOptions;
  #usualMs = 1500;
  #files = 0;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** Loads lines, and repeats that until it succeeds. The first attempts may be killed. */
  async load(lines: Iterable<LoadLine>, { kill = true }: { kill?: boolean } = {}): Promise<void> {
    const file = await this.#write(lines);
    await this.#untilDone(['load', file, '--activate', ...ACCEPT_OPTIONS], kill);
    await rm(file);
  }

  /** Starts two loads at once; if one is refused, it is repeated after the other. */
  async loadTogether(first: readonly LoadLine[], second: readonly LoadLine[]): Promise<void> {
    await Promise.all([this.load(first, { kill: false }), this.load(second)]);
  }

  async loadFull(lines: Iterable<LoadLine>): Promise<void> {
    this.counts.fulls += 1;
    await this.load(lines);
  }

  /** Rolls back to the previous generation. A killed rollback is repeated: it finishes, or rolls forward again if it was killed at its end. */
  async rollback({ kill = false }: { kill?: boolean } = {}): Promise<void> {
    this.counts.rollbacks += 1;
    await this.#untilDone(['rollback'], kill && 'surely');
  }

  /** Runs `ingest renew` beside the loads, with a random number of shards; it ends early if another generation is served meanwhile. */
  async renew(): Promise<void> {
    const { beside, environment, signal } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const env = { ...environment(), INDEX_SHARDS: String(beside.int(1, SHARDS_MAX)) };
      const killAfterMs = beside.chance(RENEWAL_KILL_CHANCE) ? beside.int(0, Math.round(3 * this.#usualMs)) : undefined;
      const ended = await runIngest(env, ['renew'], signal, { killAfterMs });
      signal.throwIfAborted();
      if (ended.code === 0) this.counts.renewals += 1;
      if (ended.code === 0 || OVERTAKEN.test(ended.problem)) return;
      this.#note(ended, attempt);
      await sleep(RETRY_MS);
    }
  }

  async #write(lines: Iterable<LoadLine>): Promise<string> {
    const file = path.join(this.#options.folder, `${++this.#files}.ndjson`);
    await pipeline(Readable.from(texts(lines)), createWriteStream(file));
    return file;
  }

  /** @param mayKill whether attempts may be killed; 'surely' kills the first one, unless it ends earlier */
  async #untilDone(args: readonly string[], mayKill: boolean | 'surely'): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.#options.signal.throwIfAborted();
      this.counts.loads += 1;
      const kill = (mayKill === 'surely' && attempt === 1) || (mayKill === true && attempt <= 3 && this.#wantsKill());
      const ended = await this.#run(args, kill ? this.#randomMoment() : undefined);
      if (ended.code === 0) return;
      this.#note(ended, attempt);
      await sleep(RETRY_MS);
    }
  }

  #note({ killed, problem }: EndedProgram, attempt: number): void {
    if (killed) this.counts.kills += 1;
    else if (REFUSED_FOR_ANOTHER.test(problem)) this.counts.refusals += 1;
    else if (this.#options.outages && attempt < ATTEMPTS_MAX) this.counts.failures += 1;
    else throw new LoaderFailed(`The loader failed: ${problem}`);
  }

  #wantsKill(): boolean {
    const { loads, kills } = this.counts;
    return kills * 100 < loads * KILLED_LEAST || this.#options.random.chance(KILL_CHANCE);
  }

  #randomMoment = () => this.#options.random.int(0, Math.round(this.#usualMs));

  async #run(args: readonly string[], killAfterMs: number | undefined): Promise<EndedProgram> {
    const { environment, signal } = this.#options;
    const ended = await runIngest(environment(), args, signal, { killAfterMs });
    if (ended.code === 0) this.#usualMs = this.#usualMs * 0.7 + ended.seconds * 300;
    return ended;
  }
}
