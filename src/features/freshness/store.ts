/** The freshness of bodies in Postgres: the result of the last check, the changes before it, and when the next check is due. */

import { type Scope, scopeOf } from '../../core/domain/principal.ts';
import { LICENCE_COLUMNS, makeLicence, planOf } from '../../core/identity/accounts.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { KnownBody, LearnedBody, LoadReadings, RecordedChange, SentChange } from './types.ts';

/** A body that fewer records name is not shown, as in analytics. */
export const BODY_RECORDS_MIN = 5;
/** Most bodies in one answer. */
export const BODIES_MAX = 10_000;

const COLUMNS = `body_key as "bodyKey", state_id as "stateId", county_id as "countyId", city_id::float8 as "cityId", body,
  record_count as "recordCount", cadence_days as "cadenceDays", weekdays, usual_pause_days as "usualPauseDays",
  last_meeting_date::text as "lastMeetingDate", expected_by::text as "expectedBy", missed, stale_since::text as "staleSince",
  last_extracted_at as "lastExtractedAt"`;

const CHANGES_KEPT_DAYS = 365;

/** Filters of a list of bodies; an absent one does not restrict it. */
export interface BodyFilter {
  states?: readonly number[] | undefined;
  counties?: readonly number[] | undefined;
  cities?: readonly number[] | undefined;
  decisionBodies?: readonly string[] | undefined;
}

export class FreshnessStore {
  readonly #database: Database;
  readonly #prefix: string;

