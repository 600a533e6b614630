/** Connections of simulated processes to Postgres: each statement waits here until the simulation lets it pass. */
import pg from 'pg';
import { currentProcess } from './clock.ts';
import { pausedAt } from './pauses.ts';

export interface SentStatement {
  /** the simulated process, by the name in its address */
  process: string;
  client: SimulatedClient;
  text: string;
  values: readonly unknown[];
}

/** Decides when a statement is sent and when its answer is delivered. */
export interface Gate {
  pass<T>(statement: SentStatement, send: () => Promise<T>): Promise<T>;
  /** counts connections that are being opened, which is not a step of the simulation */
  noteConnecting(change: 1 | -1): void;
}

let gate: Gate | undefined;

const PREFIX = 'simulated:';

/** The connection URL of a process, which carries its name. */
export const addressFor = (url: string, process: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(PREFIX + process)}`;

interface Known {
  connectionParameters: { application_name?: string; idle_in_transaction_session_timeout?: number; statement_timeout?: number };
  processID: number | null;
  connection: { stream: { destroy(): void } };
}

type Done = (error: unknown, result?: unknown) => void;

/** Connections that may be open; those of frozen and killed processes stay open until the proof ends. */
const clients = new Set<SimulatedClient>();

export class SimulatedClient extends pg.Client {
  readonly process: string;
  /** as its pool asked for, judged by the simulated clock */
  readonly idleInTransactionMs: number;
  readonly statementMs: number;
  inTransaction = false;
  /** statements of the transaction that is open, or of the one before */
  done: string[] = [];
  last: Pick<SentStatement, 'text' | 'values'> = { text: '', values: [] };
  /** when its last statement was answered, by the simulated clock */
  answeredAt = 0;

  constructor(options: pg.ClientConfig = {}) {
    const { idle_in_transaction_session_timeout: idleMs = 0, statement_timeout: statementMs = 0, ...others } = options;
    super({ ...others, query_timeout: 0, connectionTimeoutMillis: 0 });
    const { application_name: name = '' } = (this as unknown as Known).connectionParameters;
    this.process = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
    this.idleInTransactionMs = Number(idleMs);
    this.statementMs = Number(statementMs);
    clients.add(this);
    this.once('end', () => clients.delete(this));
  }

  get pid(): number {
    return (this as unknown as Known).processID ?? 0;
  }

  begin(): void {
    this.inTransaction = true;
    this.done = [];
  }

  override end(done?: unknown): never {
    // As a pool does with a connection whose transaction it does not trust.
    this.inTransaction = false;
    return super.end(...([done] as [() => void])) as never;
  }

  /** Calls `onPause` whenever its statement pauses. @returns what removes the listener */
  listenToPauses(onPause: (key: number) => void): () => void {
    const listen = ({ message }: { message?: string | undefined }) => {
      const key = pausedAt(message);
      if (key) onPause(key);
    };
    this.on('notice', listen);
    return () => void this.off('notice', listen);
  }

  /** Cuts the connection, as happens when its process ends. */
  cut(): void {
    (this as unknown as Known).connection.stream.destroy();
  }

  /** Opens connections one after the other, so that their order does not depend on how long each takes. */
  static #opening: Promise<unknown> = Promise.resolve();

  // pg-pool passes a callback, Database awaits a promise.
  override connect(done?: unknown): never {
    gate?.noteConnecting(1);
    const opened = SimulatedClient.#opening
      .then(() => currentProcess.run(undefined, () => super.connect()))
      .finally(() => gate?.noteConnecting(-1));
    SimulatedClient.#opening = opened.catch(() => undefined);
    if (!done) return opened as never;
    opened.then(() => (done as Done)(undefined), done as Done);
    return undefined as never;
  }

  override query(statement: unknown, values?: unknown, callback?: unknown): never {
    const done = (typeof values === 'function' ? values : callback) as Done | undefined;
    const given = (typeof values === 'function' ? undefined : values) as unknown[] | undefined;
    const { text, values: own } = typeof statement === 'string' ? { text: statement, values: given } : (statement as pg.QueryConfig);
    const send = () =>
      super.query(...([statement === 'begin' ? 'begin; select now()' : statement, given] as [string, unknown[]])) as Promise<unknown>;
    const answered =
      gate && this.process
        ? gate.pass({ process: this.process, client: this, text, values: own ?? [] }, () => currentProcess.run(undefined, send))
        : send();
    if (!done) return answered as never;
    answered.then((result) => done(undefined, result), done);
    return undefined as never;
  }
}

/** Pools that were created and not taken yet, newest last. */
const pools: SimulatedPool[] = [];

export class SimulatedPool extends pg.Pool {
  readonly #max: number;
  readonly clients = new Set<SimulatedClient>();

  constructor(options: pg.PoolConfig = {}) {
    // Connections are kept from one run to the next; the simulation judges the waits of statements itself.
    super({ ...options, Client: SimulatedClient, idleTimeoutMillis: 0 } as pg.PoolConfig);
    this.#max = options.max ?? 1;
    this.on('connect', (client) => void this.clients.add(client as unknown as SimulatedClient));
    this.on('remove', (client) => void this.clients.delete(client as unknown as SimulatedClient));
    pools.push(this);
  }

  /** Opens all connections of the pool, since a run with the same choices would differ if it began with fewer connections. */
  async fill(): Promise<void> {
    const { connectionTimeoutMillis: usual } = this.options;
    this.options.connectionTimeoutMillis = 0;
    const clients = await Promise.all(Array.from({ length: this.#max }, () => this.connect()));
    this.options.connectionTimeoutMillis = usual;
    for (const client of clients) client.release();
  }
}

export const takeNewPool = (): SimulatedPool | undefined => pools.pop();

/** Sends the statements of all later pools through `given`. @returns what ends that and cuts the remaining connections */
export function installGate(given: Gate): () => void {
  const { Pool } = pg;
  gate = given;
  pg.Pool = SimulatedPool;
  return () => {
    gate = undefined;
    pg.Pool = Pool;
    for (const client of clients) client.cut();
    clients.clear();
  };
}
