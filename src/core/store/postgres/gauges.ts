/** Gauges computed by Postgres, in one statement, so that reading them needs one connection for a moment. */
import type { MetricDeclaration } from '../../domain/metric.ts';
import type { Database } from './pool.ts';

/** The value of a gauge, with a label in each other column. */
type GaugeRow = { value: number } & Record<string, string | number>;

export interface PostgresGauges {
  /** the database's clock */
  now: Date;
  rows: Record<string, GaugeRow[]>;
}

/**
 * Reads gauges.
 * @param gauges those with `sql`
 * @throws ApiError `service_unavailable`
 */
export async function readPostgresGauges(database: Database, gauges: readonly MetricDeclaration[]): Promise<PostgresGauges> {
  const columns = gauges.map(({ name, sql }) => `(select coalesce(jsonb_agg(each), '[]') from (${sql}) as each) as ${name}`);
  const [row] = await database.query<Record<string, GaugeRow[]> & { now: Date }>(
    `select ${['service_now() as now', ...columns].join(', ')}`,
  );
  if (!row) throw new Error('The standing was answered without a row');
  const { now, ...rows } = row;
  return { now, rows };
}
