/** Every metric of the service, once: what Prometheus reads, and the table of the guide on running it. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const REQUEST_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const CALL_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const JOB_BUCKETS = [0.1, 1, 5, 15, 60, 300, 1800];

/** Makes all metrics in a registry. Labels take few values, all of our own making: never an id, a path, a text or a person. */
export function defineMetrics(registry: Registry) {
  const registers = [registry];
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) => new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    requests: histogram(
      'landuse_http_request_duration_seconds',
      'Requests that have ended: route is the declared path or "unknown", status its class, or "gone" where the client left first',
      ['method', 'route', 'status'],
      REQUEST_BUCKETS,
    ),
    refusals: counter('landuse_http_refusals_total', 'Answers that were errors, by the code of the error table', ['code']),
    refusedLogins: counter(
      'landuse_refused_logins_total',
      'Requests whose credential was not accepted: the code of the error table, or "too_many_tries" where it was not even looked up',
      ['reason'],
    ),
    poolsProbing: gauge(
      'landuse_pools_counting_single_records',
      'Pools of which this process answered more than 100 counts of exactly one record within 10 minutes; the log names each once',
    ),
    charged: counter('landuse_credits_charged_total', 'Credits charged by this process; the books are the ledger', ['subject']),
    up: gauge('landuse_server_up', '1 where the server does what requests need of it, as /ready asks; 0 where it does not or not in time', [
      'server',
    ]),
    elasticCalls: histogram(
      'landuse_elasticsearch_call_duration_seconds',
      'Calls to Elasticsearch with their retries, by API: refused is an error of the call, failed one of the server',
      ['operation', 'outcome'],
      CALL_BUCKETS,
    ),
    statements: histogram(
      'landuse_postgres_statement_duration_seconds',
      'Statements, by name where they are prepared: refused is an error of the statement, failed one of the server',
      ['statement', 'outcome'],
      CALL_BUCKETS,
    ),
    commands: histogram('landuse_redis_command_duration_seconds', 'Commands to Redis', ['command', 'outcome'], CALL_BUCKETS),
    connections: gauge(
      'landuse_postgres_connections',
      'Connections of this process to Postgres: busy, idle, or waited for by work that has none',
      ['pool', 'state'],
    ),
    connectionsMax: gauge('landuse_postgres_connections_max', 'Connections that a pool may open', ['pool']),
    skew: gauge(
      'landuse_clock_skew_seconds',
      "By how much the clock of this process surely differs from the server's, positive where it is ahead",
      ['server'],
    ),
    blocked: gauge(
      'landuse_elasticsearch_blocked_indices',
      'Indices of the service that Elasticsearch has blocked for writing, as it does when a disk is full',
    ),
    disk: gauge('landuse_elasticsearch_disk_available_ratio', 'Free part of the fullest disk of an Elasticsearch node, 0 to 1'),
    generation: gauge('landuse_generation', 'Number of the served generation'),
    committed: gauge('landuse_generation_committed_timestamp_seconds', 'When the newest load began whose records are served'),
    stamping: gauge(
      'landuse_sync_stamping',
      '1 while the records that a rollback serves are being stamped for sync, which shows what was served before',
    ),
    lineage: gauge('landuse_lineage_agrees', '1 where the index is the one that Postgres knows, 0 where it is behind, ahead or another'),
    jobs: gauge('landuse_jobs', 'Jobs that are queued or running, and failed ones that are kept', ['kind', 'status']),
    jobOldest: gauge('landuse_job_oldest_seconds', 'Age of the oldest of them since it was accepted', ['kind', 'status']),
    jobOverdue: gauge('landuse_job_overdue_seconds', 'For how long the longest waiting queued job could have been started', ['kind']),
    attempts: histogram(
      'landuse_job_attempt_duration_seconds',
      'Attempts of this worker that have ended: settled, retried, failed, lost or handed_back',
      ['kind', 'outcome'],
      JOB_BUCKETS,
    ),
    reservations: gauge('landuse_reservations', 'Jobs that hold credits', ['subject']),
    reserved: gauge('landuse_reservation_credits', 'Credits that they hold', ['subject']),
    reservationOldest: gauge('landuse_reservation_oldest_seconds', 'Age of the oldest of them', ['subject']),
    auditDifferences: gauge(
      'landuse_ledger_audit_differences',
      'What did not add up in the newest audit of the books (npm run admin -- audit)',
    ),
    auditAt: gauge('landuse_ledger_audit_timestamp_seconds', 'When it was'),
    alertsLate: gauge('landuse_alert_runs_late', 'Scheduled runs of alerts that are more than 5 minutes late'),
    alertLatest: gauge('landuse_alert_run_lateness_seconds', 'By how much the latest of all scheduled runs is late'),
    mails: gauge('landuse_outbox_mails', 'Mails that wait to be sent'),
    mailOldest: gauge('landuse_outbox_oldest_seconds', 'Age of the oldest of them'),
    webhooks: gauge('landuse_webhook_messages', 'Messages on their way to endpoints that are active', ['status']),
    webhookOldest: gauge('landuse_webhook_oldest_seconds', 'Age of the oldest of them', ['status']),
  };
}

export type Metrics = ReturnType<typeof defineMetrics>;

/** What the guide shows: a row a metric. */
export function metricsTable(): string {
  const registry = new Registry();
  const rows = Object.values(defineMetrics(registry)).map((metric) => {
    const { name, help, type, labelNames } = metric as unknown as { name: string; help: string; type: string; labelNames: string[] };
    const labels = labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
    return `| \`${name}\` | ${type} | ${labels.join(' ')} | ${help} |`;
  });
  return ['| Metric | Kind | Labels | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
