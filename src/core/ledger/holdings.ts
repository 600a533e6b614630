/**
 * What each pool holds, cached in the process so that pricing a match set needs no list of ids from Postgres: a look-up reads only what
 * changed since the last one. Deliveries to one pool are serialised by its lock, so that `seq` never shows a later change before an earlier
 * one. Holdings only grow, so look-ups may overtake one another. After deliveries were taken back, or the database was restored, the cache
 * is read again from the start.
 */
import type { Grant } from '../domain/credits.ts';
import { EPOCH_SQL } from '../store/postgres/epoch.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { HeldNumbers, type HeldView } from './heldNumbers.ts';
import type { OwnedPages } from './ownedPages.ts';

/** Most memory of the cache over all pools; those used longest ago are dropped first. */
const BYTES_KEPT_MAX = 200_000_000;
/** Most changes a read, which takes a fraction of a second in Postgres and in this process. */
const CHANGES_MAX = 50_000;

/** A column of a pool's deliveries: the revisions that were paid, or the records whatever their revision. */
class CachedColumn {
  readonly teamId: number;
  readonly column: Column;
  /** resolves when the current look-up ends, so that concurrent requests share one */
  turn: Promise<void> = Promise.resolve();
  /** the look-up that runs next, shared by all who ask before it begins; undefined if the cache was invalidated */
  next: Promise<LookUpResult | undefined> | undefined;
  /** grant of the pool, if a request that shares the next look-up asks for the balance */
  grant: Grant | undefined;
  seq = '0';
  /** whether the last look-up found nothing new, so that the next one probably finds nothing either */
  isQuiet = false;
  /** `life` at the first look-up; the cache is invalid when it changes */
  life: string | undefined;
  readonly numbers = new HeldNumbers();

  constructor(teamId: number, column: Column) {
    this.teamId = teamId;
    this.column = column;
  }

  get version(): string {
    return `${this.life}:${this.seq}`;
  }
}

interface LookUpResult {
  /** null if it was not requested */
  balance: number | null;
}

interface Changes extends LookUpResult {
  /** the pool's number of undone deliveries, and the epoch of the database */
  life: string;
  /** null when nothing is new */
  lastSeq: string | null;
  /** separated by spaces, which is ten times faster to read than rows */
  numbers: string;
}

const COLUMNS = {
  revisions: `revision_hash || coalesce(' ' || array_to_string(nullif(earlier_hashes || superseded_hashes, '{}'), ' '), '')`,
  records: 'project_id::text',
} as const;
type Column = keyof typeof COLUMNS;

/** SQL: a text that changes when deliveries of a pool are undone, or the database is restored. */
export const HOLDINGS_LIFE_SQL = `reversals || ' ' || ${EPOCH_SQL}`;

/** A moment up to which a pool's deliveries were read: those with a greater `seq` came later; if `life` differs, all have to be read again. */
export interface HeldMoment {
  seq: string;
  life: string;
}

const MOMENT = `
  select coalesce((select max(seq) from delivery where team_id = $1), 0)::text as seq,
         coalesce((select ${HOLDINGS_LIFE_SQL} from credit_pool where team_id = $1), '0 ' || ${EPOCH_SQL}) as life`;

/** Reads changes with ties: rows of one page share their `seq`, so that the last page is read whole. */
const makeChangesSql = (column: Column) => `
  select coalesce((select ${HOLDINGS_LIFE_SQL} from credit_pool where team_id = $1), '0 ' || ${EPOCH_SQL}) as life, max(seq) as "lastSeq",
         coalesce(string_agg(${COLUMNS[column]}, ' '), '') as numbers,
         case when $3::text is not null then pool_balance($1, $3, $4) end as balance
  from (select * from delivery where team_id = $1 and seq > $2 order by seq fetch first ${CHANGES_MAX} rows with ties) as change`;
const CHANGES = { revisions: makeChangesSql('revisions'), records: makeChangesSql('records') };

const cacheKeyOf = (teamId: number, column: Column) => `${column} ${teamId}`;

/** The revisions that bill a pool nothing, which it was delivered or which were served before one of those, by the signed 64-bit hash of (id, revision). */
export interface HeldRevisions extends HeldView {
  /** differs after every change */
  version: string;
}

interface RecordHolding {
  /** delivered last */
  revision: string;
  firstAt: Date;
  lastAt: Date;
  /** of every delivered revision */
  hashes: string[];
  /** of every revision that was served before a delivered one */
  superseded: string[];
}

/** A record as a pool holds it. */
export interface Holding extends Omit<RecordHolding, 'hashes' | 'superseded'> {
  /** whether the revision in question, or one that was served later, was ever delivered to the pool, so that it is not billed */
  paid: boolean;
}

const OF_RECORD = `
  select revision, first_at as "firstAt", last_at as "lastAt", (revision_hash || earlier_hashes)::text[] as hashes,
         superseded_hashes::text[] as superseded
  from delivery where team_id = $1 and project_id = $2`;

const OF_PAGE = `
  select d.project_id::float8 as id, d.revision, d.first_at as "firstAt", d.last_at as "lastAt",
         page.hash = any(d.revision_hash || d.earlier_hashes || d.superseded_hashes) as paid
  from unnest($2::bigint[], $3::bigint[]) as page (id, hash) join delivery d on d.team_id = $1 and d.project_id = page.id`;

const AMONG = `select project_id as id from delivery where team_id = $1 and project_id = any($2::bigint[])`;

export class HoldingStore {
  readonly #database: Database;
  readonly #owned: OwnedPages | undefined;
  /** by column and pool */
  readonly #kept = new Map<string, CachedColumn>();

  /** @param owned pages of this process, whose read times may not be written yet */
  constructor(database: Database, owned?: OwnedPages) {
    this.#database = database;
    this.#owned = owned;
  }

