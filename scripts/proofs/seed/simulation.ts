/**
 * Runs programs of the service in this process, on a real Postgres, one step at a time: a scheduler chooses which statement is sent next, the clock
 * stands still between steps, and programs can be killed or frozen between steps. The same choices reproduce the same run.
 */
import type { Scheduler } from 'fast-check';
import { Database, type PostgresOptions } from '../../../src/core/store/postgres/pool.ts';
import { currentProcess, realNow, type SimulatedClock, type SimulatedProcess, waitReally } from './clock.ts';
import { addressFor, type Gate, type SentStatement, type SimulatedClient, takeNewPool } from './connections.ts';
import type { ControlConnection } from './control.ts';
import type { Pauses } from './pauses.ts';
import { type Interruption, type MakeDatabase, Program } from './program.ts';

/** An answer that takes this many times as long as recent ones may wait for a lock, so Postgres is asked. */
const PATIENCE = 4;
const PATIENCE_MS = { min: 2, max: 100 };
/** Connections of a pool by default. */
const CONNECTIONS = 3;
/** Longer than any answer takes on a working machine. */
const ANSWER_MAX_MS = 20_000;

/** A statement that was sent and is not answered yet. */
interface Flight {
  program: Program;
  process: SimulatedProcess;
  client: SimulatedClient;
  text: string;
  values: readonly unknown[];
  /** when it was sent, by the simulated clock */
  sentAt: number;
  /** real time at which it was sent or last resumed */
  movedAt: number;
  /** whether it waits for locks of others */
  waits: boolean;
  pausesAt: number | undefined;
  /** whether the scheduler can already choose the step that resumes it */
  isPauseKnown: boolean;
  isAnswered: boolean;
  /** resolves when it is answered or pauses again */
  moved: PromiseWithResolvers<void>;
  /** delivers the answer to the caller */
  handOver(): void;
}

export class Simulation implements Gate {
  readonly clock: SimulatedClock;
  readonly #control: ControlConnection;
  readonly #pauses: Pauses;
  readonly #address: { url: string; schema: string };
  readonly programs: Program[] = [];
  readonly #flights = new Set<Flight>();
  /** connections of killed programs whose last statement is still waiting */
  readonly #orphans = new Set<number>();
  #connecting = 0;
  /** whether a lock may have been released since the waits were last read */
  #mayGoOn = true;
  /** sends the chosen statement, or resumes it after a pause */
  #passing: Promise<void> | undefined;
  /** real milliseconds that recent answers took */
  #usualMs = 1;
  #scheduler: Scheduler | undefined;
  #interruptions: Interruption[] = [];
  #thawing: { process: SimulatedProcess; resolve(): void }[] = [];
  #trace: string[] = [];
  steps = 0;
  /** called when a statement has to wait for a lock of another */
  onWait: ((waiting: SentStatement, holders: SentStatement[]) => void) | undefined;
  onInterruption: ((one: Interruption, program: Program) => void) | undefined;
  /** called when a statement is refused */
  onFailure: ((text: string, error: { code?: string }) => void) | undefined;
  /** called when Postgres ends an idle transaction */
  onTerminated: (() => void) | undefined;

  constructor(control: ControlConnection, clock: SimulatedClock, pauses: Pauses, address: { url: string; schema: string }) {
    this.#control = control;
    this.clock = clock;
    this.#pauses = pauses;
    this.#address = address;
  }

  /** Adds a program. @param pools options of its connection pools, by name @param begin called in each new process of the program */
  addProgram(name: string, pools: Record<string, Partial<PostgresOptions>>, begin: (program: Program) => void): Program {
    const { url, schema } = this.#address;
    const make: MakeDatabase = (of, options) => {
      const database = new Database({ connections: CONNECTIONS, ...options, url: addressFor(url, of), schema: `${schema},pg_catalog` });
      const pool = takeNewPool();
      if (!pool) throw new Error('The gate is not installed');
      return { database, pool };
    };
    const program = new Program(name, pools, make, begin);
    this.programs.push(program);
    return program;
  }

  /** Begins a run, with each program in a new process. */
  async begin(scheduler: Scheduler, at: number, pausing: boolean): Promise<void> {
    this.#scheduler = scheduler;
    this.#interruptions = [];
    this.#trace = [];
    this.steps = 0;
    await this.clock.begin(at);
    await this.#pauses.turn(pausing);
    for (const program of this.programs) await program.connect();
    for (const program of this.programs) program.start();
  }

  /** Schedules interruptions at steps counted from now. */
  interrupt(interruptions: readonly Interruption[]): void {
    const from = this.steps;
    this.#interruptions = interruptions
      .map((one) => ({ ...one, step: one.during ? one.step : one.step + from }))
      .sort((a, b) => a.step - b.step);
  }

