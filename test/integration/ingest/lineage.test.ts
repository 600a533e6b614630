/** The index against its lineage: what is lost, restored or exchanged is found out, nothing is billed meanwhile, and no walk goes wrong. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { adoptServed } from '../../../ingest/publish/repair.ts';
import { readSetContents } from '../../../ingest/write/setContents.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { LineageWatch } from '../../../src/core/store/lineageWatch.ts';
import { setClock, testDatabase } from '../../support/database.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { places, TestIndex } from '../../support/index.ts';
import { copyIndices } from '../../support/indexCopy.ts';
import { killIngestAt } from '../../support/ingest.ts';
import { bodyOf, provideService, type TestProcess } from '../../support/service.ts';

/** noon on the service clock of that day, at which clocks stand */
const NOON = `${TODAY}T19:00:00Z`;
const increment = { mode: 'increment', generation: 1 } as const;

/** What a commit was recorded to show is what its set shows. */
async function assertRecorded(index: TestIndex): Promise<void> {
  const lineages = await index.clock.lineage();
  const { id = '' } = (await lineages.readCurrent()) ?? {};
  const { served } = await index.store.read();
  const head = await lineages.readHead(id);
  assert(served && head);
  const shown = await readSetContents(index.store, (kind) => index.names.completeAlias(kind, served));
  const { projects, documents, contacts, removals, digest } = head;
  assert.deepEqual({ projects, documents, contacts, removals, digest }, shown.toRecord());
  assert.deepEqual([head.commit, head.newestStamp], [served.committed, await index.store.readNewestStamp(served)]);
}

