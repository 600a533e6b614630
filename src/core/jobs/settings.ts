/** How a worker keeps time. Leases and deadlines are judged by Postgres' clock; these are lengths only. */
export interface RunnerSettings {
  /** a job whose worker has not renewed its lease for so long is given to another */
  leaseMs: number;
  /** between two renewals */
  heartbeatMs: number;
  /** between two looks for jobs that nobody works on */
  sweepMs: number;
  /** longest time without looking for jobs, when no notification comes */
  pollMs: number;
  /** pause before the second attempt; it doubles with each further one */
  backoffMs: number;
  backoffMaxMs: number;
}

/** A killed worker's job runs again within lease + sweep: 10 seconds. */
export const RUNNER_SETTINGS: RunnerSettings = {
  leaseMs: 8_000,
  heartbeatMs: 2_000,
  sweepMs: 2_000,
  pollMs: 1_000,
  backoffMs: 1_000,
  backoffMaxMs: 60_000,
};

/**
 * Milliseconds before the next attempt: doubled with each failure, a half of it left to chance, so that jobs that failed together do not come
 * back together.
 * @param failures attempts that ended badly so far, 1 or more
 * @param chance from 0, below 1
 */
export function backoffMs(settings: RunnerSettings, failures: number, chance: number = Math.random()): number {
  const whole = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.backoffMaxMs);
  return Math.round(whole * (1 - chance / 2));
}
