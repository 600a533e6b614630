/**
 * Reads pages of records that a pool holds unchanged, in one statement without locks or writes. Their read times are collected and written
 * once a second. A process that crashes loses the last second of read times, but never a charge or a holding.
 */

import type { Unlock } from '../domain/record/people.ts';
import type { ServedItem } from '../domain/record/servedItem.ts';
import { GatheredCalls } from '../store/gatheredCalls.ts';
import type { Database } from '../store/postgres/pool.ts';
import type { PageOutcome } from './pageOutcome.ts';

const NOTED_EVERY_MS = 1000;
/** Most read times collected; beyond it, `deliver_page` writes them directly. */
const GATHERED_MAX = 200_000;
/** Most pools remembered whose last page had something new; checking such a page here first would cost one statement more. */
const CHANGING_MAX = 10_000;

/** Statements about single records under way at once, beyond which requests share the next one, and how many share it. */
const STANDINGS = { callsMax: 2, itemsMax: 100 };

/** Milliseconds since 1970, by project id. */
type Times = Map<number, number>;

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

/** Teams and projects with read times that are not written yet. */
export class OwnedPages {
  readonly #database: Database;
  readonly #standings = new GatheredCalls<AskedStanding, RecordStanding>({ ...STANDINGS, call: (asked) => this.#readStandings(asked) });
  #gathered = new Map<number, Times>();
  #count = 0;
  readonly #changing = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The outcome of a page that the pool holds unchanged. Undefined when it has something new, or probably has: `deliver_page` then decides.
   * @throws ApiError `service_unavailable`
   */
  async read(teamId: number, grantedFor: string, items: readonly ServedItem[]): Promise<PageOutcome | undefined> {
    if (this.#changing.has(teamId) || this.#count >= GATHERED_MAX) return undefined;
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
    if (balance === null || id !== item.id || revision !== item.revision || this.#count >= GATHERED_MAX) return undefined;
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
    this.#gather(teamId, items, at);
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
    const gathered = this.#gathered.get(teamId);
    return times.map((ms, i) => (ms === null ? null : new Date(Math.max(ms, gathered?.get(items[i]?.id ?? 0) ?? 0))));
  }

  /** Writes the collected read times. @throws ApiError `service_unavailable`; they then stay collected */
  async writeReadTimes(): Promise<void> {
    this.#noting = this.#noting.catch(() => undefined).then(() => this.#noteAll());
    await this.#noting;
  }

  #gather(teamId: number, items: readonly ServedItem[], at: number): void {
    const times = this.#gathered.get(teamId) ?? new Map<number, number>();
    const before = times.size;
    for (const { id } of items) times.set(id, at);
    this.#gathered.set(teamId, times);
    this.#count += times.size - before;
    this.#timer ??= setTimeout(() => this.#noteSoon(), NOTED_EVERY_MS).unref();
  }

  /** Writes soon. A failure shows in every other statement too, and the next page retries. */
  #noteSoon(): void {
    this.#timer = undefined;
    this.writeReadTimes().catch(() => undefined);
  }

  async #noteAll(): Promise<void> {
    for (const [teamId, times] of [...this.#gathered]) {
      // In the order of the index, where neighbours cost Postgres less.
      const entries = [...times].sort(([one], [other]) => one - other);
      await this.#database.query(
        'select note_reads($1, $2::bigint[], $3::bigint[])',
        [teamId, `{${entries.map(([id]) => id).join()}}`, `{${entries.map(([, ms]) => ms).join()}}`],
        { name: 'note reads' },
      );
      for (const [id, ms] of entries) if (times.get(id) === ms && times.delete(id)) this.#count -= 1;
      if (!times.size) this.#gathered.delete(teamId);
    }
  }
}
