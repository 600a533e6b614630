/** When a message is sent again, and when its endpoint is disabled (src/docs/webhooks.md). Pure. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The retry schedule of Standard Webhooks 1.0: the pauses after the first, second and later attempts. */
export const RETRY_PAUSES_MS: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** When a message is retried after this number of failures; null when it is given up. A ping is sent only once. */
export function scheduleNextAttempt(type: string, failures: number, at: Date): Date | null {
  const pause = type === 'ping' ? undefined : RETRY_PAUSES_MS[failures - 1];
  return pause === undefined ? null : new Date(at.getTime() + pause);
}

/** Failures over at least this time count as trouble rather than a short outage. */
const TROUBLE_MS = 12 * HOUR_MS;
const DISABLED_MS = 72 * HOUR_MS;

/** What a failure means for its endpoint: the owner gets a mail on the first day, and after three days it is disabled. */
export function judgeFailures(failingSince: Date, at: Date): 'none' | 'trouble' | 'disabled' {
  const lasted = at.getTime() - failingSince.getTime();
  if (lasted >= DISABLED_MS) return 'disabled';
  return lasted >= TROUBLE_MS ? 'trouble' : 'none';
}
