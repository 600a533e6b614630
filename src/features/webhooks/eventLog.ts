/** The events of a team in an order that readers can follow by cursor: stable and without gaps, however late a transaction commits. */
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { EventDeclaration } from '../feature.ts';
import { EVENTS_KEPT_DAYS, maySeeEvent } from './events.ts';
import type { StoredEvent } from './types.ts';

const PLACED_AT_ONCE = 1_000;
const REMOVED_AT_ONCE = 5_000;

/** SQL: events of team $1 that have no position yet, of the last $3 days. */
const UNPLACED = 'team_id = $1 and position is null and at >= service_now() - make_interval(days => $3)';

/** The position of a reader: after the event with this position. */
export interface LogCursor {
  position: number;
  /** id of that event, which distinguishes a log restored from a backup; null before the first event */
  eventId: string | null;
}

export interface LogPage {
  events: StoredEvent[];
  cursor: LogCursor;
  hasMore: boolean;
}

export interface LogReader {
  teamId: number;
  userId: number;
}

/** The log as a statement saw it, and one of its events, whose columns are null when there is none. */
interface LogRow extends Omit<StoredEvent, 'id'> {
  last: string;
  removed: string;
  atLast: string | null;
  atCursor: string | null;
  hasUnplaced: boolean;
  id: string | null;
  position: string;
}

export class EventLog {
  readonly #database: Database;
  readonly #events: readonly EventDeclaration[];

  /** @param events all that features declare */
  constructor(database: Database, events: readonly EventDeclaration[]) {
    this.#database = database;
    this.#events = events;
  }

  /**
   * Events that the reader may see, in order of commit.
   * @param after null for the oldest stored event
   * @param types of events; null for all
   * @returns undefined when events after the cursor were deleted, or the cursor belongs to another log
   * @throws ApiError `service_unavailable`
   */
  read(reader: LogReader, after: LogCursor | null, types: readonly string[] | null, limit: number): Promise<LogPage | undefined> {
    return this.#read(reader, after, types, limit);
  }

  async #read(reader: LogReader, after: LogCursor | null, types: readonly string[] | null, limit: number) {
    const look = () => this.#look(reader, after, types, limit + 1);
    let rows = await look();
    if (rows[0]?.hasUnplaced !== false) {
      await this.#assignPositions(reader.teamId);
      rows = await look();
    }
    const [log] = rows;
    if (!log) throw new Error('A log of events has no row after it was made');
    if (after && !isOf(log, after)) return undefined;
    const found = rows.flatMap(({ id, ...event }) => (id === null ? [] : { ...event, id }));
    const events = found.slice(0, limit);
    const end = found.length > limit ? events.at(-1) : undefined;
    const cursor = end ? { position: Number(end.position), eventId: end.id } : { position: Number(log.last), eventId: log.atLast };
    return { events, cursor, hasMore: end !== undefined || log.hasUnplaced };
  }

  /** Reads log and events in one statement, so that both are of the same moment. No row when the team's events were never read. */
  #look({ teamId, userId }: LogReader, after: LogCursor | null, types: readonly string[] | null, limit: number): Promise<LogRow[]> {
    return this.#database.query<LogRow>(
      `select l.last_position as last, l.removed_position as removed,
         (select o.id from event o where o.team_id = $1 and o.position = l.last_position) as "atLast",
         (select o.id from event o where o.team_id = $1 and o.position = $2) as "atCursor",
         exists (select from event where ${UNPLACED}) as "hasUnplaced",
         found.id, found.type, found.subject_id as "subjectId", found.alert_id as "alertId", found.details, found.at, found.position
       from event_log l left join lateral (
         select e.* from event e
         where e.team_id = $1 and e.position > $2 and ($4::text[] is null or e.type = any ($4)) and ${maySeeEvent(this.#events, '$5')}
           and (e.webhook_id is null or exists (select from webhook w join app_user u on u.id = $5
             where w.id = e.webhook_id and (w.created_by = u.id or u.role = 'owner')))
         order by e.position limit $6
       ) found on true where l.team_id = $1 order by found.position`,
      [teamId, after?.position ?? 0, EVENTS_KEPT_DAYS, types, userId, limit],
    );
  }

  /**
   * Assigns positions to committed events that have none, in one transaction of a team at a time, so that positions become visible in
   * order.
   */
  #assignPositions(teamId: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      // A log that was lost continues after the positions of its events.
      await tx.query(
        `insert into event_log (team_id, last_position)
         select $1, coalesce(max(position), 0) from event where team_id = $1 on conflict do nothing`,
        [teamId],
      );
      await tx.query('select from event_log where team_id = $1 for update', [teamId]);
      // Deletion locks events before the log, so this must not wait for locks.
      await tx.query(
        `with chosen as (
           select id, at, entry from event where ${UNPLACED} order by at, entry limit $2 for no key update skip locked
         ), numbered as (
           select id, row_number() over (order by at, entry) as n from chosen
         ), placed as (
           update event e set position = l.last_position + n from numbered, event_log l where e.id = numbered.id and l.team_id = $1
         )
         update event_log set last_position = last_position + (select count(*) from numbered) where team_id = $1`,
        [teamId, PLACED_AT_ONCE, EVENTS_KEPT_DAYS],
      );
    });
  }
}

/** Whether no event after the cursor was deleted, and the cursor belongs to this log. */
const isOf = ({ last, removed, atCursor }: LogRow, { position, eventId }: LogCursor): boolean =>
  position >= Number(removed) && position <= Number(last) && (position === Number(removed) || atCursor === eventId);

/** Deletes expired events with their messages and attempts, and records in the logs up to where. */
export async function removeOutlivedEvents(on: Queryable): Promise<void> {
  await on.query(
    `with gone as (
       delete from event where id in (
         select id from event where at < service_now() - make_interval(days => $1) order by at limit $2 for update skip locked)
       returning team_id, position
     ), noted as (
       select team_id, max(position) as placed, count(*) filter (where position is null) as unread from gone group by team_id
     )
     update event_log l set last_position = l.last_position + n.unread,
       removed_position = case when n.unread > 0 then l.last_position + n.unread else greatest(l.removed_position, n.placed) end
     from noted n where n.team_id = l.team_id`,
    [EVENTS_KEPT_DAYS, REMOVED_AT_ONCE],
  );
}
