/**
 * What each pool holds, cached in the process so that pricing a match set needs no list of ids from Postgres: a look-up reads only what
 * changed since the last one. Deliveries to one pool are serialised by its lock, so that `seq` never shows a later change before an earlier
 * one. Holdings only grow, so look-ups may overtake one another. After deliveries were taken back, or the database was restored, the cache
 * is read again from the start.
 */
import { LONGS_MAX, Longs } from '../query/longs.ts';
import { EPOCH } from '../store/postgres/epoch.ts';
import { type Database, readable } from '../store/postgres/pool.ts';

/** Most revisions cached over all pools; the pools used longest ago are dropped first. */
const REVISIONS_KEPT_MAX = 2_000_000;
/** Most changes a read, which takes a fraction of a second in Postgres and in this process. */
const CHANGES_MAX = 50_000;

/** The cached holdings of a pool. They grow with deliveries, so a caller uses them at once. */
interface Holdings {
  /** ids of all records that were delivered to the pool */
  ids: readonly number[];
  /** signed 64-bit hashes of every delivered (id, revision), as decimal text */
  revisionHashes: ReadonlySet<string>;
  /** the same hashes, as queries send them */
  revisionLists: readonly Longs[];
  /** differs after every change */
  version: string;
}

class Kept implements Holdings {
  /** resolves when the current look-up ends, so that a burst of requests shares one */
  turn: Promise<void> = Promise.resolve();
  /** the look-up that runs next, shared by all who ask before it begins; false if the cache was invalidated */
  next: Promise<boolean> | undefined;
  seq = '0';
  /** `life` at the first look-up; the cache is invalid when it changes */
  life: string | undefined;
  readonly ids: number[] = [];
  readonly revisionHashes = new Set<string>();
  readonly revisionLists: Longs[] = [];
  readonly #known = new Set<number>();

  get version(): string {
    return `${this.life}:${this.seq}`;
  }

  take({ lastSeq, ids, hashes }: Changes & { lastSeq: string }): void {
    for (const id of ids.split(' ').map(Number)) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      this.ids.push(id);
    }
    const added = hashes.split(' ').filter((hash) => !this.revisionHashes.has(hash));
    for (const hash of added) this.revisionHashes.add(hash);
    if (added.length) this.#listOf(added.length).add(added);
    if (BigInt(lastSeq) > BigInt(this.seq)) this.seq = lastSeq;
  }

  /** The list with room for `count` more numbers. */
  #listOf(count: number): Longs {
    const last = this.revisionLists.at(-1);
    if (last && last.count + count <= LONGS_MAX) return last;
    const list = new Longs();
    this.revisionLists.push(list);
    return list;
  }
}

interface Changes {
  /** the pool's number of undone deliveries, and the epoch of the database */
  life: string;
  /** null when nothing is new */
  lastSeq: string | null;
  /** separated by spaces, which is ten times faster to read than rows */
  ids: string;
  hashes: string;
}

/** Reads changes with ties: rows of one page share their `seq`, so that the last page is read whole. */
const CHANGES = `
  select coalesce((select reversals from credit_pool where team_id = $1), 0) || ' ' || ${EPOCH} as life, max(seq) as "lastSeq",
         coalesce(string_agg(project_id::text, ' '), '') as ids,
         coalesce(string_agg(revision_hash || coalesce(' ' || array_to_string(nullif(earlier_hashes, '{}'), ' '), ''), ' '), '') as hashes
  from (select * from delivery where team_id = $1 and seq > $2 order by seq fetch first ${CHANGES_MAX} rows with ties) as change`;

/** A record as a pool holds it. */
interface Holding {
  revision: string;
  firstAt: Date;
  lastAt: Date;
  /** whether the revision in question was ever delivered to the pool, so that it is not billed again */
  paid: boolean;
}

const OF_RECORD = `
  select revision, first_at as "firstAt", last_at as "lastAt", $3 = revision_hash or $3 = any(earlier_hashes) as paid
  from delivery where team_id = $1 and project_id = $2`;