describe('The lineage of an index', () => {
  const api = provideService({ today: TODAY });
  const open: { drop(): Promise<void> }[] = [];
  after(async () => {
    for (const one of open) await one.drop();
  });
  const newIndex = () => {
    const index = new TestIndex(TODAY);
    open.unshift(index);
    return index;
  };

  it('records of every commit what its set shows', async () => {
    const index = newIndex();
    const lines = (generation: 1 | 2) =>
      [...sampleLines({ seed: 5, projects: 60, today: TODAY, texts: 'short', places, generation })].slice(1);
    await index.load(lines(1));
    await assertRecorded(index);
    await index.load([...lines(2).slice(0, 40), { kind: 'project', id: 77_000_001, deleted: true }], increment);
    await index.load([project(1), project(2, { mergedFrom: [2, 3] }), project(3), project(4, { mergedFrom: [4, 1] })], increment);
    await index.load([project(5, { mergedFrom: [5, 4] }), { kind: 'project', id: 2, deleted: true }], increment);
    await assertRecorded(index);
    await index.load([project(5, { mergedFrom: [5, 4] }), project(2)], increment);
    await assertRecorded(index);
    await index.load([...lines(2), project(5, { mergedFrom: [5, 4] }), { kind: 'project', id: 1, deleted: true }], { generation: 2 });
    await assertRecorded(index);
    await rollBackGeneration(index.store, index.clock);
    await assertRecorded(index);
    await index.load([project(6), { kind: 'project', id: 5, deleted: true }], increment);
    await assertRecorded(index);
    await rollBackGeneration(index.store, index.clock);
    await assertRecorded(index);
  });

  describe('with a service', () => {
    let metered: string;
    before(async () => {
      metered = await api.key('api_only');
      await api.index.load(Array.from({ length: 30 }, (_, i) => project(i + 1)));
    });

    const sync = (parameters: object, at: TestProcess = api) => at.get('/projects/sync', { dateRange: 'all', limit: 10, ...parameters });
    const search = (options: object) => api.get('/projects/search', { dateRange: 'all', limit: 10 }, options);
    const charges = async () => (await api.database.query<{ n: number }>('select count(*)::int as n from ledger_entry'))[0]?.n;

    async function cursor(): Promise<string> {
      const { status, body } = await sync({});
      assert.equal(status, 200, JSON.stringify(body));
      return body.meta.sync.cursor;
    }

    async function assertRefused(fault: string, from: string, says: RegExp): Promise<void> {
      const ready = await api.get('/ready', {}, { key: '' });
      assert.equal(ready.status, 503);
      assert.match(ready.body.error.message, says);
      const before = await charges();
      for (const answer of [await sync({ cursor: from }), await sync({}), await search({ key: metered })]) {
        const { code, details } = answer.body.error;
        assert.deepEqual([answer.status, code, details], [503, 'service_unavailable', { subsystem: 'index', fault }]);
        assert(Number(answer.headers.get('retry-after')) > 0);
      }
      assert.equal(await charges(), before);
      await assert.rejects(api.index.load([project(1)], increment), says);
      await assert.rejects(rollBackGeneration(api.index.store, api.index.clock), says);
    }

    async function assertRight(): Promise<void> {
      const ready = await api.get('/ready', {}, { key: '' });
      assert.equal(ready.status, 200, JSON.stringify(ready.body));
    }

    it('is in order while loads are committed, and cursors go on', async () => {
      const from = await cursor();
      const { status } = await search({ key: metered });
      assert.equal(status, 200);
      await api.index.load([project(40)], increment);
      await assertRight();
      assert.equal((await sync({ cursor: from })).status, 200);
      assert.equal((await search({ key: metered })).status, 200);
    });

    it('behind: says so, serves free reads, bills nothing, and takes no load until it is adopted', async () => {
      const copy = await copyIndices(api.index);
      await api.index.load([project(41)], increment);
      await api.index.load([{ kind: 'project', id: 3, deleted: true }], increment);
      const from = await cursor();
      await copy.restore();
      await assertRefused('behind', from, /is behind: .* recorded 2 later, .* npm run ingest -- rebuild/);
      assert.equal((await search({})).status, 200, 'what costs nothing is still served');
      await adoptServed(api.index.clock.lineage, api.index.store);
      await assertRight();
      const { status, body } = await sync({ cursor: from });
      assert.deepEqual([status, body.error.code], [400, 'invalid_cursor']);
      assert.match(body.error.details.recovery, /Repeat the request without cursor/);
      await api.index.load([project(42)], increment);
      assert.equal((await sync({ cursor: await cursor() })).status, 200);
      assert.equal((await search({ key: metered })).status, 200);
    });

    it('ahead of a Postgres that was restored: says so, and cursors of the lost commits are refused ever after', async () => {
      const before = (await api.index.store.read()).served?.committed;
      await api.index.load([project(43)], increment);
      const from = await cursor();
      await api.database.query('delete from index_commit where commit > $1', [before]);
      await assertRefused('ahead', from, /is ahead: .* Was Postgres restored/);
      await adoptServed(api.index.clock.lineage, api.index.store);
      await assertRight();
      assert.equal((await sync({ cursor: from })).body.error.code, 'invalid_cursor');
    });

    it('of another lineage: a Postgres that knows none, and an index of another Postgres', async () => {
      const other = await testDatabase();
      open.push(other);
      await setClock(other.database, { at: NOON });
      const fresh = await api.another({ DATABASE_URL: other.url, DATABASE_SCHEMA: other.schema });
      const { status, body } = await fresh.get('/ready', {}, { key: '' });
      assert.equal(status, 503);
      assert.match(body.error.message, /lineage [0-9a-f]{8}, of which Postgres has no record.*-- adopt/);
      await fresh.stop();

      const from = await cursor();
      const mine = api.index.database;
      api.index.database = other;
      await api.index.dropIndices();
      await assertLost(from);
      await api.index.load([project(1)]);
      api.index.database = mine;
      await assertRefused('foreign', from, /index of the lineage [0-9a-f]{8}, Postgres has the lineage [0-9a-f]{8}: .*-- rebuild/);
      await adoptServed(api.index.clock.lineage, api.index.store);
      await assertRight();
    });

    async function assertLost(from: string): Promise<void> {
      const ready = await api.get('/ready', {}, { key: '' });
      assert.match(ready.body.error.message, /Elasticsearch serves nothing, while Postgres has recorded .*-- rebuild/);
      const { status, body } = await sync({ cursor: from });
      assert.deepEqual([status, body.error.details], [503, { subsystem: 'index', fault: 'lost' }]);
    }
  });

  it('that begins just after a service looked is in the cursors of its first pages', async () => {
    const index = newIndex();
    const watch = new LineageWatch({ elastic: index.client, names: index.names, lineages: await index.clock.lineage(), timeoutMs: 5_000 });
    assert.equal(await watch.continues(undefined), true, 'nothing is loaded');
    await index.load([project(1)]);
    const { served } = await index.store.read();
    assert(served);
    const mark = await watch.markOf(Number(await index.store.readNewestStamp(served)));
    assert.deepEqual(mark, { lineage: served.lineage, commit: served.committed });
    await index.load([project(2)], increment);
    assert.equal(await watch.continues(mark), true);
  });

  describe('whose loader is killed', () => {
    /** The message at which a loader stops, as often as it has to have come; whether its load has been switched by then. */
    const MOMENTS = [
      { at: 'before its commit is recorded', message: 'insert into index_commit', time: 1, switched: false },
      { at: 'between the record and the switch', message: 'must_exist', time: 1, switched: false },
      { at: 'between the switch and the note', message: 'set served_at = ', time: 2, switched: true },
    ];
    let first: string;
    before(async () => {
      await api.index.startOver();
      await api.index.load([project(1), project(2)]);
      first = (await api.get('/projects/sync', { dateRange: 'all' })).body.meta.sync.cursor;
    });

    const served = async () => (await api.index.store.read()).served?.committed;

    for (const [at, moment] of MOMENTS.entries())
      it(`${moment.at}: service stays right, and the next load completes it`, async () => {
        const before = await served();
        const file = await api.index.file([project(10 + at)], increment);
        await killIngestAt(api.index, ['load', file], moment.message, moment.time);
        assert.equal((await served()) !== before, moment.switched);
        bodyOf(await api.get('/projects/sync', { dateRange: 'all', cursor: first }));
        assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
        await api.index.loadFile(file);
        await assertRecorded(api.index);
        assert.deepEqual(await api.database.query('select commit from index_commit where served_at is null'), []);
      });
  });
});
