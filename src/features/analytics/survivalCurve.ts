/** The curve of days to decision in answers, from which quartiles are read, too. Pure. */

import { toFourDecimals } from '../../core/domain/shares.ts';
import { findDayWhenUndecided, makeQuartiles, type Quartiles, type SurvivalStep } from '../../core/query/survival.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';

/** More points would not be visible. */
const POINTS_MAX = 100;

export interface CurvePoint {
  days: number;
  /** four decimals */
  undecidedShare: number;
}

/** A step, with its number of decisions of records that the pool does not hold. */
export interface WeighedStep extends SurvivalStep {
  unheld: number;
}

/** Decisions up to a step. */
interface Reached {
  decided: number;
  unheld: number;
}

/** Shares undecided whose days are points of the curve: the quartiles. */
const QUARTERS = [0.5, 0.25, 0.75];

/**
 * Points of the curve, each with its exact share: the last decision and the quartiles, and between them as many as are visible.
 * @param isMetered whether each point needs `MINIMUM_GROUP_SIZE` decisions since the one before, and as many of records that the pool does
 * not hold, if there are any, so that none reveals the days of fewer records. A quartile that is too near to another point is left out.
 */
export function selectCurvePoints(steps: readonly WeighedStep[], isMetered: boolean): CurvePoint[] {
  const reached: Reached[] = [];
  for (const { decided, unheld } of steps) {
    const before = reached.at(-1);
    reached.push({ decided: (before?.decided ?? 0) + decided, unheld: (before?.unheld ?? 0) + unheld });
  }
  const all = reached.at(-1) ?? { decided: 0, unheld: 0 };
  const least: Reached = { decided: isMetered ? MINIMUM_GROUP_SIZE : 1, unheld: isMetered && all.unheld > 0 ? MINIMUM_GROUP_SIZE : 0 };
  const isApart = (one: Reached, other: Reached, decided: number) =>
    Math.abs(one.decided - other.decided) >= decided && Math.abs(one.unheld - other.unheld) >= least.unheld;
  // The last chosen one is first, since the next step is most likely too near to it.
  const chosen: Reached[] = [{ decided: 0, unheld: 0 }];
  const choose = (step: number, decided: number) => {
    const one = reached[step];
    if (one && chosen.every((other) => isApart(one, other, decided))) chosen.unshift(one);
  };
  const points = steps.map(({ days, undecidedShare }): CurvePoint => ({ days, undecidedShare: toFourDecimals(undecidedShare) }));
  choose(steps.length - 1, least.decided);
  for (const quarter of QUARTERS)
    choose(
      points.findIndex(({ undecidedShare }) => undecidedShare <= quarter),
      least.decided,
    );
  const between = Math.max(least.decided, Math.ceil(all.decided / (POINTS_MAX - chosen.length)));
  for (let step = 0; step < steps.length; step++) choose(step, between);
  const isChosen = new Set(chosen);
  return points.filter((_, step) => isChosen.has(reached[step] as Reached));
}

export interface DecisionDays {
  daysToDecision: Quartiles & { basis: 'kaplan_meier' };
  curve: CurvePoint[];
}

/** The curve, and quartiles as the curve has them. @param steps of at least one decision @param isMetered as in `selectCurvePoints` */
export function describeDays(steps: readonly WeighedStep[], isMetered: boolean): DecisionDays {
  const curve = selectCurvePoints(steps, isMetered);
  return { daysToDecision: { ...makeQuartiles((passed) => findDayWhenUndecided(curve, 1 - passed)), basis: 'kaplan_meier' }, curve };
}
