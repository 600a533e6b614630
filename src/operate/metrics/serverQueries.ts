/**
 * Queries of the servers for metrics. They use their own connection to Postgres, since an exhausted pool must not look like an unreachable
 * server.
 */
import type { MetricDeclaration } from '../../core/domain/metric.ts';
import type { makeElastic } from '../../core/store/elastic/client.ts';
import { type ElasticState, readElasticState } from '../../core/store/elastic/clusterState.ts';
import { IndexNames } from '../../core/store/elastic/indices.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import { type PostgresGauges, readPostgresGauges } from '../../core/store/postgres/gauges.ts';
import { Database, type PostgresOptions } from '../../core/store/postgres/pool.ts';
import { findElasticsearchProblem, findRedisProblem } from '../../core/store/readiness.ts';
import type { makeRedis } from '../../core/store/redis/client.ts';
import { postgresGauges } from './definitions.ts';

const STATEMENT_TIMEOUT_MS = 1_000;

/** Queries that throw, or are late, when their server does not answer. */
export interface ServerQueries {
  now: () => Date;
  /** all that features declare */
  metrics: readonly MetricDeclaration[];
  elasticsearch(): Promise<{ problem: string | null; standing: ElasticState }>;
  postgres(): Promise<PostgresGauges>;
  /** absent in a process that does not use Redis */
  redis?(): Promise<string | null>;
  /** whether the served index is the recorded one, as of the last check; absent in a process that does not watch it */
  lineage?(): Promise<boolean>;
  close(): Promise<void>;
}

interface QueriedServers {
  elastic: ReturnType<typeof makeElastic>;
  prefix: string;
  searchTimeoutMs: number;
  postgres: PostgresOptions;
  redis?: { client: ReturnType<typeof makeRedis>; prefix: string };
  lineage?: LineageWatch;
  metrics: readonly MetricDeclaration[];
  now: () => Date;
}

export function makeServerQueries(servers: QueriedServers): ServerQueries {
  const { elastic, prefix, searchTimeoutMs, postgres, redis, lineage, metrics, now } = servers;
  const names = new IndexNames(prefix);
  const gauges = postgresGauges(metrics);
  const database = new Database({ ...postgres, connections: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  return {
    now,
    metrics,
    elasticsearch: async () => {
      const problem = findElasticsearchProblem(elastic, names, searchTimeoutMs);
      const standing = await readElasticState(elastic, names, now);
      return { problem: await problem, standing };
    },
    postgres: () => readPostgresGauges(database, gauges),
    ...(redis ? { redis: () => findRedisProblem(redis.client, redis.prefix) } : {}),
    ...(lineage ? { lineage: async () => (await lineage.disagreement()) === null } : {}),
    close: () => database.close(),
  };
}
