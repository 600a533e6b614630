/** Briefs that are kept: of a team, for 30 days, as they were answered. */
import { newId } from '../../core/domain/ids.ts';
import { readPage } from '../../core/store/postgres/pages.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import type { BriefContent, StoredBrief } from './types.ts';

export const BRIEFS_KEPT_DAYS = 30;
/** Outlived briefs deleted by each new one: more than it adds, so that they never accumulate. */
const PURGED_AT_ONCE = 20;

const KEPT = 'team_id = $1 and expires_at > service_now()';
const ENTRY = `id, content - 'sections' - 'precedents' as content, created_at as "createdAt", expires_at as "expiresAt", credits_used as "creditsUsed"`;

interface Row<Content> extends Pick<StoredBrief, 'id' | 'createdAt' | 'expiresAt' | 'creditsUsed'> {
  content: Content;
}
/** A brief without its statements and precedents. */
export type BriefEntry = Omit<StoredBrief, 'sections' | 'precedents'>;

export const makeBriefId = () => newId('brf');

export class BriefStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Does what charges for a brief, and keeps the brief with it or neither.
   * @param charge answers what was charged; undefined if it was refused, and nothing is kept
   * @param kept called with the kept brief before the commit
   * @throws ApiError `service_unavailable`
   */
  keepWith<T>(
    { id, teamId, userId, content }: { id: string; teamId: number; userId: number; content: BriefContent },
    charge: (tx: Queryable) => Promise<{ outcome: T; creditsUsed: number | undefined }>,
    kept: (brief: StoredBrief) => void,
  ): Promise<T> {
    return this.#database.transaction(async (tx) => {
      const { outcome, creditsUsed } = await charge(tx);
      if (creditsUsed === undefined) return outcome;
      // A delivery of what the pool holds unchanged does not wait for the disk; a brief does.
      await tx.query("select set_config('synchronous_commit', 'on', true)");
      const [times] = await tx.query<Pick<StoredBrief, 'createdAt' | 'expiresAt'>>(
        `with outlived as (
             delete from site_brief where id in (
               select id from site_brief where expires_at <= service_now() order by expires_at limit ${PURGED_AT_ONCE} for update skip locked)
           )
           insert into site_brief (id, team_id, created_by, content, credits_used, created_at, expires_at)
           values ($1, $2, $3, $4::jsonb, $5, service_now(), service_now() + make_interval(days => ${BRIEFS_KEPT_DAYS}))
           returning created_at as "createdAt", expires_at as "expiresAt"`,
        [id, teamId, userId, JSON.stringify(content), creditsUsed],
      );
      if (times) kept({ ...content, ...times, id, creditsUsed });
      return outcome;
    });
  }

  /** Undefined when the team has no such brief, or it was deleted or has expired. @throws ApiError `service_unavailable` */
  async find(teamId: number, id: string): Promise<StoredBrief | undefined> {
    const sql = `select id, content, created_at as "createdAt", expires_at as "expiresAt", credits_used as "creditsUsed"
      from site_brief where ${KEPT} and id = $2`;
    const [row] = await this.#database.query<Row<BriefContent>>(sql, [teamId, id]);
    if (!row) return undefined;
    const { content, ...rest } = row;
    return { ...content, ...rest };
  }

  /** Newest first. @throws ApiError `service_unavailable` */
  async list(teamId: number, limit: number, offset: number): Promise<{ briefs: BriefEntry[]; total: number }> {
    const collection = { columns: ENTRY, from: `site_brief where ${KEPT}`, order: 'created_at desc, id desc' };
    const part = { limit, offset };
    const { rows, total } = await readPage<Row<Omit<BriefContent, 'sections' | 'precedents'>>>(this.#database, collection, [teamId], part);
    return { briefs: rows.map(({ content, ...rest }) => ({ ...content, ...rest })), total };
  }

  /** @returns whether there was one @throws ApiError `service_unavailable` */
  async delete(teamId: number, id: string): Promise<boolean> {
    const sql = `delete from site_brief where ${KEPT} and id = $2 returning 1`;
    return (await this.#database.query(sql, [teamId, id])).length > 0;
  }
}
