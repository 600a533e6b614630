/**
 * What pools hold, remembered in the process with the version in which it was read (functions/holdings_version.sql). It is right for whoever
 * finds that the pool still has this version.
 */
import type { ServedItem } from '../domain/record/servedItem.ts';
import { EPOCH_SQL } from '../store/postgres/epoch.ts';

/** Most records remembered, of all pools together, which takes some 30 MB; pools that were read from Postgres longest ago are dropped first. */
const RECORDS_MAX = 200_000;

/** SQL: a pool's version, of what `holdings_version` returned and the epoch of the database. */
export const makeVersionSql = (version: string) => `${version} || ' ' || ${EPOCH_SQL}`;

/** The versions of a pool before and after a statement of this process changed what it holds; null if there is no such pool, or nothing was changed. */
export interface VersionStep {
  before: string | null;
  after: string | null;
}

interface Holdings {
  version: string;
  /** by project id; times are milliseconds since 1970 */
  records: Map<number, { revision: string; lastDelivery: number }>;
}

/** Whether a version of a pool was before another of the same database, for answers that overtook each other. */
function isEarlier(version: string, other: string): boolean {
  const [[number, ...epoch], [otherNumber, ...otherEpoch]] = [version.split(' '), other.split(' ')];
  return epoch.join() === otherEpoch.join() && Number(number) < Number(otherNumber);
}

export class PoolMemory {
  readonly #pools = new Map<number, Holdings>();
  #count = 0;

  has(teamId: number): boolean {
    return this.#pools.has(teamId);
  }

  /** When each item was last delivered; undefined unless all are known to be held as they are in this version. */
  findTimes(teamId: number, version: string, items: readonly ServedItem[]): number[] | undefined {
    const pool = this.#pools.get(teamId);
    if (pool?.version !== version) return undefined;
    const times: number[] = [];
    for (const { id, revision } of items) {
      const record = pool.records.get(id);
      if (record?.revision !== revision) return undefined;
      times.push(record.lastDelivery);
    }
    return times;
  }

  /** Remembers items that a pool holds as they are. What was remembered in an earlier version is dropped; in a later one it stays. */
  remember(teamId: number, version: string, items: readonly ServedItem[], times: readonly number[]): void {
    const known = this.#pools.get(teamId);
    if (known && isEarlier(version, known.version)) return;
    const pool = known?.version === version ? known : { version, records: new Map() };
    this.#count -= known?.records.size ?? 0;
    for (const [i, { id, revision }] of items.entries()) pool.records.set(id, { revision, lastDelivery: times[i] as number });
    this.#count += pool.records.size;
    this.#pools.delete(teamId);
    this.#pools.set(teamId, pool);
    for (const [oldest, { records }] of this.#pools) {
      if (this.#count <= RECORDS_MAX) return;
      this.#pools.delete(oldest);
      this.#count -= records.size;
    }
  }

  /** Moves on with a pool whose read times this process has written. */
  noteTimes(teamId: number, step: VersionStep, times: Iterable<readonly [id: number, ms: number]>): void {
    const records = this.#moveOn(teamId, step);
    if (!records) return;
    for (const [id, ms] of times) {
      const record = records.get(id);
      if (record) record.lastDelivery = Math.max(record.lastDelivery, ms);
    }
  }

  /** Moves on with a pool to which this process has delivered items. @param at milliseconds since 1970 */
  noteDelivery(teamId: number, step: VersionStep, items: readonly ServedItem[], at: number): void {
    this.#moveOn(teamId, step);
    if (step.after !== null) this.remember(teamId, step.after, items, Array(items.length).fill(at));
  }

  /** @returns what is remembered of the pool, unless somebody else changed it meanwhile */
  #moveOn(teamId: number, { before, after }: VersionStep): Holdings['records'] | undefined {
    const pool = this.#pools.get(teamId);
    if (pool?.version !== before || after === null) return undefined;
    pool.version = after;
    return pool.records;
  }
}
