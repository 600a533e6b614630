/** Restrictions in Postgres: an unchanging list for each source, and which lists a commit shows. */
import type { StoredRestriction } from '../../domain/restriction/schemas.ts';
import type { Clause } from '../../query/clauses.ts';
import { makeUnderRestrictionClause, type UnderRestriction } from '../../query/restrictions.ts';
import type { Database } from './pool.ts';

/** By source, the id of its list. */
export type RestrictionLists = Readonly<Record<string, number>>;

/** Lists as text, by which a walk names them. */
export const toListsText = (lists: RestrictionLists): string =>
  Object.values(lists)
    .sort((a, b) => a - b)
    .join('.');
const toLists = (text: string): RestrictionLists =>
  Object.fromEntries(
    text
      .split('.')
      .filter(Boolean)
      .map((id) => [id, Number(id)]),
  );

const CLAUSES_KEPT = 20;

/** Lists are kept so long before those that no commit names are deleted: a load may still be about to name one. */
const UNNAMED_KEPT = '1 day';

export class RestrictionStore {
  readonly #database: Database;
  readonly #prefix: string;
  /** lists that this process has read, by id */
  #known = new Map<number, readonly StoredRestriction[]>();
  readonly #clauses = new Map<string, Clause>();

  /** @param prefix of the indices */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
  }

  /** Stores the list of a source. @returns its id */
  async add(source: string, restrictions: readonly StoredRestriction[]): Promise<number> {
    const [row] = await this.#database.query<{ id: string }>(
      `with unnamed as (
         delete from restriction_list l where index_prefix = $1 and created_at < now() - interval '${UNNAMED_KEPT}' and not exists (
           select from index_commit c where c.restrictions is not null and (c.restrictions->>l.source)::bigint = l.id))
       insert into restriction_list (index_prefix, source, restrictions) values ($1, $2, $3) returning id`,
      [this.#prefix, source, JSON.stringify(restrictions)],
    );
    return Number(row?.id);
  }

  /** The restrictions of these lists. @throws ApiError `service_unavailable` */
  async read(lists: RestrictionLists): Promise<readonly StoredRestriction[]> {
    const ids = Object.values(lists);
    const missing = ids.filter((id) => !this.#known.has(id));
    if (missing.length) {
      const rows = await this.#database.query<{ id: string; restrictions: StoredRestriction[] }>(
        'select id, restrictions from restriction_list where id = any ($1)',
        [missing],
      );
      const kept = [...this.#known].filter(([id]) => ids.includes(id));
      this.#known = new Map([...kept, ...rows.map(({ id, restrictions }) => [Number(id), restrictions] as const)]);
    }
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }

  /** The restrictions of what is served. @throws ApiError `service_unavailable` */
  async readServed(): Promise<readonly StoredRestriction[]> {
    return this.read(await this.readServedLists());
  }

  /** The lists of what is served. @throws ApiError `service_unavailable` */
  async readServedLists(): Promise<RestrictionLists> {
    const [row] = await this.#database.query<{ restrictions: RestrictionLists | null }>(
      `select c.restrictions from index_lineage l join index_commit c on c.lineage_id = l.id
       where l.index_prefix = $1 and l.ended_at is null
         and (c.set_load, c.commit) = ((l.published->'served'->>'load')::bigint, (l.published->'served'->>'commit')::bigint)`,
      [this.#prefix],
      { name: 'served_restrictions' },
    );
    return row?.restrictions ?? {};
  }

  /** The clause for what a filter asks, kept while the lists are the same. @throws ApiError `service_unavailable` */
  async makeClause({ value, on, lists: asked }: UnderRestriction): Promise<Clause> {
    const lists = asked === undefined ? await this.readServedLists() : toLists(asked);
    const key = `${toListsText(lists)} ${on} ${value}`;
    const made = this.#clauses.get(key) ?? makeUnderRestrictionClause(await this.read(lists), value, on);
    if (this.#clauses.size >= CLAUSES_KEPT) this.#clauses.clear();
    this.#clauses.set(key, made);
    return made;
  }
}
