/** The lineage of the index in Postgres. Only the loader writes it, under the load lock. */

import { randomBytes } from 'node:crypto';
import type { KnownCommit, Lineage } from '../../domain/lineage.ts';
import { lockInDatabase } from './locks.ts';
import type { Database, Queryable } from './pool.ts';
import { ReleaseStore } from './releases.ts';
import { type RestrictionLists, RestrictionStore } from './restrictions.ts';
import { ValueReviewStore } from './valueReviews.ts';

/** Everything recorded about a commit. Numbers of loads and times are milliseconds since 1970. */
export interface CommitRecord {
  commit: number;
  /** the commit on which it is based */
  previous: number | null;
  kind: 'load' | 'switch' | 'rebuild' | 'adopted';
  generation: number;
  /** the load that created the set of indices with this commit */
  setLoad: number;
  /**
   * the commits of a chain, in order, contain everything in its set except what was copied from another set; null when not all of their
   * files are kept
   */
  chain: number | null;
  /** true for the first commit of a set that was created as a copy of the set of `previous` */
  copiesPrevious: boolean;
  firstStamp: number | null;
  newestStamp: number;
  projects: number | null;
  documents: number | null;
  contacts: number | null;
  removals: number | null;
  digest: string | null;
  figures: object | null;
  /** how often each finding was made; null if it is not known */
  findings: Readonly<Record<string, number>> | null;
  /** codes of the findings that were accepted */
  accepted: readonly string[] | null;
  /** by source, the list of restrictions that it shows; null where no load has named a source */
  restrictions: RestrictionLists | null;
  /** the report of the load, compressed */
  report: Buffer | null;
  /** name of the generation file */
  sourceName: string | null;
  sourceSha256: string | null;
  /** when its lines were read, as the header of the file states; null for what is no load */
  extractedAt: Date | null;
  /** folder or address where its files are kept; null when they are not */
  keptIn: string | null;
  sourceFile: string | null;
  stateFile: string | null;
  stateSha256: string | null;
  /** lines of the state file; null when none is kept */
  stateLines: number | null;
}

/** Whether a commit shows the same content as its set before, so that no files are kept of it. */
export const changesNothing = ({ kind, firstStamp }: Pick<CommitRecord, 'kind' | 'firstStamp'>): boolean =>
  kind === 'rebuild' || (kind === 'switch' && firstStamp === null);

/** SQL of `changesNothing` for a row of `index_commit`. */
export const changesNothingSql = (row: string) => `(${row}.kind = 'rebuild' or ${isUnstampedSql(row)})`;

/** SQL: whether a commit serves a set without stamping its records. */
export const isUnstampedSql = (row: string) => `(${row}.kind = 'switch' and ${row}.first_stamp is null)`;

/** The commit that sync shows while a rollback is being stamped; null for any other commit. */
export const findSyncedCommit = ({ kind, firstStamp, previous }: Omit<CommitRecord, 'report'>): number | null =>
  kind === 'switch' && firstStamp === null ? previous : null;

/** Columns of a commit about which only what it shows is known. */
export const UNRECORDED = {
  previous: null,
  chain: null,
  copiesPrevious: false,
  firstStamp: null,
  projects: null,
  documents: null,
  contacts: null,
  removals: null,
  digest: null,
  figures: null,
  findings: null,
  accepted: null,
  restrictions: null,
  report: null,
  sourceName: null,
  sourceSha256: null,
  extractedAt: null,
  keptIn: null,
  sourceFile: null,
  stateFile: null,
  stateSha256: null,
  stateLines: null,
} as const;

type Row = { [K in keyof RecordedCommit]: RecordedCommit[K] extends number | null ? string | number | null : RecordedCommit[K] };

const COLUMNS = `commit, previous, kind, generation, set_load as "setLoad", chain, copies_previous as "copiesPrevious", first_stamp as "firstStamp", newest_stamp as "newestStamp",
  projects, documents, contacts, removals, digest, figures, findings, accepted, restrictions, source_name as "sourceName", source_sha256 as "sourceSha256", extracted_at as "extractedAt", kept_in as "keptIn",
  source_file as "sourceFile", state_file as "stateFile", state_sha256 as "stateSha256", state_lines as "stateLines", served_at as "servedAt"`;

/** A commit as it is read; its report is read separately (`readReport`). */
export interface RecordedCommit extends Omit<CommitRecord, 'report'> {
  servedAt: Date | null;
}

const NUMBERS = [
  'commit',
  'previous',
  'generation',
  'setLoad',
  'chain',
  'firstStamp',
  'newestStamp',
  'projects',
  'documents',
  'contacts',
  'removals',
  'stateLines',
] as const;

