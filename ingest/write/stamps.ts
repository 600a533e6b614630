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
  #stamp = '';

  /** @param highWater newest committed `lastUpdated` in milliseconds, or null */
  constructor(now: Date, highWater: number | null) {
    this.start = Math.max(now.getTime(), (highWater ?? 0) + 1);
  }

  next(): string {
    if (this.#issued % PER_MILLISECOND === 0) this.#stamp = new Date(this.start + this.#issued / PER_MILLISECOND).toISOString();
    this.#issued += 1;
    return this.#stamp;
  }
}

/** The stamps of a load, each greater than any that readers of these sets may have seen, and the newest that is served. */
export async function readStamps(
  store: GenerationStore,
  now: Date,
  base: GenerationSet | undefined,
  served: GenerationSet | undefined,
): Promise<{ stamps: Stamps; servedUntil: number }> {
  const newest = (set: GenerationSet | undefined) => (set ? store.readNewestStamp(set) : 0);
  const [servedUntil, other] = await Promise.all([newest(served), newest(base === served ? undefined : base)]);
  return { stamps: new Stamps(now, Math.max(servedUntil, other)), servedUntil };
}
