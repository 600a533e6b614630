/** Decides which cells of a table are hidden; for large tables on a worker thread. */
import { fileURLToPath } from 'node:url';
import { OwnThread } from '../../core/store/ownThread.ts';
import { decideVisibility, type Visibility, type Weighed } from './visibility.ts';

/** Tables up to this size take a few milliseconds; messages to a thread and back would take half as long again. */
const AT_ONCE_CELLS_MAX = 2_000;

export class VisibilityPool {
  readonly #thread = new OwnThread<Weighed, Visibility>(fileURLToPath(new URL('visibilityThread.ts', import.meta.url)));

  /** @param signal ends the work, with its reason, when the client disconnects or the deadline passes */
  async decide(table: Weighed, signal: AbortSignal | undefined): Promise<Visibility> {
    if (table.at.length * (1 + table.statistics.length) <= AT_ONCE_CELLS_MAX) return decideVisibility(table);
    return this.#thread.run(table, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
