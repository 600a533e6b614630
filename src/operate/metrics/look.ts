/** How metrics ask the servers, with a connection to Postgres of their own: a pool that is used up must not look like a server that is down. */
import type { MetricDeclaration } from '../../core/domain/metric.ts';
import type { makeElastic } from '../../core/store/elastic/client.ts';
import { IndexNames } from '../../core/store/elastic/indices.ts';
import { type ElasticStanding, elasticStanding } from '../../core/store/elastic/standing.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import { Database, type PostgresOptions } from '../../core/store/postgres/pool.ts';
import { type PostgresStanding, postgresStanding } from '../../core/store/postgres/standing.ts';
import { elasticsearchProblem, redisProblem } from '../../core/store/readiness.ts';
import type { makeRedis } from '../../core/store/redis/client.ts';
import { postgresGauges } from './definitions.ts';

const STATEMENT_TIMEOUT_MS = 1_000;

/** Each throws, or answers late, where its server does not answer. */
export interface Look {
  now: () => Date;
  /** those that features declare */
  metrics: readonly MetricDeclaration[];
  elasticsearch(): Promise<{ problem: string | null; standing: ElasticStanding }>;
  postgres(): Promise<PostgresStanding>;
  /** absent in a process that does not use it */
  redis?(): Promise<string | null>;
  /** whether the index is the one that Postgres knows, as far as was known last; absent in a process that does not watch it */
  lineage?(): Promise<boolean>;
  close(): Promise<void>;
}

interface LookedAt {
  elastic: ReturnType<typeof makeElastic>;
  /** of the indices */
  prefix: string;
  searchTimeoutMs: number;
  postgres: PostgresOptions;
  redis?: { client: ReturnType<typeof makeRedis>; prefix: string };
  lineage?: LineageWatch;
  metrics: readonly MetricDeclaration[];
  now: () => Date;
}

export function lookAt({ elastic, prefix, searchTimeoutMs, postgres, redis, lineage, metrics, now }: LookedAt): Look {
  const names = new IndexNames(prefix);
  const gauges = postgresGauges(metrics);
  const database = new Database({ ...postgres, connections: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  return {
    now,
    metrics,
    elasticsearch: async () => {
      const problem = elasticsearchProblem(elastic, names, searchTimeoutMs);
      const standing = await elasticStanding(elastic, names, now);
      return { problem: await problem, standing };
    },
    postgres: () => postgresStanding(database, gauges),
    ...(redis ? { redis: () => redisProblem(redis.client, redis.prefix) } : {}),
    ...(lineage ? { lineage: async () => (await lineage.disagreement()) === null } : {}),
    close: () => database.close(),
  };
}
