/** A program of the service within a simulation: its process, its connections, and how both end. */
import type { Database, PostgresOptions } from '../../../src/core/store/postgres/pool.ts';
import { currentProcess, type SimulatedProcess } from './clock.ts';
import type { SimulatedClient, SimulatedPool } from './connections.ts';

/** What befalls a run at a step: a program is killed or frozen, or time passes. */
export interface Interruption {
  step: number;
  what: 'kill' | 'freeze' | 'jump';
  /** by its place among the programs */
  program: number;
  ms: number;
  /** what the program is in the middle of, from whose beginning the steps are counted; undefined for those of the run */
  during?: Middle;
}

const hasSent = (pattern: RegExp) => (program: Program) =>
  [...program.clients].some(({ inTransaction, done }) => inTransaction && done.some((text) => pattern.test(text)));
const hasDone = (pattern: RegExp) => (program: Program) => pattern.test(program.lastStep);

/** The work of a job; a transaction that accepts one or settles one; a publication; and one that returns to what was served before. */
const MIDDLES = {
  work: hasDone(/update job set progress/),
  acceptance: hasSent(/reserve_credits/),
  settlement: hasSent(/release_reservation|settle_contacts|deliver_part/),
  publication: hasDone(/update index_lineage set publishing|with recorded as|changes the aliases/),
  return: ({ task }: Program) => task === 'rollback',
} as const;
export type Middle = keyof typeof MIDDLES;

/** The program that had the request was killed; what became of it is unknown. */
export class ProcessDied extends Error {}

export type MakeDatabase = (program: string, options: Partial<PostgresOptions>) => { database: Database; pool: SimulatedPool };

/** A program that is started again whenever it was killed. */
export class Program {
  readonly name: string;
  readonly #begin: (program: Program) => void;
  readonly #make: MakeDatabase;
  /** names of its pools, with what each asked for */
  readonly #wanted: ReadonlyMap<string, Partial<PostgresOptions>>;
  readonly clients = new Set<SimulatedClient>();
  readonly #databases = new Map<string, { database: Database; pool: SimulatedPool }>();
  process: SimulatedProcess;
  /** what it did last */
  lastStep = '';
  /** what it is told to do, where somebody says so */
  task = '';
  death = Promise.withResolvers<never>();

  constructor(name: string, pools: Record<string, Partial<PostgresOptions>>, make: MakeDatabase, begin: (program: Program) => void) {
    this.name = name;
    this.#wanted = new Map(Object.entries(pools));
    this.#make = make;
    this.#begin = begin;
    this.process = { name, isDead: true, frozenUntil: 0 };
  }

  /** One of its pools, kept while the program lives. */
  database(name: string): Database {
    const made = this.#databases.get(name);
    if (!made) throw new Error(`The program ${this.name} has no pool ${name}`);
    return made.database;
  }

  /** Opens its connections, outside the order of steps. */
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

  /** Whether it is in the middle of such. */
  isAmidst(middle: Middle): boolean {
    return MIDDLES[middle](this);
  }

  /** Begins the program in a new process. */
  start(): void {
    this.process = { name: this.name, isDead: false, frozenUntil: 0 };
    this.death = Promise.withResolvers<never>();
    this.death.promise.catch(() => undefined);
    currentProcess.run(this.process, () => this.#begin(this));
  }

  /**
   * Ends the process. To Postgres the end of a connection on which nothing is under way is no event: its pool is kept for the next process.
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

  /** Does something in the program's process. @throws ProcessDied */
  async call<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([currentProcess.run(this.process, work), this.death.promise]);
  }
}
