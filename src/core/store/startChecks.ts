/** Checks that every server answers before a process serves. */
import { findClockProblem } from './postgres/clock.ts';
import type { Database } from './postgres/pool.ts';
import { waitForRedis } from './redis/client.ts';

interface StartChecks {
  elastic: { cluster: { health(): Promise<unknown> } };
  database: Database;
  redis: Parameters<typeof waitForRedis>[0];
  /** longest wait for it, in milliseconds */
  redisReadyMs: number;
  suppressions: { current(): Promise<unknown> };
}

/** @throws Error that names the server, its setting and the problem */
export async function checkServersAnswer(
  { elastic, database, redis, suppressions, redisReadyMs }: StartChecks,
  now: () => Date,
): Promise<void> {
  await nameServer('Elasticsearch (ELASTICSEARCH_URL)', elastic.cluster.health());
  await nameServer('Postgres (DATABASE_URL)', database.ping());
  await suppressions.current().catch((error: Error) => {
    throw error.cause instanceof RangeError ? error.cause : error;
  });
  await nameServer(
    'Redis (REDIS_URL)',
    waitForRedis(redis, redisReadyMs).then((ready) => mustBeReady(ready, redisReadyMs)),
  );
  const problem = await findClockProblem(database, now);
  if (problem) throw new Error(problem);
}

function mustBeReady(ready: boolean, waitMs: number): void {
  if (!ready) throw new Error(`no connection within ${waitMs / 1000} s`);
}

async function nameServer(server: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: Error) => {
    throw new Error(`${server} does not answer: ${error.message}`, { cause: error });
  });
}
