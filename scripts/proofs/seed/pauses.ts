/**
 * Pauses within statements: before each write, a trigger sends a notice and waits for an advisory lock that the simulation holds.
 */
import type { ControlConnection } from './control.ts';

/** First keys of the advisory locks; a statement alternates between them, so that its next pause finds a lock that is held. */
const KEYS = [735_301, 735_302] as const;
const NOTICE = 'simulated pause at ';

const TABLES = [
  'credit_pool',
  'delivery',
  'document_delivery',
  'ledger_entry',
  'reservation',
  'idempotency',
  'job',
  'contact_allowance',
  'contact_hold',
  'export_delivery',
];

const PAUSE = `
  create sequence if not exists simulated_pausing minvalue 0;
  create or replace function simulated_pause() returns trigger language plpgsql as $$
  declare
    n integer := coalesce(nullif(current_setting('simulated.pauses', true), ''), '0')::integer;
  begin
    if (select last_value from simulated_pausing) = 1 and current_setting('application_name') like 'simulated:%' then
      perform set_config('simulated.pauses', (n + 1)::text, false);
      raise notice '${NOTICE}%', ${KEYS[0]} + n % 2;
      perform pg_advisory_lock(${KEYS[0]} + n % 2, pg_backend_pid());
      perform pg_advisory_unlock(${KEYS[0]} + n % 2, pg_backend_pid());
    end if;
    return null;
  end $$;
  ${TABLES.map((table) => `create trigger simulated_pause before insert or update or delete on ${table} for each statement execute function simulated_pause();`).join('\n')}`;

/** Adds the pauses to the tables of money and jobs in the schema of a connection. */
export async function addPauses(control: ControlConnection): Promise<void> {
  await control.query(PAUSE);
}

/** The lock at which a statement pauses, according to a notice; undefined for other notices. */
export const pausedAt = (notice: string | undefined): number | undefined =>
  notice?.startsWith(NOTICE) ? Number(notice.slice(NOTICE.length)) : undefined;

export class Pauses {
  readonly #control: ControlConnection;
  /** held locks, by connection */
  readonly #held = new Map<number, Set<number>>();
  #isOn = false;

  constructor(control: ControlConnection) {
    this.#control = control;
  }

  async turn(isOn: boolean): Promise<void> {
    this.#isOn = isOn;
    await this.#control.query(`select setval('simulated_pausing', $1)`, [isOn ? 1 : 0]);
  }

  /** Acquires the locks of a connection, so that its statements pause. */
  async hold(pid: number): Promise<void> {
    if (this.#isOn) await this.#change(pid, KEYS, []);
  }

  /** Releases the locks of a connection that was cut, so that its statement runs to its end. */
  async drop(pid: number): Promise<void> {
    await this.#change(pid, [], KEYS);
    this.#held.delete(pid);
  }

  /** Resumes a statement that pauses at a lock, until its next pause or its end. */
  async pass(pid: number, key: number): Promise<void> {
    const others = KEYS.filter((other) => other !== key);
    await this.#change(pid, others, [key]);
  }

  async #change(pid: number, held: readonly number[], free: readonly number[]): Promise<void> {
    const now = this.#held.get(pid) ?? new Set();
    const [taken, left] = [held.filter((key) => !now.has(key)), free.filter((key) => now.has(key))];
    this.#held.set(pid, now);
    for (const key of taken) now.add(key);
    for (const key of left) now.delete(key);
    const calls = [...taken.map((key) => `pg_advisory_lock(${key}, ${pid})`), ...left.map((key) => `pg_advisory_unlock(${key}, ${pid})`)];
    if (calls.length) await this.#control.query(`select ${calls.join(', ')}`);
  }
}