  /** All revisions that were delivered to the pool before the call. @throws ApiError `service_unavailable` */
  async revisions(teamId: number): Promise<HeldRevisions> {
    const { numbers, version } = (await this.#read(teamId, 'revisions')).kept;
    return { ...numbers.makeView(), version };
  }

  /**
   * The same revisions, and the balance after any due grant, in one statement.
   * @throws ApiError `service_unavailable`
   */
  async revisionsAndBalance(teamId: number, grant: Grant): Promise<{ held: HeldRevisions; balance: number }> {
    const { kept, balance } = await this.#read(teamId, 'revisions', grant);
    if (balance === null) throw new Error('The look-up of holdings answered without a balance');
    return { held: { ...kept.numbers.makeView(), version: kept.version }, balance };
  }

  /** The result of the last look-up, if the next one will probably find nothing new. Compare its version before relying on it. */
  guessRevisions(teamId: number): HeldRevisions | undefined {
    const kept = this.#kept.get(cacheKeyOf(teamId, 'revisions'));
    return kept?.isQuiet ? { ...kept.numbers.makeView(), version: kept.version } : undefined;
  }

  /** The ids of all records that were delivered to the pool before the call. @throws ApiError `service_unavailable` */
  async readRecords(teamId: number): Promise<HeldView> {
    return (await this.#read(teamId, 'records')).kept.numbers.makeView();
  }

  /**
   * The moment up to which look-ups that begin after the call see the pool's deliveries.
   * @throws ApiError `service_unavailable`
   */
  async moment(teamId: number): Promise<HeldMoment> {
    const [moment] = await this.#database.query<HeldMoment>(MOMENT, [teamId], { name: 'held moment' });
    if (!moment) throw new Error('The moment of a pool answered without a row');
    return moment;
  }

  async #read(teamId: number, column: Column, grant?: Grant): Promise<{ kept: CachedColumn } & LookUpResult> {
    const key = cacheKeyOf(teamId, column);
    for (;;) {
      const kept = this.#kept.get(key) ?? new CachedColumn(teamId, column);
      this.#kept.set(key, kept);
      const look = await this.#look(kept, grant);
      if (look) {
        this.#keep(key, kept);
        return { kept, ...look };
      }
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    }
  }

  /** Joins or starts a look-up that begins after the call. */
  #look(kept: CachedColumn, grant: Grant | undefined): Promise<LookUpResult | undefined> {
    kept.grant ??= grant;
    if (kept.next) return kept.next;
    const look = kept.turn.then(() => {
      const wanted = kept.grant;
      kept.next = undefined;
      kept.grant = undefined;
      return this.#catchUp(kept, wanted);
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
   * @returns undefined when deliveries were taken back or the database was restored since the first one
   */
  async #catchUp(kept: CachedColumn, grant: Grant | undefined): Promise<LookUpResult | undefined> {
    const { teamId, column, seq: seqBefore } = kept;
    for (;;) {
      const values = [teamId, kept.seq, grant?.grantedFor ?? null, grant?.credits ?? null];
      const [changes] = await this.#database.query<Changes>(CHANGES[column], values, { name: `held ${column}` });
      if (!changes) throw new Error('The look-up of holdings answered without a row');
      const { life, lastSeq, numbers, balance } = changes;
      kept.life ??= life;
      if (kept.life !== life) return undefined;
      kept.isQuiet = lastSeq === null && kept.seq === seqBefore;
      if (lastSeq === null) return { balance };
      kept.numbers.add(numbers.split(' '));
      if (BigInt(lastSeq) > BigInt(kept.seq)) kept.seq = lastSeq;
    }
  }

  /**
   * A record as the pool holds it, with the hashes of all its revisions that were ever delivered; undefined if none was.
   * @throws ApiError `service_unavailable`
   */
  async recordHolding(teamId: number, id: number): Promise<RecordHolding | undefined> {
    const [row] = await this.#database.query<RecordHolding>(OF_RECORD, [teamId, id], { name: 'holding' });
    return row && { ...row, lastAt: this.#latest(teamId, id, row.lastAt) };
  }

  /**
   * Several records as the pool holds them, by id; those never delivered are absent.
   * @throws ApiError `service_unavailable`
   */
  async pageHoldings(
    teamId: number,
    page: readonly { id: number; revisionHash: string }[],
    tx: Queryable = this.#database,
  ): Promise<Map<number, Holding>> {
    const values = [teamId, page.map(({ id }) => id), page.map((item) => item.revisionHash)];
    const rows = await tx.query<Holding & { id: number }>(OF_PAGE, values, { name: 'holdings of a page' });
    return new Map(rows.map(({ id, ...holding }) => [id, { ...holding, lastAt: this.#latest(teamId, id, holding.lastAt) }]));
  }

  #latest(teamId: number, id: number, written: Date): Date {
    return this.#owned ? new Date(this.#owned.findLastRead(teamId, id, written.getTime())) : written;
  }

  /** The ids that were ever delivered to the pool. @throws ApiError `service_unavailable` */
  async heldAmong(teamId: number, ids: readonly number[]): Promise<Set<number>> {
    const rows = await this.#database.query<{ id: string }>(AMONG, [teamId, ids]);
    return new Set(rows.map(({ id }) => Number(id)));
  }

  #keep(name: string, kept: CachedColumn): void {
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    let bytes = 0;
    for (const one of this.#kept.values()) bytes += one.numbers.bytes;
    for (const [oldest, one] of this.#kept) {
      if (bytes <= BYTES_KEPT_MAX || oldest === name) return;
      this.#kept.delete(oldest);
      bytes -= one.numbers.bytes;
    }
  }
}
