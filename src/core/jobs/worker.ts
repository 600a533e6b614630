/** Makes a worker with its own database connections for the given kinds of jobs. */
import type { Logger } from 'pino';
import type { Watch } from '../store/callWatch.ts';
import { Listener } from '../store/postgres/listener.ts';
import { Database, type PoolUse } from '../store/postgres/pool.ts';
import type { AttemptObserver } from './attempt.ts';
import { type JobDefinition, makeRegistry } from './defineJob.ts';
import { Runner } from './runner.ts';
import type { RunnerSettings } from './runnerSettings.ts';
import { JobStore } from './store.ts';
import { WAKE_CHANNEL } from './wake.ts';

/** Long enough to settle an export of 10,000 rows. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONTROL_CONNECTIONS = 4;
/** Starts and sweeps hold locks that other workers need; those of a frozen process must be freed before its leases run out. */
const CONTROL_IDLE_MS = 2_000;
/** Time for running jobs to end after SIGTERM; then they are handed back. */
const GRACE_MS = 20_000;

export interface WorkerOptions {
  databaseUrl: string;
  databaseSchema: string;
  log: Logger;
  /** the jobs that the worker can do. They write with `database`; `control` is for queries that they make while they hold a connection of it */
  definitions(database: Database, jobs: JobStore, control: Database): readonly JobDefinition<unknown>[];
  /** number of connections to Postgres for jobs; the default of the pool unless set */
  connections?: number | undefined;
  settings?: Partial<RunnerSettings>;
  /** multiplies the timeouts of Postgres; 1 by default */
  patience?: number;
  /** called for each statement, attempt and connection pool */
  watch?: Watch | undefined;
  observe?: AttemptObserver | undefined;
  pool?: ((name: string, use: () => PoolUse) => void) | undefined;
  /** closes what the definitions opened, after the last job has ended */
  close?(): Promise<void>;
}

export interface Worker {
  /** names of the kinds that it runs */
  kinds: string[];
  /** for code that queues jobs in this process */
  jobs: JobStore;
  start(): Promise<void>;
  /** waits for running jobs, hands back those that do not end in time, and closes the connections */
  stop(graceMs?: number): Promise<void>;
}

export function composeWorker({ databaseUrl: url, databaseSchema: schema, log, patience = 1, ...options }: WorkerOptions): Worker {
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection broke');
  const shared = { url, schema, patience, onError, watch: options.watch };
  const { connections } = options;
  const database = new Database({
    ...shared,
    ...(connections ? { connections } : {}),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS * patience,
  });
  const control = new Database({ ...shared, connections: CONTROL_CONNECTIONS, idleInTransactionMs: CONTROL_IDLE_MS });
  options.pool?.('jobs', () => database.use);
  options.pool?.('control', () => control.use);
  const jobs = new JobStore(database);
  const registry = makeRegistry(options.definitions(database, jobs, control));
  const runner = new Runner({
    registry,
    jobs,
    control: new JobStore(control),
    listener: (onNotice) => new Listener({ url, schema, channel: WAKE_CHANNEL, onNotice, onError }),
    log,
    observe: options.observe,
    ...(options.settings ? { settings: options.settings } : {}),
  });
  return {
    kinds: [...registry.keys()],
    jobs,
    start: () => runner.start(),
    stop: async (graceMs = GRACE_MS) => {
      await runner.stop(graceMs);
      await Promise.all([database.close(), control.close(), options.close?.()]);
    },
  };
}
