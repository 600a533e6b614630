/** The curve of days to decision in answers, without steps that rest on few decisions. Pure. */
import type { SurvivalStep } from '../../core/query/survival.ts';
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

export const toFourDecimals = (share: number): number => Math.round(share * 10_000) / 10_000;

/**
 * Points of the curve with at least `MINIMUM_GROUP_SIZE` decisions between two of them, so that none reveals the days of fewer records. The
 * remaining decisions are added to the last point, which is at the day of the last decision.
 * @param isMetered whether the minimum also applies to records that the pool does not hold, if there are any
 */
export function selectCurvePoints(steps: readonly WeighedStep[], isMetered: boolean): CurvePoint[] {
  const all = steps.reduce((sum, { decided }) => sum + decided, 0);
  const unheld = steps.reduce((sum, step) => sum + step.unheld, 0);
  const each = Math.max(MINIMUM_GROUP_SIZE, Math.ceil(all / POINTS_MAX));
  const eachUnheld = isMetered && unheld > 0 ? MINIMUM_GROUP_SIZE : 0;
  const points: SurvivalStep[] = [];
  let since = { decided: 0, unheld: 0 };
  for (const step of steps) {
    since = { decided: since.decided + step.decided, unheld: since.unheld + step.unheld };
    if (since.decided < each || since.unheld < eachUnheld) continue;
    points.push(step);
    since = { decided: 0, unheld: 0 };
  }
  const last = steps.at(-1);
  if (last && points.length && since.decided > 0) points.splice(-1, 1, last);
  return points.map(({ days, undecidedShare }) => ({ days, undecidedShare: toFourDecimals(undecidedShare) }));
}
