/** A snapshot and the walk from its cursor are one walk from the beginning, whatever is loaded, deleted or switched while it is built. */

import assert from 'node:assert/strict';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { watchCharges } from '../../../scripts/lib/charges.ts';
import { TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Random } from '../../support/random.ts';
import { randomLine } from '../../support/randomProjects.ts';
import { assertRefused } from '../../support/service.ts';
import { assertOneWalk, takeSnapshot } from '../../support/snapshots.ts';
import { provideWorld } from '../../support/world.ts';

const SEED = Number(process.env.SEED ?? 7);
const RECORDS = 300;
const FILTERS = { dateRange: 'all', states: ['CO', 'TX', 'CA', 'FL'] };

describe('The cursor of a snapshot', () => {
  const world = provideWorld({ today: TODAY, limits: { snapshotFileRecords: 20, snapshotPageRecords: 5 } });
  let random: Random;
  before(async () => {
    await watchCharges(world.api.database);
    await world.api.index.keep();
    random = new Random(SEED);
    await world.api.index.load(lines(1, RECORDS));
  });

  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: 'project', ...randomLine(random, from + i, TODAY) }));
  const deleted = (id: number) => ({ kind: 'project', id, deleted: true });
  /** A few changes, additions and removals. */
  const changes = (round: number) => [
    ...Array.from({ length: 15 }, () => ({ kind: 'project', ...randomLine(random, random.integer(1, RECORDS), TODAY) })),
    ...lines(RECORDS + 10 * round, 5),
    ...[random.integer(1, RECORDS), random.integer(1, RECORDS)].map(deleted),
  ];
  /** Lines of a file name a record once. */
  const once = (all: readonly Json[]) => [...new Map(all.map((one) => [one.id, one])).values()];
  const increment = (round: number, generation: number) =>
    world.api.index.load(once(changes(round)), { generation, mode: 'increment', skipInvalid: true });

  const body = { filters: FILTERS, representation: 'compact' };
  const rich = () => world.api.key('api_only', undefined, { monthlyCredits: 100_000 });

  it('goes on after a snapshot, over later loads, with what changed or went and nothing else', async () => {
    await world.work();
    const [key, fresh] = [await rich(), await rich()];
    const { snapshot, manifest, records } = await takeSnapshot(world, body, key);
    assert(records.length > 50, String(records.length));
    const url = new URL(manifest.sync.url);
    const page = await world.api.get(`${url.pathname.replace('/v1', '')}${url.search}`, {}, { key });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    assert.deepEqual([page.body.data, page.body.meta.sync.removed, page.body.meta.sync.hasMore], [[], [], false]);
    assert.equal(page.body.meta.creditsUsed, 0);
    await increment(1, 1);
    await world.api.index.load([deleted(records[0].id), { kind: 'project', ...randomLine(random, 9_001, TODAY) }], { mode: 'increment' });
    const copy = await assertOneWalk(world, FILTERS, { snapshot, key, fresh });
    assert(!copy.has(records[0].id));
    assertRefused(await world.api.get('/projects/sync', { states: ['CO'], cursor: manifest.sync.cursor }, { key }), 'invalid_cursor');
  });

  it('loses nothing and repeats nothing when loads and switches happen while it is built', async () => {
    const generations = [1, 2];
    await world.api.index.load(once([...lines(1, RECORDS), ...lines(RECORDS, 40)]), { generation: 2 });
    for (let round = 2; round < 2 + lengthOf('DISTURBED_SNAPSHOTS'); round++) {
      const [key, fresh] = [await rich(), await rich()];
      const queued = await world.snapshots.submit(body, key);
      assert.equal(queued.status, 202, JSON.stringify(queued.body));
      const disturbance = async () => {
        if (round % 3 === 0) await rollBackGeneration(world.api.index.store, world.api.index.clock);
        else if (round % 3 === 1) await activateGeneration(world.api.index.store, generations.at(-1) ?? 2, world.api.index.clock);
        else await increment(round, 2);
      };
      const [snapshot] = await Promise.all([world.snapshots.settled(queued.body.data.id, key), disturbance()]);
      assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
      if (round % 3 === 2) await increment(100 + round, 2);
      await assertOneWalk(world, FILTERS, { snapshot, key, fresh });
    }
  });
});
