/** Runs one kind of work on threads of its own, since work that takes seconds would block the process. */
import type { ResourceLimits } from 'node:worker_threads';
import PQueue from 'p-queue';
import Tinypool from 'tinypool';

const IDLE_MS = 60_000;

/** Limits of work whose input is not ours. */
export interface WorkBounds {
  /** of one piece of work, without what it waits for a thread; its thread is then ended */
  deadlineMs: number;
  /** pieces of work that may wait */
  waitingMax: number;
}

/** The work took longer than its deadline. */
export class OutOfTime extends Error {}

/** As much as may wait for a thread is waiting. */
export class ThreadsBusy extends Error {}

export class OwnThread<Task, Result> {
  readonly #pool: Tinypool;
  readonly #bounds: WorkBounds | undefined;
  readonly #turns: PQueue;

  /**
   * @param filename a module whose default export does the work; for bounded work it exports `ready`, which does nothing. Threads start with the
   * first task, and end after a minute without one.
   * @param threads at most @param limits of the memory of each
   */
  constructor(filename: string, threads = 1, limits: ResourceLimits = {}, bounds?: WorkBounds) {
    this.#pool = new Tinypool({ filename, minThreads: 0, maxThreads: threads, idleTimeout: IDLE_MS, resourceLimits: limits });
    this.#bounds = bounds;
    this.#turns = new PQueue({ concurrency: threads });
  }

  /**
   * @param signal aborts the work; its reason is thrown @param moved bytes of the task that the thread takes over, instead of a copy
   * @throws OutOfTime, ThreadsBusy if the work is bounded
   */
  async run(task: Task, signal?: AbortSignal, moved: ArrayBuffer[] = []): Promise<Result> {
    signal?.throwIfAborted();
    const bounds = this.#bounds;
    const start = (within: AbortSignal | undefined) => this.#start(task, within, { transferList: moved });
    if (!bounds) return start(signal);
    if (this.#turns.size >= bounds.waitingMax) throw new ThreadsBusy(`${bounds.waitingMax} pieces of work are waiting`);
    return this.#turns.add(() => this.#runInTime(start, bounds.deadlineMs, signal), signal ? { signal } : {});
  }

  close(): Promise<void> {
    this.#turns.clear();
    return this.#pool.destroy();
  }

  async #runInTime(start: (within: AbortSignal) => Promise<Result>, deadlineMs: number, signal: AbortSignal | undefined): Promise<Result> {
    // A new thread loads its modules before the deadline counts.
    await this.#start(null, signal, { name: 'ready' });
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await start(signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      if (error === deadline.reason) throw new OutOfTime(`The work took longer than ${deadlineMs} ms`);
      throw error;
    }
  }

  async #start(
    task: Task | null,
    signal: AbortSignal | undefined,
    options: { name?: string; transferList?: ArrayBuffer[] },
  ): Promise<Result> {
    try {
      return await this.#pool.run(task, signal ? { signal, ...options } : options);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}
