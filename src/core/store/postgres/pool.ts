/** Postgres: one pool a process, short timeouts, and outages distinguished from defects (src/docs/errors.md: service_unavailable). */
import net from 'node:net';
import pg from 'pg';
import { ApiError } from '../../domain/errors.ts';
import { type CallOutcome, type Watch, watchCall } from '../callWatch.ts';
import { awaitServer, type LifeSigns, type Patience } from '../serverSilence.ts';
import { findDatabaseBlock } from './databaseBlock.ts';

/** Silence of a server that is to accept a connection, or to end a statement whose connection is waited for. */
const CONNECT_SILENT_MS = 800;
/** Longest wait for a connection, while the server is heard: others' statements end by then. */
const CONNECT_LONGEST_MS = 2_500;
/** Longest waits after which an attempt to connect is given up, so that it does not occupy the pool for ever. */
const STUCK_TIMES = 2;
/** Enough to wait for a pool's lock in a burst of its requests, and acceptable for a client that waits. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** Added to the statement's timeout, so that the client's timeout fires only when the server is frozen. */
const READ_MARGIN_MS = 500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const POOL_CONNECTIONS = 20;
const RETRY_AFTER_SECONDS = 2;

/** SQLSTATE classes and codes of outages of the server, rather than defects of a statement. */
const OUTAGE_SQLSTATE = /^(08|28|53|57P0|58|XX)|^(3D000|57014|25P03|25006|55P03|40001|40P01)$/;
/** A missing table, type or function, or missing privileges: a defect of the deployment, not of the request. */
const UNREADABLE_SQLSTATE = /^(42P01|42704|42883|42501)$/;

export interface PostgresOptions {
  url: string;
  /** first and only schema in the search path */
  schema: string;
  connections?: number;
  /** for commands that may take longer than a request */
  statementTimeoutMs?: number;
  /** how long a transaction may wait for its next statement before Postgres ends it, which frees the locks of a frozen process */
  idleInTransactionMs?: number;
  /** factor on the timeouts of connections and answers, 1 by default; for a distant server or a busy machine */
  patience?: number;
  /** whether a missing table is thrown as Postgres names it, for a command; requests are refused */
  namesMissingTables?: boolean;
  /** called when a connection breaks while idle or between the statements of a transaction; the pool replaces it */
  onError?: (error: Error) => void;
  watch?: Watch | undefined;
}

/** Number of connections in use, open and idle, and of callers that wait for one. */
export interface PoolUse {
  busy: number;
  idle: number;
  waiting: number;
  max: number;
}

export interface QueryOptions {
  /** longest silence of the server before the answer, or, if that is longer than the pool's timeout, longest wait for it */
  timeoutMs?: number;
  /** prepares the statement once a connection; a name must always have the same text */
  name?: string;
}

/** Something that runs statements: the pool, or a transaction. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
}

/** Whether an error means that Postgres is unreachable or cannot serve now, rather than a defect or a broken constraint. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGE_SQLSTATE.test(error.code ?? '');
  if (!(error instanceof Error) || error instanceof ApiError) return false;
  // For lost connections and timeouts, pg throws plain Errors without a code; system errors have one; a TypeError is a defect.
  return error.constructor === Error || error instanceof AggregateError;
}

/** The SQLSTATE of a refused statement, such as 23505 for a broken unique constraint. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether a statement was refused because an object does not exist or the role may not use it, also as the cause of an ApiError. */
export const isUnreadable = (error: unknown): boolean => UNREADABLE_SQLSTATE.test(sqlState(causeOf(error)) ?? '');

const translateOutage = (error: unknown): unknown => (isOutage(error) ? databaseUnavailable(error) : error);

/** Tables that are missing or unreadable refuse a request as an outage does. */
const translateForRequests = (error: unknown): unknown =>
  error instanceof pg.DatabaseError && isUnreadable(error) ? databaseUnavailable(error) : translateOutage(error);