  /** The trace of the run, one line for each step. */
  get trace(): readonly string[] {
    return this.#trace;
  }

  note(line: string): void {
    this.#trace.push(line);
  }

  /** Ends all processes and their connections, whatever they are doing. @param isLast whether no further run follows */
  async end(isLast = false): Promise<void> {
    this.#scheduler = undefined;
    this.#thawing = [];
    for (const program of this.programs) {
      await this.#endProcess(program);
      if (isLast) await program.close();
    }
    await this.#quiesce();
  }

  noteConnecting(change: 1 | -1): void {
    this.#connecting += change;
  }

  async pass<T>({ process: name, client, text, values }: SentStatement, send: () => Promise<T>): Promise<T> {
    const program = this.programs.find((one) => one.name === name);
    if (!program) throw new Error(`No program has the connection of ${name}`);
    const caller = currentProcess.getStore();
    const process = caller?.isDead ? caller : program.process;
    program.clients.add(client);
    const label = `${name}: ${shortText(text)}`;
    do {
      await untilThawed(process, this.clock, this.#thawing);
      await this.#turn(process, label);
    } while (process.frozenUntil > this.clock.now);
    // Registered as a step in progress, so that no other begins meanwhile.
    const held = this.#pauses.hold(client.pid);
    this.#passing = held;
    await held;
    const handed = Promise.withResolvers<void>();
    const flight: Flight = {
      program,
      process,
      client,
      text,
      values,
      sentAt: this.clock.now,
      movedAt: realNow(),
      waits: false,
      pausesAt: undefined,
      isPauseKnown: false,
      isAnswered: false,
      moved: Promise.withResolvers<void>(),
      handOver: handed.resolve,
    };
    this.#flights.add(flight);
    client.last = { text, values };
    if (text === 'begin') client.begin();
    else client.done.push(text);
    const keepsLocks = client.inTransaction && text !== 'commit' && text !== 'rollback';
    const stopListening = client.listenToPauses((key) => notePause(flight, key));
    const answer = send();
    const note = (hasFailed: boolean) => {
      stopListening();
      if (!flight.waits) this.#usualMs = 0.9 * this.#usualMs + 0.1 * (realNow() - flight.movedAt);
      if (hasFailed || !keepsLocks) this.#mayGoOn = true;
      flight.isAnswered = true;
      flight.moved.resolve();
    };
    answer.then(
      () => note(false),
      () => note(true),
    );
    await handed.promise;
    client.answeredAt = this.clock.now;
    if (process.isDead) return never();
    if (text === 'commit' || text === 'rollback') client.inTransaction = false;
    answer.catch((error: Error & { code?: string }) => {
      this.note(`${label} failed: ${error.message}`);
      this.onFailure?.(text, error);
    });
    return answer;
  }

  /** Waits until the scheduler chooses a step. */
  async #turn(process: SimulatedProcess, label: string): Promise<void> {
    if (process.isDead || !this.#scheduler) return never();
    await this.#scheduler.schedule(Promise.resolve(), label);
    if (process.isDead) return never();
    const program = this.programs.find(({ name }) => name === process.name);
    if (program) program.lastStep = label;
    this.note(label);
  }

  /**
   * Runs steps until `isOver` returns true.
   * @throws Error if that takes more steps than `stepsMax`, if no further step is possible, or if statements wait for each other
   */
  async play(isOver: () => boolean | Promise<boolean>, stepsMax: number): Promise<void> {
    const scheduler = this.#scheduler;
    if (!scheduler) throw new Error('No run has begun');
    for (;;) {
      await this.#quiesce();
      if (await isOver()) return;
      if (await this.#interrupt()) continue;
      if (++this.steps > stepsMax) throw new Error(`The run does not end within ${stepsMax} steps`);
      // Other programs may poll through hours of a freeze, while the remaining work waits for its end.
      if (this.steps === Math.floor(stepsMax / 2)) await this.#passFreezes();
      if (scheduler.count() > 0) await scheduler.waitOne();
      else await this.#passTime(this.#nextMoment());
    }
  }

  #nextMoment(): number {
    const moments = this.#thawing.flatMap(({ process }) => (process.isDead ? [] : [process.frozenUntil]));
    const waits = [...this.#flights].flatMap(({ sentAt, client, process }) =>
      client.statementMs && !process.isDead ? [sentAt + client.statementMs] : [],
    );
    const idle = this.programs.flatMap(({ clients }) =>
      [...clients].flatMap((one) => (one.inTransaction && one.idleInTransactionMs ? [one.answeredAt + one.idleInTransactionMs] : [])),
    );
    const next = Math.min(this.clock.nextTimerAt() ?? Number.POSITIVE_INFINITY, ...moments, ...waits, ...idle);
    if (!Number.isFinite(next)) throw new Error('Nothing goes on any more');
    return next;
  }

  /** Cancels further interruptions and ends current ones. */
  async thaw(): Promise<void> {
    this.#interruptions = [];
    await this.#passFreezes();
  }

  /** Advances the time until no process is frozen. */
  #passFreezes(): Promise<void> {
    return this.#passTime(Math.max(this.clock.now, ...this.programs.map(({ process }) => process.frozenUntil)));
  }

