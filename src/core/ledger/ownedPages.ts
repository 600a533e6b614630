/** Reads pages of records that a pool holds unchanged, in one statement without locks or writes; their read times are written later. */

import type { Unlock } from '../domain/record/people.ts';
import type { ServedItem } from '../domain/record/servedItem.ts';
import { GatheredCalls } from '../store/gatheredCalls.ts';
import type { Database } from '../store/postgres/pool.ts';
import type { PageOutcome } from './pageOutcome.ts';
import { ReadTimes, type WritingPace } from './readTimes.ts';

/** Most pools remembered whose last page had something new; checking such a page here first would cost one statement more. */
const CHANGING_MAX = 10_000;

/** Statements about single records under way at once, beyond which requests share the next one, and how many share it. */
const STANDINGS = { callsMax: 2, itemsMax: 100 };

interface AskedStanding {
  teamId: number;
  grantedFor: string;
  id: number;
}

/** What a pool holds of one record, read before the served revision is known. Times are milliseconds since 1970, as text. */
export interface RecordStanding {
  id: number;
  /** null if a grant is due */
  balance: number | null;
  /** the held revision; null for a record that was never delivered */
  revision: string | null;
  lastDelivery: string | null;
  unlock: Unlock | null;
  at: string;
}

export class OwnedPages {
  readonly #database: Database;
  readonly #readTimes: ReadTimes;
  readonly #standings = new GatheredCalls<AskedStanding, RecordStanding>({ ...STANDINGS, call: (asked) => this.#readStandings(asked) });
  readonly #changing = new Set<number>();

  constructor(database: Database, pace?: WritingPace) {
    this.#database = database;
    this.#readTimes = new ReadTimes(database, pace);
  }

  /**
   * The outcome of a page that the pool holds unchanged. Undefined when it has something new, or probably has: `deliver_page` then decides.
   * @throws ApiError `service_unavailable`
   */
  async read(teamId: number, grantedFor: string, items: readonly ServedItem[]): Promise<PageOutcome | undefined> {
    if (this.#changing.has(teamId) || this.#readTimes.isFull) return undefined;
    const [owned] = await this.#database.query<{ balance: number; lastDeliveries: string | null; at: string }>(
      'select balance, last_deliveries as "lastDeliveries", at from read_owned($1, $2, $3::bigint[], $4::text[])',
      [teamId, grantedFor, `{${items.map(({ id }) => id).join()}}`, items.map(({ revision }) => revision)],
      { name: 'read owned' },
    );
    if (!owned) return undefined;
    const { balance, lastDeliveries, at } = owned;
    return this.#outcomeOf(teamId, items, { balance, times: lastDeliveries ? lastDeliveries.split(' ').map(Number) : [], at: Number(at) });
  }

  /** What the pool holds of a record. Concurrent requests share a statement. @throws ApiError `service_unavailable` */
  readStanding(teamId: number, grantedFor: string, id: number): Promise<RecordStanding> {
    return this.#standings.ask({ teamId, grantedFor, id });
  }

  /** As `read` for a page of one record, from its standing, which was read before. */
  outcomeOf(teamId: number, item: ServedItem, { id, balance, revision, lastDelivery, at }: RecordStanding): PageOutcome | undefined {
    if (balance === null || id !== item.id || revision !== item.revision || this.#readTimes.isFull) return undefined;
    return this.#outcomeOf(teamId, [item], { balance, times: [Number(lastDelivery)], at: Number(at) });
  }

  async #readStandings(asked: readonly AskedStanding[]): Promise<RecordStanding[]> {
    const rows = await this.#database.query<Omit<RecordStanding, 'id'>>(
      'select balance, revision, last_delivery as "lastDelivery", unlock, at from read_standings($1::integer[], $2::text[], $3::bigint[])',
      [asked.map(({ teamId }) => teamId), asked.map(({ grantedFor }) => grantedFor), asked.map(({ id }) => id)],
      { name: 'read standings' },
    );
    return rows.map((row, i) => ({ ...row, id: (asked[i] as AskedStanding).id }));
  }

  #outcomeOf(
    teamId: number,
    items: readonly ServedItem[],
    { balance, times, at }: { balance: number; times: readonly number[]; at: number },
  ): PageOutcome {
    const outcome: PageOutcome = {
      outcome: 'delivered',
      balance,
      cost: 0,
      served: items.length,
      affordable: items.length,
      knownRevisions: items.map(({ revision }) => revision),
      lastDeliveries: this.listLastReadTimes(teamId, items, times),
      costs: items.map(() => 0),
    };
    this.#readTimes.add(teamId, items, at);
    return outcome;
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
