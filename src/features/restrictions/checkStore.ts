/** What has been announced of restrictions, in Postgres. */
import type { AnnouncedRestriction } from '../../core/domain/restriction/changes.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';

/** By source and id of the restriction. A source that is not in it has never been looked at. */
export type AnnouncedSources = Record<string, Record<string, AnnouncedRestriction>>;

export class RestrictionCheckStore {
  readonly #prefix: string;

  /** @param prefix of the indices */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Records in `tx` that a check of these lists is queued on a day. @returns false if that is recorded already */
  async takeCheck(tx: Queryable, today: string, lists: string): Promise<boolean> {
    const rows = await tx.query(
      `insert into restriction_check as known (index_prefix, day, lists, announced) values ($1, $2, $3, '{}')
       on conflict (index_prefix) do update set day = excluded.day, lists = excluded.lists
         where known.day < excluded.day or known.lists <> excluded.lists
       returning 1`,
      [this.#prefix, today, lists],
    );
    return rows.length > 0;
  }

  /** Locks out other checks until `tx` ends. */
  async lock(tx: Queryable): Promise<AnnouncedSources> {
    const sql = 'select announced from restriction_check where index_prefix = $1 for update';
    const [row] = await tx.query<{ announced: AnnouncedSources }>(sql, [this.#prefix]);
    return row?.announced ?? {};
  }

  async write(tx: Queryable, announced: AnnouncedSources): Promise<void> {
    const sql = 'update restriction_check set announced = $2 where index_prefix = $1';
    await tx.query(sql, [this.#prefix, JSON.stringify(announced)]);
  }
}
