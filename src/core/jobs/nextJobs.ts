/**
 * Which job starts next. Teams take turns, so that one with a long queue does not delay the others: the next job belongs to the team with the
 * fewest running jobs of the kind; among these, to the team whose last job started earliest; within a team, the job that waits longest is next.
 */

import { ApiError } from '../domain/errors.ts';
import { lockInSchema } from '../store/postgres/locks.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/** Most queued jobs of a kind that a team may have (TEAM_JOBS_WAITING). */
export const JOBS_WAITING_MAX = 10;
/** Roughly the duration of a job. */
const RETRY_AFTER_SECONDS = 5;

/** Room for jobs of one kind in one process. */
export interface Room {
  /** for jobs of any team */
  places: number;
  /** in addition, for jobs of teams that have none running */
  spare: number;
}

const TEAM = 'coalesce(team_id, 0)';
const WAITING = `kind = $1 and status = 'queued'`;

/** SQL: walks the index from team to team, so that it reads no more of a long queue than there is room for. */
const NEXT = `
  with recursive team as (
    (select ${TEAM} as id from job where ${WAITING} order by 1 limit 1)
    union all
    select (select ${TEAM} from job where ${WAITING} and ${TEAM} > team.id order by 1 limit 1) from team where team.id is not null
  ), busy as (
    select ${TEAM} as id, count(*) as running from job where kind = $1 and status = 'running' group by 1
  ), candidate as (
    select due.id, due.run_after, coalesce(busy.running, 0) + row_number() over (partition by team.id order by due.run_after, due.id) - 1 as ahead,
      (select max(started_at) from job where kind = $1 and ${TEAM} = team.id and started_at is not null) as begun_last
    from team left join busy using (id), lateral (
      select id, run_after from job where ${WAITING} and ${TEAM} = team.id and run_after <= statement_timestamp()
      order by run_after, id limit $2::integer + $3::integer
    ) due
  ), turn as (
    select id, ahead, row_number() over (order by ahead, begun_last nulls first, run_after, id) as place from candidate
  )
  select id from job where id in (select id from turn where place <= $2 or (ahead = 0 and place <= $2 + $3)) and status = 'queued'
  for update skip locked`;

/** Locks the jobs of a kind that `tx` is to start. Other transactions wait for its end, so that they see whose turn it was. */
export async function lockNextJobs(tx: Queryable, kind: string, { places, spare }: Room): Promise<string[]> {
  await lockInSchema(tx, `turns of ${kind} in `);
  const rows = await tx.query<{ id: string }>(NEXT, [kind, places, spare]);
  return rows.map(({ id }) => id);
}

/** Refuses to queue another job of a kind for a team that has `limit` queued ones. Locks out other such requests of the team until `tx` ends. @throws ApiError `rate_limit_exceeded` */
export async function refuseWhenQueueFull(tx: Queryable, kind: string, teamId: number, limit: number): Promise<void> {
  await lockInSchema(tx, `waiting ${kind} of ${teamId} in `);
  const [counted] = await tx.query<{ waiting: number }>(`select count(*)::integer as waiting from job where ${WAITING} and ${TEAM} = $2`, [
    kind,
    teamId,
  ]);
  const waiting = counted?.waiting ?? 0;
  if (waiting < limit) return;
  const message = `${waiting} jobs of this kind are waiting, as many as a team may have; nothing was queued or reserved. Repeat it when one has begun.`;
  throw new ApiError('rate_limit_exceeded', message, {
    details: { limit, waiting },
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
