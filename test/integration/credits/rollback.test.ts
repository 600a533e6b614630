/** An operator's rollback costs no customer anything, on any route, while it is stamped and afterwards; what is newer bills as ever. */

import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 12;
const ALL = { states: 'CO', dateRange: 'all' };

describe('A rollback', () => {
  const world = provideWorld({ today: TODAY });
  const line = (id: number, version: number) =>
    project(id, { projectName: `Version ${version} of ${id}`, summary: 'A warehouse with loading docks.', propertyType: 'industrial' });
  const generation = (version: number) => Array.from({ length: RECORDS }, (_, i) => line(i + 1, version));
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);

  before(async () => {
    await world.api.index.load(generation(1));
    await world.work();
  });
  afterEach(() => world.api.checkLedger());

  const rollBack = (onServed: () => void = () => {}) => rollBackGeneration(world.api.index.store, { ...world.api.index.clock, onServed });
  const ask = async (path: string, parameters: object, key: string) => {
    const body = bodyOf(await world.api.get(path, { ...parameters }, { key }));
    return body as Json;
  };
  const counted = async (key: string) => (await ask('/projects/count', ALL, key)).data.creditsRequired;
  const paged = async (key: string) => (await ask('/projects/search', ALL, key)).meta.creditsUsed;

  /** Every way to be delivered records. */
  const WAYS: Record<string, (key: string) => Promise<unknown>> = {
    'a page': paged,
    'single records': async (key) => {
      for (const id of ids) await ask(`/projects/${id}`, {}, key);
    },
    'a walk': (key) => ask('/projects/sync', { ...ALL, limit: 100 }, key),
    'an export': (key) => world.exports.completed({ filters: ALL }, key),
    'a snapshot': async (key) => {
      const { body } = await world.snapshots.submit({ filters: ALL }, key);
      await world.snapshots.settled(body.data.id, key);
    },
    'a run of an alert': async (key) => {
      const { id } = await world.alerts.create({ filters: { ...ALL } }, key);
      await world.alerts.completed(id, key);
    },
    'an AI search': (key) =>
      world.aiSearch.completed({ query: 'warehouses with loading docks', filters: { states: 'CO' }, limit: 100 }, key),
  };

  it('bills nobody who holds what it takes back, however they came to hold it and however they ask', async () => {
    await world.api.index.load(generation(2), { generation: 2 });
    const pools: { way: string; key: string; balance: number }[] = [];
    for (const [way, deliver] of Object.entries(WAYS)) {
      const key = await world.api.key('api_only');
      await deliver(key);
      const balance = await world.balance(key);
      assert.equal(balance, 5_000 - RECORDS, way);
      pools.push({ way, key, balance });
    }
    const [during] = [world.api.key('api_only')];
    const key = await during;
    await paged(key);
    let whileStamped: Promise<number[]> | undefined;
    await rollBack(() => {
      whileStamped = (async () => [await counted(key), await paged(key)])();
    });
    assert.deepEqual(await whileStamped, [0, 0], 'while sync still shows what was served before');
    for (const { way, key: holder, balance } of pools) {
      assert.equal(await counted(holder), 0, `a count of who bought by ${way}`);
      await WAYS[way]?.(holder);
      assert.equal(await world.balance(holder), balance, `${way} after the rollback`);
      assert.deepEqual([await counted(holder), await paged(holder)], [0, 0], way);
      const { data } = await ask('/projects/1/changes', {}, holder);
      assert.deepEqual(data.nextRead, { billed: false, credits: 0 });
    }
    // What comes back was paid for.
    await rollBack();
    for (const { way, key: holder } of pools) assert.deepEqual([await counted(holder), await paged(holder)], [0, 0], way);
  });

  it('gives nobody what is newer than what they paid for', async () => {
    await rollBack();
    const key = await world.api.key('api_only');
    assert.deepEqual([await counted(key), await paged(key)], [RECORDS, RECORDS]);
    await rollBack();
    assert.deepEqual([await counted(key), await paged(key), await counted(key)], [RECORDS, RECORDS, 0]);
  });

  it('bills nobody for what is older than an increment that they paid for, and what came after that', async () => {
    const key = await world.api.key('api_only');
    await world.api.index.load([line(1, 3)], { generation: 2, mode: 'increment' });
    assert.equal((await ask('/projects/1', {}, key)).meta.creditsUsed, 1);
    await world.api.index.load([line(1, 4)], { generation: 2, mode: 'increment' });
    await rollBack();
    const read = await ask('/projects/1', {}, key);
    assert.deepEqual([read.data.projectName, read.meta.creditsUsed], ['Version 1 of 1', 0]);
    await rollBack();
    const newest = await ask('/projects/1', {}, key);
    assert.deepEqual([newest.data.projectName, newest.meta.creditsUsed], ['Version 4 of 1', 1]);
  });
});

