/**
 * When pools read records again that they hold: collected in the process, and written together. A process that crashes loses a second of these
 * times, but never a charge or a holding.
 */
import type { Database } from '../store/postgres/pool.ts';
import { makeVersionSql, type VersionStep } from './poolMemory.ts';

/** A pool's times are written so long after the first of them was collected. */
const WRITTEN_AFTER_MS = 1000;
/** Most records of one statement, which takes a tenth of a second. */
const WRITTEN_MAX = 10_000;
/** Most times collected, beyond which `deliver_page` writes them directly. */
const COLLECTED_MAX = 200_000;

const NOTE_READS = `
  select ${makeVersionSql('version_before')} as before, ${makeVersionSql('version_after')} as after
  from note_reads($1, $2::bigint[], $3::bigint[])`;

/** Milliseconds since 1970, with the project. */
type Entry = readonly [id: number, ms: number];
/** Called when times of a pool were written. */
type WrittenObserver = (teamId: number, step: VersionStep, entries: readonly Entry[]) => void;

interface PoolTimes {
  /** milliseconds since 1970, by project id */
  times: Map<number, number>;
  /** undefined while they are written, or could not be */
  timer: NodeJS.Timeout | undefined;
}

export class ReadTimes {
  readonly #database: Database;
  readonly #written: WrittenObserver;
  readonly #afterMs: number;
  readonly #pools = new Map<number, PoolTimes>();
  #count = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, written: WrittenObserver, afterMs = WRITTEN_AFTER_MS) {
    this.#database = database;
    this.#written = written;
    this.#afterMs = afterMs;
  }

  get isFull(): boolean {
    return this.#count >= COLLECTED_MAX;
  }

  /** @param at milliseconds since 1970, later than what was collected of these records */
  add(teamId: number, items: readonly { id: number }[], at: number): void {
    const pool = this.#pools.get(teamId) ?? { times: new Map<number, number>(), timer: undefined };
    this.#pools.set(teamId, pool);
    this.#count -= pool.times.size;
    for (const { id } of items) pool.times.set(id, at);
    this.#count += pool.times.size;
    pool.timer ??= this.#startTimer(teamId);
  }

  /** A time that is not written yet. */
  find(teamId: number, id: number): number | undefined {
    return this.#pools.get(teamId)?.times.get(id);
  }

  /** Writes all times. @throws ApiError `service_unavailable`; what was not written stays collected */
  async write(): Promise<void> {
    for (const teamId of [...this.#pools.keys()]) await this.#writeInTurn(teamId);
  }

  /** A failure shows in every other statement too, and the pool's next page has them written again. */
  #startTimer(teamId: number): NodeJS.Timeout {
    return setTimeout(() => this.#writeInTurn(teamId).catch(() => undefined), this.#afterMs).unref();
  }

  async #writeInTurn(teamId: number): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#writePool(teamId));
    await this.#writing;
  }

  async #writePool(teamId: number): Promise<void> {
    const pool = this.#pools.get(teamId);
    if (!pool) return;
    clearTimeout(pool.timer);
    pool.timer = undefined;
    // In the order of the index, where neighbours cost Postgres less.
    const entries = [...pool.times].sort(([one], [other]) => one - other);
    for (let from = 0; from < entries.length; from += WRITTEN_MAX) {
      const written = entries.slice(from, from + WRITTEN_MAX);
      const step = await this.#note(teamId, written);
      if (step) this.#written(teamId, step, written);
      for (const [id, ms] of written) if (pool.times.get(id) === ms && pool.times.delete(id)) this.#count -= 1;
    }
    if (!pool.times.size) this.#pools.delete(teamId);
  }

  async #note(teamId: number, entries: readonly Entry[]): Promise<VersionStep | undefined> {
    const values = [teamId, `{${entries.map(([id]) => id).join()}}`, `{${entries.map(([, ms]) => ms).join()}}`];
    const [step] = await this.#database.query<VersionStep>(NOTE_READS, values, { name: 'note reads' });
    return step;
  }
}
