/** The stores that alerts need besides those of projects, made together for the API and for the worker. */
import { AlertMatchStore } from '../../store/postgres/alertMatches.ts';
import { AlertRunStore } from '../../store/postgres/alertRuns.ts';
import { AlertStore } from '../../store/postgres/alerts.ts';
import type { IdempotencyStore } from '../../store/postgres/idempotency.ts';
import type { JobStore } from '../../store/postgres/jobs.ts';
import type { Ledger } from '../../store/postgres/ledger.ts';
import { OutboxStore } from '../../store/postgres/outbox.ts';
import type { Database } from '../../store/postgres/pool.ts';

interface Below {
  database: Database;
  jobs: JobStore;
  ledger: Ledger;
  idempotency: IdempotencyStore;
}

export function alertStores({ database, jobs, ledger, idempotency }: Below) {
  const outbox = new OutboxStore(jobs);
  return {
    outbox,
    alerts: new AlertStore(database, idempotency, outbox),
    runs: new AlertRunStore(database, jobs, ledger),
    matches: new AlertMatchStore(database),
  };
}
