/** Durations as people read them, as they are measured, and as servers ask for them in Retry-After. Pure but for the clock. */

/** `12.3 s` */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Seconds to a tenth since a moment of `performance.now()`. */
export const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10;

/** Milliseconds that a Retry-After header asks for: seconds, or a date; 0 if it is missing or cannot be read. */
export function retryAfterMs(header: string | null | undefined): number {
  if (!header) return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}
