/** How things stand in Postgres, for metrics: one statement, so that looking costs one connection for a moment. */
import type { Database } from './pool.ts';

/** A run of an alert is late from here on: the schedule is looked at every few seconds. */
const LATE_SECONDS = 300;

export interface JobStanding {
  kind: string;
  status: 'queued' | 'running' | 'failed';
  count: number;
  /** since the oldest was accepted */
  oldestSeconds: number;
  /** for how long the longest waiting one could have been started; 0 where none waits */
  overdueSeconds: number;
}

/** What waits, and for how long its oldest has. */
export interface Backlog {
  count: number;
  oldestSeconds: number;
}

export interface PostgresStanding {
  /** the database's clock */
  now: Date;
  jobs: JobStanding[];
  reservations: (Backlog & { subject: string; credits: number })[];
  alerts: { late: number; latestSeconds: number };
  mails: Backlog;
  webhooks: (Backlog & { status: string })[];
  /** the newest audit; null before the first */
  audit: { at: number; differences: number } | null;
}

const STANDING = `
  with open_job as (
    select kind, status, created_at, case when status = 'queued' then extract(epoch from clock_timestamp() - run_after) end as waits
    from job where settled_at is null
    union all
    select kind, status, created_at, null from job where status = 'failed'
  ), late as (
    select extract(epoch from service_now() - next_run_at) as seconds from alert where status = 'active' and next_run_at <= service_now()
    union all
    select extract(epoch from service_now() - due_at) from alert_due where not ended and due_at <= service_now()
  )
  select service_now() as now,
    (select coalesce(jsonb_agg(each), '[]') from (
       select kind, status, count(*), max(extract(epoch from clock_timestamp() - created_at)) as "oldestSeconds",
              coalesce(greatest(max(waits), 0), 0) as "overdueSeconds"
       from open_job group by kind, status) as each) as jobs,
    (select coalesce(jsonb_agg(each), '[]') from (
       select subject, count(*), sum(credits) as credits, max(extract(epoch from clock_timestamp() - j.created_at)) as "oldestSeconds"
       from reservation r join job j on j.id = r.job_id group by subject) as each) as reservations,
    (select jsonb_build_object('late', count(*) filter (where seconds > ${LATE_SECONDS}), 'latestSeconds', coalesce(max(seconds), 0)) from late) as alerts,
    (select jsonb_build_object('count', count(*), 'oldestSeconds', coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0))
       from open_job where kind = $1 and status <> 'failed') as mails,
    (select coalesce(jsonb_agg(each), '[]') from (
       select m.status, count(*), max(extract(epoch from service_now() - e.at)) as "oldestSeconds"
       from webhook_message m join event e on e.id = m.event_id join webhook w on w.id = m.webhook_id
       where m.status in ('waiting', 'sending') and w.status = 'active' group by m.status) as each) as webhooks,
    (select jsonb_build_object('at', extract(epoch from at), 'differences', differences) from audit_run order by at desc limit 1) as audit`;

/** @param mailKind name of the kind of job that sends a mail @throws ApiError `service_unavailable` */
export async function postgresStanding(database: Database, mailKind: string): Promise<PostgresStanding> {
  const [row] = await database.query<PostgresStanding>(STANDING, [mailKind]);
  if (!row) throw new Error('The standing was answered without a row');
  return row;
}
