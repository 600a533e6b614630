/** The clock of this process against that of Postgres, by which credits are granted. */
import { secondsText } from '../../domain/durations.ts';
import type { Queryable } from './pool.ts';

/** How far the two may differ. */
const SKEW_MAX_MS = 5_000;
const ASK_TIMEOUT_MS = 800;

/** The time by which credits are granted. @throws ApiError `service_unavailable` */
export async function databaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ at: Date }>('select service_now() as at', [], { timeoutMs: ASK_TIMEOUT_MS });
  if (!row) throw new Error('service_now answered without a row');
  return row.at;
}

/**
 * By how many milliseconds the process' clock surely differs from Postgres', positive where it is ahead. Postgres read its clock between the
 * question and the answer: what that took counts for neither side, so that a slow network is never called a wrong clock.
 * @throws ApiError `service_unavailable`
 */
export async function clockSkewMs(database: Queryable, now: () => Date): Promise<number> {
  const asked = now().getTime();
  const at = (await databaseTime(database)).getTime();
  const answered = now().getTime();
  if (asked > at) return asked - at;
  return Math.min(answered - at, 0);
}

/** Says in a sentence that the clocks differ by too much, and what to do; null where they do not. @throws ApiError `service_unavailable` */
export async function clockProblem(database: Queryable, now: () => Date): Promise<string | null> {
  const skew = await clockSkewMs(database, now);
  if (Math.abs(skew) <= SKEW_MAX_MS) return null;
  const differ = secondsText(Math.abs(skew));
  return (
    `The clock of this process is ${differ} ${skew > 0 ? 'ahead of' : 'behind'} that of Postgres, which grants credits; ` +
    `at most ${SKEW_MAX_MS / 1000} s are allowed: set the clock that is wrong`
  );
}
