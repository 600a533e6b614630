/** Progress of the job of an AI search: what it read, found and judged is stored batch by batch, so that no attempt repeats it. */

import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { Understanding } from './question/index.ts';
import type { Ranking } from './relevanceStore.ts';
import type { PartialReason } from './statuses.ts';
import type { ConfirmedRecord, DeliveredMatch, RelatedRecords } from './types.ts';

export interface ScreeningState {
  /** null until the question was read */
  interpretation: Understanding | null;
  /** ids of the records to look at, best first; null until they were looked for */
  candidates: number[] | null;
  /** all matches, including those beyond `candidates` */
  candidateCount: number;
  /** whether `candidates` are ordered by what the team said of earlier answers */
  byFeedback: boolean;
  /** number of `candidates` counted against the team's daily allowance */
  screened: number;
  reviewed: number;
  confirmed: number;
  cancelled: boolean;
}

interface EndedScreening {
  partialReason: PartialReason | null;
  matchCount: number;
  matchCountIsExact: boolean;
  warnings: readonly Warning[];
  related: RelatedRecords | null;
  charged: number;
  reserved: number;
  /** the delivered records by their ids */
  delivered: ReadonlyMap<number, Pick<DeliveredMatch, 'project' | 'matched' | 'delivery'>>;
}

const STATE = `
  select interpretation, candidates::float8[], coalesce(candidate_count, 0) as "candidateCount", by_feedback as "byFeedback", screened, reviewed,
    (select count(*)::integer from ai_search_match m where m.search_id = s.id) as confirmed, cancelled_at is not null as cancelled
  from ai_search s where id = $1`;

/** Days of the service clock whose counts are kept. */
const DAYS_KEPT = 7;

const TODAY = `(service_now() at time zone '${SERVICE_ZONE}')::date`;

export class ScreeningStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async state(id: string): Promise<ScreeningState> {
    const [state] = await this.#database.query<ScreeningState>(STATE, [id]);
    if (!state) throw new Error(`The search ${id} is not there`);
    return state;
  }

  /** Whether its client has cancelled it. */
  async isCancelled(id: string): Promise<boolean> {
    return (await this.#database.query('select from ai_search where id = $1 and cancelled_at is not null', [id])).length > 0;
  }

  async keepInterpretation(tx: Queryable, id: string, interpretation: Understanding): Promise<void> {
    await tx.query('update ai_search set interpretation = $2::jsonb where id = $1', [id, JSON.stringify(interpretation)]);
  }

  async keepCandidates(tx: Queryable, id: string, { ids, total, byFeedback }: Ranking & { byFeedback: boolean }): Promise<void> {
    const sql = 'update ai_search set candidates = $2::bigint[], candidate_count = $3, by_feedback = $4 where id = $1';
    await tx.query(sql, [id, ids, total, byFeedback]);
  }

  /**
   * Counts records that will be judged against the team's daily allowance. The next attempt does not count them again.
   * @returns how many may be judged
   */
  async screen(tx: Queryable, { id, teamId }: { id: string; teamId: number }, wanted: number, dailyMax: number): Promise<number> {
    await tx.query(`insert into ai_screened (team_id, day, screened) values ($1, ${TODAY}, 0) on conflict do nothing`, [teamId]);
    const [day] = await tx.query<{ screened: number }>(
      `select screened from ai_screened where team_id = $1 and day = ${TODAY} for update`,
      [teamId],
    );
    const granted = Math.max(0, Math.min(wanted, dailyMax - (day?.screened ?? 0)));
    await tx.query(`update ai_screened set screened = screened + $2 where team_id = $1 and day = ${TODAY}`, [teamId, granted]);
    await tx.query('update ai_search set screened = screened + $2 where id = $1', [id, granted]);
    return granted;
  }

  /** @param reviewed records judged so far, including this batch @param confirmed records of this batch, best first */
  async keepReviewed(tx: Queryable, id: string, reviewed: number, confirmed: readonly ConfirmedRecord[]): Promise<void> {
    await tx.query('update ai_search set reviewed = $2 where id = $1', [id, reviewed]);
    const findings = confirmed.map(({ projectId: _, revision: __, ...finding }) => JSON.stringify(finding));
    await tx.query(
      `insert into ai_search_match (search_id, place, project_id, revision, finding)
       select $1, coalesce((select max(place) from ai_search_match where search_id = $1), 0) + n, project_id, revision, finding
       from unnest($2::bigint[], $3::text[], $4::jsonb[]) with ordinality as news (project_id, revision, finding, n)`,
      [id, confirmed.map(({ projectId }) => projectId), confirmed.map(({ revision }) => revision), findings],
    );
  }

  /** Confirmed records in their order, best first. */
  async confirmed(id: string, { offset, limit }: { offset: number; limit: number }): Promise<ConfirmedRecord[]> {
    const rows = await this.#database.query<{ match: ConfirmedRecord }>(
      `select finding || jsonb_build_object('projectId', project_id, 'revision', revision) as match
       from ai_search_match where search_id = $1 order by place offset $2 limit $3`,
      [id, offset, limit],
    );
    return rows.map(({ match }) => match);
  }

  /** Replaces records that were judged again: those still confirmed keep their place, the others are deleted. */
  async replaceConfirmed(tx: Queryable, id: string, judged: readonly { projectId: number; now: ConfirmedRecord | null }[]): Promise<void> {
    for (const { projectId, now } of judged) {
      if (!now) await tx.query('delete from ai_search_match where search_id = $1 and project_id = $2', [id, projectId]);
      else {
        const { projectId: _, revision, ...finding } = now;
        await tx.query('update ai_search_match set revision = $3, finding = $4::jsonb where search_id = $1 and project_id = $2', [
          ...[id, projectId, revision, JSON.stringify(finding)],
        ]);
      }
    }
  }

  /** Stores what the answer shows, in the transaction that ends the search. */
  async end(tx: Queryable, id: string, ended: EndedScreening): Promise<void> {
    const { delivered, charged, reserved } = ended;
    await tx.query(
      `update ai_search_match m set delivered = news.delivered
       from unnest($2::bigint[], $3::json[]) as news (project_id, delivered) where m.search_id = $1 and m.project_id = news.project_id`,
      [id, [...delivered.keys()], [...delivered.values()].map((one) => JSON.stringify(one))],
    );
    await tx.query(
      `update ai_search set partial_reason = $2, match_count = $3, match_count_is_exact = $4, warnings = $5::jsonb, credits_charged = $6,
         credits_refunded = $7, related = $8::jsonb, contact_credits_charged = coalesce(contact_credits_charged, 0) where id = $1`,
      [
        ...[id, ended.partialReason, ended.matchCount, ended.matchCountIsExact, JSON.stringify(ended.warnings)],
        ...[charged, Math.max(reserved - charged, 0), ended.related && JSON.stringify(ended.related)],
      ],
    );
  }

  async keepContactCredits(tx: Queryable, id: string, charged: number): Promise<void> {
    await tx.query('update ai_search set contact_credits_charged = $2 where id = $1', [id, charged]);
  }

  /** Deletes counts of past days. */
  async removeOutlived(): Promise<void> {
    await this.#database.query(`delete from ai_screened where day < ${TODAY} - ${DAYS_KEPT}`);
  }
}
