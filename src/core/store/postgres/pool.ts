/** Postgres: one pool a process, short timeouts, and outages distinguished from defects (src/docs/errors.md: service_unavailable). */
import pg from 'pg';
import { ApiError } from '../../domain/errors.ts';
import { type CallOutcome, type Watch, watchCall } from '../callWatch.ts';
import { databaseBlock } from './blocks.ts';

const CONNECT_TIMEOUT_MS = 800;
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
  /** timeout of the answer, when the pool's default is too short */
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

/** Whether a statement was refused because an object does not exist or the role may not use it. */
export const isUnreadable = (error: unknown): boolean => UNREADABLE_SQLSTATE.test(sqlState(error) ?? '');

/**
 * Awaits work on tables that a request requires; refuses the request if they are missing or unreadable.
 * @throws ApiError `service_unavailable`
 */
export async function requireTables<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUnreadable(error) ? databaseUnavailable(error) : error;
  }
}

function asDatabaseError(error: unknown): unknown {
  return isOutage(error) ? databaseUnavailable(error) : error;
}

function databaseUnavailable(cause: unknown): ApiError {
  const trouble = databaseBlock(cause)?.trouble ?? 'cannot be reached right now';
  return new ApiError('service_unavailable', `The account database ${trouble}; nothing was charged. Retry shortly.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    details: { subsystem: 'database' },
    cause,
  });
}

const outcomeOf = (error: unknown): CallOutcome => (isOutage(error) ? 'failed' : 'refused');

function asQueryable(runner: pg.Pool | pg.PoolClient, patience: number, watch: Watch | undefined): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}): Promise<Row[]> {
      const timeout = options.timeoutMs === undefined ? {} : { query_timeout: options.timeoutMs * patience };
      const prepared = options.name === undefined ? {} : { name: options.name };
      try {
        const ask = () => runner.query({ text, values: [...values], ...timeout, ...prepared });
        const result = await watchCall(watch, options.name ?? 'other', ask, outcomeOf);
        return result.rows as Row[];
      } catch (error) {
        throw asDatabaseError(error);
      }
    },
  };
}

/**
 * Rolls back.
 * @returns false when the connection must not be used again; a lost connection is not asked to roll back
 */
async function rolledBack(client: pg.PoolClient, error: unknown): Promise<boolean> {
  if (isOutage(error instanceof ApiError ? error.cause : error)) return false;
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Returns rows as plain objects. An outage is thrown as `service_unavailable`, any other error of the server unchanged. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #queryable: Queryable;
  readonly #patience: number;
  readonly #watch: Watch | undefined;
  readonly #onError: ((error: Error) => void) | undefined;

  constructor(options: PostgresOptions) {
    this.#patience = options.patience ?? 1;
    this.#watch = options.watch;
    const statementMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS * this.#patience;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      options: `-c search_path=${options.schema} -c timezone=UTC`,
      max: options.connections ?? POOL_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS * this.#patience,
      statement_timeout: statementMs,
      query_timeout: statementMs + READ_MARGIN_MS * this.#patience,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'landuse',
    });
    this.#onError = options.onError;
    this.#pool.on('error', (error) => options.onError?.(error));
    this.#queryable = asQueryable(this.#pool, this.#patience, this.#watch);
  }

  query<Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]> {
    return this.#queryable.query<Row>(text, values, options);
  }

  /** Commits what `work` returns, rolls back what it throws. A broken connection is not returned to the pool. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken = false;
    // The pool listens for errors of idle connections only; without this listener, a connection lost between two statements would crash the
    // process. The next statement fails.
    const lost = (error: Error) => this.#onError?.(error);
    client.on('error', lost);
    try {
      await client.query('begin');
      const result = await work(asQueryable(client, this.#patience, this.#watch));
      await client.query('commit');
      return result;
    } catch (error) {
      broken = !(await rolledBack(client, error));
      throw asDatabaseError(error);
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }

  /**
   * Resolves when Postgres answers.
   * @throws ApiError `service_unavailable`
   */
  async ping(timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
    await this.query('select 1', [], { timeoutMs });
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max ?? POOL_CONNECTIONS };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw asDatabaseError(error);
    }
  }
}
