/**
 * What each pool holds, kept in the process so that pricing a match set needs no list of ids from Postgres: a look-up reads only what changed
 * since the last one. Deliveries to one pool are serialised by its lock, so that `seq` never shows a later change before an earlier one. What
 * a pool was delivered only grows, so that look-ups may overtake one another; where deliveries were taken back, or the database was restored,
 * it is read from the start.
 */
import { LONGS_MAX, Longs } from '../query/longs.ts';
import { EPOCH } from '../store/postgres/epoch.ts';
import { type Database, readable } from '../store/postgres/pool.ts';

/** Revisions of all pools kept at most; the pools used longest ago go first. */
const REVISIONS_KEPT_MAX = 2_000_000;
/** Changes read at once: a fraction of a second of the statement's time, and of this process's. */
const CHANGES_MAX = 50_000;

/** Grows while a pool is delivered to; a caller reads it at once. */
interface Holdings {
  /** ids of every record that the pool was delivered */
  ids: readonly number[];
  /** signed 64-bit numbers of every (id, revision) that it was delivered, as decimal text */
  revisionHashes: ReadonlySet<string>;
  /** the same, as requests send them */
  revisionLists: readonly Longs[];
  /** another text after every change */
  version: string;
}

class Kept implements Holdings {
  /** ends with the look-up in progress: a burst reads much of a pool once, not once each */
  turn: Promise<void> = Promise.resolve();
  /** the look-up that begins after it, for all who come until then; false where what is kept is no longer true */
  next: Promise<boolean> | undefined;
  seq = '0';
  /** the pool's and the database's at the first look; another one, and what is kept here is no longer true */
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

  /** The list with room for so many more. */
  #listOf(count: number): Longs {
    const last = this.revisionLists.at(-1);
    if (last && last.count + count <= LONGS_MAX) return last;
    const list = new Longs();
    this.revisionLists.push(list);
    return list;
  }
}

interface Changes {
  /** of the pool how often deliveries were taken back, and of the database its epoch */
  life: string;
  /** null where nothing is new */
  lastSeq: string | null;
  /** separated by spaces, which is read an order of magnitude faster than rows */
  ids: string;
  hashes: string;
}

/** Whole pages: rows of one page share their `seq`, so that the last one is read with all of its ties. */
const CHANGES = `
  select coalesce((select reversals from credit_pool where team_id = $1), 0) || ' ' || ${EPOCH} as life, max(seq) as "lastSeq",
         coalesce(string_agg(project_id::text, ' '), '') as ids,
         coalesce(string_agg(revision_hash || coalesce(' ' || array_to_string(nullif(earlier_hashes, '{}'), ' '), ''), ' '), '') as hashes
  from (select * from delivery where team_id = $1 and seq > $2 order by seq fetch first ${CHANGES_MAX} rows with ties) as change`;

/** What a pool holds of one record. */
interface Holding {
  revision: string;
  firstAt: Date;
  lastAt: Date;
  /** true where the pool was delivered the asked revision, now or earlier: it is not billed again */
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

  /** Everything that was delivered to the pool before the call. @throws ApiError `service_unavailable` */
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

  /** A look-up that begins after the call. */
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

  /** @returns false where deliveries have been taken back, or the database was restored, since the first look */
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
   * What the pool holds of a record; undefined where it was never delivered.
   * @param revisionHash of the revision that is served now
   * @throws ApiError `service_unavailable`
   */
  async recordHolding(teamId: number, id: number, revisionHash: string): Promise<Holding | undefined> {
    const [row] = await readable(this.#database.query<Holding>(OF_RECORD, [teamId, id, revisionHash], { name: 'holding' }));
    return row;
  }

  /** What the pool holds of several records, by id; those that it was never delivered are not there. @throws ApiError `service_unavailable` */
  async pageHoldings(teamId: number, page: readonly { id: number; revisionHash: string }[]): Promise<Map<number, Holding>> {
    const values = [teamId, page.map(({ id }) => id), page.map((item) => item.revisionHash)];
    const rows = await readable(this.#database.query<Holding & { id: number }>(OF_PAGE, values, { name: 'holdings of a page' }));
    return new Map(rows.map(({ id, ...holding }) => [id, holding]));
  }

  /** Which of these records the pool was delivered. @throws ApiError `service_unavailable` */
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
