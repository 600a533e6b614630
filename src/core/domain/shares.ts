/** Shares of a whole, and how sure they are. Pure. */

export const toFourDecimals = (share: number): number => Math.round(share * 10_000) / 10_000;

/** Shares to four decimals that add up to exactly 1, by the largest remainder method. @param counts add up to `whole` */
export function computeShares(counts: readonly number[], whole: number): number[] {
  const exact = counts.map((count) => (count * 10_000) / whole);
  const floors = exact.map(Math.floor);
  const left = 10_000 - floors.reduce((sum, floor) => sum + floor, 0);
  const raised = new Set(
    exact
      .map((share, i) => ({ i, rest: share - Math.floor(share) }))
      .sort((a, b) => b.rest - a.rest || a.i - b.i)
      .slice(0, left)
      .map(({ i }) => i),
  );
  return floors.map((floor, i) => (floor + Number(raised.has(i))) / 10_000);
}

/** The bounds between which a share probably lies. */
export type ShareInterval = [low: number, high: number];

/** The quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/**
 * The interval of 95 % by E. B. Wilson (Probable Inference, the Law of Succession, and Statistical Inference, Journal of the American
 * Statistical Association 22, 1927, page 209), to four decimals. It contains the share, also as that is rounded.
 */
export function computeInterval(count: number, whole: number, share: number): ShareInterval {
  const [exact, weight] = [count / whole, Z ** 2 / whole];
  const middle = (exact + weight / 2) / (1 + weight);
  const half = (Z / (1 + weight)) * Math.sqrt((exact * (1 - exact)) / whole + weight / (4 * whole));
  const clamp = (bound: number) => toFourDecimals(Math.min(1, Math.max(0, bound)));
  return [Math.min(share, clamp(middle - half)), Math.max(share, clamp(middle + half))];
}