  #programOf({ program }: Interruption): Program {
    return this.programs[program % this.programs.length] as Program;
  }

  /** Whether an interruption is due; counts the steps of one that waits for an operation. */
  #isDue(one: Interruption): boolean {
    if (!one.during) return one.step <= this.steps;
    return this.#programOf(one).isInMiddleOf(one.during) && one.step-- <= 0;
  }

  async #interrupt(): Promise<boolean> {
    const at = this.#interruptions.findIndex((one) => this.#isDue(one));
    if (at < 0) return false;
    const [next] = this.#interruptions.splice(at, 1) as [Interruption];
    const program = this.#programOf(next);
    this.note(next.what === 'jump' ? `${next.ms} ms pass` : `${next.what} ${program.name}`);
    this.onInterruption?.(next, program);
    if (next.what === 'kill') {
      await this.#endProcess(program);
      await program.connect();
      program.start();
    } else if (next.what === 'freeze') program.process.frozenUntil = this.clock.now + next.ms;
    else await this.#passTime(this.clock.now + next.ms);
    return true;
  }

  async #endProcess(program: Program): Promise<void> {
    const cut = program.end();
    if (cut.length) this.#mayGoOn = true;
    for (const client of cut) {
      const { pid } = client;
      client.cut();
      await this.#pauses.drop(pid);
      if (pid) this.#orphans.add(pid);
    }
    for (const flight of this.#flights) if (cut.includes(flight.client)) this.#flights.delete(flight);
  }

  /** Advances the time, and ends transactions that have been idle too long, as Postgres does. */
  async #passTime(at: number): Promise<void> {
    await this.clock.advanceTo(at);
    const late = [...this.#flights].filter(
      ({ client: { statementMs }, sentAt, process, isAnswered }) =>
        !isAnswered && statementMs && sentAt + statementMs <= at && !process.isDead,
    );
    for (const { client } of late) await this.#control.query('select pg_cancel_backend($1)', [client.pid]);
    await Promise.all(late.map(untilAnswered));
    const inFlight = new Set([...this.#flights].map(({ client }) => client));
    for (const { clients } of this.programs)
      for (const client of clients)
        if (
          client.inTransaction &&
          !inFlight.has(client) &&
          client.idleInTransactionMs &&
          client.answeredAt + client.idleInTransactionMs <= at
        ) {
          clients.delete(client);
          await this.#terminate(client);
        }
    for (const one of this.#thawing.splice(0))
      if (one.process.frozenUntil <= at) one.resolve();
      else this.#thawing.push(one);
  }

  /** Ends a connection whose transaction was idle too long, as Postgres does. */
  async #terminate(client: SimulatedClient): Promise<void> {
    client.inTransaction = false;
    this.#mayGoOn = true;
    this.note(`${client.process} stood still in a transaction`);
    this.onTerminated?.();
    const ended = new Promise<void>((resolve) => void client.once('end', resolve));
    await this.#control.query('select pg_terminate_backend($1)', [client.pid]);
    await ended;
  }

  /**
   * Waits until every sent statement is answered, pauses or waits for a lock; delivers the answers in the order of their statements, and lets all code
   * run until it waits again.
   */
  async #quiesce(): Promise<void> {
    for (const began = realNow(); ; ) {
      await endTurn();
      const passing = this.#passing;
      this.#passing = undefined;
      await passing;
      if (!(await this.#isQuiet())) {
        if (realNow() - began > ANSWER_MAX_MS) throw new Error(`No answer to ${this.#open.map(({ text }) => shortText(text))}`);
        continue;
      }
      const next = [...this.#flights].find(({ isAnswered }) => isAnswered);
      if (!next) break;
      this.#flights.delete(next);
      next.handOver();
    }
    for (const flight of this.#flights) if (flight.pausesAt && !flight.isPauseKnown) this.#offerPause(flight);
  }

  /** Statements that are neither answered nor paused. */
  get #open(): Flight[] {
    return [...this.#flights].filter(({ isAnswered, pausesAt }) => !isAnswered && !pausesAt);
  }

  /** Whether every sent statement is answered, pauses or waits for a lock; waits a while for that. */
  async #isQuiet(): Promise<boolean> {
    const fresh = this.#open.filter(({ waits }) => !waits);
    const patienceMs = Math.min(Math.max(PATIENCE * this.#usualMs, PATIENCE_MS.min), PATIENCE_MS.max);
    if (this.#connecting || fresh.length) await Promise.race([...fresh.map(({ moved }) => moved.promise), waitReally(patienceMs)]);
    if (this.#connecting) return false;
    if (fresh.some(({ isAnswered, pausesAt }) => isAnswered || pausesAt)) return false;
    // A waiting statement resumes only if a lock was released.
    if (!fresh.length && !this.#orphans.size && !this.#mayGoOn) return true;
    return this.#allWait();
  }

  /** Whether every unanswered statement waits for a lock. */
  async #allWait(): Promise<boolean> {
    this.#mayGoOn = false;
    const open = this.#open;
    const pids = [...open.map(({ client }) => client.pid), ...this.#orphans];
    if (!pids.length) return true;
    const { rows } = await this.#control.query<{ pid: number; lives: boolean; by: number[] }>(WAITING, [pids, [...this.#orphans]]);
    const by = new Map(rows.map((row) => [row.pid, row.by]));
    for (const { pid, lives } of rows) if (!lives) this.#orphans.delete(pid);
    await endTurn();
    const control = (this.#control as unknown as { processID: number }).processID;
    const unanswered = open.filter(({ isAnswered, pausesAt }) => !isAnswered && !pausesAt);
    for (const flight of unanswered) {
      const holders = by.get(flight.client.pid) ?? [];
      const isWaiting = holders.length > 0 && !holders.includes(control);
      if (isWaiting && !flight.waits) this.#noteWait(flight, holders);
      else if (!isWaiting && flight.waits) flight.movedAt = realNow();
      flight.waits = isWaiting;
    }
    // After the run was ended, those that are cut off wait until Postgres ends one of them.
    if (this.#scheduler) throwIfDeadlocked(by);
    return unanswered.every(({ waits }) => waits) && [...this.#orphans].every((pid) => by.get(pid)?.length);
  }

  /** Lets the scheduler choose when a paused statement resumes. */
  #offerPause(flight: Flight): void {
    const { program, process, client, text } = flight;
    flight.isPauseKnown = true;
    void this.#turn(process, `${program.name}: … ${shortText(text)}`).then(() => {
      // If it was ended meanwhile, it is no longer paused.
      if (!this.#flights.has(flight) || !flight.pausesAt) return;
      const key = flight.pausesAt;
      Object.assign(flight, { pausesAt: undefined, isPauseKnown: false, movedAt: realNow(), moved: Promise.withResolvers<void>() });
      this.#passing = this.#pauses.pass(client.pid, key);
    });
  }

  #noteWait({ program, client, text, values }: Flight, holders: readonly number[]): void {
    this.note(`${program.name} waits: ${shortText(text)}`);
    const others = this.programs.flatMap((one) => [...one.clients]).filter(({ pid }) => holders.includes(pid));
    this.onWait?.(
      { process: program.name, client, text, values },
      others.map((other) => ({ process: other.process, client: other, ...other.last })),
    );
  }
}

/** Transactions wait for each other; Postgres would abort one of them. */
class Deadlock extends Error {}

/** @param by for each connection those that it waits for @throws Deadlock */
function throwIfDeadlocked(by: ReadonlyMap<number, readonly number[]>): void {
  for (const [start] of by) {
    const seen = new Set<number>();
    const next = [...(by.get(start) ?? [])];
    for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
      if (pid === start) throw new Deadlock('Two transactions wait for each other');
      if (seen.has(pid)) continue;
      seen.add(pid);
      next.push(...(by.get(pid) ?? []));
    }
  }
}

/** Which of the connections $1 wait for which others, and which of $2 still exist. */
const WAITING = `
  select pid, pg_blocking_pids(pid) as by, pid <> all ($2::integer[]) or exists (select from pg_stat_get_activity(pid)) as lives
  from unnest($1::integer[]) as asked (pid)`;

function notePause(flight: Flight, key: number): void {
  flight.pausesAt = key;
  flight.moved.resolve();
}

async function untilAnswered(flight: Flight): Promise<void> {
  while (!flight.isAnswered) {
    flight.pausesAt = undefined;
    flight.moved = Promise.withResolvers<void>();
    await flight.moved.promise;
  }
}

const shortText = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 70);
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Lets all code run that waits for nothing outside this process. */
async function endTurn(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function untilThawed(
  process: SimulatedProcess,
  clock: SimulatedClock,
  thawing: { process: SimulatedProcess; resolve(): void }[],
): Promise<void> {
  if (process.frozenUntil <= clock.now) return;
  await new Promise<void>((resolve) => thawing.push({ process, resolve }));
}
