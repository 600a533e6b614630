/** Metrics of the three servers. */
import type { MetricDeclaration } from '../../core/domain/metric.ts';
import type { ServerName } from '../../core/store/callWatch.ts';
import type { ElasticState } from '../../core/store/elastic/clusterState.ts';
import type { PostgresGauges } from '../../core/store/postgres/gauges.ts';
import type { Source } from './collect.ts';
import { METRICS, postgresGauges } from './definitions.ts';
import type { MetricValues } from './metricValues.ts';
import type { ServerQueries } from './serverQueries.ts';

/**
 * The least possible difference in seconds between our clock and one that was read between two times of ours; positive when ours is ahead.
 */
function measureSkew(asked: Date, read: Date, answered: Date): number {
  if (asked > read) return (asked.getTime() - read.getTime()) / 1000;
  return Math.min((answered.getTime() - read.getTime()) / 1000, 0);
}

const ELASTIC_GAUGES = [METRICS.blocked, METRICS.disk, METRICS.generation, METRICS.committed, METRICS.stamping];

/** Removes everything known of a server that does not answer, and marks it as down. */
function clearServer(measures: MetricValues, server: ServerName, gauges: readonly MetricDeclaration[]): void {
  measures.measure(METRICS.up, { server }, 0);
  measures.clear([METRICS.skew], { server });
  measures.clear(gauges);
}

export function makeServerSources(measures: MetricValues, queries: ServerQueries): Source[] {
  const { measure } = measures;
  const gauges = postgresGauges(queries.metrics);
  return [
    {
      async ask() {
        const asked = queries.now();
        const standing = await queries.postgres();
        const skew = measureSkew(asked, standing.now, queries.now());
        return () => {
          measure(METRICS.up, { server: 'postgres' }, 1);
          measure(METRICS.skew, { server: 'postgres' }, skew);
          writePostgres(measures, standing, gauges);
        };
      },
      forget: () => clearServer(measures, 'postgres', gauges),
    },
    {
      async ask() {
        const asked = queries.now();
        const { problem, standing } = await queries.elasticsearch();
        const skew = standing.nodes && measureSkew(asked, standing.nodes.now, queries.now());
        return () => {
          measure(METRICS.up, { server: 'elasticsearch' }, problem === null ? 1 : 0);
          writeElastic(measures, standing, skew);
        };
      },
      forget: () => clearServer(measures, 'elasticsearch', ELASTIC_GAUGES),
    },
    ...(queries.redis ? [makeRedisSource(measures, queries.redis)] : []),
    ...(queries.lineage ? [makeLineageSource(measures, queries.lineage)] : []),
  ];
}

/** Needs both servers, so it says nothing about either. */
const makeLineageSource = (measures: MetricValues, agrees: () => Promise<boolean>): Source => ({
  async ask() {
    const value = (await agrees()) ? 1 : 0;
    return () => measures.measure(METRICS.lineage, {}, value);
  },
  forget: () => measures.clear([METRICS.lineage]),
});

const makeRedisSource = (measures: MetricValues, findProblem: () => Promise<string | null>): Source => ({
  async ask() {
    const problem = await findProblem();
    return () => measures.measure(METRICS.up, { server: 'redis' }, problem === null ? 1 : 0);
  },
  forget: () => measures.measure(METRICS.up, { server: 'redis' }, 0),
});

function writePostgres(measures: MetricValues, { rows }: PostgresGauges, gauges: readonly MetricDeclaration[]): void {
  measures.clear(gauges); // a kind may have no jobs any more
  for (const gauge of gauges) {
    for (const row of rows[gauge.name] ?? []) {
      measures.measure(gauge, Object.fromEntries(gauge.labels.map((label) => [label, String(row[label])])), row.value);
    }
  }
}

function writeElastic(measures: MetricValues, { served, blockedIndices, nodes }: ElasticState, skew: number | null): void {
  const { measure } = measures;
  measures.clear(ELASTIC_GAUGES);
  measure(METRICS.blocked, {}, blockedIndices);
  if (served) {
    measure(METRICS.generation, {}, served.generation);
    measure(METRICS.committed, {}, served.committedAt.getTime() / 1000);
    measure(METRICS.stamping, {}, served.stamping ? 1 : 0);
  }
  if (nodes) measure(METRICS.disk, {}, nodes.leastDiskAvailable);
  if (skew === null) measures.clear([METRICS.skew], { server: 'elasticsearch' });
  else measure(METRICS.skew, { server: 'elasticsearch' }, skew);
}
