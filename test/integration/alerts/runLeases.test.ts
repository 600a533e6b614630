/** A run by hand holds the lease of its job: a process that lost it delivers nothing, and a worker ends what a dead one left. */

import assert from 'node:assert/strict';
import { builtinScreener } from '../../../src/features/aiSearch/builtinScreener.ts';
import { eventually } from '../../support/jobs.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused } from '../../support/service.ts';
import { FOR_ALERTS, type TestWorld, testWorld } from '../../support/world.ts';

const SAYS = 'The applicant proposed a retention pond behind the homes.';

describe('A run by hand', () => {
  /** while it is there, runs wait for it in the middle of their search */
  let gate: PromiseWithResolvers<void> | null = null;
  let reached = Promise.withResolvers<void>();
  let world: TestWorld;
  let key: string;
  let id: string;
  before(async () => {
    const screener = {
      ...builtinScreener,
      understand: async (...asked: Parameters<typeof builtinScreener.understand>) => {
        reached.resolve();
        await gate?.promise;
        return builtinScreener.understand(...asked);
      },
    };
    world = await testWorld({ ...FOR_ALERTS, screener });
    await world.api.index.load([1, 2].map((n) => projectLine(n, { county: 'Larimer County', rawText: SAYS })));
  });
  beforeEach(async () => {
    key = await world.api.key('api_only');
    const filters = { counties: 'Larimer County', dateRange: 'all' };
    ({ id } = await world.alerts.create({ filters, specificRequirement: 'with a retention pond' }, key));
    reached = Promise.withResolvers<void>();
  });
  after(() => world.stop());

  const jobs = () =>
    world.api.database.query<{ status: string; lost: boolean }>(
      `select status, lease_until < clock_timestamp() as lost from job where kind = 'run_alert_now' and payload->>'alertId' = $1 order by created_at`,
      [id],
    );
  const deliveries = async () =>
    (await world.send('GET', `/alerts/${id}/deliveries`, undefined, key)).body.data as { status: string; reason: string | null }[];

  it('is a job, settled with its delivery', async () => {
    const { status, body } = await world.alerts.run(id, key);
    assert.deepEqual([status, body.data.status, body.data.creditsCharged], [200, 'completed', 2]);
    assert.deepEqual(await jobs(), [{ status: 'completed', lost: null }]);
  });

  it('whose lease ran out is ended by a worker, uncounted, and writes nothing when it goes on', async () => {
    gate = Promise.withResolvers<void>();
    const { promise } = gate;
    const frozen = world.alerts.run(id, key);
    await reached.promise;
    assert.equal((await world.alerts.run(id, key)).body.data.status, 'already_running');
    await world.api.database.query(
      `update job set lease_until = clock_timestamp() - interval '1 s' where kind = 'run_alert_now' and status = 'running'`,
    );
    await using _worker = await world.work();
    await eventually('its end', async () => ((await deliveries())[0]?.status === 'failed' ? true : undefined));
    assert.equal((await deliveries())[0]?.reason, 'interrupted');
    const open = gate;
    gate = null;
    const next = await world.alerts.run(id, key);
    assert.deepEqual([next.status, next.body.data.creditsCharged, next.body.meta.manualRuns.used], [200, 2, 1]);
    open.resolve();
    await promise;
    const late = await frozen;
    assertRefused(late, 'service_unavailable');
    assert.match(late.body.error.message, /took too long/);
    assert.deepEqual((await deliveries()).map(({ status }) => status).toSorted(), ['completed', 'failed']);
    assert.deepEqual(await jobs(), [
      { status: 'failed', lost: null },
      { status: 'completed', lost: null },
    ]);
    await world.api.checkLedger();
  });
});
