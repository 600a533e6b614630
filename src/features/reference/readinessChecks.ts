/** Checks that have to pass before this process gets requests. */
import { findClockProblem } from '../../core/store/postgres/clock.ts';
import { findElasticsearchProblem, findPostgresProblem, findRedisProblem } from '../../core/store/readiness.ts';
import type { ServingPlatform } from '../feature.ts';
import type { Checks } from './probeRoutes.ts';

export const readinessChecks = ({ config, elastic, names, database, redis, lineage, now }: ServingPlatform): Checks => ({
  servers: {
    elasticsearch: () => findElasticsearchProblem(elastic, names, config.searchTimeoutMs),
    postgres: () => findPostgresProblem(database),
    redis: () => findRedisProblem(redis, config.redisPrefix),
  },
  clock: () => findClockProblem(database, now).catch(() => null), // Postgres that does not answer has been named
  index: async () => (await lineage.disagreement())?.message ?? null,
});
