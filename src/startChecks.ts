/** What has to answer before a process serves. */
import { AI_SEARCH_KIND } from './domain/aiSearch.ts';
import { ENRICHMENT_KIND } from './domain/enrichment.ts';
import { EXPORT_KIND } from './domain/exports.ts';
import { SEND_MAIL_KIND } from './domain/mail.ts';
import { clockProblem } from './store/postgres/clock.ts';
import type { JobQueue } from './store/postgres/jobQueue.ts';
import type { Database } from './store/postgres/pool.ts';
import type { Suppressions } from './store/postgres/suppressions.ts';
import { redisReady } from './store/redis/client.ts';

/** Kinds of jobs that requests queue. */
const QUEUED_KINDS = [AI_SEARCH_KIND.name, EXPORT_KIND.name, ENRICHMENT_KIND.name, SEND_MAIL_KIND.name];

export interface StartChecks {
  elastic: { cluster: { health(): Promise<unknown> } };
  database: Database;
  queue: JobQueue;
  redis: Parameters<typeof redisReady>[0];
  /** longest wait for it */
  redisReadyMs: number;
  suppressions: Suppressions;
}

/** @throws Error that names the server, its setting and what is wrong with it */
export async function allAnswer(
  { elastic, database, queue, redis, suppressions, redisReadyMs }: StartChecks,
  now: () => Date,
): Promise<void> {
  await named('Elasticsearch (ELASTICSEARCH_URL)', elastic.cluster.health());
  await named('Postgres (DATABASE_URL)', database.ping());
  await named('The queue of jobs in Postgres (DATABASE_URL)', queue.start(QUEUED_KINDS));
  await suppressions.current().catch((error: Error) => {
    throw error.cause instanceof RangeError ? error.cause : error;
  });
  await named(
    'Redis (REDIS_URL)',
    redisReady(redis, redisReadyMs).then((ready) => mustBeReady(ready, redisReadyMs)),
  );
  const problem = await clockProblem(database, now);
  if (problem) throw new Error(problem);
}

function mustBeReady(ready: boolean, waitMs: number): void {
  if (!ready) throw new Error(`no connection within ${waitMs / 1000} s`);
}

async function named(server: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: Error) => {
    throw new Error(`${server} does not answer: ${error.message}`, { cause: error });
  });
}
