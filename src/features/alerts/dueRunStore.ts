/** Due runs: each is taken once, and the digests of a team's runs that were due at the same time are sent when all have ended. */
import type { NewJob } from '../../core/jobs/store.ts';
import { lockInDatabase } from '../../core/store/postgres/locks.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { findHearingDays, findNextRun } from './cadence.ts';
import { DELIVERY } from './runStore.ts';
import type { DigestEntry, DuePayload } from './runTypes.ts';
import type { HeardRecords, StoredAlert, StoredDelivery } from './types.ts';

const DUE_AT_ONCE = 500;

/**
 * Takes the runs that are due, and moves their alerts to the next time: after an outage, one run catches up. The next time is a column of
 * the alert, where clients read it, and a change of cadence or status updates it in the same row.
 */
export async function takeDueRuns(tx: Queryable): Promise<NewJob<DuePayload>[]> {
  const due = await tx.query<Pick<StoredAlert, 'id' | 'teamId' | 'cadence'> & { dueAt: Date; now: Date }>(
    `select id, team_id as "teamId", cadence, next_run_at as "dueAt", service_now() as now from alert
     where status = 'active' and next_run_at <= service_now() order by next_run_at limit $1 for update skip locked`,
    [DUE_AT_ONCE],
  );
  const jobs: NewJob<DuePayload>[] = [];
  for (const { id, teamId, cadence, dueAt, now } of due) {
    await tx.query('update alert set next_run_at = $2 where id = $1', [id, findNextRun(cadence, now)]);
    const [row] = await tx.query(
      'insert into alert_due (alert_id, due_at, team_id) values ($1, $2, $3) on conflict do nothing returning alert_id',
      [id, dueAt, teamId],
    );
    const hearings = findHearingDays(cadence, dueAt, now);
    if (row) jobs.push({ payload: { alertId: id, dueAt: dueAt.toISOString(), ...(hearings ? { hearings } : {}) }, teamId });
  }
  return jobs;
}

/** Stores how many records a due run announces; it stays, however often the run is resumed. @returns what is stored */
export async function storeHeardCount(tx: Queryable, { alertId, dueAt }: DuePayload, heard: HeardRecords): Promise<HeardRecords> {
  const [row] = await tx.query<{ heard: HeardRecords }>(
    'update alert_due set heard = coalesce(heard, $3::jsonb) where alert_id = $1 and due_at = $2 returning heard',
    [alertId, dueAt, JSON.stringify(heard)],
  );
  return row?.heard ?? heard;
}

type DueDelivery = StoredDelivery & { digest: DigestEntry[]; heard: HeardRecords | null };

/**
 * Ends a due run.
 * @returns the deliveries of all the team's runs that were due at the same time, if this is the last to end, so that their digests are
 * sent; null otherwise
 */
export async function endDueRun(tx: Queryable, { alertId, dueAt }: DuePayload): Promise<DueDelivery[] | null> {
  const [due] = await tx.query<{ teamId: number }>('select team_id as "teamId" from alert_due where alert_id = $1 and due_at = $2', [
    alertId,
    dueAt,
  ]);
  if (!due) return null;
  await lockInDatabase(tx, `digest ${due.teamId} ${dueAt}`);
  await tx.query('update alert_due set ended = true where alert_id = $1 and due_at = $2', [alertId, dueAt]);
  const [left] = await tx.query('select from alert_due where team_id = $1 and due_at = $2 and not ended limit 1', [due.teamId, dueAt]);
  if (left) return null;
  return tx.query(
    `with ready as (
       select d.id, d.digest, u.heard from alert_delivery d join alert_due u on u.alert_id = d.alert_id and u.due_at = d.due_at
       where u.team_id = $1 and u.due_at = $2 and d.digest is not null for update of d
     ), sent as (update alert_delivery d set digest = null from ready where d.id = ready.id returning ${DELIVERY}, ready.digest, ready.heard)
     select * from sent order by "startedAt", id`,
    [due.teamId, dueAt],
  );
}
