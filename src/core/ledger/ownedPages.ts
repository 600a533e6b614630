/**
 * Reads pages of records that a pool holds unchanged, without locks or writes; their read times are written later. What was read is remembered, so
 * that such a page then needs no more than the pool's standing, which is read during the search, for concurrent requests in one statement.
 */

import type { Unlock } from '../domain/record/people.ts';
import type { ServedItem } from '../domain/record/servedItem.ts';
import { GatheredCalls } from '../store/gatheredCalls.ts';
import type { Database } from '../store/postgres/pool.ts';
import type { PageOutcome } from './pageOutcome.ts';
import { makeVersionSql, PoolMemory, type VersionStep } from './poolMemory.ts';
import { ReadTimes } from './readTimes.ts';

/** A record that is read again within this time keeps the time before, so that pages that are asked often write nothing (src/docs/credits.md). */
const NOTED_EVERY_MS = 3_600_000;

/** Most pools remembered whose last page had something new; checking such a page here first would cost one statement more. */
const CHANGING_MAX = 10_000;

/** Statements about standings under way at once, beyond which requests share the next one, and how many share it: of records, and of pools. */
const RECORD_STANDINGS = { callsMax: 2, itemsMax: 100 };
const POOL_STANDINGS = { callsMax: 1, itemsMax: 100 };

interface AskedStanding {
  teamId: number;
  grantedFor: string;
  id: number | null;
}

/**
 * How a pool stands at a moment, read before it is known which revisions are served: its balance, and what it holds of one record, or the version
 * of all that it holds. Times are milliseconds since 1970, as text.
 */
export interface Standing extends AskedStanding {
  /** null if a grant is due */
  balance: number | null;
  /** the held revision; null for a record that was never delivered, and without a record */
  revision: string | null;
  lastDelivery: string | null;
  unlock: Unlock | null;
  /** null for a record */
  version: string | null;
  at: string;
}

const READ_OWNED = `
  select balance, last_deliveries as "lastDeliveries", at, ${makeVersionSql('version')} as version
  from read_owned($1, $2, $3::bigint[], $4::text[])`;
const READ_STANDINGS = `
  select balance, revision, last_delivery as "lastDelivery", unlock, at from read_standings($1::integer[], $2::text[], $3::bigint[])`;
/** Without a function and the tables of records it takes half the time. */
const READ_POOL = `
  select case when granted_for = granted_now($2) then balance end as balance, ${makeVersionSql('(reversals + reads_noted)')} as version,
         (extract(epoch from service_now()) * 1000)::bigint as at
  from credit_pool where team_id = $1`;

/** What changed in a pool by a delivery, and when: milliseconds since 1970, as text; null if nothing was delivered. */
export interface DeliveryStep extends VersionStep {
  at: string | null;
}

interface Owned {
  balance: number;
  lastDeliveries: string | null;
  at: string;
  version: string;
}

export class OwnedPages {
  readonly #database: Database;
  readonly #readTimes: ReadTimes;
  readonly #records = new GatheredCalls<AskedStanding, Standing>({ ...RECORD_STANDINGS, call: (asked) => this.#readRecords(asked) });
  readonly #pools = new GatheredCalls<AskedStanding, Standing | undefined>({ ...POOL_STANDINGS, call: (asked) => this.#readPools(asked) });
  readonly #memory = new PoolMemory();
  readonly #changing = new Set<number>();

  /** @param noteAfterMs how long read times are collected before they are written */
  constructor(database: Database, noteAfterMs?: number) {
    this.#database = database;
    this.#readTimes = new ReadTimes(database, (...written) => this.#memory.noteTimes(...written), noteAfterMs);
  }

