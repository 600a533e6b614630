/** Runs one kind of work on threads of its own, since work that takes seconds would block the process. */
import type { ResourceLimits } from 'node:worker_threads';
import Tinypool from 'tinypool';

const IDLE_MS = 60_000;

export class OwnThread<Task, Result> {
  readonly #pool: Tinypool;

  /**
   * @param filename a module whose default export does the work. Threads start with the first task, and end after a minute without one.
   * @param threads at most @param limits of the memory of each
   */
  constructor(filename: string, threads = 1, limits: ResourceLimits = {}) {
    this.#pool = new Tinypool({ filename, minThreads: 0, maxThreads: threads, idleTimeout: IDLE_MS, resourceLimits: limits });
  }

  /** @param signal aborts the work; its reason is thrown */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    try {
      return await this.#pool.run(task, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
