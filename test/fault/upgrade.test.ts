/** From the version before to this one while customers go on: tables, mappings, processes and workers, and mixed versions for a while. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchCharges } from '../../scripts/lib/charges.ts';
import { ApiProcess, type ProgramOptions, WorkerProcess } from '../../scripts/lib/programs.ts';
import { Sandbox, type SandboxEnvironment } from '../../scripts/lib/sandbox.ts';
import { CUSTOMER_SETTINGS, Customers, type CustomersReport, USUAL_CUSTOMERS } from '../../scripts/proofs/soak/customers.ts';
import { FIELD_NAMES, fieldOf } from '../../src/core/domain/record/fields.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { loadPreviousVersion, type PreviousVersion } from '../support/previousVersion.ts';
import { serverUrl } from '../support/servers.ts';

const RECORDS = 300;
const GRACE_MS = 800;
const LOOK_EVERY_MS = 100;
/** A busy machine answers late. */
const PATIENCE_MS = 90_000;
const SERVERS = {
  elasticsearchUrl: serverUrl('ELASTICSEARCH_URL'),
  databaseUrl: serverUrl('DATABASE_URL'),
  redisUrl: serverUrl('REDIS_URL'),
};

/** What a proxy before the processes does: it asks each whether it is ready, and sends requests to those that are. */
class Rotation {
  readonly urls: string[] = [];
  readonly #members = new Set<string>();
  readonly #stopped = new AbortController();

  constructor() {
    void this.#look();
  }

  async add(api: ApiProcess): Promise<void> {
    this.#members.add(api.url);
    while (!this.urls.includes(api.url)) await sleep(LOOK_EVERY_MS);
  }

  async #look(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      for (const url of this.#members) {
        const ready = await fetch(`${url}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        const at = this.urls.indexOf(url);
        if (ready && at < 0) this.urls.push(url);
        else if (!ready && at >= 0) this.urls.splice(at, 1);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }
}

describe('an upgrade from the version before', function () {
  this.timeout(400_000);
  const { signal } = new AbortController();
  const rotation = new Rotation();
  const running = new Set<ApiProcess | WorkerProcess>();
  let parts: PreviousVersion;
  let past: ProgramOptions;
  let sandbox: Sandbox;
  let customers: Customers;
  let environment: SandboxEnvironment;

  async function api(version: ProgramOptions = {}): Promise<ApiProcess> {
    const started = await ApiProcess.start(environment, signal, version);
    running.add(started);
    await rotation.add(started);
    return started;
  }

  function worker(version: ProgramOptions = {}): WorkerProcess {
    const started = new WorkerProcess(environment, version);
    running.add(started);
    return started;
  }

  before(async () => {
    parts = await loadPreviousVersion();
    past = { version: parts.folder };
    sandbox = await Sandbox.make(SERVERS, 'upgrade', ({ schema }) => parts.migrate(SERVERS.databaseUrl, schema));
    await watchCharges(sandbox.database);
    environment = {
      ...sandbox.environment(),
      ...CUSTOMER_SETTINGS,
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
      SERVER_PATIENCE: '10',
      // of the version before
      SEARCH_TIMEOUT_MS: '30000',
      REDIS_PREFIX: `${sandbox.indexPrefix}:`,
    };
  });
  after(async () => {
    rotation.stop();
    await Promise.all([...running].map((one) => one.end('SIGKILL')));
    await customers?.close();
    await sandbox?.remove();
  });

  it('fails no request, answers nothing wrong, charges nothing twice and keeps every copy, forwards, back and forwards again', async () => {
    let loader: ProgramOptions = past;
    customers = new Customers({
      ...USUAL_CUSTOMERS,
      sandbox,
      seed: 7,
      urls: rotation.urls,
      signal,
      timeoutMs: PATIENCE_MS,
      account: (plan, licence) => sandbox.account(plan, licence, parts),
    });
    const { world } = customers;
    const loads = customers.loads({ environment: () => environment, outages: false, version: () => loader.version });
    await loads.loadFull([world.header(1, 'full'), ...world.first(RECORDS).lines]);
    const increment = () => loads.load([world.header(1, 'increment'), ...world.increment(RECORDS).lines]);
    const older = await api(past);
    const olderWorker = worker(past);
    await customers.open();
    const over = new AbortController();
    const visits = Promise.all(customers.run(over.signal));
    visits.catch(() => undefined);

    await increment();
    await migrate(SERVERS.databaseUrl, sandbox.schema);
    loader = {};
    await api();
    await increment(); // to what both versions serve
    worker();
    await Promise.all([older.end(), olderWorker.end()]);
    const back = await api(past);
    await increment();
    await back.end();
    const since = new Date().toISOString();
    await loads.loadFull([world.header(2, 'full'), ...world.full().lines]);
    await loads.rollback(); // with this version alone

    over.abort();
    await visits;
    assertSound(await customers.report(SERVERS.elasticsearchUrl, { names: computedAndAdded(), since }));
  });

  it('begins at a version with a queue of its own, for which something is kept', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(parts.folder, 'package.json'), 'utf8'));
    assert.ok(
      'pg-boss' in dependencies,
      'Take out what was kept for the version before: the package pg-boss; by a migration the schema …_queue and alert_delivery.holder and held_since; ' +
        'endRunsOfVersionBefore in features/alerts/runStore.ts; the lines on it in src/docs/operate.md; this test',
    );
  });

  /** Fields that this version computes and the version before did not know. One that a file states moves a revision: copies get it. */
  const computedAndAdded = () =>
    new Set<string>(FIELD_NAMES.filter((name) => !parts.fieldNames.includes(name) && fieldOf(name).kind === 'computed'));

  function assertSound({ wrong, unanswered, copies, checked, visits }: CustomersReport): void {
    assert.ok(visits);
    const { unpaid, missedEvents, failedJobs, made } = visits;
    assert.deepEqual(
      { wrong, unanswered, unpaid, missedEvents, failedJobs },
      { wrong: [], unanswered: [], unpaid: [], missedEvents: [], failedJobs: [] },
    );
    assert.deepEqual([copies.missing, copies.stale, copies.duplicated, copies.problems], [0, 0, 0, []]);
    assert.ok(checked > 50 && Object.keys(made).length === 8 && copies.charged > 0, JSON.stringify({ checked, made }));
  }
});
