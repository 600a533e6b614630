/** Stored answers of a language model, and counts of its calls: shared by all processes, so that answers agree and budgets hold. */
import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
import type { Database } from '../../core/store/postgres/pool.ts';

/** Days without use after which an answer is deleted. */
const ANSWERS_KEPT_DAYS = 30;
/** Days of the service clock whose calls are kept. */
const CALLS_KEPT_DAYS = 7;

const TODAY = `(service_now() at time zone '${SERVICE_ZONE}')::date`;

export interface CallCeilings {
  /** calls of one subject in a day */
  subjectMax: number;
  /** calls of one team in a day */
  teamMax: number;
  /** calls of all teams in a day */
  dayMax: number;
}

/** Who a call is made for. */
export interface ModelCaller {
  /** id of the AI search or alert */
  subject: string;
  /** null if it belongs to no team */
  teamId: number | null;
  /** calls that the subject may make, if that is fewer than the ceiling of its day */
  callsMax?: number;
}

/** Whether a call was counted; if not, which budget is used up: of the team, of the search or alert, or of the day. */
type Spent = 'spent' | 'share_used_up' | 'subject_used_up' | 'used_up';

const shareOf = (teamId: number) => `team:${teamId}`;

export class ModelAnswers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param keys SHA-256 in hexadecimal @returns the answers that are known, by their keys @throws ApiError `service_unavailable` */
  async known(keys: readonly string[]): Promise<Map<string, unknown>> {
    if (!keys.length) return new Map();
    const rows = await this.#database.query<{ key: string; answer: unknown; stale: boolean }>(
      `select encode(key, 'hex') as key, answer, used_on < ${TODAY} as stale from model_answer
       where key in (select decode(hex, 'hex') from unnest($1::text[]) hex)`,
      [keys],
    );
    const stale = rows.filter((row) => row.stale).map(({ key }) => key);
    if (stale.length)
      await this.#database.query(
        `update model_answer set used_on = ${TODAY} where key in (select decode(hex, 'hex') from unnest($1::text[]) hex)`,
        [stale],
      );
    return new Map(rows.map(({ key, answer }) => [key, answer]));
  }

  /** Stores answers; if two processes asked the same, the first answer stays. @returns the stored answers */
  async keep(answers: ReadonlyMap<string, unknown>): Promise<Map<string, unknown>> {
    if (!answers.size) return new Map();
    await this.#database.query(
      `insert into model_answer (key, answer, used_on) select decode(hex, 'hex'), answer, ${TODAY}
       from unnest($1::text[], $2::jsonb[]) as news (hex, answer) order by hex on conflict do nothing`,
      [[...answers.keys()], [...answers.values()].map((answer) => JSON.stringify(answer))],
    );
    return this.known([...answers.keys()]);
  }

  /** Counts a call that is about to be made, if every budget allows it. */
  async spend({ subject, teamId, callsMax = Number.POSITIVE_INFINITY }: ModelCaller, ceilings: CallCeilings): Promise<Spent> {
    const { subjectMax, teamMax, dayMax } = ceilings;
    const [row] = await this.#database.query<{ own: boolean; share: boolean; spent: boolean }>(
      `with own as (
         insert into model_calls as c (day, subject, calls) values (${TODAY}, $1, 1)
         on conflict (day, subject) do update set calls = c.calls + 1 where c.calls < $2 returning 1
       ), share as (
         insert into model_calls as c (day, subject, calls) select ${TODAY}, $3, 1 from own where $3 <> ''
         on conflict (day, subject) do update set calls = c.calls + 1 where c.calls < $4 returning 1
       ), day as (
         insert into model_calls as c (day, subject, calls) select ${TODAY}, '', 1 from own where $3 = '' or exists (select 1 from share)
         on conflict (day, subject) do update set calls = c.calls + 1 where c.calls < $5 returning 1
       )
       select exists (select 1 from own) as own, exists (select 1 from share) as share, exists (select 1 from day) as spent`,
      [subject, Math.min(subjectMax, callsMax), teamId === null ? '' : shareOf(teamId), teamMax, dayMax],
    );
    if (row?.spent) return 'spent';
    if (teamId === null) return 'used_up';
    if (!row?.own) return 'subject_used_up';
    return row.share ? 'used_up' : 'share_used_up';
  }

  /** Deletes answers that were not used for a while, and counts of past days. */
  async removeOutlived(): Promise<void> {
    await this.#database.query(`delete from model_answer where used_on < ${TODAY} - ${ANSWERS_KEPT_DAYS}`);
    await this.#database.query(`delete from model_calls where day < ${TODAY} - ${CALLS_KEPT_DAYS}`);
  }
}
