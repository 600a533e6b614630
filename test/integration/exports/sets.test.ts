/** Which records a file holds: as many as the ceiling allows, as they stood at one moment. */

import assert from 'node:assert/strict';
import pg from 'pg';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { assertFile, walkSearch } from '../../support/exports.ts';
import { TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld, type TestWorld } from '../../support/world.ts';

/** Two pages of a file. */
const RECORDS = 620;
const CEILING = 600;
const FILTERS = { dateRange: 'all', sort: 'acreage' };

describe('The set of an export', () => {
  const world = provideWorld({ today: TODAY, limits: { exportRowsMax: CEILING } });
  let worker: Awaited<ReturnType<TestWorld['work']>>;
  before(async () => {
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1, { acreage: (i * 37) % 211 })));
    worker = await world.work();
  });

  it('holds as many rows as the ceiling allows, the first ones, and charges those', async () => {
    const key = await world.api.key('api_only', undefined, { monthlyCredits: CEILING });
    const records = await walkSearch(world, FILTERS, await world.api.key('api_only'));
    const body = bodyOf(await world.exports.submit({ filters: FILTERS }, key), 202);
    const { matchCount, truncated, creditsReserved, progress } = body.data;
    assert.deepEqual([matchCount, truncated, creditsReserved, progress.total], [RECORDS, true, CEILING, CEILING]);
    const made: Json = await world.exports.settled(body.data.id, key);
    assert.deepEqual([made.matchCount, made.truncated, made.rowCount, made.creditsCharged], [RECORDS, true, CEILING, CEILING]);
    assertFile((await world.download(made.id, key)).text, records.slice(0, CEILING));
    const last = records.slice(CEILING - 1).map(({ id }) => id);
    const exact: Json = await world.exports.completed({ projectIds: last.slice(0, 1) }, key);
    assert.deepEqual([exact.truncated, exact.rowCount, exact.creditsReserved], [false, 1, 0]);
    assertRefused(await world.exports.submit({ projectIds: last.slice(0, 2) }, key), 'credits_exhausted');
  });

  it('prices what the file would hold, not what matches', async () => {
    const key = await world.api.key('api_only', undefined, { monthlyCredits: CEILING - 1 });
    const refused = await world.exports.submit({ filters: FILTERS }, key);
    assertRefused(refused, 'insufficient_credits');
    const { matchCount, creditsRequired, affordableRecordCount } = refused.body.error.details.quote;
    assert.deepEqual([matchCount, creditsRequired, affordableRecordCount], [RECORDS, CEILING, CEILING - 1]);
    const owner = await world.api.key('api_only', undefined, { monthlyCredits: CEILING });
    await world.api.get('/projects/search', { ...FILTERS, limit: 1 }, { key: owner });
    assert.equal((await world.exports.submit({ filters: FILTERS }, owner)).body.data?.creditsReserved, CEILING - 1);
  });

  it('stays as it was when the file was begun, whatever is loaded meanwhile', async () => {
    const key = await world.api.key('api_only');
    const before = await walkSearch(world, FILTERS, await world.api.key('api_only'));
    const { database } = world.api;
    const [{ schema } = { schema: '' }] = await database.query<{ schema: string }>('select current_schema() as schema');
    const locker = new pg.Client({ connectionString: world.api.env.DATABASE_URL });
    await locker.connect();
    let id: string;
    try {
      await worker.stop();
      const { body } = await world.exports.submit({ filters: FILTERS }, key);
      id = body.data.id;
      // A page of the file is made of records and of what is held of them: there it waits.
      await locker.query(`begin; lock table "${schema}".delivery in access exclusive mode`);
      // An attempt that lost its lease while the loads keep this process busy would begin another file after them.
      await world.work({}, { leaseMs: 120_000 });
      const waiting = `select from pg_locks where not granted and relation = '"${schema}".delivery'::regclass`;
      await eventually('the first page', async () => ((await locker.query(waiting)).rowCount ? true : undefined));
      const [first, last] = [before[0]?.id as number, before[CEILING - 1]?.id as number];
      await world.api.index.load(
        [projectLine(first, { acreage: 1 }), { kind: 'project', id: last, deleted: true }, projectLine(9_999, { acreage: 500 })],
        { mode: 'increment' },
      );
      await world.api.index.load([projectLine(5), projectLine(7)], { generation: 2 });
    } finally {
      await locker.end();
    }
    const made: Json = await world.exports.settled(id, key);
    assert.deepEqual([made.status, made.rowCount, made.matchCount, made.creditsCharged], ['ready', CEILING, RECORDS, CEILING]);
    assert.deepEqual(await database.query('select attempt from job where id = $1', [id]), [{ attempt: 1 }], 'one file was begun');
    assertFile((await world.download(id, key)).text, before.slice(0, CEILING));
    const now = await walkSearch(world, FILTERS, await world.api.key());
    assert.ok(now.some((record) => record.id === 9_999) && now.at(0)?.id !== before.at(0)?.id, 'the loads were committed');
    assert.deepEqual((await auditLedger(database)).differences, []);
  });
});

describe('The set of an export in which many records have no meeting date', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    const dated = (i: number) => ({ meetingDate: i % 5 ? `2026-0${1 + (i % 7)}-1${i % 10}` : null });
    await world.api.index.load(Array.from({ length: 1_100 }, (_, i) => projectLine(i + 1, dated(i))));
    await world.work();
  });

  for (const sort of ['meeting_date_newest', 'meeting_date_oldest'])
    it(`is whole in the order ${sort}, those without a date last`, async () => {
      const filters = { dateRange: 'all', sort };
      const key = await world.api.key();
      const records = await walkSearch(world, filters, await world.api.key());
      assert.equal(records.length, 1_100);
      assert(records.slice(-220).every(({ meetingDate }) => meetingDate === null));
      const made: Json = await world.exports.completed({ filters }, key);
      assert.deepEqual([made.status, made.rowCount], ['ready', 1_100]);
      assertFile((await world.download(made.id, key)).text, records);
    });
});
