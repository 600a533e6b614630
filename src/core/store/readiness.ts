/** Whether the servers can do what requests need of them. Each answers null, or why it cannot, in a few words. */
import type { Client } from '@elastic/elasticsearch';
import type { Redis } from 'ioredis';
import { askElastic } from './elastic/client.ts';
import { type IndexNames, KINDS } from './elastic/indices.ts';
import { databaseBlock } from './postgres/blocks.ts';
import { databaseTime } from './postgres/clock.ts';
import { type Database, lacksTables } from './postgres/pool.ts';

/** A key that is written here is gone by itself after this. */
const PROBE_KEPT_MS = 1_000;

/** Asks every served alias, whole: names the kinds of which a shard or the alias itself is missing. */
export async function elasticsearchProblem(client: Client, names: IndexNames, timeoutMs: number): Promise<string | null> {
  const unread = await Promise.all(
    KINDS.map(async (kind) => {
      const search = { index: names.served(kind), size: 0, query: { match_none: {} }, allow_partial_search_results: false };
      const asked = askElastic((options) => client.search({ ...search, timeout: `${timeoutMs}ms` }, options), timeoutMs);
      return asked.then(
        () => [],
        () => [kind],
      );
    }),
  );
  const kinds = unread.flat();
  return kinds.length ? `${kinds.join(', ')} cannot be searched` : null;
}

/** Asks for what every charge needs first: the time, by a function of the service's own. */
export async function postgresProblem(database: Database): Promise<string | null> {
  return databaseTime(database).then(
    () => null,
    (error) => {
      if (lacksTables(error)) return 'lacks the tables of this service: npm run restore puts a backup back';
      return databaseBlock(error)?.trouble ?? 'does not answer';
    },
  );
}

/** Writes a short-lived key: a Redis that is full or read-only answers, but counts no requests. */
export async function redisProblem(redis: Redis, prefix: string): Promise<string | null> {
  return redis.set(`${prefix}ready`, '1', 'PX', PROBE_KEPT_MS).then(
    () => null,
    (error: Error) => (error.name === 'ReplyError' ? `refuses a write (${error.message.split(' ')[0]})` : 'does not answer'),
  );
}
