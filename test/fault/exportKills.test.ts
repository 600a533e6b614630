/**
 * Workers that are killed or frozen anywhere in an export: it is built once, charged once, and leaves one file and clean books.
 * `npm run prove-jobs` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunnerSettings } from '../../src/jobs/settings.ts';
import { audit } from '../../src/store/postgres/audit.ts';
import { type ExportWorld, exportWorld } from '../support/exports.ts';
import { TODAY } from '../support/fixtures.ts';
import { eventually, QUICK } from '../support/jobs.ts';
import { projectLine } from '../support/projectLine.ts';
import { Random } from '../support/random.ts';
import { MessageCount, stoppingProxy } from '../support/stoppingProxy.ts';

const CHILD = fileURLToPath(new URL('../support/workerChild.ts', import.meta.url));
const TIMES = Number(process.env.JOB_KILLS ?? 0);
const [KILLS, FREEZES] = TIMES ? [TIMES, TIMES] : [4, 1];
const SEED = Number(process.env.SEED ?? 20_261_122);
const RECORDS = 30;
/** Held by the pool already, so that an export charges the others. */
const OWNED = 10;
const A_CASE_MS = 30_000;
const CREDITS = 5_000;
/** Without sweeps and polls, so that all that passes is for the export. */
const CALM = { sweepMs: 60_000, pollMs: 60_000, heartbeatMs: 60_000 };
const FREEZE_MS = QUICK.leaseMs + 4 * QUICK.sweepMs;

interface Stopping {
  id: string;
  key: string;
  child: ChildProcess;
  count: MessageCount;
  /** messages of the worker from its start to the stop */
  passed: number;
  close(): void;
}

describe(`A worker in the middle of an export (seed ${SEED})`, function () {
  this.timeout(120_000 + (KILLS + FREEZES) * A_CASE_MS);
  const random = new Random(SEED);
  const children = new Set<ChildProcess>();
  let world: ExportWorld;
  let next: ChildProcess;
  let messages: number;

  before(async () => {
    world = await exportWorld({ today: TODAY });
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
    next = spawn();
    messages = (await uninterrupted()).passed;
    assert.ok(messages > 30, `${messages} messages`);
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await world.stop();
  });

  function spawn(): ChildProcess {
    const child = fork(CHILD);
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  /** A worker whose every message to and from Postgres and Elasticsearch counts. The process of the following one loads meanwhile. */
  async function worker(count: MessageCount, settings: Partial<RunnerSettings>) {
    const { env } = world.api;
    const [database, elastic] = await Promise.all([
      stoppingProxy(env.DATABASE_URL ?? '', count),
      stoppingProxy(env.ELASTICSEARCH_URL ?? '', count),
    ]);
    const child = next;
    next = spawn();
    const addresses = { DATABASE_URL: database.url, ELASTICSEARCH_URL: elastic.url };
    const started = once(child, 'message').then(([first]) => (first === 'started' ? first : once(child, 'message')));
    if (child.connected) child.send({ env: { ...env, ...addresses }, now: `${TODAY}T19:00:00Z`, settings });
    await started;
    const close = () => {
      database.close();
      elastic.close();
    };
    return { child, close };
  }

  /** Submits an export and holds everything back when so many messages of its worker have passed, or when it has ended. */
  async function stoppedAfter(allowed: number, settings: Partial<RunnerSettings>): Promise<Stopping> {
    const key = await world.api.key('api_only');
    await world.api.get('/projects/search', { limit: OWNED }, { key });
    const count = new MessageCount(Number.POSITIVE_INFINITY);
    const { child, close } = await worker(count, settings);
    await sleep(200);
    const idle = count.passed;
    count.allowFurther(allowed);
    const { body } = await world.post({ filters: { dateRange: 'all' } }, key);
    const { id } = body.data;
    await Promise.race([count.stopped, world.done(id, key).catch(() => undefined)]);
    return { id, key, child, count, passed: count.passed - idle, close };
  }

  async function uninterrupted(): Promise<Stopping> {
    const stopping = await stoppedAfter(Number.POSITIVE_INFINITY, CALM);
    await kill(stopping);
    await endedOnce(stopping, 'without interruption');
    return stopping;
  }

  async function kill({ child, close }: Stopping): Promise<void> {
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
    close();
  }

  async function endedOnce({ id, key }: Stopping, about: string): Promise<void> {
    const { status, rowCount, creditsReserved, creditsCharged, creditsRefunded } = await world.done(id, key);
    const cost = RECORDS - OWNED;
    assert.deepEqual(
      { status, rowCount, creditsReserved, creditsCharged, creditsRefunded },
      { status: 'ready', rowCount: RECORDS, creditsReserved: cost, creditsCharged: cost, creditsRefunded: 0 },
      about,
    );
    assert.equal(await world.balance(key), CREDITS - RECORDS, about);
    assert.deepEqual((await audit(world.api.database)).differences, [], about);
    assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
    const files = async () => (await readdir(world.folder)).filter((name) => name.startsWith(id));
    await eventually(`one file, ${about}`, async () => ((await files()).length === 1 ? true : undefined));
    assert.equal((await world.download(id, key)).status, 200, about);
  }

  it('killed at any message to or from its servers, is followed by another that builds and charges it once', async () => {
    const where = new Set<string>();
    for (let i = 0; i < KILLS; i++) {
      const after = Math.floor(((i + random.next()) / KILLS) * messages);
      const stopping = await stoppedAfter(after, CALM);
      await kill(stopping);
      where.add((await world.poll(stopping.id, stopping.key)).body.data.status);
      const successor = await world.work();
      await endedOnce(stopping, `killed after ${after} of ${messages} messages`);
      await successor.stop();
    }
    assert.ok(where.has('building'), [...where].join());
  });

  it('frozen past its lease at any message, writes nothing of that attempt when it wakes up', async () => {
    for (let i = 0; i < FREEZES; i++) {
      const after = Math.floor(((i + random.next()) / FREEZES) * messages);
      const stopping = await stoppedAfter(after, {});
      stopping.child.kill('SIGSTOP');
      const successor = await world.work();
      // In the transaction that settles the export its row is locked: nobody takes it until that is over.
      await Promise.race([world.done(stopping.id, stopping.key), sleep(FREEZE_MS)]);
      stopping.count.letGo();
      stopping.child.kill('SIGCONT');
      await endedOnce(stopping, `frozen after ${after} of ${messages} messages`);
      await kill(stopping);
      await successor.stop();
    }
  });
});
