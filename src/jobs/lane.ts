/** The jobs of one kind in one process: takes as many from the queue as there is room for, and runs them. */
import PQueue from 'p-queue';
import type { StartedJob } from '../store/postgres/jobs.ts';

export interface LaneOptions {
  concurrency: number;
  /** longest time without asking for jobs */
  pollMs: number;
  /** starts up to so many due jobs */
  take(count: number): Promise<StartedJob[]>;
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
    this.#running = new PQueue({ concurrency: options.concurrency });
  }

  start(): void {
    this.#feeding = this.#feed();
  }

  /** There may be a job, or room for one. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Takes no further job. @returns when what has been taken has ended */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.wake();
    await this.#feeding;
    await this.#running.onIdle();
  }

  async #feed(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // Renewed before asking, so that what comes in meanwhile is not slept through.
      this.#woken = Promise.withResolvers<void>();
      const room = this.#options.concurrency - this.#running.pending - this.#running.size;
      const taken = room > 0 ? await this.#take(room) : 0;
      if (room === 0 || taken < room) await this.#rest();
    }
  }

  async #take(room: number): Promise<number> {
    try {
      const jobs = await this.#options.take(room);
      for (const job of jobs) void this.#running.add(() => this.#options.run(job)).finally(() => this.wake());
      return jobs.length;
    } catch (error) {
      this.#options.onError(error);
      return 0;
    }
  }

  async #rest(): Promise<void> {
    const timer = setTimeout(() => this.wake(), this.#options.pollMs);
    await this.#woken.promise;
    clearTimeout(timer);
  }
}
