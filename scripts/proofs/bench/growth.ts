/** How figures grow with the number of records, extrapolated to larger numbers. Pure. */

/** Whether a figure should double or stay when the records double. */
export type Expected = 'as the records' | 'not at all';

export interface Growing {
  title: string;
  unit: 'ms' | 's' | 'MB';
  expected: Expected;
  /** the figure at each size */
  values: readonly number[];
}

export interface Growth extends Growing {
  /** times the first value */
  times: number;
  /** 1 where it grows as the records do, 0 where it stays as it is; from the first and the last size */
  exponent: number;
  tooFast: boolean;
}

/** Growth by which noise on a busy machine may be explained. */
const TOLERANCE = 0.2;

const EXPONENTS: Readonly<Record<Expected, number>> = { 'as the records': 1, 'not at all': 0 };

export function growthOf(row: Growing, sizes: readonly number[]): Growth {
  const [first, last] = [row.values[0] as number, row.values.at(-1) as number];
  const records = (sizes.at(-1) as number) / (sizes[0] as number);
  const exponent = records > 1 ? Math.log(last / first) / Math.log(records) : Number.NaN;
  return { ...row, times: last / first, exponent, tooFast: exponent > EXPONENTS[row.expected] + TOLERANCE };
}

/**
 * Extrapolates a figure to another size; never below that of the last size. A figure that should grow with the records follows the straight line through
 * the first and the last size; one that should stay follows its exponent, since a straight line would multiply its noise.
 */
export function extrapolate(row: Growing, sizes: readonly number[], size: number): number {
  const [first, last] = [row.values[0] as number, row.values.at(-1) as number];
  const [from, to] = [sizes[0] as number, sizes.at(-1) as number];
  if (to === from) return last;
  if (row.expected === 'not at all') return last * (size / to) ** Math.max(0, growthOf(row, sizes).exponent);
  return last + Math.max(0, (last - first) / (to - from)) * (size - to);
}
