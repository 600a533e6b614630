/** Events of a team: each is written in the transaction of what happened (src/docs/webhooks.md). */
import { newId } from '../../core/domain/ids.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { EventDeclaration } from '../feature.ts';

/** What happened to a team. */
export interface NewEvent {
  teamId: number;
  /** one of those that its feature declares */
  type: string;
  /** id of the delivery, alert, export or job that it is about */
  subjectId: string;
  /** of an alert, its delivery or an export of its matches: only the alert's members and owners of the team get it */
  alertId?: string | undefined;
}

export const EVENTS_KEPT_DAYS = 30;
const REMOVED_AT_ONCE = 5_000;

/** That endpoint `w` may get event `e`: its creator's account is open, and may see what the event is about by the rules of those who declare events. */
export function mayGet(declared: readonly EventDeclaration[]): string {
  const rules = new Set(declared.flatMap(({ seenBy }) => seenBy ?? []));
  return `exists (select from app_user u where ${['u.id = w.created_by', 'u.closed_at is null', ...rules].join(' and ')})`;
}

/**
 * Writes an event, and a message for each endpoint of the team that gets it. It is sent when `tx` commits.
 * @param tx the transaction of what happened @param declared events of the feature that records it
 */
export async function recordEvent(
  tx: Queryable,
  declared: readonly EventDeclaration[],
  { teamId, type, subjectId, alertId }: NewEvent,
): Promise<void> {
  const id = newId('msg');
  await tx.query('insert into event (id, team_id, type, subject_id, alert_id, at) values ($1, $2, $3, $4, $5, service_now())', [
    ...[id, teamId, type, subjectId, alertId ?? null],
  ]);
  // An endpoint that is deleted meanwhile must not undo what happened.
  await tx.query(
    `insert into webhook_message (webhook_id, event_id, status, next_attempt_at)
     select w.id, e.id, 'waiting', e.at from webhook w join event e on e.id = $1
     where w.team_id = e.team_id and w.status = 'active' and e.type = any (w.types) and ${mayGet(declared)} for key share of w`,
    [id],
  );
}

/** Deletes events that are kept no longer, with their messages and attempts. */
export async function removeOutlivedEvents(on: Queryable): Promise<void> {
  await on.query('delete from event where id in (select id from event where at < service_now() - make_interval(days => $1) limit $2)', [
    ...[EVENTS_KEPT_DAYS, REMOVED_AT_ONCE],
  ]);
}
