/** Long lists of 64-bit numbers in queries. `toBodyText` serialises them. */
import { type Clause, terms } from './clauses.ts';

/** Below the `max_terms_count` of the index settings. */
export const LONGS_MAX = 500_000;

/** A list of 64-bit numbers, kept as text because a JavaScript number cannot hold them. */
export class Longs {
  #text = '';
  count = 0;

  /** @param numbers decimal text, or the numbers */
  add(numbers: readonly string[] | BigInt64Array): void {
    if (!numbers.length) return;
    this.#text += `${this.count ? ',' : ''}${numbers.join(',')}`;
    this.count += numbers.length;
  }

  /** The numbers, all of which have to be safe integers. */
  toNumbers(): number[] {
    return JSON.parse(this.json) as number[];
  }

  get json(): string {
    return `[${this.#text}]`;
  }
}

/** Matches any number in the list. */
export const longTerms = (field: string, list: Longs): Clause => ({ terms: { [field]: list } });

/** Matches any of these ids, split into clauses that stay below the limit of the index. */
export function idTerms(field: string, ids: readonly number[]): Clause[] {
  const parts = Math.ceil(ids.length / LONGS_MAX);
  return Array.from({ length: parts }, (_, i) => terms(field, ids.slice(i * LONGS_MAX, (i + 1) * LONGS_MAX)));
}
