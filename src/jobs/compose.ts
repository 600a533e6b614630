/** The worker's clients and what it can do, wired together: for `npm run worker`, and for a process that serves and works. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { makeElastic } from '../store/elastic/client.ts';
import { IndexNames } from '../store/elastic/indices.ts';
import { ProjectSets } from '../store/elastic/projectSets.ts';
import { ProjectStore } from '../store/elastic/projects.ts';
import { exportFilesOf } from '../store/files/exportFiles.ts';
import { loadPlaces } from '../store/files/places.ts';
import { ExportStore } from '../store/postgres/exports.ts';
import { HoldingStore } from '../store/postgres/holdings.ts';
import { IdempotencyStore } from '../store/postgres/idempotency.ts';
import { JobQueue } from '../store/postgres/jobQueue.ts';
import { JobStore } from '../store/postgres/jobs.ts';
import { Database } from '../store/postgres/pool.ts';
import { exportCsvJob } from './exportCsv.ts';
import { type JobDefinition, makeRegistry } from './registry.ts';
import { Runner } from './runner.ts';
import type { RunnerSettings } from './settings.ts';

/** Long enough to settle an export of 10,000 rows. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONTROL_CONNECTIONS = 4;
/** Starts and sweeps of jobs hold locks that other workers need: those of a frozen process are freed within the time of a lease. */
const CONTROL_IDLE_MS = 2_000;
/** No client waits for a job's search. */
const SEARCH_TIMEOUT_MS = 30_000;
/** On SIGTERM, for jobs that run: then they are handed back. */
const GRACE_MS = 20_000;

export interface WorkerOptions {
  databaseUrl: string;
  databaseSchema: string;
  log: Logger;
  /** what the worker can do, over the pool that its jobs write with */
  definitions(database: Database, jobs: JobStore): readonly JobDefinition<unknown>[];
  settings?: Partial<RunnerSettings>;
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

export function composeWorker({ databaseUrl: url, databaseSchema: schema, log, ...options }: WorkerOptions): Worker {
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection broke');
  const database = new Database({ url, schema, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError });
  const control = new Database({ url, schema, connections: CONTROL_CONNECTIONS, idleInTransactionMs: CONTROL_IDLE_MS, onError });
  const queue = new JobQueue({ url, schema, onError });
  const jobs = new JobStore(database, queue);
  const registry = makeRegistry(options.definitions(database, jobs));
  const runner = new Runner({
    registry,
    jobs,
    control: new JobStore(control, queue),
    log,
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

/** A worker on every kind of job of the service. @param now the clock, for tests @param settings for tests */
export function serviceWorker(config: Config, log: Logger, now = () => new Date(), settings: Partial<RunnerSettings> = {}): Worker {
  const { elasticsearchUrl: url, elasticsearchApiKey, elasticsearchCa, indexPrefix, publicUrl } = config;
  const elastic = makeElastic({
    url,
    apiKey: elasticsearchApiKey ?? undefined,
    ca: elasticsearchCa ?? undefined,
    timeoutMs: SEARCH_TIMEOUT_MS,
    retries: 1,
  });
  const names = new IndexNames(indexPrefix);
  return composeWorker({
    ...{ databaseUrl: config.databaseUrl, databaseSchema: config.databaseSchema, log, settings },
    definitions: (database, jobs) => [
      exportCsvJob({
        store: new ProjectStore(elastic, names, SEARCH_TIMEOUT_MS),
        sets: new ProjectSets(elastic, names, SEARCH_TIMEOUT_MS),
        holdings: new HoldingStore(database),
        exports: new ExportStore(jobs, new IdempotencyStore(database)),
        files: exportFilesOf(config),
        places: loadPlaces(),
        ...{ publicUrl, now, log },
      }),
    ],
    close: () => elastic.close(),
  });
}
