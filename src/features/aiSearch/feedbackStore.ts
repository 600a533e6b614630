/** Which records teams called right or wrong answers to their questions. */
import type { Database } from '../../core/store/postgres/pool.ts';

/** Days that a judgement counts. */
const KEPT_DAYS = 365;
/** Judgements of one question that its next search follows, the latest ones. */
const FOLLOWED_MAX = 10_000;

/** Judged records of a question, the last judged first. */
export interface Feedback {
  confirmed: readonly number[];
  dismissed: readonly number[];
}

/** Questions that differ only in case and spaces are the same. */
const keyOf = (query: string) => query.trim().replaceAll(/\s+/g, ' ').toLowerCase();

export class FeedbackStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What a team has said of a question. @throws ApiError `service_unavailable` */
  async read(teamId: number, query: string): Promise<Feedback> {
    const rows = await this.#database.query<{ id: number; confirmed: boolean }>(
      `select project_id::float8 as id, confirmed from ai_feedback where team_id = $1 and question = $2
         order by judged_at desc, project_id limit ${FOLLOWED_MAX}`,
      [teamId, keyOf(query)],
    );
    const idsOf = (which: boolean) => rows.flatMap(({ id, confirmed }) => (confirmed === which ? [id] : []));
    return { confirmed: idsOf(true), dismissed: idsOf(false) };
  }

  /** The last judgement of a record counts. @throws ApiError `service_unavailable` */
  async keep(teamId: number, query: string, { confirmed, dismissed }: Feedback): Promise<void> {
    const ids = [...confirmed, ...dismissed];
    await this.#database.query(
      `insert into ai_feedback (team_id, question, project_id, confirmed)
         select $1, $2, id, id = any ($4::bigint[]) from unnest($3::bigint[]) as judged (id) order by id
         on conflict (team_id, question, project_id) do update set confirmed = excluded.confirmed, judged_at = excluded.judged_at`,
      [teamId, keyOf(query), ids, confirmed],
    );
  }

  /** Those of the ids that a search found to look at, or to be related. @throws ApiError `service_unavailable` */
  async candidatesAmong(searchId: string, ids: readonly number[]): Promise<number[]> {
    const rows = await this.#database.query<{ id: number }>(
      `select one.id::float8 as id from ai_search s, unnest(s.candidates ||
           array(select (record->>'id')::bigint from jsonb_array_elements(s.related->'records') as record)) as one (id)
         where s.id = $1 and one.id = any ($2::bigint[])`,
      [searchId, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes judgements that no longer count. */
  async removeOutlived(): Promise<void> {
    await this.#database.query(`delete from ai_feedback where judged_at < service_now() - make_interval(days => ${KEPT_DAYS})`);
  }
}
