/** The source for dlt and the Singer tap: killed at any moment their tables end as a copy by sync, record by record, and the bill is what was quoted. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readCharges, watchCharges } from '../../../scripts/lib/charges.ts';
import { LandUseClient } from '../../../src/clients/client/index.ts';
import { Pipeline, type Row, rowOf, STORES, TOOLS } from '../../support/connectors.ts';
import { TODAY } from '../../support/fixtures.ts';
import { lengthOf } from '../../support/lengths.ts';
import { provide } from '../../support/provide.ts';
import { PythonHome } from '../../support/python.ts';
import { Random } from '../../support/random.ts';
import { randomLine } from '../../support/randomProjects.ts';
import { bodyOf } from '../../support/service.ts';
import { startWarehouse, type Warehouse } from '../../support/warehouse.ts';
import { testWorld } from '../../support/world.ts';

const WORLD_MS = 3_600_000;
const SEED = Number(process.env.SEED ?? 11);
const RECORDS = lengthOf('CONNECTOR_RECORDS');
const CHANGES = lengthOf('CONNECTOR_CHANGES');
const ROUNDS = lengthOf('CONNECTOR_ROUNDS');
const KILLS = lengthOf('CONNECTOR_KILLS');
const KILL_WITHIN_MS = { least: 1_000, most: 5_000 };
const FILTERS = { dateRange: 'all' } as const;

describe(`connectors (SEED=${SEED})`, function () {
  this.timeout(WORLD_MS);
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotFileRecords: Math.ceil(RECORDS / 3) } }));
  let home: PythonHome;
  let warehouse: Warehouse;
  const random = new Random(SEED);
  const suffix = randomBytes(4).toString('hex');
  const pipelines: { pipeline: Pipeline; key: string }[] = [];

  before(async () => {
    await watchCharges(world.api.database);
    await world.api.index.load(lines(1, RECORDS));
    await world.work();
    [home, warehouse] = await Promise.all([PythonHome.makeWithConnectors(world.api.url), startWarehouse()]);
    for (const [i, tool] of TOOLS.entries())
      for (const store of [...STORES.slice(i), ...STORES.slice(0, i)].slice(0, lengthOf('CONNECTOR_STORES'))) {
        const key = await world.api.key('api_only', undefined, { monthlyCredits: 1_000_000 });
        const name = `${tool}_${store}_${suffix}`;
        const options = { tool, store, home, url: world.api.url, key, filters: FILTERS, databaseUrl: warehouse.url, name };
        pipelines.push({ pipeline: new Pipeline(options), key });
      }
  });

  after(async () => {
    await warehouse?.stop();
    await home?.stop();
  });

  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: 'project', ...randomLine(random, from + i, TODAY) }));

  /** Half of them change records, a quarter each adds and removes some; a record once a round. */
  function changesOf(round: number): object[] {
    const count = Math.floor(CHANGES / ROUNDS);
    const start = random.integer(1, RECORDS);
    const touched = Array.from({ length: Math.min(RECORDS, Math.floor(count * 0.75)) }, (_, i) => ((start + i) % RECORDS) + 1);
    const existing = touched.map((id, i) =>
      i % 3 === 2 ? { kind: 'project', id, deleted: true } : { kind: 'project', ...randomLine(random, id, TODAY) },
    );
    return [...existing, ...lines(RECORDS + 1 + round * count, count - existing.length)];
  }

  /** What the TypeScript client brings of the same selection, from the beginning. */
  async function truth(): Promise<Map<number, Row>> {
    const copy = new Map<number, Row>();
    const client = new LandUseClient({ key: await world.api.key('national'), url: world.api.url });
    for await (const page of client.sync({ ...FILTERS, representation: 'full' })) {
      for (const { id } of page.removed) copy.delete(id);
      for (const record of page.records) copy.set(record.id, rowOf(record));
    }
    return copy;
  }

  async function quoteOf(key: string): Promise<number> {
    const body = bodyOf(await world.api.get('/projects/count', FILTERS, { key }));
    return body.data.creditsRequired;
  }

  /** Runs of one pipeline: some that are killed, one to the end, and one more where a killed one had left its load behind. */
  async function bringUpToDate({ pipeline, key }: (typeof pipelines)[number], expected: ReadonlyMap<number, Row>): Promise<number> {
    const [before, quote] = [await world.balance(key), await quoteOf(key)];
    let kills = 0;
    for (let i = 0; i < KILLS; i++) {
      const killAfterMs = random.integer(KILL_WITHIN_MS.least, KILL_WITHIN_MS.most);
      if (!(await pipeline.run({ killAfterMs }))) kills += 1;
    }
    await pipeline.run();
    const rows = await pipeline.rows();
    assert.deepEqual(
      [...expected.keys()].filter((id) => !rows.has(id)),
      [],
      `${pipeline.name} lacks rows`,
    );
    assert.deepEqual([...rows.keys()].sort(), [...expected.keys()].sort(), `${pipeline.name} has rows of records that went`);
    for (const [id, row] of expected) assert.deepEqual(rows.get(id), row, `${pipeline.name} ${id}`);
    assert.equal(before - (await world.balance(key)), quote, `${pipeline.name}: the bill is the quote`);
    assert.equal(await quoteOf(key), 0);
    return kills;
  }

  it('load a snapshot and follow it, killed on the way: no row differs, and the bill is the quote', async () => {
    let kills = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      if (round > 0) await world.api.index.load(changesOf(round), { mode: 'increment', skipInvalid: true });
      const expected = await truth();
      assert(expected.size > RECORDS / 2, String(expected.size));
      const counts = await Promise.all(pipelines.map((one) => bringUpToDate(one, expected)));
      kills += counts.reduce((sum, one) => sum + one, 0);
      if (ROUNDS > 1) console.log(`round ${round}: ${expected.size} records in ${pipelines.length} tables, ${kills} kills so far`);
    }
    assert(kills > 0, 'some runs are killed');
    const { ledger, deliveries, duplicated } = await readCharges(world.api.database);
    assert.deepEqual([ledger - deliveries, duplicated], [0, 0], 'nothing is charged twice');
  });
});
