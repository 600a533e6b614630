/** Checks that the servers can do what requests need. Each check returns null, or a short reason. */
import type { Client } from '@elastic/elasticsearch';
import type { Redis } from 'ioredis';
import { searchElastic } from './elastic/client.ts';
import { type IndexNames, KINDS } from './elastic/indices.ts';
import { readDatabaseTime } from './postgres/clock.ts';
import { findDatabaseBlock } from './postgres/databaseBlock.ts';
import { type Database, isUnreadable } from './postgres/pool.ts';
import { awaitAnswer } from './redis/answers.ts';

/** Lifetime of the probe's key. */
const PROBE_KEPT_MS = 1_000;
/** Factor on the wait for Redis: a process that is not ready gets no requests, so that it waits for longer than one of them would. */
const PROBE_WAIT_FACTOR = 5;

/** Searches every served alias without allowing partial results; names the kinds with a missing shard or alias. */
export async function findElasticsearchProblem(client: Client, names: IndexNames, timeoutMs: number): Promise<string | null> {
  const unread = await Promise.all(
    KINDS.map(async (kind) => {
      const asked = searchElastic({ client, timeoutMs }, { index: names.readAlias(kind), size: 0, query: { match_none: {} } });
      return asked.then(
        () => [],
        () => [kind],
      );
    }),
  );
  const kinds = unread.flat();
  return kinds.length ? `${kinds.join(', ')} cannot be searched` : null;
}

/** Calls a function of the service's schema, as every charge does. */
export async function findPostgresProblem(database: Database): Promise<string | null> {
  return readDatabaseTime(database).then(
    () => null,
    (error) => {
      if (isUnreadable(error)) return 'lacks the tables of this service: npm run restore puts a backup back';
      return findDatabaseBlock(error)?.trouble ?? 'does not answer';
    },
  );
}

/** Writes a short-lived key, since a full or read-only Redis answers but counts no requests. */
export async function findRedisProblem(redis: Redis, prefix: string): Promise<string | null> {
  return awaitAnswer(redis, redis.set(`${prefix}ready`, '1', 'PX', PROBE_KEPT_MS), PROBE_WAIT_FACTOR).then(
    () => null,
    ({ cause }: { cause: Error }) => (cause.name === 'ReplyError' ? `refuses a write (${cause.message.split(' ')[0]})` : 'does not answer'),
  );
}
