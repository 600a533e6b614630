/** Intervals of a worker, in milliseconds. Whether a lease or deadline has passed is decided by the clock of Postgres. */
export interface RunnerSettings {
  /** a job whose lease was not renewed for this long is given to another worker */
  leaseMs: number;
  /** between two renewals of a lease */
  heartbeatMs: number;
  /** between two sweeps */
  sweepMs: number;
  /** longest time between two queries for jobs, if no notification comes */
  pollMs: number;
  /** pause before the second attempt; it doubles with each further one */
  backoffMs: number;
  backoffMaxMs: number;
}

/** The job of a killed worker runs again within leaseMs + sweepMs, 10 seconds. */
export const RUNNER_SETTINGS: RunnerSettings = {
  leaseMs: 8_000,
  heartbeatMs: 2_000,
  sweepMs: 2_000,
  pollMs: 1_000,
  backoffMs: 1_000,
  backoffMaxMs: 60_000,
};

/**
 * Milliseconds before the next attempt: exponential backoff with jitter of up to a half, so that jobs that failed together are not retried
 * together.
 * @param failures failed attempts so far, 1 or more
 * @param chance random number from 0, below 1
 */
export function backoffMs(settings: RunnerSettings, failures: number, chance: number = Math.random()): number {
  const delay = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.backoffMaxMs);
  return Math.round(delay * (1 - chance / 2));
}
