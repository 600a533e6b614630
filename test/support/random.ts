/** Reproducible chance: the same seed makes the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** from 0, below 1 (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** that many distinct items, or all where there are fewer */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...new Set(items)];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.integer(0, left.length - 1), 1)[0] as T);
  }

  maybe<T>(probability: number, make: () => T): T | null {
    return this.chance(probability) ? make() : null;
  }
}
