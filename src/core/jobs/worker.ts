/** Makes a worker with connections of its own for the given kinds of jobs. */
import type { Logger } from 'pino';
import { Listener } from '../store/postgres/listener.ts';
import { Database, type PoolUse } from '../store/postgres/pool.ts';
import type { Watch } from '../store/watch.ts';
import type { AttemptObserver } from './attempt.ts';
import { type JobDefinition, makeRegistry } from './registry.ts';
import { Runner } from './runner.ts';
import type { RunnerSettings } from './settings.ts';
import { JobStore } from './store.ts';
import { WAKE_CHANNEL } from './wake.ts';

/** Long enough to settle an export of 10,000 rows. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONTROL_CONNECTIONS = 4;
/** Starts and sweeps of jobs hold locks that other workers need: those of a frozen process are freed within the time of a lease. */
const CONTROL_IDLE_MS = 2_000;
/** On SIGTERM, for jobs that run: then they are handed back. */
const GRACE_MS = 20_000;

export interface WorkerOptions {
  databaseUrl: string;
  databaseSchema: string;
  log: Logger;
  /** what the worker can do, over the pool that its jobs write with; `control` is for what they look up while they hold a connection of that */
  definitions(database: Database, jobs: JobStore, control: Database): readonly JobDefinition<unknown>[];
  /** to Postgres, for jobs; the usual number unless set */
  connections?: number | undefined;
  settings?: Partial<RunnerSettings>;
  /** factor on the waits for Postgres, 1 unless set */
  patience?: number;
  /** called with statements, attempts, and the use of the pools of connections */
  watch?: Watch | undefined;
  observe?: AttemptObserver | undefined;
  pool?: ((name: string, use: () => PoolUse) => void) | undefined;
  /** lets go of what the definitions opened, when the last job has ended */
  close?(): Promise<void>;
}

export interface Worker {
  /** kinds of jobs that it works on */
  kinds: string[];
  /** for whoever accepts jobs in this process */
  jobs: JobStore;
  start(): Promise<void>;
  /** finishes or hands back what runs, and closes its connections */
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
