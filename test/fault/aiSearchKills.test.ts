/**
 * Workers that are killed or frozen anywhere in an AI search: it ends once, is charged once, counts each record once against the day, and
 * leaves no reservation. `npm run prove-jobs` does each a hundred times; SEED repeats a run.
 */
import assert from 'node:assert/strict';
import type { RunnerSettings } from '../../src/core/jobs/settings.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { project, TODAY } from '../support/fixtures.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';
import { A_CASE_MS, CALM, StoppableWorkers, type StoppedWorker } from '../support/stoppableWorkers.ts';
import { type TestWorld, testWorld } from '../support/world.ts';

const TIMES = lengthOf('JOB_KILLS');
const [KILLS, FREEZES] = TIMES ? [TIMES, TIMES] : [3, 1];
const SEED = Number(process.env.SEED ?? 20_261_122);
const CREDITS = 5_000;
/** Two batches; every second record answers the question. */
const RECORDS = 70;
const CONFIRMED = RECORDS / 2;
const LIMIT = 40;
const POND = 'The applicant proposed a retention pond behind the building.';
const NO_POND = 'The building was approved without a retention pond.';

interface Job {
  id: string;
  key: string;
}

describe(`A worker in the middle of an AI search (seed ${SEED})`, function () {
  this.timeout(120_000 + (KILLS + FREEZES) * A_CASE_MS);
  const random = new Random(SEED);
  let world: TestWorld;
  let workers: StoppableWorkers;
  let messages: number;

  before(async () => {
    world = await testWorld({ today: TODAY });
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => project(i + 1, { rawText: i % 2 ? NO_POND : POND })));
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
    const key = await world.api.key('api_only');
    return workers.stoppedAfter(allowed, settings, {
      submit: async () => {
        const { status, body } = await world.aiSearch.submit({ query: 'a retention pond', limit: LIMIT }, key);
        assert.equal(status, 202, JSON.stringify(body));
        return { id: body.data.id, key };
      },
      ended,
    });
  }

  async function endedOnce({ id, key }: Job, about: string): Promise<void> {
    const { status, results, matchCount, progress, creditsReserved, creditsCharged, creditsRefunded } = await world.aiSearch.settled(
      id,
      key,
    );
    assert.deepEqual(
      { status, results: results.length, matchCount, ...progress, creditsReserved, creditsCharged, creditsRefunded },
      {
        ...{ status: 'completed', results: CONFIRMED, matchCount: CONFIRMED },
        ...{ candidates: RECORDS, screened: RECORDS, reviewed: RECORDS, confirmed: CONFIRMED },
        ...{ creditsReserved: LIMIT, creditsCharged: CONFIRMED, creditsRefunded: LIMIT - CONFIRMED },
      },
      about,
    );
    assert.equal(await world.balance(key), CREDITS - CONFIRMED, about);
    const [day] = await world.api.database.query(
      'select d.screened from ai_screened d join ai_search s on s.team_id = d.team_id where s.id = $1',
      [id],
    );
    assert.deepEqual(day, { screened: RECORDS }, about);
    const events = await world.api.database.query(`select from event where type = 'ai_search.settled' and subject_id = $1`, [id]);
    assert.equal(events.length, 1, about);
    assert.deepEqual((await auditLedger(world.api.database)).differences, [], about);
    assert.equal((await world.api.database.query('select from reservation')).length, 0, about);
  }

  const ended = ({ id, key }: Job) => world.aiSearch.settled(id, key);
  const job = () => ({ messages, stoppedAfter, successor: () => world.work(), ended, endedOnce });

  it('killed at any message to or from its servers, is followed by another that ends and charges it once', async () => {
    await workers.killEach({ times: KILLS, random }, job());
  });

  it('frozen past its lease at any message, writes nothing of that attempt when it wakes up', async () => {
    await workers.freezeEach({ times: FREEZES, random }, job());
  });
});
