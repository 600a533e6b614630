/** Ends and pauses alerts, on behalf of their members, of an operator, or when their team is closed. */
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { removeCompanionLists } from '../lists/index.ts';
import { recordEvent } from '../webhooks/index.ts';
import { ALERT_EVENTS } from './events.ts';

/** Archives alerts and deletes their lists, which nothing else deletes. Both can be restored for some days. */
export async function archiveAlerts(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update alert set status = 'archived', next_run_at = null, updated_at = service_now(), archived_at = service_now(), archived_from = status
     where id = any ($1) and status <> 'archived'`,
    [ids],
  );
  await removeCompanionLists(tx, ids);
}

/** Records the event that an active alert is paused, in the same transaction. */
export const recordPaused = (tx: Queryable, { id, teamId }: { id: string; teamId: number }): Promise<void> =>
  recordEvent(tx, ALERT_EVENTS, { teamId, type: 'alert.paused', subjectId: id, alertId: id });