describe('What was served before what a pool paid for', () => {
  const world = provideWorld({ today: TODAY });
  const line = (id: number, version: string) => project(id, { projectName: `${version} of ${id}` });
  const generation = (version: string) => [1, 2, 3].map((id) => line(id, version));

  beforeEach(() => world.api.index.startOver());
  afterEach(() => world.api.checkLedger());

  const rollBack = () => rollBackGeneration(world.api.index.store, world.api.index.clock);
  const increment = (number: number, ...lines: object[]) => world.api.index.load(lines, { generation: number, mode: 'increment' });
  /** What a count says, and what the page then costs. */
  const billed = async (key: string) => {
    const count = await world.api.get('/projects/count', { ...ALL }, { key });
    const page = await world.api.get('/projects/search', { ...ALL }, { key });
    return [count.body.data.creditsRequired, page.body.meta.creditsUsed];
  };

  it('is no version that was replaced while its generation waited: it bills when it is served', async () => {
    await world.api.index.load(generation('Old'));
    await world.api.index.load(generation('Waiting'), { generation: 2, activate: false });
    await increment(2, line(1, 'New'));
    await activateGeneration(world.api.index.store, 2, world.api.index.clock);
    const key = await world.api.key('api_only');
    assert.deepEqual(await billed(key), [3, 3]);
    await increment(2, line(1, 'Waiting'));
    assert.deepEqual(await billed(key), [1, 1]);
    await rollBack();
    assert.deepEqual(await billed(key), [0, 0]);
  });

  /** What happens to one of three records after a rollback would bring it back, and what then bills those who paid for nothing newer. */
  const CHANGED = [
    {
      title: 'is what the record was before it was removed and stated again',
      second: 'Old',
      change: async () => {
        await increment(2, { kind: 'project', id: 1, deleted: true });
        await increment(2, line(1, 'New'));
      },
      newer: 1,
    },
    {
      title: 'is remembered of a record that changed more often than its changes are kept',
      second: 'New',
      change: async () => {
        for (let i = 0; i < 22; i++) await increment(2, line(1, `Change ${i}`));
      },
      newer: 3,
    },
  ];
  for (const { title, second, change, newer } of CHANGED)
    it(title, async () => {
      await world.api.index.load(generation('Old'));
      await world.api.index.load(generation(second), { generation: 2 });
      await change();
      const key = await world.api.key('api_only');
      assert.deepEqual(await billed(key), [3, 3]);
      await rollBack();
      assert.deepEqual(await billed(key), [0, 0]);
      const other = await world.api.key('api_only');
      assert.deepEqual(await billed(other), [3, 3]);
      await rollBack();
      const again = [await billed(key), await billed(other)].flat();
      assert.deepEqual(again, [0, 0, newer, newer], 'what is newer than what was paid for bills');
    });

  it('bills again when what was paid for is lost and refunded', async () => {
    await world.work();
    await world.api.index.load(generation('Oldest'));
    const key = await world.api.key('api_only');
    assert.deepEqual(await billed(key), [3, 3]);
    await increment(1, ...generation('Old'));
    await world.api.index.load(generation('New'), { generation: 2 });
    const { id, creditsCharged } = await world.exports.completed({ filters: ALL }, key);
    assert.equal(creditsCharged, 3);
    for (const name of await readdir(world.folder)) if (name.startsWith(id)) await rm(path.join(world.folder, name));
    assert.equal((await world.download(id, key)).status, 409);
    assert.equal(await world.balance(key), 5_000 - 3);
    await rollBack();
    assert.deepEqual(await billed(key), [3, 3]);
  });
});