  /**
   * The outcome of a page that the pool holds unchanged. Undefined when it has something new, or probably has: `deliver_page` then decides.
   * @param standing read since the request began
   * @throws ApiError `service_unavailable`
   */
  async read(teamId: number, grantedFor: string, items: readonly ServedItem[], standing?: Standing): Promise<PageOutcome | undefined> {
    if (this.#readTimes.isFull) return undefined;
    const { balance = null, at } = standing ?? {};
    const times = standing && this.#findTimes(standing, items);
    if (times && balance !== null) return this.#outcomeOf(teamId, items, { balance, times, at: Number(at) });
    if (typeof standing?.id === 'number' || this.#changing.has(teamId)) return undefined;
    return this.#readOwned(teamId, grantedFor, items);
  }

  /**
   * What the pool holds of a record, or the version of all that it holds. Concurrent requests share a statement. Undefined without a record if
   * nothing is remembered that a page could be answered from.
   * @throws ApiError `service_unavailable`
   */
  readStanding(asked: AskedStanding): Promise<Standing | undefined> | undefined {
    const { teamId, id } = asked;
    if (id !== null) return this.#records.ask(asked);
    return this.#memory.has(teamId) && !this.#changing.has(teamId) ? this.#pools.ask(asked) : undefined;
  }

  /** When each item was last delivered; undefined unless it is certain that the pool holds all as they are. */
  #findTimes({ teamId, id, revision, lastDelivery, version }: Standing, items: readonly ServedItem[]): number[] | undefined {
    if (id === null) return version === null ? undefined : this.#memory.findTimes(teamId, version, items);
    const [item] = items;
    return item?.id === id && item.revision === revision ? [Number(lastDelivery)] : undefined;
  }

  async #readOwned(teamId: number, grantedFor: string, items: readonly ServedItem[]): Promise<PageOutcome | undefined> {
    const values = [teamId, grantedFor, `{${items.map(({ id }) => id).join()}}`, items.map(({ revision }) => revision)];
    const [owned] = await this.#database.query<Owned>(READ_OWNED, values, { name: 'read owned' });
    if (!owned) return undefined;
    const { balance, lastDeliveries, at, version } = owned;
    const times = lastDeliveries ? lastDeliveries.split(' ').map(Number) : [];
    this.#memory.remember(teamId, version, items, times);
    return this.#outcomeOf(teamId, items, { balance, times, at: Number(at) });
  }

  async #readRecords(asked: readonly AskedStanding[]): Promise<Standing[]> {
    const rows = await this.#database.query<Omit<Standing, keyof AskedStanding | 'version'>>(
      READ_STANDINGS,
      [asked.map(({ teamId }) => teamId), asked.map(({ grantedFor }) => grantedFor), asked.map(({ id }) => id)],
      { name: 'read standings' },
    );
    return rows.map((row, i) => ({ ...row, ...(asked[i] as AskedStanding), version: null }));
  }

  /** One statement for each pool, whatever the number of its requests. */
  #readPools(asked: readonly AskedStanding[]): Promise<(Standing | undefined)[]> {
    const keyOf = ({ teamId, grantedFor }: AskedStanding) => `${teamId} ${grantedFor}`;
    const pools = new Map(asked.map((one) => [keyOf(one), one]));
    const standings = new Map([...pools].map(([key, one]) => [key, this.#readPool(one)]));
    return Promise.all(asked.map((one) => standings.get(keyOf(one))));
  }

  async #readPool(asked: AskedStanding): Promise<Standing | undefined> {
    const values = [asked.teamId, asked.grantedFor];
    const [pool] = await this.#database.query<Pick<Standing, 'balance' | 'version' | 'at'>>(READ_POOL, values, { name: 'read pool' });
    return pool && { ...asked, revision: null, lastDelivery: null, unlock: null, ...pool };
  }

  #outcomeOf(
    teamId: number,
    items: readonly ServedItem[],
    { balance, times, at }: { balance: number; times: readonly number[]; at: number },
  ): PageOutcome {
    const lastDeliveries = this.listLastReadTimes(teamId, items, times);
    const noted = items.filter((_, i) => at - Number(lastDeliveries[i]) >= NOTED_EVERY_MS);
    if (noted.length) this.#readTimes.add(teamId, noted, at);
    return {
      outcome: 'delivered',
      balance,
      cost: 0,
      served: items.length,
      affordable: items.length,
      knownRevisions: items.map(({ revision }) => revision),
      lastDeliveries,
      costs: items.map(() => 0),
    };
  }

  /** Remembers what `deliver_page` delivered and committed. */
  noteDelivery(teamId: number, items: readonly ServedItem[], { at, ...step }: DeliveryStep): void {
    if (at !== null) this.#memory.noteDelivery(teamId, step, items, Number(at));
  }

  /** Remembers from an outcome of `deliver_page` whether the next page is likely to have something new. */
  noteOutcome(teamId: number, items: readonly ServedItem[], { knownRevisions }: Pick<PageOutcome, 'knownRevisions'>): void {
    if (items.every(({ revision }, i) => knownRevisions[i] === revision)) this.#changing.delete(teamId);
    else {
      if (this.#changing.size >= CHANGING_MAX) this.#changing.clear();
      this.#changing.add(teamId);
    }
  }

  /** When each record was last delivered, including read times that are not written yet. */
  listLastReadTimes(teamId: number, items: readonly ServedItem[], times: readonly (number | null)[]): (Date | null)[] {
    return times.map((ms, i) => (ms === null ? null : new Date(this.findLastRead(teamId, items[i]?.id ?? 0, ms))));
  }

  /** The later of a read time that was written and one that is not yet. Milliseconds since 1970. */
  findLastRead(teamId: number, id: number, written: number): number {
    return Math.max(written, this.#readTimes.find(teamId, id) ?? 0);
  }

  /** Writes the read times of all pools. @throws ApiError `service_unavailable`; what was not written stays collected */
  writeReadTimes(): Promise<void> {
    return this.#readTimes.write();
  }
}
