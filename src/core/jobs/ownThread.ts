/** Work of one kind on a thread of its own: work that takes seconds would keep the process from answering meanwhile. */
import Tinypool from 'tinypool';

const IDLE_MS = 60_000;

export class OwnThread<Task, Result> {
  readonly #pool: Tinypool;

  /** @param filename a module whose default export does the work. The thread starts with the first, and ends after a minute without any. */
  constructor(filename: string) {
    this.#pool = new Tinypool({ filename, minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS });
  }

  /** @param signal ends the work, with its reason */
  async run(task: Task, signal: AbortSignal | undefined): Promise<Result> {
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
