/**
 * How long cases take, by the estimate of E. L. Kaplan and P. Meier (Nonparametric Estimation from Incomplete Observations, Journal of the
 * American Statistical Association 53, 1958, page 457): a case that is not decided yet counts for as long as it was seen undecided. Pure.
 */

/** Cases of one length, in whole days from the first hearing. */
export interface DayCount {
  days: number;
  /** decided on that day */
  decided: number;
  /** seen undecided until that day, and not known later */
  censored: number;
}

/** A day on which cases were decided. */
export interface SurvivalStep {
  days: number;
  decided: number;
  /** share that is undecided after the day */
  undecidedShare: number;
}

/** Adds up the counts of each day, ascending. */
function sumByDay(counts: readonly DayCount[]): DayCount[] {
  const known = new Map<number, DayCount>();
  for (const { days, decided, censored } of counts) {
    const day = known.get(days) ?? { days, decided: 0, censored: 0 };
    known.set(days, { days, decided: day.decided + decided, censored: day.censored + censored });
  }
  return [...known.values()].sort((a, b) => a.days - b.days);
}

/**
 * The steps of the curve, ascending: `S(t) = Π (1 - decided / at risk)` over the days up to `t`. Who is censored on a day of decisions is at
 * risk of them (the convention of the paper).
 */
export function estimateSurvival(counts: readonly DayCount[]): SurvivalStep[] {
  const byDay = sumByDay(counts);
  let atRisk = byDay.reduce((sum, { decided, censored }) => sum + decided + censored, 0);
  let undecidedShare = 1;
  return byDay.flatMap(({ days, decided, censored }) => {
    if (decided) undecidedShare *= 1 - decided / atRisk;
    atRisk -= decided + censored;
    return decided ? [{ days, decided, undecidedShare }] : [];
  });
}

/** More than the error of a product of some thousand quotients, less than one case of a million. */
const ROUNDING = 1e-9;

/** The first day on which the share undecided is at most `share`; null if it never is. */
export const findDayWhenUndecided = (steps: readonly Pick<SurvivalStep, 'days' | 'undecidedShare'>[], share: number): number | null =>
  steps.find(({ undecidedShare }) => undecidedShare <= share + ROUNDING)?.days ?? null;

/** The least value up to which at least a share of the counted ones lie; null of none. @param counts by value */
export function computeQuantile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const ascending = [...counts].sort(([a], [b]) => a - b);
  const all = ascending.reduce((sum, [, count]) => sum + count, 0);
  let upTo = 0;
  for (const [value, count] of ascending) {
    upTo += count;
    if (upTo >= share * all - ROUNDING) return value;
  }
  return null;
}

/** The values by which a quarter, a half and three quarters are reached; null for a share that is never reached. */
export interface Quartiles {
  p25: number | null;
  p50: number | null;
  p75: number | null;
}

export const makeQuartiles = (at: (passed: number) => number | null): Quartiles => ({ p25: at(0.25), p50: at(0.5), p75: at(0.75) });
