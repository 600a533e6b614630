/** Alerts of every team, for operators. */

import { openMemberCountSql } from '../../core/store/postgres/membership.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import { archiveAlerts } from './archive.ts';
import { pauseAlert } from './store.ts';
import type { AlertStatus, StoredAlert } from './types.ts';

export interface WatchedAlert extends Pick<StoredAlert, 'id' | 'teamId' | 'name' | 'status' | 'createdBy' | 'nextRunAt' | 'lastRunAt'> {
  /** number of open accounts */
  members: number;
}

const WATCHED = `select a.id, a.team_id as "teamId", a.name, a.status, a.created_by as "createdBy", ${openMemberCountSql('a')} as members,
  a.next_run_at as "nextRunAt", a.last_run_at as "lastRunAt" from alert a`;

/** Alerts, newest first; archived ones only on request. @param of null for any */
export function listWatchedAlerts(
  database: Database,
  { teamId, status }: { teamId: number | null; status: AlertStatus | null },
  limit: number,
): Promise<WatchedAlert[]> {
  const sql = `${WATCHED} where ($1::integer is null or a.team_id = $1) and (a.status = $2 or $2::text is null and a.status <> 'archived')
    order by a.created_at desc, a.id desc limit $3`;
  return database.query<WatchedAlert>(sql, [teamId, status, limit]);
}

const PAUSED_BY_OPERATOR = { param: null, code: 'paused_by_operator', message: 'An operator of the service paused this alert' };

/**
 * Pauses or archives an alert; a deleted one stays deleted, and a second call has no effect.
 * @returns undefined when there is no such alert
 */
export function stopAlert(database: Database, id: string, status: 'paused' | 'archived'): Promise<WatchedAlert | undefined> {
  return database.transaction(async (tx) => {
    const [found] = await readWatchedAlert(tx, id, 'for no key update');
    if (!found) return undefined;
    if (status === 'paused' && found.status === 'active') await pauseAlert(tx, found, [PAUSED_BY_OPERATOR]);
    if (status === 'archived' && found.status !== 'archived') await archiveAlerts(tx, [id]);
    return (await readWatchedAlert(tx, id))[0];
  });
}

const readWatchedAlert = (tx: Queryable, id: string, lock = '') => tx.query<WatchedAlert>(`${WATCHED} where a.id = $1 ${lock}`, [id]);
