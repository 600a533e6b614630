/** The metrics of core, a row for each; features declare their own. Prometheus output and the guide's table follow from them. */
import type { MetricDeclaration } from '../../core/domain/metric.ts';
import { sendMailJob } from '../../core/mail/sendMails.ts';

const REQUEST_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const CALL_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const JOB_BUCKETS = [0.1, 1, 5, 15, 60, 300, 1800];

/** SQL: queued and running jobs, and stored failed ones. */
const OPEN_JOBS = `(
    select kind, status from job where settled_at is null
    union all
    select kind, status from job where status = 'failed'
  ) as open_job`;
const UNSENT_MAILS = `job where settled_at is null and kind = '${sendMailJob.name}'`;

export const METRICS = {
  requests: {
    kind: 'histogram',
    name: 'landuse_http_request_duration_seconds',
    help: 'Requests by declared path (or "unknown") and status class (or "gone" if the client left first)',
    labels: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
  },
  refusals: {
    kind: 'counter',
    name: 'landuse_http_refusals_total',
    help: 'Error answers by code',
    labels: ['code'],
  },
  refusedLogins: {
    kind: 'counter',
    name: 'landuse_refused_logins_total',
    help: 'Refused credentials by error code, or "too_many_tries" if they were not looked up',
    labels: ['reason'],
  },
  poolsProbing: {
    kind: 'gauge',
    name: 'landuse_pools_counting_single_records',
    help: 'Pools with more than 100 counts of exactly one record within 10 minutes in this process',
    labels: [],
  },
  charged: {
    kind: 'counter',
    name: 'landuse_credits_charged_total',
    help: 'Credits charged by this process',
    labels: ['subject'],
  },
  up: {
    kind: 'gauge',
    name: 'landuse_server_up',
    help: '1 if the server passes the check of /ready, else 0',
    labels: ['server'],
  },
  elasticCalls: {
    kind: 'histogram',
    name: 'landuse_elasticsearch_call_duration_seconds',
    help: 'Calls to Elasticsearch with their retries, by API. Refused: invalid call; failed: server error; cancelled: the client left',
    labels: ['operation', 'outcome'],
    buckets: CALL_BUCKETS,
  },
  statements: {
    kind: 'histogram',
    name: 'landuse_postgres_statement_duration_seconds',
    help: 'Statements, by name where they are prepared. Refused: invalid statement; failed: server error',
    labels: ['statement', 'outcome'],
    buckets: CALL_BUCKETS,
  },
  commands: {
    kind: 'histogram',
    name: 'landuse_redis_command_duration_seconds',
    help: 'Commands to Redis',
    labels: ['command', 'outcome'],
    buckets: CALL_BUCKETS,
  },
  connections: {
    kind: 'gauge',
    name: 'landuse_postgres_connections',
    help: 'Connections of this process to Postgres: busy, idle, or waiting (work without one)',
    labels: ['pool', 'state'],
  },
  connectionsMax: {
    kind: 'gauge',
    name: 'landuse_postgres_connections_max',
    help: 'Connections that a pool may open',
    labels: ['pool'],
  },
  skew: {
    kind: 'gauge',
    name: 'landuse_clock_skew_seconds',
    help: 'Least difference between the clocks of this process and the server, positive if the process is ahead',
    labels: ['server'],
  },
  blocked: {
    kind: 'gauge',
    name: 'landuse_elasticsearch_blocked_indices',
    help: 'Indices of the service that Elasticsearch has blocked for writing',
    labels: [],
  },
  disk: {
    kind: 'gauge',
    name: 'landuse_elasticsearch_disk_available_ratio',
    help: 'Free part of the fullest disk of an Elasticsearch node, 0 to 1',
    labels: [],
  },
  generation: {
    kind: 'gauge',
    name: 'landuse_generation',
    help: 'Number of the served generation',
    labels: [],
  },
  committed: {
    kind: 'gauge',
    name: 'landuse_generation_committed_timestamp_seconds',
    help: 'Start of the newest served load',
    labels: [],
  },
  stamping: {
    kind: 'gauge',
    name: 'landuse_sync_stamping',
    help: '1 while sync still shows the state before a rollback',
    labels: [],
  },
  lineage: {
    kind: 'gauge',
    name: 'landuse_lineage_agrees',
    help: '1 if the index is the one that Postgres recorded, else 0',
    labels: [],
  },
  jobs: {
    kind: 'gauge',
    name: 'landuse_jobs',
    help: 'Queued, running and kept failed jobs',
    labels: ['kind', 'status'],
    sql: `select kind, status, count(*) as value from ${OPEN_JOBS} group by kind, status`,
  },
  jobOldest: {
    kind: 'gauge',
    name: 'landuse_job_oldest_seconds',
    help: 'Age of the oldest of them',
    labels: ['kind', 'status'],
    sql: `select kind, status, max(extract(epoch from clock_timestamp() - created_at)) as value
      from job where settled_at is null group by kind, status`,
  },
  jobOverdue: {
    kind: 'gauge',
    name: 'landuse_job_overdue_seconds',
    help: 'Time since the most overdue queued job could have started',
    labels: ['kind'],
    sql: `select kind, coalesce(greatest(max(extract(epoch from clock_timestamp() - run_after)), 0), 0) as value
      from job where settled_at is null and status = 'queued' group by kind`,
  },
  attempts: {
    kind: 'histogram',
    name: 'landuse_job_attempt_duration_seconds',
    help: 'Ended attempts of this worker: settled, retried, failed, lost or handed_back',
    labels: ['kind', 'outcome'],
    buckets: JOB_BUCKETS,
  },
  reservations: {
    kind: 'gauge',
    name: 'landuse_reservations',
    help: 'Jobs that hold credits',
    labels: ['subject'],
    sql: `select subject, count(*) as value from reservation group by subject`,
  },
  reserved: {
    kind: 'gauge',
    name: 'landuse_reservation_credits',
    help: 'Credits that they hold',
    labels: ['subject'],
    sql: `select subject, sum(credits) as value from reservation group by subject`,
  },
  reservationOldest: {
    kind: 'gauge',
    name: 'landuse_reservation_oldest_seconds',
    help: 'Age of the oldest of them',
    labels: ['subject'],
    sql: `select subject, max(extract(epoch from clock_timestamp() - j.created_at)) as value
      from reservation r join job j on j.id = r.job_id group by subject`,
  },
  auditDifferences: {
    kind: 'gauge',
    name: 'landuse_ledger_audit_differences',
    help: 'Differences in the newest audit of the books (npm run admin -- audit)',
    labels: [],
    sql: 'select differences as value from audit_run order by at desc limit 1',
  },
  auditAt: {
    kind: 'gauge',
    name: 'landuse_ledger_audit_timestamp_seconds',
    help: 'Time of that audit',
    labels: [],
    sql: 'select extract(epoch from at) as value from audit_run order by at desc limit 1',
  },
  mails: {
    kind: 'gauge',
    name: 'landuse_outbox_mails',
    help: 'Mails that wait to be sent',
    labels: [],
    sql: `select count(*) as value from ${UNSENT_MAILS}`,
  },
  mailOldest: {
    kind: 'gauge',
    name: 'landuse_outbox_oldest_seconds',
    help: 'Age of the oldest of them',
    labels: [],
    sql: `select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0) as value from ${UNSENT_MAILS}`,
  },
} as const satisfies Record<string, MetricDeclaration>;

export const postgresGauges = (ofFeatures: readonly MetricDeclaration[]): MetricDeclaration[] =>
  [...Object.values<MetricDeclaration>(METRICS), ...ofFeatures].filter(({ sql }) => sql !== undefined);

/** The guide's table, with a row for each metric. */
export function metricsTable(ofFeatures: readonly MetricDeclaration[]): string {
  const rows = [...Object.values<MetricDeclaration>(METRICS), ...ofFeatures].map(({ kind, name, help, labels }) => {
    const named = labels.map((label) => `\`${label}\``);
    return `| \`${name}\` | ${kind} | ${named.join(' ')} | ${help} |`;
  });
  return ['| Metric | Kind | Labels | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
