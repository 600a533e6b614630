/**
 * Issues the times of change of one load: each stamp is greater than all committed before, and at most `PER_MILLISECOND` records share one, so
 * that no load makes a tie that sync cannot resolve (src/docs/paging-and-sync.md).
 */
import type { GenerationSet, GenerationStore } from './generationSets.ts';

export const PER_MILLISECOND = 100;

export class Stamps {
  /** the first time of change that is issued, milliseconds since 1970 */
  readonly start: number;
  #issued = 0;

  /** @param highWater newest committed `lastUpdated` in milliseconds, or null */
  constructor(now: Date, highWater: number | null) {
    this.start = Math.max(now.getTime(), (highWater ?? 0) + 1);
  }

  next(): string {
    const stamp = new Date(this.start + Math.floor(this.#issued / PER_MILLISECOND)).toISOString();
    this.#issued += 1;
    return stamp;
  }
}

/** Makes the stamps of a load, each greater than any that readers of these sets may have seen. */
export async function makeStampsAbove(store: GenerationStore, now: Date, sets: readonly (GenerationSet | undefined)[]): Promise<Stamps> {
  const newest = await Promise.all(sets.map((set) => (set ? store.readNewestStamp(set) : 0)));
  return new Stamps(now, Math.max(0, ...newest));
}
