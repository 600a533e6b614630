/** Lists in checks that are one line each. */
import assert from 'node:assert/strict';
import type { Json } from './json.ts';

type Rows = readonly Json[];

/** What each of a list has in one field; for several fields, all of them as a row. */
export function pluck<L extends Rows, K extends keyof L[number]>(list: L, field: K): L[number][K][];
export function pluck<L extends Rows, F extends (keyof L[number])[]>(list: L, ...fields: F): { [I in keyof F]: L[number][F[I]] }[];
export function pluck(list: Rows, field: PropertyKey, ...others: PropertyKey[]): unknown[] {
  return list.map((one) => (others.length ? [field, ...others].map((name) => one[name]) : one[field]));
}

export const sumOf = <K extends string>(list: readonly Record<K, number>[], field: K): number =>
  list.reduce((sum, one) => sum + one[field], 0);

/** @throws AssertionError with what is wrong in a list */
export function assertNone<T>(list: readonly T[], isWrong: (one: T, at: number) => unknown, message?: string): void {
  assert.deepEqual(list.filter(isWrong), [], message);
}
