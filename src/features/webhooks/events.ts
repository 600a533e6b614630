/** Events of a team, each recorded in the transaction that causes it (src/docs/webhooks.md). */
import { newId } from '../../core/domain/ids.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { EventDeclaration } from '../feature.ts';

export interface NewEvent {
  teamId: number;
  /** a type that its feature declares */
  type: string;
  /** id of the delivery, alert, export or job concerned */
  subjectId: string;
  /** alert concerned, also for its deliveries and for exports of its matches: only its members and owners of the team get the event */
  alertId?: string | undefined;
  /** what the message says besides, where its declaration takes it; never content of a record */
  details?: object | undefined;
}

export const EVENTS_KEPT_DAYS = 30;

/**
 * SQL: whether a user may see event `e`: the account is open, and the declaring features' rules allow it.
 * @param user an SQL expression
 */
export function maySeeEvent(declared: readonly EventDeclaration[], user: string): string {
  const rules = new Set(declared.flatMap(({ seenBy }) => seenBy ?? []));
  return `exists (select from app_user u where ${[`u.id = ${user}`, 'u.closed_at is null', ...rules].join(' and ')})`;
}

/** SQL: whether endpoint `w` may get event `e`, which depends on its creator. */
export const mayReceive = (declared: readonly EventDeclaration[]): string => maySeeEvent(declared, 'w.created_by');

/**
 * Records an event, and a message for each endpoint of the team that gets it. It is sent when `tx` commits.
 * @param tx the transaction that causes the event
 * @param declared events of the feature that records it
 */
export const recordEvent = (tx: Queryable, declared: readonly EventDeclaration[], event: NewEvent): Promise<void> =>
  recordEvents(tx, declared, [event]);

/** The same of several events. */
export async function recordEvents(tx: Queryable, declared: readonly EventDeclaration[], events: readonly NewEvent[]): Promise<void> {
  const ids = events.map(() => newId('msg'));
  await tx.query(
    `insert into event (id, team_id, type, subject_id, alert_id, details, at)
     select id, team_id, type, subject_id, alert_id, details, service_now()
     from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::jsonb[])
       as new (id, team_id, type, subject_id, alert_id, details)`,
    [
      ids,
      events.map(({ teamId }) => teamId),
      events.map(({ type }) => type),
      events.map(({ subjectId }) => subjectId),
      events.map(({ alertId }) => alertId ?? null),
      events.map(({ details }) => (details ? JSON.stringify(details) : null)),
    ],
  );
  // An endpoint that is deleted meanwhile must not fail this transaction.
  await tx.query(
    `insert into webhook_message (webhook_id, event_id, status, next_attempt_at)
     select w.id, e.id, 'waiting', e.at from webhook w join event e on e.id = any ($1::text[])
     where w.team_id = e.team_id and w.status = 'active' and e.type = any (w.types) and ${mayReceive(declared)} for key share of w`,
    [ids],
  );
}
