/** Runs the real loader in processes of its own: kills some, starts two at once, and repeats what did not end well. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndedProgram, runIngest } from '../../lib/programs.ts';
import type { SandboxEnvironment } from '../../lib/sandbox.ts';
import type { Random } from '../../sample/random.ts';
import type { LoadLine } from './world.ts';

/** Loads of every hundred that are killed at least. */
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
  /** loads that a server's outage ended */
  failures: number;
  fulls: number;
  rollbacks: number;
  /** runs of `ingest renew` that ended well */
  renewals: number;
}

/** A command that did not end well for no reason that the proof knows of. */
class LoaderFailed extends Error {}

/** What a schedule asks of loaders. */
export type Loads = Pick<Loaders, 'counts' | 'load' | 'loadFull' | 'loadTogether' | 'rollback' | 'renew'>;

export interface LoaderOptions {
  folder: string;
  /** settings of a run, asked for again for each: the node it talks to may change */
  environment: () => SandboxEnvironment;
  /** true where servers are killed, so that a load may fail for that */
  outages: boolean;
  random: Random;
  /** for what runs beside loads */
  beside: Random;
  signal: AbortSignal;
  /** the project's folder of another version, whose loader is run */
  version?: () => string | undefined;
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

  /** Loads lines, however often it takes. The first attempts may be killed. */
  async load(lines: Iterable<LoadLine>, { kill = true }: { kill?: boolean } = {}): Promise<void> {
    const file = await this.#write(lines);
    await this.#untilDone(['load', file, '--activate', '--accept-loss'], kill);
    await rm(file);
  }

  /** Both at once: one of them may be refused, and is then loaded after the other. */
  async loadTogether(first: readonly LoadLine[], second: readonly LoadLine[]): Promise<void> {
    await Promise.all([this.load(first, { kill: false }), this.load(second)]);
  }

  /** A full generation, which is served once it is loaded. */
  async loadFull(lines: Iterable<LoadLine>): Promise<void> {
    this.counts.fulls += 1;
    await this.load(lines);
  }

  /** Serves the generation before. A killed one is run again: it finishes what it began, or serves the later one again where it was killed at its end. */
  async rollback({ kill = false }: { kill?: boolean } = {}): Promise<void> {
    this.counts.rollbacks += 1;
    await this.#untilDone(['rollback'], kill && 'surely');
  }

  /** Runs `ingest renew` beside the loads, with some number of shards; another generation that is served meanwhile ends it. */
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

  /** @param mayKill surely kills the first attempt, unless that ends before */
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
    const { environment, signal, version } = this.#options;
    const ended = await runIngest(environment(), args, signal, { killAfterMs, version: version?.() });
    if (ended.code === 0) this.#usualMs = this.#usualMs * 0.7 + ended.seconds * 300;
    return ended;
  }
}
