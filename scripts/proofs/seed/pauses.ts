/** Pauses within statements: before each write, a statement of a simulated process waits for a lock that the simulation holds. */
import type { ControlConnection } from './control.ts';

/** First keys of the advisory locks; a statement alternates between them, so that its next pause finds a lock that is held. */
const KEYS = [735_301, 735_302] as const;

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

export class Pauses {
  readonly #control: ControlConnection;
  readonly #held = new Set<number>();
  #isOn = false;

  constructor(control: ControlConnection) {
    this.#control = control;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  async turn(isOn: boolean): Promise<void> {
    this.#isOn = isOn;
    await this.#control.query(`select setval('simulated_pausing', $1)`, [isOn ? 1 : 0]);
  }

  /** Holds the locks of a connection, for which its statements will wait. */
  async hold(pid: number): Promise<void> {
    if (!this.#isOn || this.#held.has(pid)) return;
    this.#held.add(pid);
    await this.#control.query('select pg_advisory_lock($1::integer, $3::integer), pg_advisory_lock($2::integer, $3::integer)', [
      ...KEYS,
      pid,
    ]);
  }

  /** Ends what is held of a connection that was cut, so that its statement runs to its end. */
  async drop(pid: number): Promise<void> {
    if (!this.#held.delete(pid)) return;
    await this.#control.query('select pg_advisory_unlock($1::integer, $3::integer), pg_advisory_unlock($2::integer, $3::integer)', [
      ...KEYS,
      pid,
    ]);
  }

  /** Lets a statement go on to its next pause or its end. */
  async pass(pid: number): Promise<void> {
    // The lock is asked for again behind the statement in its queue: granted when it went on.
    const { rowCount } = await this.#control.query(
      `select pg_advisory_unlock(key, pid), pg_advisory_lock(key, pid) from (
         select classid::integer as key, pid from pg_locks
         where locktype = 'advisory' and pid = $1 and not granted and classid = any ($2) limit 1) as waiting`,
      [pid, KEYS],
    );
    if (!rowCount) throw new Error(`The connection ${pid} does not pause`);
  }
}
