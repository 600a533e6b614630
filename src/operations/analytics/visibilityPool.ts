/** Decides what of a table is hidden; of large ones on a thread of its own, since they take up to seconds, in which a process would answer nobody. */
import { fileURLToPath } from 'node:url';
import Tinypool from 'tinypool';
import { type Visibility, visibilityOf, type Weighed } from '../../domain/analytics/visibility.ts';

/** Tables up to so many cells are decided within milliseconds. */
const AT_ONCE_CELLS_MAX = 500;
const IDLE_MS = 60_000;

export class VisibilityPool {
  /** Starts its thread with the first large table, and ends it when there was none for a minute. */
  readonly #pool = new Tinypool({
    filename: fileURLToPath(new URL('visibilityThread.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  /** @param signal ends the work when the client leaves or its time is over, with the reason of the signal */
  async decide(table: Weighed, signal: AbortSignal | undefined): Promise<Visibility> {
    if (table.at.length * (1 + table.statistics.length) <= AT_ONCE_CELLS_MAX) return visibilityOf(table);
    signal?.throwIfAborted();
    try {
      return await this.#pool.run(table, { ...(signal ? { signal } : {}) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
