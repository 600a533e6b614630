/** Metrics of alerts. */
import type { MetricDeclaration } from '../../core/domain/metric.ts';

/** Delay from which a run counts as late; due runs are taken every few seconds. */
const LATE_SECONDS = 300;

/** SQL: the delays in seconds of runs that are due, queued or not. */
const LATE_RUNS = `(
  select extract(epoch from service_now() - next_run_at) as seconds from alert where status = 'active' and next_run_at <= service_now()
  union all
  select extract(epoch from service_now() - due_at) from alert_due where not ended and due_at <= service_now()
) as late`;

export const ALERT_METRICS: readonly MetricDeclaration[] = [
  {
    kind: 'gauge',
    name: 'landuse_alert_runs_late',
    help: 'Scheduled runs of alerts that are more than 5 minutes late',
    labels: [],
    sql: `select count(*) filter (where seconds > ${LATE_SECONDS}) as value from ${LATE_RUNS}`,
  },
  {
    kind: 'gauge',
    name: 'landuse_alert_run_lateness_seconds',
    help: 'Delay of the latest of them',
    labels: [],
    sql: `select coalesce(max(seconds), 0) as value from ${LATE_RUNS}`,
  },
];
