/** A Redis client with its own prefix for a test file, whose keys are removed after it. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { keepIfFailed } from '../../scripts/test/keptData.ts';
import { makeRedis, waitForRedis } from '../../src/core/store/redis/client.ts';
import { serverUrl } from './servers.ts';

const READY_MS = 60_000;
/** Multiplies timeouts, since a busy machine answers late. */
const PATIENCE = 10;

export interface TestRedis extends AsyncDisposable {
  url: string;
  prefix: string;
  redis: Redis;
  /** opens another connection, like a second process; closed with the rest */
  another(): Promise<Redis>;
  drop(): Promise<void>;
}

async function removeKeys(redis: Redis, prefix: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
    if (keys.length) await redis.del(...(keys as string[]));
  }
}

/** @param prefix of a service that is tested */
export async function testRedis(prefix = `test_${randomBytes(6).toString('hex')}:`): Promise<TestRedis> {
  const url = serverUrl('REDIS_URL');
  const open: Redis[] = [];
  const another = async () => {
    const redis = makeRedis({ url, patience: PATIENCE });
    open.push(redis);
    if (!(await waitForRedis(redis, READY_MS))) throw new Error(`No Redis at ${url}`);
    return redis;
  };
  const redis = await another();
  const drop = async () => {
    if (!keepIfFailed(`keys ${prefix}* of`, url)) await removeKeys(redis, prefix);
    for (const client of open) client.disconnect();
  };
  return { url, prefix, redis, another, drop, [Symbol.asyncDispose]: drop };
}
