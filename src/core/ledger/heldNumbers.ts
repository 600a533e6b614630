/** The 64-bit numbers that a pool holds: the latest ones in the order in which they were added, all others packed. */
import { LONGS_MAX, Longs } from '../query/longs.ts';
import { LongSet } from './longSet.ts';

/** Most numbers that keep their order. */
const RECENT_MAX = 20_000;
/** Memory of each of them, as text in a map. */
const RECENT_BYTES = 120;
/** Numbers converted to text at a time, which takes a few milliseconds. */
const PART = 50_000;
/** Most counts, and most places, remembered. */
const COUNTS_MAX = 500;

/** Adds an entry as the newest, and drops the oldest ones beyond `COUNTS_MAX`. */
function keepNewest<T>(entries: Map<string, T>, name: string, entry: T): void {
  entries.delete(name);
  entries.set(name, entry);
  for (const [oldest] of entries) if (entries.size > COUNTS_MAX) entries.delete(oldest);
}

/** The numbers held at one moment. */
export interface HeldView {
  readonly size: number;
  /** @param number signed decimal text */
  has(number: string): boolean;
  /** all numbers, as queries send them, each list below the limit of the index */
  lists(): Generator<Longs>;
  /** a count remembered from an earlier view, and the numbers that this view has in addition; undefined if there is none */
  counted(name: string): (HeldCount & { since: Longs }) | undefined;
  /**
   * Remembers how many numbers of a set are held at this moment.
   * @param name of the set; a name always stands for the same numbers
   */
  remember(name: string, count: HeldCount): void;
  /** the noted place in an ordered set before which all numbers are held; undefined if none was noted */
  heldBefore(name: string): unknown[] | undefined;
  /** @param name as for `remember`, of the set in its order */
  noteHeldBefore(name: string, place: unknown[]): void;
}

/** The size of a set of numbers, and how many of them are held. */
export interface HeldCount {
  size: number;
  held: number;
}

interface Counted extends HeldCount {
  /** the view that was counted */
  recent: ReadonlyMap<string, number>;
  recentCount: number;
}

/** A growing set: numbers are never removed. */
export class HeldNumbers {
  #packed = LongSet.EMPTY;
  /** added since `#packed` was made, each with its place; replaced when they are packed */
  #recent = new Map<string, number>();
  /** numbers that were read but are not packed yet, since packing each part separately would copy the whole set every time */
  #waiting: BigInt64Array[] = [];
  readonly #counts = new Map<string, Counted>();
  readonly #heldBefore = new Map<string, unknown[]>();

  /** bytes of memory, roughly */
  get bytes(): number {
    return this.#packed.bytes + this.#recent.size * RECENT_BYTES;
  }

  /** @param numbers signed decimal text; those that are held already change nothing */
  add(numbers: readonly string[]): void {
    if (this.#recent.size + numbers.length <= RECENT_MAX) {
      this.#pack();
      for (const number of numbers) if (!this.#recent.has(number) && !this.#packed.has(number)) this.#recent.set(number, this.#recent.size);
      return;
    }
    this.#waiting.push(BigInt64Array.from([...this.#recent.keys(), ...numbers], BigInt));
    this.#recent = new Map();
    if (this.#waitingCount > this.#packed.size / 2) this.#pack();
  }

  get #waitingCount(): number {
    return this.#waiting.reduce((sum, part) => sum + part.length, 0);
  }

  #pack(): void {
    if (!this.#waiting.length) return;
    const all = new BigInt64Array(this.#waitingCount);
    let at = 0;
    for (const part of this.#waiting) {
      all.set(part, at);
      at += part.length;
    }
    this.#waiting = [];
    this.#packed = this.#packed.with(all);
  }

  /** A view of the numbers held now; it does not contain numbers added later. */
  makeView(): HeldView {
    this.#pack();
    const [packed, recent, counts, heldBefore] = [this.#packed, this.#recent, this.#counts, this.#heldBefore];
    const recentCount = recent.size;
    return {
      size: packed.size + recentCount,
      has: (number) => (recent.get(number) ?? recentCount) < recentCount || packed.has(number),
      lists: () => listNumbers(packed, [...recent.keys()].slice(0, recentCount)),
      counted: (name) => {
        const counted = counts.get(name);
        // Numbers that were packed since have lost their order.
        if (counted?.recent !== recent || counted.recentCount > recentCount) return undefined;
        const since = new Longs();
        since.add([...recent.keys()].slice(counted.recentCount, recentCount));
        return { size: counted.size, held: counted.held, since };
      },
      remember: (name, count) => keepNewest(counts, name, { ...count, recent, recentCount }),
      heldBefore: (name) => heldBefore.get(name),
      noteHeldBefore: (name, place) => keepNewest(heldBefore, name, place),
    };
  }
}

function* listNumbers(packed: LongSet, recent: readonly string[]): Generator<Longs> {
  let list = new Longs();
  list.add(recent);
  for (const part of packed.parts(PART)) {
    if (list.count + part.length > LONGS_MAX) {
      yield list;
      list = new Longs();
    }
    list.add(part);
  }
  if (list.count) yield list;
}
