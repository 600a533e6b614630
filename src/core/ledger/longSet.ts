/**
 * A set of 64-bit numbers in six bytes each. Compressed bitmaps would be larger, since hashes of revisions are random: among five million, about 76
 * share the same first 16 bits, and their other 48 bits have no structure.
 */

const PREFIXES = 65_536;
/** The low and the high word of each number, on the little-endian machines that Node runs on. */
const wordsOf = (numbers: BigInt64Array | BigUint64Array) => new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);

/** Columns of a set: numbers are ordered as unsigned ones, and those with the same first 16 bits stand together. */
interface Columns {
  /** index of the first number of each prefix; the last entry is the total */
  starts: Uint32Array;
  /** the 32 bits after the prefix */
  middles: Uint32Array;
  /** the last 16 bits */
  lows: Uint16Array;
}

const emptyColumns = (room: number): Columns => ({
  starts: new Uint32Array(PREFIXES + 1),
  middles: new Uint32Array(room),
  lows: new Uint16Array(room),
});

/** Immutable; `with` returns a new set. */
export class LongSet {
  static readonly EMPTY = new LongSet(emptyColumns(0));
  readonly #columns: Columns;

  private constructor(columns: Columns) {
    this.#columns = columns;
  }

  get size(): number {
    return this.#columns.starts[PREFIXES] as number;
  }

  get bytes(): number {
    const { starts, middles, lows } = this.#columns;
    return starts.byteLength + middles.byteLength + lows.byteLength;
  }

  /** @param number signed decimal text */
  has(number: string): boolean {
    const [low = 0, high = 0] = wordsOf(BigInt64Array.of(BigInt(number)));
    const { starts } = this.#columns;
    const prefix = high >>> 16;
    const middle = ((high << 16) | (low >>> 16)) >>> 0;
    let [from, to] = [starts[prefix] as number, starts[prefix + 1] as number];
    while (from < to) {
      const between = (from + to) >>> 1;
      const order = this.#compare(between, middle, low & 0xffff);
      if (order === 0) return true;
      if (order < 0) from = between + 1;
      else to = between;
    }
    return false;
  }

  #compare(at: number, middle: number, low: number): number {
    const { middles, lows } = this.#columns;
    return (middles[at] as number) - middle || (lows[at] as number) - low;
  }

  /** @param numbers in any order, sorted in place; those already in the set change nothing */
  with(numbers: BigInt64Array): LongSet {
    const added = wordsOf(new BigUint64Array(numbers.buffer, numbers.byteOffset, numbers.length).sort());
    const columns = emptyColumns(this.size + numbers.length);
    const { starts, middles, lows } = columns;
    const before = this.#columns;
    let [at, old, next] = [0, 0, 0];
    for (let prefix = 0; prefix < PREFIXES; prefix++) {
      const [begin, end] = [at, before.starts[prefix + 1] as number];
      starts[prefix] = at;
      for (;;) {
        const [low = 0, high = 0] = [added[next], added[next + 1]];
        const isAdded = next < added.length && high >>> 16 === prefix;
        const middle = ((high << 16) | (low >>> 16)) >>> 0;
        if (old < end && (!isAdded || this.#compare(old, middle, low & 0xffff) <= 0)) {
          middles[at] = before.middles[old] as number;
          lows[at++] = before.lows[old++] as number;
        } else if (isAdded) {
          next += 2;
          if (at > begin && middles[at - 1] === middle && lows[at - 1] === (low & 0xffff)) continue;
          middles[at] = middle;
          lows[at++] = low & 0xffff;
        } else break;
      }
    }
    starts[PREFIXES] = at;
    return new LongSet(columns);
  }

  /** Yields all numbers, at most `most` at a time. */
  *parts(most: number): Generator<BigInt64Array> {
    const { starts, middles, lows } = this.#columns;
    let prefix = 0;
    for (let from = 0; from < this.size; from += most) {
      const part = new BigInt64Array(Math.min(most, this.size - from));
      const words = wordsOf(part);
      for (let i = 0; i < part.length; i++) {
        while ((starts[prefix + 1] as number) <= from + i) prefix += 1;
        const middle = middles[from + i] as number;
        words[2 * i] = (middle << 16) | (lows[from + i] as number);
        words[2 * i + 1] = (prefix << 16) | (middle >>> 16);
      }
      yield part;
    }
  }
}
