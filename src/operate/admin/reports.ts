/** Reports changes of keys, users and teams by a command, for processes that cannot reach Postgres. */
import { ConfigError, readConfig, redisPrefixOf } from '../../config.ts';
import type { KeyChanges } from '../../core/domain/keyChanges.ts';
import { makeRedis, waitForRedis } from '../../core/store/redis/client.ts';
import { ReportedChanges } from '../../core/store/redis/reportedChanges.ts';

const REDIS_READY_MS = 2_000;

/** Connects to Redis for each report. @param onLost called with the reason when a change was not reported */
export function makeKeyChanges(env: Readonly<Record<string, string | undefined>>, onLost: (reason: string) => void): KeyChanges {
  return {
    report: async (subject, change) => {
      try {
        const { redisUrl, ...names } = readConfig(env, ['redisUrl', 'indexPrefix']);
        const redis = makeRedis({ url: redisUrl });
        try {
          const reported = new ReportedChanges({ redis, prefix: redisPrefixOf(names), onLost: (error) => onLost(error.message) });
          if (await waitForRedis(redis, REDIS_READY_MS)) await reported.report(subject, change);
          else onLost('Redis (REDIS_URL) does not answer');
        } finally {
          redis.disconnect();
        }
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        onLost('REDIS_URL is not set, or unusable');
      }
    },
    readChange: async () => ({}),
  };
}
