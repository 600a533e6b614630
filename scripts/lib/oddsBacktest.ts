/** Backtest of base rates: forecasts for a held-out year, with Brier scores (1950). Pure. */

/** A record with an outcome, as a forecast sees it. */
export interface PastCase {
  state: string;
  year: number;
  body: string | null;
  use: string | null;
  approved: boolean;
}

/** Forecasts from the records before a year; null if odds show no share. */
export interface Forecast {
  /** share approved in the state */
  state: number | null;
  /** by body and use */
  groups: ReadonlyMap<string, number | null>;
}

export const groupOf = ({ body, use }: Pick<PastCase, 'body' | 'use'>): string => `${body} ${use}`;

/** Mean squared errors of both forecasts over some records; lower is better. */
export interface BrierScores {
  cases: number;
  /** records whose own group has a share; for the others both forecasts are the state's mean */
  byGroup: number;
  stateMean: number;
  bodyAndUse: number;
}

const squaredError = (forecast: number, { approved }: PastCase) => (forecast - Number(approved)) ** 2;

/** Brier scores of a forecast. @returns undefined if the state has no share, or no records are held out */
export function scoreForecasts(held: readonly PastCase[], { state, groups }: Forecast): BrierScores | undefined {
  if (state === null || !held.length) return undefined;
  const mean = (errors: readonly number[]) => errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const own = held.map((one) => groups.get(groupOf(one)) ?? null);
  return {
    cases: held.length,
    byGroup: own.filter((share) => share !== null).length,
    stateMean: mean(held.map((one) => squaredError(state, one))),
    bodyAndUse: mean(held.map((one, i) => squaredError(own[i] ?? state, one))),
  };
}

/** The scores of several sets together, weighted by their cases. */
export function poolScores(scores: readonly BrierScores[]): BrierScores {
  const sum = (amount: (one: BrierScores) => number) => scores.reduce((total, one) => total + amount(one), 0);
  const cases = sum((one) => one.cases);
  return {
    cases,
    byGroup: sum(({ byGroup }) => byGroup),
    stateMean: sum((one) => one.cases * one.stateMean) / cases,
    bodyAndUse: sum((one) => one.cases * one.bodyAndUse) / cases,
  };
}
