/** Lists of numbers in arrays, without an object for each list or number. Pure. */

/** In place of a number where there is none. */
export const NONE = -1;

/** Lists of numbers, each number in one of them at most, in the order in which they are added. */
export class Chains {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;

  /** @param lists how many there are @param numbers greater than any number */
  constructor(lists: number, numbers: number) {
    this.#first = new Int32Array(lists).fill(NONE);
    this.#last = new Int32Array(lists).fill(NONE);
    this.#next = new Int32Array(numbers);
  }

  add(list: number, number: number): void {
    const last = this.#last[list] as number;
    if (last === NONE) this.#first[list] = number;
    else this.#next[last] = number;
    this.#last[list] = number;
    this.#next[number] = NONE;
  }

  /** The first number of a list; `NONE` if it is empty. */
  first(list: number): number {
    return this.#first[list] as number;
  }

  /** The number after another one; `NONE` after the last. */
  next(number: number): number {
    return this.#next[number] as number;
  }

  listNumbers(list: number): number[] {
    const numbers: number[] = [];
    for (let number = this.first(list); number !== NONE; number = this.next(number)) numbers.push(number);
    return numbers;
  }
}
