/** What happens while the files of a snapshot are written: its team reads the same records, and the index is made again or lost and built again. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import { renewServedSet } from '../../../ingest/recover/renew.ts';
import { watchCharges } from '../../../scripts/lib/charges.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { HttpProxy } from '../../support/httpProxy.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { deliveriesInParquet } from '../../support/parquet.ts';
import { provide } from '../../support/provide.ts';
import { assertOneWalk, downloadSnapshot } from '../../support/snapshots.ts';
import { testWorld } from '../../support/world.ts';

const RECORDS = 100;
const PAGE = 5;
/** records of a file */
const FILE = 4 * PAGE;
const FILTERS = { dateRange: 'all', states: ['CO'] };
/** After so many pages of five records the first file of twenty is whole, and the second one is written. */
const HELD_PAGE = 7;

describe('While a snapshot is built', () => {
  const world = provide(() => testWorld({ today: TODAY, limits: { snapshotFileRecords: FILE, snapshotPageRecords: PAGE } }));
  let proxy: HttpProxy;
  /** pages of the build that are still handed on at once */
  let pagesLeft = Number.POSITIVE_INFINITY;
  let meanwhile: () => Promise<unknown>;
  let done: Promise<unknown> = Promise.resolve();
  before(async () => {
    await watchCharges(world.api.database);
    await world.api.index.keep();
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => project(i + 1)));
    proxy = new HttpProxy(world.api.env.ELASTICSEARCH_URL as string, async ({ path, status, headers, body }, response) => {
      if (path.startsWith('/_search') && --pagesLeft === 0) {
        done = meanwhile();
        await done.catch(() => undefined); // thrown to the test
      }
      response.writeHead(status, headers).end(body);
    });
    await world.work({ ELASTICSEARCH_URL: await proxy.start(), SEARCH_TIMEOUT_MS: '60000' });
  });
  after(() => proxy.stop());

  const rich = () => world.api.key('api_only', undefined, { monthlyCredits: 100_000 });
  /** The snapshot at its end, of which `work` was done when a page of the second file had been read. */
  async function taken(body: object, key: string, work: () => Promise<unknown>): Promise<Json> {
    [pagesLeft, meanwhile] = [HELD_PAGE, work];
    const { id } = (await world.snapshots.submit({ filters: FILTERS, representation: 'compact', ...body }, key)).body.data;
    const snapshot = await world.snapshots.settled(id, key);
    assert(pagesLeft <= 0, 'the build did not come that far');
    await done;
    return snapshot;
  }
  const named = (from: number, count: number) => ({ projectIds: Array.from({ length: count }, (_, i) => from + i) });
  const increment = { mode: 'increment', generation: 1 } as const;
  const deleted = (id: number) => ({ kind: 'project', id, deleted: true });

  for (const format of ['ndjson', 'parquet'])
    it(`its lines say how the pool stood at the settlement, though records of theirs were delivered meanwhile: ${format}`, async () => {
      const key = await rich();
      await world.api.get('/projects/search', named(1, 2), { key });
      const snapshot = await taken({ format }, key, async () => {
        const page = await world.api.get('/projects/search', named(2, 8), { key });
        assert.equal(page.body.meta.creditsUsed, 7, JSON.stringify(page.body));
      });
      const { creditsReserved, creditsCharged, creditsRefunded } = snapshot;
      assert.deepEqual([creditsReserved, creditsCharged, creditsRefunded], [RECORDS - 2, RECORDS - 9, 7]);
      const { records, files } = await downloadSnapshot(world, snapshot, key);
      const deliveries = format === 'parquet' ? await deliveriesInParquet(files) : records;
      assert.deepEqual(
        deliveries.map(({ id, delivery }: Json) => [id, delivery.alreadyExported, delivery.updatedSinceExport, delivery.billed]),
        Array.from({ length: RECORDS }, (_, i) => (i < 9 ? [i + 1, true, false, false] : [i + 1, false, null, true])),
      );
      await world.api.checkLedger();
    });

  it('another worker may take it over just before a file is complete: the file is still deleted', async () => {
    const key = await rich();
    const { database } = world.api;
    // As if its worker had been frozen after the last page of the second file, until another one had deleted what the first attempt wrote.
    await database.query(`
      create function take_over() returns trigger language plpgsql as $$
      begin
        if new.attempt = 1 and (new.progress->>'processed')::integer = ${2 * FILE} then
          delete from snapshot_file where snapshot_id = new.id;
          new.status := 'queued';
          new.lease_until := null;
        end if;
        return new;
      end $$;
      create trigger take_over before update on job for each row execute function take_over()`);
    try {
      const { id } = (await world.snapshots.submit({ filters: FILTERS, representation: 'compact' }, key)).body.data;
      const snapshot = await world.snapshots.settled(id, key);
      assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
      const { files } = await downloadSnapshot(world, snapshot, key);
      const stored = async () => (await readdir(world.folder)).filter((name) => name.startsWith(id));
      await eventually('the files of one attempt', async () => ((await stored()).length === files.length ? true : undefined), 10_000);
      assert(
        (await stored()).every((name) => name.startsWith(`${id}-2-`)),
        String(await stored()),
      );
    } finally {
      await database.query('drop function take_over cascade');
    }
  });

  it('a trial gets the records that were priced and no others, though some of its last file were delivered meanwhile', async () => {
    const key = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const { teamId } = (await world.api.get('/start', {}, { key })).body.data.account;
    await world.api.get('/projects/search', named(88, 13), { key });
    const snapshot = await taken({}, key, async () => {
      await world.api.database.query("select enter_credits($1, 'adjustment', 'plan', 100, 0, '{}'::jsonb)", [teamId]);
      const page = await world.api.get('/projects/search', named(21, 8), { key });
      assert.equal(page.body.meta.creditsUsed, 8, JSON.stringify(page.body));
    });
    const { recordCount, creditsReserved, creditsCharged, creditsRefunded } = snapshot;
    assert.deepEqual([recordCount, creditsReserved, creditsCharged, creditsRefunded], [37, 37, 29, 8]);
    assert.equal(await world.balance(key), 100);
    await world.api.checkLedger();
  });

  it('the index may be made again, and loaded: the cursor goes on from what the files hold', async () => {
    const [key, fresh] = [await rich(), await rich()];
    const { index } = world.api;
    const snapshot = await taken({}, key, async () => {
      await index.load([project(3, { projectName: 'Changed' }), deleted(4), project(201)], increment);
      await renewServedSet({ ...index.clock, store: index.store, locked: (work) => work(() => undefined) });
      await index.load([project(5, { projectName: 'Changed later' }), deleted(90), project(202)], increment);
    });
    assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
    const copy = await assertOneWalk(world, FILTERS, { snapshot, key, fresh });
    assert.deepEqual([copy.size, copy.get(5)?.projectName, copy.has(4), copy.has(90)], [RECORDS, 'Changed later', false, false]);
  });

  it('the index may be lost and built again from what loads kept: likewise', async () => {
    const [key, fresh] = [await rich(), await rich()];
    const { index } = world.api;
    const snapshot = await taken({}, key, async () => {
      await index.dropIndices();
      await rebuildIndex({ store: index.store, ...index.clock }, []);
      await index.load([project(6, { projectName: 'Changed last' }), deleted(7)], increment);
    });
    assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
    const copy = await assertOneWalk(world, FILTERS, { snapshot, key, fresh });
    assert.deepEqual([copy.size, copy.get(6)?.projectName, copy.has(7)], [RECORDS - 1, 'Changed last', false]);
  });

  it('the index may be lost and not return: the whole snapshot fails and gives everything back', async () => {
    const key = await rich();
    const snapshot = await taken({}, key, () => world.api.index.dropIndices());
    const { status, creditsReserved, creditsCharged, creditsRefunded, fileCount } = snapshot;
    assert.deepEqual([status, creditsCharged, creditsRefunded, fileCount], ['failed', 0, creditsReserved, null], JSON.stringify(snapshot));
    assert.equal(await world.balance(key), 100_000);
    await world.api.checkLedger();
  });
});