/** Converts a row; Postgres returns `bigint` as text. */
function toRecord(row: Row): RecordedCommit {
  const numbers = NUMBERS.map((name) => [name, row[name] === null ? null : Number(row[name])]);
  return { ...row, ...Object.fromEntries(numbers) } as RecordedCommit;
}

/** A published set of indices: the load that created it, and the commit that it shows. */
export interface PublishedSet {
  generation: number;
  load: number;
  commit: number;
}

/** What readers are shown, and what a rollback would return to. */
export interface Publication {
  /** what searches read; null before the first load */
  served: PublishedSet | null;
  /** what was served before it */
  previous: PublishedSet | null;
  /** what sync and alerts read: the served set, or the previous one while the served set is being stamped */
  synced: PublishedSet | null;
}

export interface PublicationRow {
  /** null before the first command */
  published: Publication | null;
  /** what a command is about to publish; null when none is */
  publishing: Publication | null;
}

/** A set of indices, by the load that created it, as of one of its commits. */
interface SetAsOf {
  load: number;
  committed: number;
}

type KeptWhole = Pick<
  CommitRecord,
  | 'chain'
  | 'keptIn'
  | 'stateFile'
  | 'stateSha256'
  | 'stateLines'
  | 'projects'
  | 'documents'
  | 'contacts'
  | 'removals'
  | 'digest'
  | 'figures'
>;

interface KeptNames {
  sourceFile: string | null;
  stateFile: string | null;
}

const listFileNames = ({ sourceFile, stateFile }: KeptNames) => [sourceFile, stateFile].filter((name) => name !== null);

const KNOWN = `
  select l.id,
         coalesce((select json_agg(json_build_array(c.commit, c.newest_stamp, c.served_at is not null) order by c.commit)
                   from index_commit c where c.lineage_id = l.id and c.commit >= $2), '[]') as commits
  from index_lineage l where l.index_prefix = $1 and l.ended_at is null`;

interface KnownRow {
  id: string;
  commits: [commit: number, newestStamp: number, served: boolean][];
}

const toKnown = ({ commits, ...lineage }: KnownRow): Lineage => ({
  ...lineage,
  commits: commits.map(([commit, newestStamp, served]): KnownCommit => ({ commit, newestStamp, served })),
});

export class LineageStore {
  readonly #database: Database;
  readonly #prefix: string;
  readonly releases: ReleaseStore;
  readonly reviews: ValueReviewStore;
  readonly restrictions: RestrictionStore;

