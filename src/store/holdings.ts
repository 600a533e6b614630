/**
 * What each pool holds, kept in the process so that pricing a match set needs no list of ids from Postgres: a look-up reads only what changed
 * since the last one. Deliveries to one pool are serialised by its lock, so that `seq` never shows a later change before an earlier one.
 */
import type { Database } from './postgres.ts';

/** Records of all pools kept at most; the pools used longest ago go first. */
const RECORDS_KEPT_MAX = 2_000_000;

export interface Holdings {
  /** ids of every record that the pool was delivered */
  ids: readonly number[];
  /** signed 64-bit numbers of (id, revision), as decimal text */
  revisionHashes: readonly string[];
}

interface Kept {
  seq: string;
  hashById: Map<number, string>;
  lists: Holdings | undefined;
}

interface ChangeRow {
  id: string;
  hash: string;
  seq: string;
}

const CHANGES = `select project_id as id, revision_hash as hash, seq from delivery where team_id = $1 and seq > $2 order by seq`;

export class HoldingStore {
  readonly #database: Database;
  readonly #pools = new Map<number, Kept>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Everything that was delivered to the pool before the call. @throws ApiError `service_unavailable` */
  async of(teamId: number): Promise<Holdings> {
    const kept = this.#pools.get(teamId) ?? { seq: '0', hashById: new Map(), lists: undefined };
    const changes = await this.#database.query<ChangeRow>(CHANGES, [teamId, kept.seq]);
    for (const { id, hash } of changes) kept.hashById.set(Number(id), hash);
    const last = changes.at(-1);
    if (last && BigInt(last.seq) > BigInt(kept.seq)) kept.seq = last.seq;
    if (last || !kept.lists) kept.lists = { ids: [...kept.hashById.keys()], revisionHashes: [...kept.hashById.values()] };
    this.#keep(teamId, kept);
    return kept.lists;
  }

  #keep(teamId: number, kept: Kept): void {
    this.#pools.delete(teamId);
    this.#pools.set(teamId, kept);
    let records = 0;
    for (const pool of this.#pools.values()) records += pool.hashById.size;
    for (const [oldest, pool] of this.#pools) {
      if (records <= RECORDS_KEPT_MAX || oldest === teamId) return;
      this.#pools.delete(oldest);
      records -= pool.hashById.size;
    }
  }
}
