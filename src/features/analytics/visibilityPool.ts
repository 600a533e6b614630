/** Decides which cells of a table, and which pairs of groups, are hidden; for many of them on a worker thread. */
import { fileURLToPath } from 'node:url';
import { OwnThread } from '../../core/store/ownThread.ts';
import { findPairsToHide } from './exposedPairs.ts';
import { hasDimension } from './levelTables.ts';
import { decideVisibility, type Visibility, type Weighed } from './visibility.ts';

/** Tables up to this size take a few milliseconds; messages to a thread and back would take half as long again. */
const AT_ONCE_CELLS_MAX = 2_000;

/** The same of one dimension, which has no rows and columns that expose a cell only together. */
const AT_ONCE_GROUPS_MAX = 10_000;

/** The same of pairs. */
const AT_ONCE_PAIRS_MAX = 100;

type PairsTask = Parameters<typeof findPairsToHide>[0];
export type VisibilityTask = Weighed | PairsTask;

export class VisibilityPool {
  readonly #thread = new OwnThread<VisibilityTask, Visibility | number[]>(fileURLToPath(new URL('visibilityThread.ts', import.meta.url)));

  /** @param signal ends the work, with its reason, when the client disconnects or the deadline passes */
  async decide(table: Weighed, signal: AbortSignal | undefined): Promise<Visibility> {
    const most = table.axes.every(hasDimension) ? AT_ONCE_CELLS_MAX : AT_ONCE_GROUPS_MAX;
    if (table.at.length * (1 + table.statistics.length) <= most) return decideVisibility(table);
    return (await this.#thread.run(table, signal)) as Visibility;
  }

  /** The positions of pairs that have to be hidden. @param signal as of `decide` */
  async findPairsToHide(task: PairsTask, signal: AbortSignal | undefined): Promise<number[]> {
    if (task.pairs.length <= AT_ONCE_PAIRS_MAX) return findPairsToHide(task);
    return (await this.#thread.run(task, signal)) as number[];
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
