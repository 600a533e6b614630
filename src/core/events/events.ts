/** Events of a team, for webhooks: each is written in the transaction of what happened (src/docs/webhooks.md). */
import { newId } from '../domain/ids.ts';
import { maySeeExport, memberOf } from '../store/postgres/membership.ts';
import type { Queryable } from '../store/postgres/pool.ts';

/** A type of event, declared by the feature that records it: the schema of webhooks and what is sent follow. */
export interface EventDeclaration {
  type: string;
  /** its place in the published list of types, whose order stays; one without a place follows those */
  place?: number;
  /** What is sent: ids, and the address that has the rest; nothing of a record is ever in it. @param apiUrl root of the API, without a trailing slash */
  data(event: { id: string; alertId: string | null }, apiUrl: string): Record<string, string>;
}

/** What happened to a team. */
export interface NewEvent {
  teamId: number;
  /** one that a feature declares */
  type: string;
  /** id of the delivery, alert, export or job that it is about */
  subjectId: string;
  /** of an alert, its delivery or an export of its matches: only the alert's members and owners of the team get it */
  alertId?: string | undefined;
}

export const EVENTS_KEPT_DAYS = 30;
const REMOVED_AT_ONCE = 5_000;

/** That user `u` may see the export that event `e` is about, if it is about one. */
const SEES_EXPORT = `not exists (
  select from export x join job j on j.id = x.id where x.id = e.subject_id and not ${maySeeExport('u.id')})`;

/**
 * That endpoint `w` may get event `e`: its creator's account is open, and a member of the alert that the event is of, or an owner of the team;
 * of an export, one who may see it.
 */
export const MAY_GET = `exists (
  select from app_user u left join alert a on a.id = e.alert_id
  where u.id = w.created_by and u.closed_at is null and (e.alert_id is null or u.role = 'owner' or ${memberOf('u.id')}) and ${SEES_EXPORT})`;

/**
 * Writes an event, and a message for each endpoint of the team that gets it. It is sent when `tx` commits.
 * @param tx the transaction of what happened
 */
export async function recordEvent(tx: Queryable, { teamId, type, subjectId, alertId }: NewEvent): Promise<void> {
  const id = newId('msg');
  await tx.query('insert into event (id, team_id, type, subject_id, alert_id, at) values ($1, $2, $3, $4, $5, service_now())', [
    ...[id, teamId, type, subjectId, alertId ?? null],
  ]);
  // An endpoint that is deleted meanwhile must not undo what happened.
  await tx.query(
    `insert into webhook_message (webhook_id, event_id, status, next_attempt_at)
     select w.id, e.id, 'waiting', e.at from webhook w join event e on e.id = $1
     where w.team_id = e.team_id and w.status = 'active' and e.type = any (w.types) and ${MAY_GET} for key share of w`,
    [id],
  );
}

/** Writes the event of an active alert that is paused, in the transaction that does it. */
export const recordPaused = (tx: Queryable, { id, teamId }: { id: string; teamId: number }): Promise<void> =>
  recordEvent(tx, { teamId, type: 'alert.paused', subjectId: id, alertId: id });

/** Deletes events that are kept no longer, with their messages and attempts. */
export async function removeOutlivedEvents(on: Queryable): Promise<void> {
  await on.query('delete from event where id in (select id from event where at < service_now() - make_interval(days => $1) limit $2)', [
    ...[EVENTS_KEPT_DAYS, REMOVED_AT_ONCE],
  ]);
}
