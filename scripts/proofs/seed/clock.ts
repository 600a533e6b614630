/** Simulated time: timers of simulated processes and the clock of their schema stand still until the simulation advances them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { ControlConnection } from './control.ts';

/** A simulated process of a program, with its own timers and connections; it can be frozen for a while, and killed. */
export interface SimulatedProcess {
  readonly name: string;
  isDead: boolean;
  /** until when it is frozen, milliseconds since 1970 */
  frozenUntil: number;
}

export const currentProcess = new AsyncLocalStorage<SimulatedProcess | undefined>();

interface Timer {
  id: number;
  at: number;
  everyMs: number | undefined;
  owner: SimulatedProcess;
  ring(): void;
}

/** What `setTimeout` returns within a simulation. */
class TimerHandle {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const REAL = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
  date: Date.now.bind(Date),
  sleep: timers.setTimeout,
};

/** Replaces the waiting of `node:timers/promises`, also in modules that are imported already. */
function replaceSleep(sleep: typeof REAL.sleep): void {
  Object.assign(timers, { setTimeout: sleep });
  syncBuiltinESMExports();
}

/** Real milliseconds. */
export const realNow = REAL.now;

export const waitReally = (ms: number): Promise<void> => new Promise((resolve) => void REAL.setTimeout(resolve, ms));

/** Waits for simulated time, in the process whose code is running. */
export const waitSimulated = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const SHADOWS = `
  create sequence if not exists simulated_clock minvalue 0;
  create or replace function clock_timestamp() returns timestamptz language sql volatile as
    $$ select to_timestamp(last_value / 1000.0) from simulated_clock $$;
  create or replace function simulated_once(p_name text, p_began text) returns timestamptz language plpgsql stable as $$
  declare
    kept text := current_setting(p_name, true);
  begin
    if kept is null or split_part(kept, '|', 1) <> p_began then
      kept := p_began || '|' || (select last_value from simulated_clock);
      perform set_config(p_name, kept, false);
    end if;
    return to_timestamp(split_part(kept, '|', 2)::bigint / 1000.0);
  end $$;
  create or replace function statement_timestamp() returns timestamptz language sql stable as
    $$ select simulated_once('simulated.statement', pg_catalog.statement_timestamp()::text) $$;
  create or replace function now() returns timestamptz language sql stable as
    $$ select simulated_once('simulated.transaction', pg_catalog.now()::text) $$;
  do $$ declare d record; begin
    for d in
      select a.attrelid::regclass as relation, a.attname as name, pg_get_expr(f.adbin, f.adrelid) as expression
      from pg_attrdef f join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
      join pg_class c on c.oid = a.attrelid and c.relnamespace = current_schema()::regnamespace
    loop
      if d.expression ~ '\\m(now|clock_timestamp|statement_timestamp)\\(\\)' then
        execute format('alter table %s alter column %I set default %s', d.relation, d.name,
          regexp_replace(d.expression, '(pg_catalog\\.)?\\m(now|clock_timestamp|statement_timestamp)\\(\\)', current_schema() || '.\\2()', 'g'));
      end if;
    end loop;
  end $$`;

/**
 * Adds functions to a schema that replace the clock of Postgres by the simulated one, for processes whose search path names the schema before
 * `pg_catalog`: now() is the time at which the transaction began, statement_timestamp() that of the statement, clock_timestamp() the current one.
 */
export async function shadowSqlClock(control: ControlConnection): Promise<void> {
  await control.query(SHADOWS);
}

export class SimulatedClock {
  readonly #control: ControlConnection;
  readonly #timers = new Map<number, Timer>();
  #lastId = 0;
  #now = 0;

  constructor(control: ControlConnection) {
    this.#control = control;
  }

  get now(): number {
    return this.#now;
  }

  /** Replaces clock and timers within simulated processes by this clock; other code keeps the real ones. @returns what restores them */
  install(): () => void {
    const add = (work: () => void, ms: number, repeats: boolean) => {
      const owner = currentProcess.getStore();
      if (!owner) return undefined;
      const id = ++this.#lastId;
      const everyMs = repeats ? Math.max(1, ms) : undefined;
      this.#timers.set(id, { id, at: this.#now + Math.max(0, ms || 0), everyMs, owner, ring: work });
      return new TimerHandle(id);
    };
    const remove = (handle: unknown) => (handle instanceof TimerHandle ? this.#timers.delete(handle.id) : undefined);
    const replaced = {
      setTimeout: (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
        add(() => work(...values), ms, false) ?? REAL.setTimeout(work, ms, ...values),
      setInterval: (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
        add(() => work(...values), ms, true) ?? REAL.setInterval(work, ms, ...values),
      clearTimeout: (handle: NodeJS.Timeout) => remove(handle) ?? REAL.clearTimeout(handle),
      clearInterval: (handle: NodeJS.Timeout) => remove(handle) ?? REAL.clearInterval(handle),
    };
    Object.assign(globalThis, replaced);
    replaceSleep(async (ms = 0, value, options) => {
      if (!currentProcess.getStore()) return REAL.sleep(ms, value, options);
      await waitSimulated(ms);
      return value as never;
    });
    performance.now = () => (currentProcess.getStore() ? this.#now : REAL.now());
    Date.now = () => (currentProcess.getStore() ? this.#now : REAL.date());
    return () => {
      const { now, date, sleep, ...others } = REAL;
      Object.assign(globalThis, others);
      replaceSleep(sleep);
      performance.now = now;
      Date.now = date;
    };
  }

  /** Begins a run at the time `at`, without timers. */
  async begin(at: number): Promise<void> {
    this.#timers.clear();
    await this.#set(at);
  }

  /** When the next timer fires of a process that is alive and not frozen then; undefined if none is set. */
  nextTimerAt(): number | undefined {
    let next: number | undefined;
    for (const [id, { at, owner }] of this.#timers) {
      if (owner.isDead) this.#timers.delete(id);
      else next = Math.min(next ?? Number.POSITIVE_INFINITY, Math.max(at, owner.frozenUntil));
    }
    return next;
  }

  /** Advances the clock, and fires the timers that are due, in the order of their times. */
  async advanceTo(at: number): Promise<void> {
    if (at > this.#now) await this.#set(at);
    const due = [...this.#timers.values()].filter((timer) => timer.at <= this.#now && timer.owner.frozenUntil <= this.#now);
    for (const timer of due.sort((a, b) => a.at - b.at || a.id - b.id)) {
      // An earlier timer may have cleared it.
      if (!this.#timers.has(timer.id) || timer.owner.isDead) continue;
      if (timer.everyMs === undefined) this.#timers.delete(timer.id);
      else timer.at = this.#now + timer.everyMs;
      currentProcess.run(timer.owner, timer.ring);
    }
  }

  async #set(at: number): Promise<void> {
    this.#now = at;
    await this.#control.query(`select setval('simulated_clock', $1)`, [at]);
  }
}
