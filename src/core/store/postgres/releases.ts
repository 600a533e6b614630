/** Releases: each change of what sync shows, with its figures. Only the loader adds them, under the load lock; workers announce them. */
import type { Database, Queryable } from './pool.ts';

/** What a release shows, and what it brought; null where it is not known what was shown before. */
export interface ReleaseFigures {
  recordCount: number;
  added: number | null;
  changed: number | null;
  removed: number | null;
  /** records by id of the state, most first */
  states: [stateId: number, recordCount: number][];
}

export interface RecordedRelease extends ReleaseFigures {
  generation: number;
  activatedAt: Date;
  /** true where a generation that was served before is served again */
  rolledBack: boolean;
  extractedAt: Date | null;
  /** SHA-256 in hexadecimal */
  digest: string | null;
  /** how often each finding was made when it was loaded; null if it is not known */
  findings: Readonly<Record<string, number>> | null;
  /** codes of the findings that were accepted */
  accepted: readonly string[] | null;
}

/** A commit that is shown to sync and is no release yet. */
interface UnrecordedRelease {
  /** nothing was shown before it */
  isFirst: boolean;
  /** of the release before; null where there is none */
  before: { newestStamp: number; recordCount: number } | null;
}

const COLUMNS = `r.generation, r.activated_at as "activatedAt", r.rolled_back as "rolledBack", r.extracted_at as "extractedAt",
  r.record_count as "recordCount", r.added, r.changed, r.removed, r.digest, r.states, r.findings, r.accepted`;

type Row = { [K in keyof RecordedRelease]: RecordedRelease[K] extends number | null ? string | null : RecordedRelease[K] };

const numberOf = (text: string | null) => (text === null ? null : Number(text));

/** Converts a row; Postgres returns `bigint` as text. */
const toRelease = (row: Row): RecordedRelease => ({
  ...row,
  generation: Number(row.generation),
  recordCount: Number(row.recordCount),
  added: numberOf(row.added),
  changed: numberOf(row.changed),
  removed: numberOf(row.removed),
});

export class ReleaseStore {
  readonly #database: Database;
  readonly #prefix: string;

  /** @param prefix of the indices */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
  }

  /**
   * What to compare a commit with that sync shows from now on; null where it is a release already, or shows the same as the release before.
   * @param changesNothing SQL: whether commit `c` shows the same as the one before
   */
  async findUnrecorded(lineageId: string, commit: number, changesNothing: string): Promise<UnrecordedRelease | null> {
    const [row] = await this.#database.query<{ isFirst: boolean; newestStamp: string | null; recordCount: string | null }>(
      `select last.newest_stamp as "newestStamp", last.record_count as "recordCount",
         c.kind = 'load' and not exists (select from index_commit b where b.lineage_id = c.lineage_id and b.served_at < c.served_at) as "isFirst"
       from index_commit c left join lateral (
         select r.commit, r.record_count, shown.newest_stamp from release r join index_commit shown using (lineage_id, commit)
         where r.lineage_id = c.lineage_id order by r.commit desc limit 1) last on true
       where c.lineage_id = $1 and c.commit = $2 and not ${changesNothing} and (last.commit is null or last.commit < c.commit)`,
      [lineageId, commit],
    );
    if (!row) return null;
    const { isFirst, newestStamp, recordCount } = row;
    const isAfter = newestStamp !== null && recordCount !== null;
    return {
      isFirst: isFirst && !isAfter,
      before: isAfter ? { newestStamp: Number(newestStamp), recordCount: Number(recordCount) } : null,
    };
  }

  /** Adds a release, unless it is there. One of which nothing is compared was shown before releases were kept: it is not announced. */
  async add(lineageId: string, commit: number, { recordCount, added, changed, removed, states }: ReleaseFigures): Promise<void> {
    await this.#database.query(
      `insert into release (lineage_id, commit, generation, activated_at, rolled_back, extracted_at, record_count, added, changed, removed, digest, states, findings, accepted, announced_at)
       select c.lineage_id, c.commit, c.generation, c.served_at, c.kind = 'switch',
         (select l.extracted_at from index_commit l where l.lineage_id = c.lineage_id and l.generation = c.generation and l.commit <= c.commit
            and l.extracted_at is not null order by l.commit desc limit 1),
         $3, $4, $5, $6, encode(sha256(convert_to(c.digest, 'UTF8')), 'hex'), $7, c.findings, c.accepted,
         case when $4::bigint is null then now() end
       from index_commit c where c.lineage_id = $1 and c.commit = $2 and c.served_at is not null
       on conflict do nothing`,
      [lineageId, commit, recordCount, added, changed, removed, JSON.stringify(states)],
    );
  }

  /** The newest first, of every lineage of these indices. @throws ApiError `service_unavailable` */
  async list(limit: number, offset: number): Promise<{ releases: RecordedRelease[]; total: number }> {
    const [rows, [count]] = await Promise.all([
      this.#database.query<Row>(
        `select ${COLUMNS} from release r join index_lineage l on l.id = r.lineage_id where l.index_prefix = $1
         order by r.activated_at desc, r.commit desc limit $2 offset $3`,
        [this.#prefix, limit, offset],
      ),
      this.#database.query<{ total: string }>(
        'select count(*) as total from release r join index_lineage l on l.id = r.lineage_id where l.index_prefix = $1',
        [this.#prefix],
      ),
    ]);
    return { releases: rows.map(toRelease), total: Number(count?.total ?? 0) };
  }

  /** Notes in `tx` that releases are announced, and returns their generations, in their order. */
  async takeUnannounced(tx: Queryable): Promise<number[]> {
    const rows = await tx.query<{ generation: string }>(
      `with due as (
         select r.lineage_id, r.commit from release r join index_lineage l on l.id = r.lineage_id
         where r.announced_at is null and l.index_prefix = $1 order by r.commit for update of r skip locked)
       update release r set announced_at = now() from due where (r.lineage_id, r.commit) = (due.lineage_id, due.commit)
       returning r.generation, r.commit`,
      [this.#prefix],
    );
    return rows.map(({ generation }) => Number(generation));
  }
}
