/** The three servers as metrics see them. */
import type { ElasticStanding } from '../../core/store/elastic/standing.ts';
import type { Backlog, PostgresStanding } from '../../core/store/postgres/standing.ts';
import type { ServerName } from '../../core/store/watch.ts';
import type { Source } from './collect.ts';
import type { Metrics } from './definitions.ts';
import type { Look } from './look.ts';

/** By how many seconds our clock surely differs from one that was read between two moments of ours; positive where it is ahead. */
function skewOf(asked: Date, read: Date, answered: Date): number {
  if (asked > read) return (asked.getTime() - read.getTime()) / 1000;
  return Math.min((answered.getTime() - read.getTime()) / 1000, 0);
}

export function sourcesOf(metrics: Metrics, look: Look): Source[] {
  const down = (server: ServerName) => metrics.up.set({ server }, 0);
  return [
    {
      async ask() {
        const asked = look.now();
        const standing = await look.postgres();
        const skew = skewOf(asked, standing.now, look.now());
        return () => writePostgres(metrics, standing, skew);
      },
      forget() {
        down('postgres');
        metrics.skew.remove({ server: 'postgres' });
        clear(ofPostgres(metrics));
      },
    },
    {
      async ask() {
        const asked = look.now();
        const { problem, standing } = await look.elasticsearch();
        const skew = standing.nodes && skewOf(asked, standing.nodes.now, look.now());
        return () => {
          metrics.up.set({ server: 'elasticsearch' }, problem === null ? 1 : 0);
          writeElastic(metrics, standing, skew);
        };
      },
      forget() {
        down('elasticsearch');
        metrics.skew.remove({ server: 'elasticsearch' });
        clear(ofElastic(metrics));
      },
    },
    ...(look.redis ? [redisSource(metrics, look.redis)] : []),
    ...(look.lineage ? [lineageSource(metrics, look.lineage)] : []),
  ];
}

/** Takes both servers, so that it says nothing of either. */
const lineageSource = ({ lineage }: Metrics, agrees: () => Promise<boolean>): Source => ({
  async ask() {
    const value = (await agrees()) ? 1 : 0;
    return () => lineage.set(value);
  },
  forget: () => clear([lineage]),
});

const redisSource = ({ up }: Metrics, problemOf: () => Promise<string | null>): Source => ({
  async ask() {
    const problem = await problemOf();
    return () => up.set({ server: 'redis' }, problem === null ? 1 : 0);
  },
  forget: () => up.set({ server: 'redis' }, 0),
});

/** A value that is not known is absent, never the 0 that a gauge without labels begins with. */
function clear(gauges: readonly { reset(): void; remove(labels: object): void }[]): void {
  for (const gauge of gauges) {
    gauge.reset();
    gauge.remove({});
  }
}

const ofElastic = ({ blocked, disk, generation, committed, stamping }: Metrics) => [blocked, disk, generation, committed, stamping];

function ofPostgres(m: Metrics) {
  const ofJobs = [m.jobs, m.jobOldest, m.jobOverdue, m.reservations, m.reserved, m.reservationOldest];
  return [...ofJobs, m.auditDifferences, m.auditAt, m.alertsLate, m.alertLatest, m.mails, m.mailOldest, m.webhooks, m.webhookOldest];
}

function writePostgres(m: Metrics, { jobs, reservations, alerts, mails, webhooks, audit }: PostgresStanding, skew: number): void {
  clear(ofPostgres(m)); // a kind of job may have none any more
  m.up.set({ server: 'postgres' }, 1);
  m.skew.set({ server: 'postgres' }, skew);
  for (const { kind, status, count, oldestSeconds, overdueSeconds } of jobs) {
    m.jobs.set({ kind, status }, count);
    if (status === 'failed') continue;
    m.jobOldest.set({ kind, status }, oldestSeconds);
    if (status === 'queued') m.jobOverdue.set({ kind }, overdueSeconds);
  }
  for (const { subject, count, credits, oldestSeconds } of reservations) {
    m.reservations.set({ subject }, count);
    m.reserved.set({ subject }, credits);
    m.reservationOldest.set({ subject }, oldestSeconds);
  }
  m.alertsLate.set(alerts.late);
  m.alertLatest.set(alerts.latestSeconds);
  m.mails.set(mails.count);
  m.mailOldest.set(mails.oldestSeconds);
  for (const { status, count, oldestSeconds } of webhooks satisfies (Backlog & { status: string })[]) {
    m.webhooks.set({ status }, count);
    m.webhookOldest.set({ status }, oldestSeconds);
  }
  if (audit) {
    m.auditDifferences.set(audit.differences);
    m.auditAt.set(audit.at);
  }
}

function writeElastic(m: Metrics, { served, blockedIndices, nodes }: ElasticStanding, skew: number | null): void {
  clear(ofElastic(m));
  m.blocked.set(blockedIndices);
  if (served) {
    m.generation.set(served.generation);
    m.committed.set(served.committedAt.getTime() / 1000);
    m.stamping.set(served.stamping ? 1 : 0);
  }
  if (nodes) m.disk.set(nodes.leastDiskAvailable);
  if (skew === null) m.skew.remove({ server: 'elasticsearch' });
  else m.skew.set({ server: 'elasticsearch' }, skew);
}
