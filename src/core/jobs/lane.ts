/** The jobs of one kind in one process: starts as many as there is room for, and runs them. */
import PQueue from 'p-queue';
import type { Room } from './nextJobs.ts';
import type { StartedJob } from './store.ts';

/** Jobs in addition to `concurrency`, for teams that have none running, so that they need not wait for the jobs of others. */
const SPARE = 1;

export interface LaneOptions {
  concurrency: number;
  /** longest time between two queries for jobs */
  pollMs: number;
  /** starts due jobs, as many as there is room for */
  take(room: Room): Promise<StartedJob[]>;
  run(job: StartedJob): Promise<unknown>;
  onError(error: unknown): void;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #running: PQueue;
  readonly #stopped = new AbortController();
  #woken = Promise.withResolvers<void>();
  #feeding: Promise<void> | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#running = new PQueue({ concurrency: options.concurrency + SPARE });
  }

  start(): void {
    this.#feeding = this.#startJobs();
  }

  /** Asks for jobs now, since one may have been queued, or room for one become free. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Starts no further job. Resolves when the started ones have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.wake();
    await this.#feeding;
    await this.#running.onIdle();
  }

  async #startJobs(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // Reset before the query, so that a wake during it is not lost.
      this.#woken = Promise.withResolvers<void>();
      const room = this.#countRoom();
      const free = room.places + room.spare;
      const taken = free > 0 ? await this.#take(room) : 0;
      if (free === 0 || taken < free) await this.#waitForWake();
    }
  }

  #countRoom(): Room {
    const { concurrency } = this.#options;
    const running = this.#running.pending + this.#running.size;
    return { places: Math.max(concurrency - running, 0), spare: Math.min(concurrency + SPARE - running, SPARE) };
  }

  async #take(room: Room): Promise<number> {
    try {
      const jobs = await this.#options.take(room);
      for (const job of jobs) void this.#running.add(() => this.#options.run(job)).finally(() => this.wake());
      return jobs.length;
    } catch (error) {
      this.#options.onError(error);
      return 0;
    }
  }

  async #waitForWake(): Promise<void> {
    const timer = setTimeout(() => this.wake(), this.#options.pollMs);
    await this.#woken.promise;
    clearTimeout(timer);
  }
}
