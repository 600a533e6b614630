/**
 * Times of change for one load: every stamp lies above all that were committed before, and at most `PER_MILLISECOND` records share
 * one, so that no load makes a tie that sync could not resolve (decisions §3).
 */
export const PER_MILLISECOND = 100;

export class Stamps {
  readonly #start: number;
  #issued = 0;

  /** @param highWater newest committed `lastUpdated` in milliseconds, or null */
  constructor(now: Date, highWater: number | null) {
    this.#start = Math.max(now.getTime(), (highWater ?? 0) + 1);
  }

  next(): string {
    const stamp = new Date(this.#start + Math.floor(this.#issued / PER_MILLISECOND)).toISOString();
    this.#issued += 1;
    return stamp;
  }
}
