/** How alerts end or are paused: by their members, by an operator, or with their team. */
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { removeCompanionLists } from '../lists/index.ts';
import { recordEvent } from '../webhooks/index.ts';
import { ALERT_EVENTS } from './events.ts';

/** Also removes their lists, which nothing else does. */
export async function archiveAlerts(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(`update alert set status = 'archived', next_run_at = null, updated_at = service_now() where id = any ($1)`, [ids]);
  await removeCompanionLists(tx, ids);
}

/** Writes the event of an active alert that is paused, in the transaction that does it. */
export const recordPaused = (tx: Queryable, { id, teamId }: { id: string; teamId: number }): Promise<void> =>
  recordEvent(tx, ALERT_EVENTS, { teamId, type: 'alert.paused', subjectId: id, alertId: id });
