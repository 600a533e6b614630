/** Metrics of webhooks. */
import type { MetricDeclaration } from '../../core/domain/metric.ts';

/** SQL: messages to active endpoints that are not sent yet, with their events. */
const UNSENT = `webhook_message m join event e on e.id = m.event_id join webhook w on w.id = m.webhook_id
  where m.status in ('waiting', 'sending') and w.status = 'active' group by m.status`;

export const WEBHOOK_METRICS: readonly MetricDeclaration[] = [
  {
    kind: 'gauge',
    name: 'landuse_webhook_messages',
    help: 'Messages on their way to active endpoints',
    labels: ['status'],
    sql: `select m.status, count(*) as value from ${UNSENT}`,
  },
  {
    kind: 'gauge',
    name: 'landuse_webhook_oldest_seconds',
    help: 'Age of the oldest of them',
    labels: ['status'],
    sql: `select m.status, max(extract(epoch from service_now() - e.at)) as value from ${UNSENT}`,
  },
];