function databaseUnavailable(cause: unknown): ApiError {
  const trouble = findDatabaseBlock(cause)?.trouble ?? 'cannot be reached right now';
  return new ApiError('service_unavailable', `The account database ${trouble}; nothing was charged. Retry shortly.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    details: { subsystem: 'database' },
    cause,
  });
}

const causeOf = (error: unknown): unknown => (error instanceof ApiError ? error.cause : error);

/** Whether an error, or the one that an answer was made of, means that the connection must not be used again. */
const isLost = (error: unknown): boolean => isOutage(causeOf(error));

const outcomeOf = (error: unknown): CallOutcome => (isLost(error) ? 'failed' : 'refused');

/** The connections of a pool, on which its server is heard. */
class PoolLifeSigns implements LifeSigns {
  readonly options: pg.ClientConfig;
  readonly #open = new Set<net.Socket>();
  #closedBytes = 0;
  #probing: Promise<void> | undefined;

  constructor(options: pg.ClientConfig) {
    this.options = { ...options, stream: () => this.#socket() };
  }

  received(): number {
    let bytes = this.#closedBytes;
    for (const { bytesRead } of this.#open) bytes += bytesRead;
    return bytes;
  }

  /** Opens a connection: a server that lives asks for its password, whatever the pool's own connections wait for. */
  probe(): void {
    this.#probing ??= this.#openAndEnd().finally(() => {
      this.#probing = undefined;
    });
  }

  async #openAndEnd(): Promise<void> {
    const client = new pg.Client(this.options);
    client.on('error', () => undefined); // a refusal is heard, too
    await client.connect().catch(() => undefined);
    await client.end().catch(() => undefined);
  }

  #socket(): net.Socket {
    const socket = new net.Socket();
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#closedBytes += socket.bytesRead;
    });
    return socket;
  }
}

/** How answers of a pool's server are awaited. */
interface Waits {
  signs: LifeSigns;
  /** factor on what callers ask for */
  patience: number;
  /** longest wait for the answer to a statement */
  answerMs: number;
  /** what an error of the server is thrown as */
  translate: (error: unknown) => unknown;
}

function ask(client: pg.PoolClient, statement: pg.QueryConfig, { signs, patience, answerMs }: Waits, timeoutMs?: number) {
  const silentMs = timeoutMs === undefined ? answerMs : timeoutMs * patience;
  return awaitServer(client.query(statement), signs, { silentMs, longestMs: Math.max(silentMs, answerMs) });
}

function asQueryable(client: pg.PoolClient, waits: Waits, watch?: Watch): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = [], { name, timeoutMs }: QueryOptions = {}): Promise<Row[]> {
      const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      try {
        const result = await watchCall(watch, name ?? 'other', () => ask(client, statement, waits, timeoutMs), outcomeOf);
        return result.rows as Row[];
      } catch (error) {
        throw waits.translate(error);
      }
    },
  };
}

/**
 * Rolls back.
 * @returns false when the connection must not be used again; a lost connection is not asked to roll back
 */
async function rolledBack(client: pg.PoolClient, error: unknown, waits: Waits): Promise<boolean> {
  if (isLost(error)) return false;
  return ask(client, { text: 'rollback' }, waits).then(
    () => true,
    () => false,
  );
}

/** Returns rows as plain objects. An outage is thrown as `service_unavailable`, and so is a missing table; any other error of the server unchanged. */
export class Database implements Queryable, AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #waits: Waits;
  readonly #connecting: Patience;
  readonly #watch: Watch | undefined;
  readonly #onError: ((error: Error) => void) | undefined;

  constructor(options: PostgresOptions) {
    const { patience = 1 } = options;
    const statementMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS * patience;
    this.#connecting = { silentMs: CONNECT_SILENT_MS * patience, longestMs: CONNECT_LONGEST_MS * patience };
    const signs = new PoolLifeSigns({
      connectionString: options.url,
      options: `-c search_path=${options.schema} -c timezone=UTC`,
      connectionTimeoutMillis: this.#connecting.longestMs * STUCK_TIMES,
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'landuse',
    });
    const translate = options.namesMissingTables ? translateOutage : translateForRequests;
    this.#waits = { signs, patience, answerMs: statementMs + READ_MARGIN_MS * patience, translate };
    this.#pool = new pg.Pool({ ...signs.options, max: options.connections ?? POOL_CONNECTIONS });
    this.#watch = options.watch;
    this.#onError = options.onError;
    this.#pool.on('error', (error) => options.onError?.(error));
  }

  query<Row>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}): Promise<Row[]> {
    const answer = () =>
      this.#lend(
        (client) => asQueryable(client, this.#waits).query<Row>(text, values, options),
        async (_, error) => !isLost(error),
      );
    return watchCall(this.#watch, options.name ?? 'other', answer, outcomeOf);
  }

  /** Commits what `work` returns, rolls back what it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#lend(
      async (client) => {
        await ask(client, { text: 'begin' }, this.#waits);
        const result = await work(asQueryable(client, this.#waits, this.#watch));
        await ask(client, { text: 'commit' }, this.#waits);
        return result;
      },
      (client, error) => rolledBack(client, error, this.#waits),
    );
  }

  /** Resolves when Postgres answers. @throws ApiError `service_unavailable` */
  async ping(timeoutMs = CONNECT_SILENT_MS): Promise<void> {
    await this.query('select 1', [], { timeoutMs });
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max ?? POOL_CONNECTIONS };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  [Symbol.asyncDispose] = () => this.close();

  /** Lends a connection. One that is not usable after an error is not returned to the pool. */
  async #lend<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    isUsable: (client: pg.PoolClient, error: unknown) => Promise<boolean>,
  ): Promise<T> {
    const client = await this.#connect();
    let broken = false;
    // The pool listens for errors of idle connections only; without this listener, a connection lost between two statements would crash the
    // process. The next statement fails.
    const lost = (error: Error) => this.#onError?.(error);
    client.on('error', lost);
    try {
      return await work(client);
    } catch (error) {
      broken = !(await isUsable(client, error));
      throw this.#waits.translate(error);
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }

  /** A free connection of the pool, or a new one; to wait for a free one is no silence of the server. */
  async #connect(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    try {
      return await awaitServer(connecting, this.#waits.signs, this.#connecting);
    } catch (error) {
      connecting.then((late) => late.release()).catch(() => undefined);
      throw translateOutage(error);
    }
  }
}
