/**
 * Remembers every record that a file states, in eight bytes each, to find records that a full generation leaves unstated, or that a file states
 * twice, without querying Elasticsearch.
 */
import type { Statement } from '../read/parseLine.ts';

export type StatedKind = Statement['kind'];

const FIRST_CAPACITY = 1024;
/** Hexadecimal digits that a JavaScript number represents exactly. */
const HEX_DIGITS = 13;

/** The number of a key: an id itself, which is below 2^53, or part of a contact's hash; two hashes may, very rarely, share a number. */
const numberOf = (kind: StatedKind, key: string): number =>
  kind === 'contact' ? Number.parseInt(key.slice(0, HEX_DIGITS), 16) : Number(key);

/** A growing list of numbers, sorted when it is read. */
class Numbers {
  #all = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  add(number: number): void {
    if (this.#size === this.#all.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#all);
      this.#all = larger;
    }
    this.#all[this.#size++] = number;
  }

  sorted(): Float64Array {
    return this.#all.subarray(0, this.#size).sort();
  }
}

export class StatedKeys {
  readonly #numbers: Readonly<Record<StatedKind, Numbers>> = { project: new Numbers(), document: new Numbers(), contact: new Numbers() };

  add(kind: StatedKind, key: string): void {
    this.#numbers[kind].add(numberOf(kind, key));
  }

  /** Makes a test of whether the file may state a record twice; undefined if it repeats no number. */
  makeRepeatedTest(): ((kind: StatedKind, key: string) => boolean) | undefined {
    const repeated = Object.fromEntries(
      Object.entries(this.#numbers).map(([kind, numbers]) => [kind, findRepeated(numbers.sorted())]),
    ) as Record<StatedKind, Set<number>>;
    if (Object.values(repeated).every(({ size }) => size === 0)) return undefined;
    return (kind, key) => repeated[kind].has(numberOf(kind, key));
  }

  /** Ids of the projects that are stated or deleted, ascending, in pages. */
  async *listProjectPages(size: number): AsyncGenerator<number[]> {
    const ids = this.#numbers.project.sorted();
    for (let start = 0; start < ids.length; start += size) yield [...ids.subarray(start, start + size)];
  }
}

function findRepeated(sorted: Float64Array): Set<number> {
  const repeated = new Set<number>();
  for (let i = 1; i < sorted.length; i += 1) if (sorted[i] === sorted[i - 1]) repeated.add(sorted[i] as number);
  return repeated;
}
