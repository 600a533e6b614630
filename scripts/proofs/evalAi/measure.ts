/** Figures of the evaluation: precision and recall of the first ten, with intervals by resampling the questions. */
import type { EvalQuestion } from './corpus.ts';

export const FIRST = 10;
const RESAMPLES = 2000;

export interface Score {
  /** share of right records among those answered; null if none was */
  precision: number | null;
  /** share of the possible right records among the first ten; null if none is possible */
  recall: number | null;
}

/** An empty answer to a question without answers is right. */
export function scoreOf({ answers }: EvalQuestion, found: readonly number[]): Score {
  const right = found.filter((id) => answers.includes(id)).length;
  const possible = Math.min(FIRST, answers.length);
  const precision = found.length ? right / found.length : possible ? null : 1;
  return { precision, recall: possible ? right / possible : null };
}

/** Right records that count at most in the recall with related ones. */
const RIGHT_MAX = 20;

/** The share of right records, of at most 20, among the confirmed and the related ones; null where there are more, or none. */
export const recallWithRelated = ({ answers }: EvalQuestion, found: readonly number[]): number | null =>
  answers.length && answers.length <= RIGHT_MAX ? answers.filter((id) => found.includes(id)).length / answers.length : null;

export const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : Number.NaN;
};

/** 95 % interval of the mean. The same values have the same interval. */
export function confidenceInterval(values: readonly (number | null)[]): [number, number] {
  const known = values.filter((value) => value !== null);
  if (!known.length) return [Number.NaN, Number.NaN];
  let state = 42;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: RESAMPLES }, () => mean(known.map(() => known[Math.floor(next() * known.length)] as number))).sort(
    (a, b) => a - b,
  );
  return [means[Math.floor(RESAMPLES * 0.025)] as number, means[Math.floor(RESAMPLES * 0.975)] as number];
}