  /** @param prefix of the indices; each prefix has its own lineages */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
    this.releases = new ReleaseStore(database, prefix);
    this.reviews = new ValueReviewStore(database, prefix);
    this.restrictions = new RestrictionStore(database, prefix);
  }

  /**
   * The current lineage with its commits; null when there is none.
   * @param from number of the first commit to return
   * @throws ApiError `service_unavailable`
   */
  async readCurrent(from = 0): Promise<Lineage | null> {
    const [row] = await this.#database.query<KnownRow>(KNOWN, [this.#prefix, from], { name: 'lineage' });
    return row ? toKnown(row) : null;
  }

  /** Begins a lineage in place of the current one; its first commit is what is served. @returns its id */
  begin(first: CommitRecord | null): Promise<string> {
    return this.#database.transaction(async (tx) => {
      await lockInDatabase(tx, `lineage:${this.#prefix}`);
      await tx.query('update index_lineage set ended_at = now() where index_prefix = $1 and ended_at is null', [this.#prefix]);
      const id = randomBytes(4).toString('hex');
      await tx.query('insert into index_lineage (id, index_prefix) values ($1, $2)', [id, this.#prefix]);
      if (first) await insertCommit(tx, id, first);
      if (first) await tx.query('update index_commit set served_at = now() where lineage_id = $1', [id]);
      return id;
    });
  }

  /** Records a commit. Called before Elasticsearch shows it. */
  async record(lineageId: string, commit: CommitRecord): Promise<void> {
    await insertCommit(this.#database, lineageId, commit);
  }

  /** What is published, and what a command is about to publish, or was when it was killed. */
  async readPublication(lineageId: string): Promise<PublicationRow> {
    const [row] = await this.#database.query<PublicationRow>('select published, publishing from index_lineage where id = $1', [lineageId]);
    return row ?? { published: null, publishing: null };
  }

  /**
   * Records a publication that is about to be shown. Called before Elasticsearch shows it.
   * @param record the commit that it shows; null if already recorded
   */
  async beginPublishing(lineageId: string, next: Publication, record: CommitRecord | null): Promise<void> {
    const publishing = JSON.stringify(next);
    if (!record) await this.#database.query('update index_lineage set publishing = $2 where id = $1', [lineageId, publishing]);
    else
      await this.#database.query(`with recorded as (${INSERT_COMMIT}) update index_lineage set publishing = $29 where id = $1`, [
        ...listValues(lineageId, record),
        publishing,
      ]);
  }

  /** Records which findings of a commit were accepted. Called before it is served. */
  async noteAccepted(lineageId: string, commit: number, accepted: readonly string[]): Promise<void> {
    await this.#database.query('update index_commit set accepted = $3 where lineage_id = $1 and commit = $2', [
      lineageId,
      commit,
      JSON.stringify(accepted),
    ]);
  }

  /** The report of the newest load up to a commit of a set; undefined if none is kept. */
  async readReport(lineageId: string, { load, committed }: SetAsOf): Promise<Buffer | undefined> {
    const [row] = await this.#database.query<{ report: Buffer }>(
      `select report from index_commit where lineage_id = $1 and set_load = $2 and commit <= $3 and report is not null order by commit desc limit 1`,
      [lineageId, load, committed],
    );
    return row?.report;
  }

  /** The newest report of a generation that is or was served. */
  async readServedReport(lineageId: string, generation: number): Promise<Buffer | undefined> {
    const [row] = await this.#database.query<{ report: Buffer }>(
      `select report from index_commit where lineage_id = $1 and generation = $2 and served_at is not null and report is not null
       order by commit desc limit 1`,
      [lineageId, generation],
    );
    return row?.report;
  }

  /**
   * Records that a publication is shown: nothing is being published any more, and its commits have been served. Reports of earlier commits of a set are
   * dropped.
   */
  async notePublished(lineageId: string, publication: Publication): Promise<void> {
    const shown = [publication.served, publication.synced].filter((set) => set !== null);
    await this.#database.query(
      `with seen as (
         update index_commit c set served_at = coalesce(served_at, now()), report = case when exists (
             select from index_commit later where later.lineage_id = $1 and later.set_load = c.set_load and later.commit > c.commit
               and later.commit <= shown.committed and later.report is not null) then null else report end
         from unnest($2::bigint[], $3::bigint[]) as shown (load, committed)
         where lineage_id = $1 and set_load = shown.load and commit <= shown.committed and (served_at is null or report is not null))
       update index_lineage set published = $4, publishing = null where id = $1`,
      [lineageId, shown.map(({ load }) => load), shown.map(({ commit }) => commit), JSON.stringify(publication)],
    );
  }

  /** Records the files kept of everything that a set shows as of a commit, from which its chain begins. */
  async noteKept(lineageId: string, commit: number, kept: KeptWhole): Promise<void> {
    const { chain, keptIn, stateFile, stateSha256, stateLines, projects, documents, contacts, removals, digest, figures } = kept;
    await this.#database.query(
      `update index_commit set chain = $3, copies_previous = false, kept_in = $4, state_file = $5, state_sha256 = $6, projects = $7, documents = $8, contacts = $9,
         removals = $10, digest = $11, figures = $12, state_lines = $13 where lineage_id = $1 and commit = $2`,
      [
        ...[lineageId, commit, chain, keptIn, stateFile, stateSha256, projects, documents, contacts, removals, digest],
        figures && JSON.stringify(figures),
        stateLines,
      ],
    );
  }

  /**
   * Deletes commits that no set shows and no reader has seen, of interrupted loads and dropped sets.
   * @returns names of the files kept of them
   */
  async deleteUnserved(lineageId: string, sets: readonly SetAsOf[]): Promise<string[]> {
    const rows = await this.#database.query<KeptNames>(
      `delete from index_commit where lineage_id = $1 and served_at is null
       and not exists (select from unnest($2::bigint[], $3::bigint[]) as set (load, committed) where set.load = set_load and commit <= set.committed)
       returning source_file as "sourceFile", state_file as "stateFile"`,
      [lineageId, sets.map(({ load }) => load), sets.map(({ committed }) => committed)],
    );
    return rows.flatMap(listFileNames);
  }

  /**
   * Removes the files of commits that none of these sets contain. A name is deleted from the lineage once `remove` has deleted the file.
   */
  async dropKept(lineageId: string, sets: readonly SetAsOf[], remove: (name: string) => Promise<void>): Promise<void> {
    const rows = await this.#database.query<KeptNames & { commit: string }>(
      `select commit, source_file as "sourceFile", state_file as "stateFile" from index_commit
       where lineage_id = $1 and (source_file is not null or state_file is not null) and served_at is not null
       and commit not in (select made.commit from unnest($2::bigint[]) as set (committed), commits_of($1, set.committed) as made)`,
      [lineageId, sets.map(({ committed }) => committed)],
    );
    for (const row of rows) {
      for (const name of listFileNames(row)) await remove(name);
      await this.#database.query('update index_commit set source_file = null, state_file = null where lineage_id = $1 and commit = $2', [
        lineageId,
        row.commit,
      ]);
    }
  }

  /** Every file named by a commit of any lineage, with the end of its lineage; null for a file of the current one. */
  async listNamedFiles(): Promise<Map<string, Date | null>> {
    const rows = await this.#database.query<{ name: string; endedAt: Date | null }>(
      `select name, l.ended_at as "endedAt" from index_commit c join index_lineage l on l.id = c.lineage_id, unnest(array[c.source_file, c.state_file]) as name
       where l.index_prefix = $1 and name is not null order by l.ended_at nulls last`,
      [this.#prefix],
    );
    return new Map(rows.map(({ name, endedAt }) => [name, endedAt]));
  }

  /** The recorded commit of a set; undefined if there is none. */
  async commitOfSet(lineageId: string, { load, committed }: SetAsOf): Promise<RecordedCommit | undefined> {
    const [row] = await this.#database.query<Row>(
      `select ${COLUMNS} from index_commit where lineage_id = $1 and set_load = $2 and commit = $3`,
      [lineageId, load, committed],
    );
    return row && toRecord(row);
  }

  /** The served generation, and when its newest commit was first served; null if nothing is recorded. */
  async release(): Promise<{ generation: number; activatedAt: Date } | null> {
    const [row] = await this.#database.query<{ generation: string; activatedAt: Date }>(
      `select c.generation, c.served_at as "activatedAt" from index_lineage l join index_commit c on c.lineage_id = l.id
       where l.index_prefix = $1 and l.ended_at is null and c.served_at is not null and (l.published->'served' is null
         or (c.set_load, c.commit) = ((l.published->'served'->>'load')::bigint, (l.published->'served'->>'commit')::bigint))
       order by c.commit desc limit 1`,
      [this.#prefix],
    );
    return row ? { generation: Number(row.generation), activatedAt: row.activatedAt } : null;
  }

  /** The newest commit that readers have seen. */
  async readHead(lineageId: string): Promise<RecordedCommit | undefined> {
    const [row] = await this.#database.query<Row>(
      `select ${COLUMNS} from index_commit where lineage_id = $1 and served_at is not null order by commit desc limit 1`,
      [lineageId],
    );
    return row && toRecord(row);
  }

  /** A recorded commit; undefined if there is none. */
  async commit(lineageId: string, commit: number): Promise<RecordedCommit | undefined> {
    const [row] = await this.#database.query<Row>(`select ${COLUMNS} from index_commit where lineage_id = $1 and commit = $2`, [
      lineageId,
      commit,
    ]);
    return row && toRecord(row);
  }

  /** SHA-256 of the full file from which a served generation was loaded, in hexadecimal; null if it is not known. */
  async readFullFileDigest(lineageId: string, { generation, load }: { generation: number; load: number }): Promise<string | null> {
    const [row] = await this.#database.query<{ digest: string | null }>(
      `select source_sha256 as digest from index_commit
       where lineage_id = $1 and generation = $2 and kind = 'load' and commit = set_load and served_at is not null
       order by (set_load = $3) desc, commit desc limit 1`,
      [lineageId, generation, load],
    );
    return row?.digest ?? null;
  }

  /** The commits that together contain everything shown by the given one, in order; empty when the files of some are not kept. */
  async listCommits(lineageId: string, commit: number): Promise<RecordedCommit[]> {
    const rows = await this.#database.query<Row>(`select ${COLUMNS} from commits_of($1, $2) order by commit`, [lineageId, commit]);
    return rows.map(toRecord);
  }
}

const INSERT_COMMIT = `
  insert into index_commit (lineage_id, commit, previous, kind, generation, set_load, chain, copies_previous, first_stamp, newest_stamp, projects, documents,
    contacts, removals, digest, figures, source_name, source_sha256, kept_in, source_file, state_file, state_sha256, state_lines, extracted_at, findings, accepted, report, restrictions)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28)`;

const listValues = (lineageId: string, c: CommitRecord): unknown[] => [
  ...[lineageId, c.commit, c.previous, c.kind, c.generation, c.setLoad, c.chain, c.copiesPrevious, c.firstStamp, c.newestStamp],
  ...[c.projects, c.documents, c.contacts, c.removals, c.digest, c.figures && JSON.stringify(c.figures), c.sourceName, c.sourceSha256],
  ...[c.keptIn, c.sourceFile, c.stateFile, c.stateSha256, c.stateLines, c.extractedAt],
  ...[c.findings && JSON.stringify(c.findings), c.accepted && JSON.stringify(c.accepted), c.report],
  c.restrictions && JSON.stringify(c.restrictions),
];

async function insertCommit(on: Queryable, lineageId: string, record: CommitRecord): Promise<void> {
  await on.query(INSERT_COMMIT, listValues(lineageId, record));
}
