/** A program of the service within a simulation: starts and ends its processes and connections. */
import { ApiError } from '../../../src/core/domain/errors.ts';
import type { Database, PostgresOptions } from '../../../src/core/store/postgres/pool.ts';
import { currentProcess, type SimulatedProcess, waitSimulated } from './clock.ts';
import type { SimulatedClient, SimulatedPool } from './connections.ts';

/** An interruption of a run at a step: a program is killed or frozen, or time passes. */
export interface Interruption {
  step: number;
  what: 'kill' | 'freeze' | 'jump';
  program: number;
  ms: number;
  /** operation of the program from whose beginning steps are counted; undefined counts from the beginning of the run */
  during?: Middle;
}

const hasSentInOpenTransaction = (pattern: RegExp) => (program: Program) =>
  [...program.clients].some(({ inTransaction, done }) => inTransaction && done.some((text) => pattern.test(text)));
const hasDone = (pattern: RegExp) => (program: Program) => pattern.test(program.lastStep);

/**
 * Operations that can be interrupted: the work of a job, a transaction that accepts, settles or fails one, a charge, the opening of a log and the placing
 * of its events.
 */
const MIDDLES = {
  work: hasDone(/update job set progress/),
  acceptance: hasSentInOpenTransaction(/reserve_credits/),
  settlement: hasSentInOpenTransaction(/release_reservation|settle_contacts|deliver_part/),
  failure: hasSentInOpenTransaction(/give_back_reservation/),
  charge: hasDone(/select outcome, balance/),
  opening: hasDone(/insert into event_log/),
  placing: hasDone(/with chosen as/),
} as const;
export type Middle = keyof typeof MIDDLES;

/** The process that handled a request was killed; whether the request took effect is unknown. */
export class ProcessDied extends Error {}

const PASSING: readonly unknown[] = ['service_unavailable', 'idempotency_in_flight'];
const isPassing = (error: unknown) => error instanceof ProcessDied || (error instanceof ApiError && PASSING.includes(error.code));
/** With a pause after each, a request is repeated for longer than the lease of an idempotency claim. */
const TRIES_MAX = 40;
const TRY_AGAIN_MS = 3_000;

/** Calls programs in turn, beginning with one of them, until one answers. @throws what no repetition mends; Error if none answers */
export async function callInTurn<T>(
  programs: readonly Program[],
  first: number,
  call: (program: Program) => Promise<T>,
  onRepeat: (why: unknown) => void = () => undefined,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return await call(programs[(first + tries) % programs.length] as Program);
    } catch (error) {
      if (!isPassing(error)) throw error;
      onRepeat(error);
      await waitSimulated(TRY_AGAIN_MS);
    }
  }
  throw new Error(`No answer after ${TRIES_MAX} tries`);
}

export type MakeDatabase = (program: string, options: Partial<PostgresOptions>) => { database: Database; pool: SimulatedPool };

/** A program that is restarted whenever it was killed. */
export class Program {
  readonly name: string;
  readonly #begin: (program: Program) => void;
  readonly #make: MakeDatabase;
  /** options of its pools by name */
  readonly #wanted: ReadonlyMap<string, Partial<PostgresOptions>>;
  readonly clients = new Set<SimulatedClient>();
  readonly #databases = new Map<string, { database: Database; pool: SimulatedPool }>();
  process: SimulatedProcess;
  /** its last step */
  lastStep = '';
  death = Promise.withResolvers<never>();

  constructor(name: string, pools: Record<string, Partial<PostgresOptions>>, make: MakeDatabase, begin: (program: Program) => void) {
    this.name = name;
    this.#wanted = new Map(Object.entries(pools));
    this.#make = make;
    this.#begin = begin;
    this.process = { name, isDead: true, frozenUntil: 0 };
  }

  /** One of its pools, the same while the process lives. */
  database(name: string): Database {
    const made = this.#databases.get(name);
    if (!made) throw new Error(`The program ${this.name} has no pool ${name}`);
    return made.database;
  }

  /** Opens its connections, which is no step of the simulation. */
  async connect(): Promise<void> {
    for (const [name, options] of this.#wanted) {
      const made = this.#databases.get(name) ?? this.#make(this.name, options);
      this.#databases.set(name, made);
      await currentProcess.run(undefined, () => made.pool.fill());
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#databases.values()].map(({ database }) => database.close()));
  }

  /** Whether it is in the middle of such an operation. */
  isInMiddleOf(middle: Middle): boolean {
    return MIDDLES[middle](this);
  }

  /** Starts the program in a new process. */
  start(): void {
    this.process = { name: this.name, isDead: false, frozenUntil: 0 };
    this.lastStep = '';
    this.death = Promise.withResolvers<never>();
    this.death.promise.catch(() => undefined);
    currentProcess.run(this.process, () => this.#begin(this));
  }

  /**
   * Ends the process. Idle connections make no difference to Postgres, so their pool is kept for the next process.
   * @returns the connections to cut
   */
  end(): SimulatedClient[] {
    this.process.isDead = true;
    this.death.reject(new ProcessDied());
    const kept = new Set<SimulatedClient>();
    for (const [name, { database, pool }] of this.#databases)
      if (database.use.busy || database.use.waiting) this.#databases.delete(name);
      else for (const client of pool.clients) kept.add(client);
    const cut = [...this.clients].filter((client) => !kept.has(client));
    for (const client of cut) this.clients.delete(client);
    return cut;
  }

  /** Runs work in the program's process. @throws ProcessDied if it is killed meanwhile */
  async call<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([currentProcess.run(this.process, work), this.death.promise]);
  }
}
