/** The environment of a proof: its own schema with the simulated clock and pauses, and the simulation that runs on it. */
import { randomBytes } from 'node:crypto';
import type { Scheduler } from 'fast-check';
import { migrate } from '../../../src/core/store/postgres/migrate.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { watchCharges } from '../../lib/charges.ts';
import { currentProcess, SimulatedClock, type SimulatedProcess, shadowSqlClock } from './clock.ts';
import { installGate } from './connections.ts';
import { type ControlConnection, openControl } from './control.ts';
import { Marks } from './marks.ts';
import type { MoneyPlan } from './moneyActions.ts';
import { addPauses, Pauses } from './pauses.ts';
import { installSeededRandomness, seedRandomness } from './seededRandomness.ts';
import { Simulation } from './simulation.ts';

/** Plants a defect in a schema. */
export type Mutate = (control: ControlConnection) => Promise<void>;

/** A run takes fewer. */
export const STEPS_MAX = 3_000;
/** Runs after which the rows of all of them are deleted. */
const KEPT_RUNS = 40;

const NOTES = `
  create table proof_write (seq serial, job_id text, attempt integer);
  create table proof_takeover (key text);
  create function note_takeover() returns trigger language plpgsql as $$
  begin
    insert into proof_takeover values (new.key);
    return null;
  end $$;
  create trigger note_takeover after update on idempotency for each row when (old.owner <> new.owner) execute function note_takeover()`;

const CLEAR_ALL = `
  alter table ledger_entry disable trigger user;
  truncate team, job, event, event_log, idempotency, delivery, proof_charge cascade;
  alter table ledger_entry enable trigger user`;

/** Deletes the rows of the previous run that could affect the next one. */
const CLEAR_RUN = `
  delete from proof_write; delete from proof_takeover; delete from credit_pool;
  delete from release; delete from index_commit; delete from index_lineage`;

export interface RunBeginning extends Omit<MoneyPlan, 'actions'> {
  scheduler: Scheduler;
  chance: number;
}

export class ProofEnvironment {
  readonly simulation: Simulation;
  readonly marks = new Marks();
  /** not simulated */
  readonly database: Database;
  readonly control: ControlConnection;
  readonly #schema: string;
  readonly #restores: (() => void)[];
  /** the process that customers belong to, outside all programs */
  #customer: SimulatedProcess = { name: 'customer', isDead: true, frozenUntil: 0 };
  /** seeds of the runs whose rows are kept: a run with the same seed would draw the same ids */
  readonly #keptChances = new Set<number>();
  /** errors that would have ended a process of the service */
  #crash: Error | undefined;
  readonly #noteCrash = (error: Error) => {
    this.#crash ??= error;
  };

  private constructor(url: string, schema: string, control: ControlConnection, database: Database) {
    this.#schema = schema;
    this.control = control;
    this.database = database;
    const clock = new SimulatedClock(control);
    this.simulation = new Simulation(control, clock, new Pauses(control), { url, schema });
    this.#restores = [installGate(this.simulation), clock.install(), installSeededRandomness()];
    process.on('uncaughtException', this.#noteCrash);
  }

  static async make(url: string, mutate: Mutate = async () => undefined): Promise<ProofEnvironment> {
    const schema = `seed_${randomBytes(5).toString('hex')}`;
    await migrate(url, schema);
    const control = await openControl(url, schema);
    await shadowSqlClock(control);
    await addPauses(control);
    await control.query(NOTES);
    await mutate(control);
    const database = new Database({ url, schema: `${schema},pg_catalog`, connections: 2, statementTimeoutMs: 60_000, patience: 50 });
    await watchCharges(database);
    return new ProofEnvironment(url, schema, control, database);
  }

  async begin(run: RunBeginning): Promise<{ team: number; user: number }> {
    if (this.#keptChances.size === KEPT_RUNS || this.#keptChances.has(run.chance)) {
      await this.control.query(CLEAR_ALL);
      this.#keptChances.clear();
    }
    this.#keptChances.add(run.chance);
    await this.control.query(CLEAR_RUN);
    const { rows } = await this.control.query<{ team: number; user: number }>(
      `with made as (insert into team (name, plan, monthly_credits) values ('Proof', $1, $2) returning id)
       insert into app_user (team_id, name, role) select id, 'Owner', 'owner' from made returning team_id as team, id as user`,
      [run.plan, run.credits],
    );
    seedRandomness(run.chance);
    this.#customer = { name: 'customer', isDead: false, frozenUntil: 0 };
    await this.simulation.begin(run.scheduler, Date.parse(run.at), run.pausing);
    this.simulation.interrupt(run.interruptions);
    return rows[0] as { team: number; user: number };
  }

  /** Runs the simulation until customers, who are not killed, have done some work. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const note = () => {
      isOver = true;
    };
    const value = currentProcess.run(this.#customer, work);
    value.then(note, note);
    await this.simulation.play(() => isOver, STEPS_MAX);
    return value;
  }

  /** Runs `run`; if it fails or a process crashes, aborts the simulation and throws. */
  async guard(run: () => Promise<void>): Promise<void> {
    this.#crash = undefined;
    try {
      await run();
      if (this.#crash) throw this.#crash;
    } catch (error) {
      const crash = this.#crash;
      this.#customer.isDead = true;
      await this.simulation.end();
      throw crash ?? error;
    }
    this.#customer.isDead = true;
  }

  async close(): Promise<void> {
    await this.simulation.end(true);
    for (const restore of this.#restores) restore();
    await this.control.query('select pg_advisory_unlock_all()');
    await this.control.query(`drop schema ${this.#schema} cascade`);
    await Promise.all([this.control.end(), this.database.close()]);
    process.off('uncaughtException', this.#noteCrash);
  }
}
