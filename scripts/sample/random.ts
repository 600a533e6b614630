/** Seeded randomness of the made-up sample: one stream for each subject, so that no draw depends on other subjects. */

/** Four 32-bit words from a key (the cyrb128 mixing of the parts' text). */
function mix(key: string): [number, number, number, number] {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let i = 0; i < key.length; i++) {
    const k = key.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/** An unsigned 32-bit number that depends on the key alone. */
export const hashOf = (...key: readonly (string | number)[]): number => mix(key.join('\u001f'))[0] >>> 0;

/** A stream of random numbers (sfc32) that depends on its key alone. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(...key: readonly (string | number)[]) {
    [this.#a, this.#b, this.#c, this.#d] = mix(key.join('\u001f'));
    for (let i = 0; i < 4; i++) this.next();
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** Any number from `from` to below `to`. */
  decimal(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }

  /** One of the keys, in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    throw new Error('Weights must be positive');
  }

  /** Up to `count` different items, in the order drawn. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const drawn: T[] = [];
    while (drawn.length < count && left.length) drawn.push(...left.splice(Math.floor(this.next() * left.length), 1));
    return drawn;
  }
}
