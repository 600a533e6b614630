/**
 * Workers that are killed or frozen anywhere in a contact look-up: it ends once, is charged once, and leaves no reservation.
 * `npm run prove-jobs` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import type { RunnerSettings } from '../../src/core/jobs/settings.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { engineer, project, TODAY } from '../support/fixtures.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';
import { A_CASE_MS, CALM, StoppableWorkers, type StoppedWorker } from '../support/stoppableWorkers.ts';
import { type TestWorld, testWorld } from '../support/world.ts';

const TIMES = lengthOf('JOB_KILLS');
const [KILLS, FREEZES] = TIMES ? [TIMES, TIMES] : [3, 1];
const SEED = Number(process.env.SEED ?? 20_261_122);
const CREDITS = 1_500;
/** Of the projects asked for every second one has a contact; one of them is unlocked before. */
const PROJECTS = 12;
const FOUND = PROJECTS / 2;

interface Job {
  id: string;
  key: string;
}

describe(`A worker in the middle of a contact look-up (seed ${SEED})`, function () {
  this.timeout(120_000 + (KILLS + FREEZES) * A_CASE_MS);
  const random = new Random(SEED);
  const ids = Array.from({ length: PROJECTS }, (_, i) => i + 1);
  let world: TestWorld;
  let workers: StoppableWorkers;
  let messages: number;

  before(async () => {
    world = await testWorld({ today: TODAY });
    await world.api.index.load([...ids.map((id) => project(id)), ...ids.filter((id) => id % 2 === 0).map(engineer)]);
    workers = new StoppableWorkers(world.api.env, `${TODAY}T19:00:00Z`);
    const stopped = await stoppedAfter(Number.POSITIVE_INFINITY, CALM);
    messages = stopped.passed;
    await workers.kill(stopped);
    await endedOnce(stopped.job, 'without interruption');
    assert.ok(messages > 20, `${messages} messages`);
  });
  after(async () => {
    workers.killAll();
    await world.stop();
  });

  async function stoppedAfter(allowed: number, settings: Partial<RunnerSettings>): Promise<StoppedWorker<Job>> {
    const key = await world.api.key('national');
    return workers.stoppedAfter(allowed, settings, {
      submit: async () => {
        const { status, body } = await world.enrichments.submit({ projectIds: ids }, key);
        assert.equal(status, 202, JSON.stringify(body));
        return { id: body.data.id, key };
      },
      ended,
    });
  }

  async function endedOnce({ id, key }: Job, about: string): Promise<void> {
    const { status, processed, found, pending, creditsReserved, creditsCharged, creditsRefunded } = await world.enrichments.settled(
      id,
      key,
    );
    assert.deepEqual(
      { status, processed, found, pending, creditsReserved, creditsCharged, creditsRefunded },
      {
        ...{ status: 'completed', processed: PROJECTS, found: FOUND, pending: 0 },
        ...{ creditsReserved: PROJECTS, creditsCharged: FOUND, creditsRefunded: PROJECTS - FOUND },
      },
      about,
    );
    assert.equal(await world.balance(key), CREDITS - FOUND, about);
    assert.equal((await world.allowance(key)).used, PROJECTS, about);
    assert.equal((await world.record(2, key)).contacts[0].email, 'p2@spoon.example', about);
    assert.deepEqual((await auditLedger(world.api.database)).differences, [], about);
    assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
  }

  const ended = ({ id, key }: Job) => world.enrichments.settled(id, key);
  const job = () => ({ messages, stoppedAfter, successor: () => world.work(), ended, endedOnce });

  it('killed at any message to or from its servers, is followed by another that ends and charges it once', async () => {
    await workers.killEach({ times: KILLS, random }, job());
  });

  it('frozen past its lease at any message, writes nothing of that attempt when it wakes up', async () => {
    await workers.freezeEach({ times: FREEZES, random }, job());
  });
});