const OF_PAGE = `
  select d.project_id::float8 as id, d.revision, d.first_at as "firstAt", d.last_at as "lastAt",
         d.revision_hash = page.hash or page.hash = any(d.earlier_hashes) as paid
  from unnest($2::bigint[], $3::bigint[]) as page (id, hash) join delivery d on d.team_id = $1 and d.project_id = page.id`;

const AMONG = `select project_id as id from delivery where team_id = $1 and project_id = any($2::bigint[])`;

export class HoldingStore {
  readonly #database: Database;
  readonly #pools = new Map<number, Kept>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Everything that was delivered to the pool before the call.
   * @throws ApiError `service_unavailable`
   */
  async read(teamId: number): Promise<Holdings> {
    for (;;) {
      const kept = this.#pools.get(teamId) ?? new Kept();
      this.#pools.set(teamId, kept);
      if (await this.#look(teamId, kept)) {
        this.#keep(teamId, kept);
        return kept;
      }
      if (this.#pools.get(teamId) === kept) this.#pools.delete(teamId);
    }
  }

  /** Joins or starts a look-up that begins after the call. */
  #look(teamId: number, kept: Kept): Promise<boolean> {
    if (kept.next) return kept.next;
    const look = kept.turn.then(() => {
      kept.next = undefined;
      return this.#catchUp(teamId, kept);
    });
    kept.next = look;
    kept.turn = look.then(
      () => undefined,
      () => undefined,
    );
    return look;
  }

  /**
   * Reads the changes since the last look-up.
   * @returns false when deliveries were taken back or the database was restored since the first one
   */
  async #catchUp(teamId: number, kept: Kept): Promise<boolean> {
    for (;;) {
      const [changes] = await readable(this.#database.query<Changes>(CHANGES, [teamId, kept.seq], { name: 'holdings' }));
      if (!changes) throw new Error('The look-up of holdings answered without a row');
      const { life, lastSeq } = changes;
      kept.life ??= life;
      if (kept.life !== life) return false;
      if (lastSeq === null) return true;
      kept.take({ ...changes, lastSeq });
    }
  }

  /**
   * A record as the pool holds it; undefined if it was never delivered.
   * @param revisionHash of the revision that is served now
   * @throws ApiError `service_unavailable`
   */
  async recordHolding(teamId: number, id: number, revisionHash: string): Promise<Holding | undefined> {
    const [row] = await readable(this.#database.query<Holding>(OF_RECORD, [teamId, id, revisionHash], { name: 'holding' }));
    return row;
  }

  /**
   * Several records as the pool holds them, by id; those never delivered are absent.
   * @throws ApiError `service_unavailable`
   */
  async pageHoldings(teamId: number, page: readonly { id: number; revisionHash: string }[]): Promise<Map<number, Holding>> {
    const values = [teamId, page.map(({ id }) => id), page.map((item) => item.revisionHash)];
    const rows = await readable(this.#database.query<Holding & { id: number }>(OF_PAGE, values, { name: 'holdings of a page' }));
    return new Map(rows.map(({ id, ...holding }) => [id, holding]));
  }

  /**
   * The ids that were ever delivered to the pool.
   * @throws ApiError `service_unavailable`
   */
  async heldAmong(teamId: number, ids: readonly number[]): Promise<Set<number>> {
    const rows = await readable(this.#database.query<{ id: string }>(AMONG, [teamId, ids]));
    return new Set(rows.map(({ id }) => Number(id)));
  }

  #keep(teamId: number, kept: Kept): void {
    this.#pools.delete(teamId);
    this.#pools.set(teamId, kept);
    let revisions = 0;
    for (const pool of this.#pools.values()) revisions += pool.revisionHashes.size;
    for (const [oldest, pool] of this.#pools) {
      if (revisions <= REVISIONS_KEPT_MAX || oldest === teamId) return;
      this.#pools.delete(oldest);
      revisions -= pool.revisionHashes.size;
    }
  }
}
