/** What becomes of a team's things when it is closed (src/docs/operate.md). */

import type { Queryable } from '../store/postgres/pool.ts';
import { archiveAlerts } from './archiveAlerts.ts';

/** How many of each were stopped now; those that had stopped before are not counted. */
export interface Stopped {
  keys: number;
  users: number;
  alerts: number;
  feeds: number;
  webhooks: number;
  exports: number;
  /** waiting and running; what they had reserved goes back when a worker ends them */
  jobs: number;
}

/**
 * Each is one statement on the team's rows. Keys are revoked, users closed, endpoints disabled with what waits for them, feeds forgotten; files of
 * exports expire, and the deadline of every job passes.
 */
const STOPS: Record<Exclude<keyof Stopped, 'alerts'>, string> = {
  keys: 'update api_key set revoked_at = now() where team_id = $1 and revoked_at is null',
  users: 'update app_user set closed_at = now() where team_id = $1 and closed_at is null',
  feeds: 'delete from alert_feed f using alert a where a.id = f.alert_id and a.team_id = $1',
  webhooks: `with dropped as (
      update webhook_message m set status = 'failed', next_attempt_at = null from webhook w
      where w.id = m.webhook_id and w.team_id = $1 and m.status = 'waiting'
    ) update webhook set status = 'disabled' where team_id = $1 and status <> 'disabled'`,
  exports: 'update export set expires_at = service_now() where team_id = $1 and file_name is not null and expires_at > service_now()',
  jobs: `update job set deadline = least(deadline, clock_timestamp()) where team_id = $1 and settled_at is null
    and (deadline is null or deadline > clock_timestamp())`,
};

/** Closes a team; a second time only what came since. @param tx a transaction @returns undefined where there is no such team */
export async function closeTeam(tx: Queryable, teamId: number): Promise<Stopped | undefined> {
  const sql = `update team set status = 'disabled', closed_at = coalesce(closed_at, now()) where id = $1 returning id`;
  if (!(await tx.query(sql, [teamId])).length) return undefined;
  const counted: [string, number][] = [['alerts', await stopAlerts(tx, teamId)]];
  for (const [what, stop] of Object.entries(STOPS)) counted.push([what, (await tx.query(`${stop} returning 1`, [teamId])).length]);
  return Object.fromEntries(counted) as unknown as Stopped;
}

async function stopAlerts(tx: Queryable, teamId: number): Promise<number> {
  const sql = `select id from alert where team_id = $1 and status <> 'archived' order by id for no key update`;
  const alerts = await tx.query<{ id: string }>(sql, [teamId]);
  await archiveAlerts(
    tx,
    alerts.map(({ id }) => id),
  );
  return alerts.length;
}
