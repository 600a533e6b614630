/** Compares the clock of this process with that of Postgres, which determines grants. */
import { secondsText } from '../../domain/durations.ts';
import type { Queryable } from './pool.ts';

/** Largest accepted difference. */
const SKEW_MAX_MS = 5_000;
const ASK_TIMEOUT_MS = 800;

/** The database's time. @throws ApiError `service_unavailable` */
export async function readDatabaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ at: Date }>('select service_now() as at', [], { timeoutMs: ASK_TIMEOUT_MS });
  if (!row) throw new Error('service_now answered without a row');
  return row.at;
}

/**
 * The least possible difference between the clock of this process and that of Postgres, in milliseconds, positive when this process is
 * ahead. The duration of the query is subtracted, so that a slow network does not count as a wrong clock.
 * @throws ApiError `service_unavailable`
 */
export async function measureClockSkewMs(database: Queryable, now: () => Date): Promise<number> {
  const asked = now().getTime();
  const at = (await readDatabaseTime(database)).getTime();
  const answered = now().getTime();
  if (asked > at) return asked - at;
  return Math.min(answered - at, 0);
}

/** A sentence with its remedy if the clocks differ too much; null otherwise. @throws ApiError `service_unavailable` */
export async function findClockProblem(database: Queryable, now: () => Date): Promise<string | null> {
  const skew = await measureClockSkewMs(database, now);
  if (Math.abs(skew) <= SKEW_MAX_MS) return null;
  const differ = secondsText(Math.abs(skew));
  return (
    `The clock of this process is ${differ} ${skew > 0 ? 'ahead of' : 'behind'} that of Postgres, which grants credits; ` +
    `at most ${SKEW_MAX_MS / 1000} s are allowed: set the clock that is wrong`
  );
}
