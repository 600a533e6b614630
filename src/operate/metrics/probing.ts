/**
 * Detects pools that count single records again and again: by narrowing the filters of a free count, they could find out what a record
 * says.
 */

const WINDOW_MS = 600_000;
const THRESHOLD = 100;
/** Most pools remembered; the one that counted longest ago is forgotten first. */
const POOLS_MAX = 10_000;

interface Pool {
  /** counts of a single record since `since` */
  counts: number;
  since: number;
}

export class CountsOfOne {
  readonly #pools = new Map<number, Pool>();
  readonly #report: (teamId: number, counts: number) => void;
  readonly #now: () => number;

  /** @param report called once a window for each pool above the threshold @param now milliseconds; for tests */
  constructor(report: (teamId: number, counts: number) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  note(teamId: number, matches: number): void {
    if (matches !== 1) return;
    const known = this.#pools.get(teamId);
    const pool = known && this.#now() - known.since < WINDOW_MS ? known : { counts: 0, since: this.#now() };
    pool.counts += 1;
    this.#pools.delete(teamId);
    this.#pools.set(teamId, pool);
    const oldest = this.#pools.keys().next().value;
    if (this.#pools.size > POOLS_MAX && oldest !== undefined) this.#pools.delete(oldest);
    if (pool.counts === THRESHOLD + 1) this.#report(teamId, pool.counts);
  }

  /** The number of pools above the threshold now. */
  get poolsAbove(): number {
    return [...this.#pools.values()].filter(({ counts, since }) => counts > THRESHOLD && this.#now() - since < WINDOW_MS).length;
  }
}
