/** Checks that have to pass before this process gets requests. */
import { clockProblem } from '../../core/store/postgres/clock.ts';
import { elasticsearchProblem, postgresProblem, redisProblem } from '../../core/store/readiness.ts';
import type { ServingPlatform } from '../feature.ts';
import type { Checks } from './probeRoutes.ts';

export const readinessChecks = ({ config, elastic, names, database, redis, lineage, now }: ServingPlatform): Checks => ({
  servers: {
    elasticsearch: () => elasticsearchProblem(elastic, names, config.searchTimeoutMs),
    postgres: () => postgresProblem(database),
    redis: () => redisProblem(redis, config.redisPrefix),
  },
  clock: () => clockProblem(database, now).catch(() => null), // Postgres that does not answer has been named
  index: async () => (await lineage.disagreement())?.message ?? null,
});
