/**
 * Workers that are killed or frozen anywhere in an export: it is built once, charged once, and leaves one file and clean books.
 * `npm run prove-jobs` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { RunnerSettings } from '../../src/core/jobs/settings.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { TODAY } from '../support/fixtures.ts';
import { eventually } from '../support/jobs.ts';
import { lengthOf } from '../support/lengths.ts';
import { projectLine } from '../support/projectLine.ts';
import { Random } from '../support/random.ts';
import { A_CASE_MS, CALM, StoppableWorkers, type StoppedWorker } from '../support/stoppableWorkers.ts';
import { type TestWorld, testWorld } from '../support/world.ts';

const TIMES = lengthOf('JOB_KILLS');
const [KILLS, FREEZES] = TIMES ? [TIMES, TIMES] : [4, 1];
const SEED = Number(process.env.SEED ?? 20_261_122);
const RECORDS = 30;
/** Held by the pool already, so that an export charges the others. */
const OWNED = 10;
const CREDITS = 5_000;

interface Job {
  id: string;
  key: string;
}

describe(`A worker in the middle of an export (seed ${SEED})`, function () {
  this.timeout(120_000 + (KILLS + FREEZES) * A_CASE_MS);
  const random = new Random(SEED);
  let world: TestWorld;
  let workers: StoppableWorkers;
  let messages: number;

  before(async () => {
    world = await testWorld({ today: TODAY });
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
    workers = new StoppableWorkers(world.api.env, `${TODAY}T19:00:00Z`);
    messages = (await uninterrupted()).passed;
    assert.ok(messages > 30, `${messages} messages`);
  });
  after(async () => {
    workers.killAll();
    await world.stop();
  });

  async function stoppedAfter(allowed: number, settings: Partial<RunnerSettings>): Promise<StoppedWorker<Job>> {
    const key = await world.api.key('api_only');
    await world.api.get('/projects/search', { limit: OWNED }, { key });
    return workers.stoppedAfter(allowed, settings, {
      submit: async () => ({ id: (await world.exports.submit({ filters: { dateRange: 'all' } }, key)).body.data.id as string, key }),
      ended,
    });
  }

  async function uninterrupted(): Promise<StoppedWorker<Job>> {
    const stopped = await stoppedAfter(Number.POSITIVE_INFINITY, CALM);
    await workers.kill(stopped);
    await endedOnce(stopped.job, 'without interruption');
    return stopped;
  }

  async function endedOnce({ id, key }: Job, about: string): Promise<void> {
    const { status, rowCount, creditsReserved, creditsCharged, creditsRefunded } = await world.exports.settled(id, key);
    const cost = RECORDS - OWNED;
    assert.deepEqual(
      { status, rowCount, creditsReserved, creditsCharged, creditsRefunded },
      { status: 'ready', rowCount: RECORDS, creditsReserved: cost, creditsCharged: cost, creditsRefunded: 0 },
      about,
    );
    assert.equal(await world.balance(key), CREDITS - RECORDS, about);
    assert.deepEqual((await auditLedger(world.api.database)).differences, [], about);
    assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
    const files = async () => (await readdir(world.folder)).filter((name) => name.startsWith(id));
    await eventually(`one file, ${about}`, async () => ((await files()).length === 1 ? true : undefined));
    assert.equal((await world.download(id, key)).status, 200, about);
  }

  const ended = ({ id, key }: Job) => world.exports.settled(id, key);
  const job = () => ({ messages, stoppedAfter, successor: () => world.work(), ended, endedOnce });

  it('killed at any message to or from its servers, is followed by another that builds and charges it once', async () => {
    const where = new Set<string>();
    await workers.killEach({ times: KILLS, random }, job(), async ({ id, key }) => {
      where.add((await world.exports.poll(id, key)).body.data.status);
    });
    assert.ok(where.has('building'), [...where].join());
  });

  it('frozen past its lease at any message, writes nothing of that attempt when it wakes up', async () => {
    await workers.freezeEach({ times: FREEZES, random }, job());
  });
});