  /** @param prefix of the indices */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
  }

  /**
   * Bodies within a licence that at least `BODY_RECORDS_MIN` records name, by place.
   * @returns at most `BODIES_MAX + 1`, so that the caller sees whether there are too many
   * @throws ApiError `service_unavailable`
   */
  list(scope: Scope, { states, counties, cities, decisionBodies }: BodyFilter = {}): Promise<KnownBody[]> {
    return this.#database.query<KnownBody>(
      `select ${COLUMNS} from body_freshness
       where index_prefix = $1 and record_count >= $2
         and ($3::integer[] is null or state_id = any ($3) or county_id = any ($4::integer[]))
         and ($5::integer[] is null or state_id = any ($5)) and ($6::integer[] is null or county_id = any ($6))
         and ($7::bigint[] is null or city_id = any ($7)) and ($8::text[] is null or body = any ($8))
       order by state_id, county_id nulls first, city_id nulls first, body limit ${BODIES_MAX + 1}`,
      [
        this.#prefix,
        BODY_RECORDS_MIN,
        scope && [...scope.stateIds],
        scope && [...scope.countyIds],
        states ?? null,
        counties ?? null,
        cities ?? null,
        decisionBodies ?? null,
      ],
    );
  }

  /** Every body as the last check found it, whatever its number of records. Locks out other checks until `tx` ends. */
  async lockAll(tx: Queryable): Promise<Map<string, LearnedBody>> {
    await tx.query('select from freshness_check where index_prefix = $1 for update', [this.#prefix]);
    const rows = await tx.query<LearnedBody>(`select ${COLUMNS}, learned from body_freshness where index_prefix = $1`, [this.#prefix]);
    return new Map(rows.map((row) => [row.bodyKey, row]));
  }

  /** The teams that were sent the event of each body whose newest change is that it fell silent, by key. */
  async listSilentTeams(tx: Queryable): Promise<Map<string, number[]>> {
    const rows = await tx.query<{ bodyKey: string; type: string; teamIds: number[] }>(
      `select distinct on (body_key) body_key as "bodyKey", type, team_ids as "teamIds" from body_change
       where index_prefix = $1 order by body_key, id desc`,
      [this.#prefix],
    );
    return new Map(rows.flatMap(({ bodyKey, type, teamIds }) => (type === 'coverage.stale' ? [[bodyKey, teamIds]] : [])));
  }

  /**
   * Each load: its lines were extracted when its file says, else when they were first served. A rollback and a rebuild read nothing: what they
   * wrote was extracted by then with the newest load of its generation.
   */
  async readLoads(): Promise<LoadReadings> {
    const rows = await this.#database.query<{ commit: string; at: Date; isReading: boolean }>(
      `select c.commit, coalesce(c.extracted_at, r.extracted_at, c.served_at) as at, c.kind not in ('switch', 'rebuild') as "isReading"
       from index_commit c join index_lineage l on l.id = c.lineage_id
       left join lateral (select max(extracted_at) as extracted_at from index_commit b
         where b.lineage_id = c.lineage_id and b.generation = c.generation and b.commit < c.commit) r on c.kind in ('switch', 'rebuild')
       where l.index_prefix = $1 and coalesce(c.extracted_at, c.served_at) is not null`,
      [this.#prefix],
    );
    return new Map(rows.map(({ commit, ...load }) => [Number(commit), load]));
  }

  /** Replaces the stored bodies, and records the changes. */
  async replace(tx: Queryable, bodies: readonly LearnedBody[], changes: readonly SentChange[]): Promise<void> {
    await tx.query('delete from body_freshness where index_prefix = $1', [this.#prefix]);
    await tx.query(
      `insert into body_freshness (index_prefix, body_key, state_id, county_id, city_id, body, record_count, cadence_days, weekdays, usual_pause_days,
         last_meeting_date, expected_by, missed, stale_since, last_extracted_at, learned)
       select $1, "bodyKey", "stateId", "countyId", "cityId", body, "recordCount", "cadenceDays", weekdays, "usualPauseDays",
         "lastMeetingDate", "expectedBy", missed, "staleSince", "lastExtractedAt", learned
       from jsonb_to_recordset($2::jsonb) as b ("bodyKey" text, "stateId" integer, "countyId" integer, "cityId" bigint, body text,
         "recordCount" integer, "cadenceDays" double precision, weekdays integer[], "usualPauseDays" integer, "lastMeetingDate" date,
         "expectedBy" date, missed integer, "staleSince" date, "lastExtractedAt" timestamptz, learned jsonb)`,
      [this.#prefix, JSON.stringify(bodies)],
    );
    await tx.query(
      `insert into body_change (index_prefix, body_key, type, expected_by, missed, team_ids, at)
       select $1, "bodyKey", type, "expectedBy", missed, "teamIds", service_now()
       from jsonb_to_recordset($2::jsonb) as c ("bodyKey" text, type text, "expectedBy" date, missed integer, "teamIds" integer[])`,
      [this.#prefix, JSON.stringify(changes)],
    );
    await tx.query('delete from body_change where index_prefix = $1 and at < service_now() - make_interval(days => $2)', [
      this.#prefix,
      CHANGES_KEPT_DAYS,
    ]);
  }

  /** The newest changes of bodies that at least `BODY_RECORDS_MIN` records name. @throws ApiError `service_unavailable` */
  async listNewestChanges(limit: number): Promise<RecordedChange[]> {
    const rows = await this.#database.query<Omit<RecordedChange, 'id'> & { id: string }>(
      `select c.id, c.body_key as "bodyKey", c.type, c.expected_by::text as "expectedBy", c.missed, c.at
       from body_change c join body_freshness b using (index_prefix, body_key)
       where index_prefix = $1 and b.record_count >= $2 order by c.id desc limit $3`,
      [this.#prefix, BODY_RECORDS_MIN, limit],
    );
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /**
   * Records in `tx` that a check of the newest release is queued on a day.
   * @returns false if that is recorded already, or nothing has been released
   */
  async takeCheck(tx: Queryable, today: string): Promise<boolean> {
    const rows = await tx.query(
      `insert into freshness_check as known (index_prefix, day, release)
       select $1, $2::date, max(r.commit) from release r join index_lineage l on l.id = r.lineage_id where l.index_prefix = $1
       having max(r.commit) is not null
       on conflict (index_prefix) do update set day = excluded.day, release = excluded.release
         where known.day < excluded.day or known.release <> excluded.release
       returning 1`,
      [this.#prefix, today],
    );
    return rows.length > 0;
  }

  /** The licensed places of each active team. */
  async listTeamScopes(tx: Queryable): Promise<{ id: number; scope: Scope }[]> {
    const teams = await tx.query<{ id: number; plan: string; state_ids: number[]; county_ids: number[] }>(
      `select t.id, t.plan, ${LICENCE_COLUMNS} from team t where t.status = 'active' and t.closed_at is null order by t.id`,
    );
    return teams.map((team) => ({ id: team.id, scope: scopeOf({ licence: makeLicence(planOf(team.plan), team) }) }));
  }
}
