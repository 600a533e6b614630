/**
 * Going back to a generation: searches see it at once, sync when its records are stamped, and in between each of the two answers from one
 * generation. `ROLLBACK_CUTS=all npm test -- test/integration/sync/switchBack.test.ts` cuts the loader off at every message.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { activateGeneration, rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { derivePublication, derivePublicationAfter } from '../../../ingest/publish/publication.ts';
import { showPublication } from '../../../ingest/publish/publish.ts';
import { adoptServed, repairPublication } from '../../../ingest/publish/repair.ts';
import { describeStatus, readGenerationStatus } from '../../../ingest/publish/status.ts';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { readCharges, watchCharges } from '../../../scripts/lib/charges.ts';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { makeElastic } from '../../../src/core/store/elastic/client.ts';
import { KINDS, visibilityFilter } from '../../../src/core/store/elastic/indices.ts';
import { LineageStore, type PublicationRow } from '../../../src/core/store/postgres/lineageStore.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { Snapshot } from '../../../src/core/store/postgres/tableSnapshot.ts';
import { findIndexWarnings } from '../../../src/operate/backup/recordedFiles.ts';
import { Copy } from '../../support/copies.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { killIngestAt, servedProjects } from '../../support/ingest.ts';
import { lengthOf } from '../../support/lengths.ts';
import { bodyOf, provideService } from '../../support/service.ts';
import { MessageCount, stoppingProxy } from '../../support/stoppingProxy.ts';

const CUTS = lengthOf('ROLLBACK_CUTS');
const NEVER = Number.POSITIVE_INFINITY;
const deleted = (id: number) => ({ kind: 'project', id, deleted: true });
const GENERATIONS = {
  1: [project(1, { acreage: 1 }), project(2), project(3), project(4), project(5, { mergedFrom: [5, 6] }), project(6), project(7)],
  2: [
    project(1, { acreage: 2 }),
    project(2),
    deleted(3),
    project(4, { mergedFrom: [4, 7] }),
    project(5, { mergedFrom: [5] }),
    project(6),
    project(7),
    project(8),
  ],
} as const;
type Generation = keyof typeof GENERATIONS;

class Cut extends Error {}

describe('A switch back to a generation', () => {
  const api = provideService({ today: TODAY });
  let metered: string;
  let copy: Copy;
  /** Ids that are served, by generation: 3 was deleted, 8 is new, and others absorb or are absorbed. */
  const ids = { 1: [1, 2, 3, 4, 5, 7], 2: [1, 2, 4, 5, 6, 8] };
  before(async () => {
    await watchCharges(api.database);
    await api.index.keep();
    metered = await api.key('api_only', undefined, { monthlyCredits: 100_000 });
    await api.index.load(GENERATIONS[1]);
    await api.index.load(GENERATIONS[2], { generation: 2 });
    copy = new Copy(api, metered);
  });

  beforeEach(async () => {
    await activateGeneration(store(), 2, api.index.clock);
    await copy.catchUp();
  });
  afterEach(async () => {
    assert.deepEqual((await auditLedger(api.database)).differences, []);
    const { ledger, deliveries, duplicated } = await readCharges(api.database);
    assert.deepEqual([ledger - deliveries, duplicated], [0, 0], 'no content is billed twice');
  });

  const store = () => api.index.store;
  const idsOf = (records: Iterable<{ id: number }>) => [...records].map(({ id }) => id).sort((a, b) => a - b);
  const held = () => [...copy.records.keys()].sort((a, b) => a - b);
  const search = async () => {
    const body = bodyOf(await api.get('/projects/search', { dateRange: 'all', limit: 50 }, { key: metered }));
    return body.data as { id: number; acreage: number | null }[];
  };
  const status = () => readGenerationStatus(store());

  /** Serves the generation before, and dies before anything is stamped. */
  async function serveAlone(): Promise<void> {
    const onServed = () => {
      throw new Cut();
    };
    await assert.rejects(rollBackGeneration(store(), { ...api.index.clock, onServed }), Cut);
  }

  /** Searches answer from one generation and sync from one, which is the same unless the switch is still being stamped. */
  async function assertShown(served: Generation, synced: Generation): Promise<void> {
    const found = await search();
    assert.deepEqual(idsOf(found), ids[served]);
    assert.equal(found.find(({ id }) => id === 1)?.acreage, served);
    const known = new Map(copy.records);
    await copy.catchUp();
    assert.deepEqual(held(), ids[synced]);
    if (served !== synced) assert.deepEqual(copy.records, known, 'a copy learns of nothing until all is stamped');
    await copy.assertEqualToIndex();
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
  }

  it('is served at once, and sync shows all that was served before, whole, until it follows', async () => {
    await serveAlone();
    await assertShown(1, 2);
    const { generation, syncShows } = await status();
    assert.deepEqual([generation, syncShows], [1, 2]);
    assert.match(
      describeStatus(await status()),
      /^Generation 1 is served.*\nSync still shows generation 2: .*npm run ingest -- rollback\n/,
    );
    const { body } = await api.get('/projects/sync', { dateRange: 'all', limit: 3 });
    const walk = { dateRange: 'all', limit: 50, cursor: body.meta.sync.cursor };
    const unstamped = (await store().read()).served;
    const done = await rollBackGeneration(store(), { ...api.index.clock, copiedFrom: 0 });
    assert.deepEqual([done.generation, done.replaced, done.finished], [1, 2, true], 'it is not taken back');
    assert.notEqual((await store().read()).served?.load, unstamped?.load, 'a copy is served');
    await assertShown(1, 1);
    assert.equal((await status()).syncShows, null);
    const rest = (await api.get('/projects/sync', walk)).body;
    assert.deepEqual(
      rest.meta.sync.removed.map(({ id }: { id: number }) => id).sort(),
      ids[2].filter((id) => !ids[1].includes(id)),
      'a walk that began in between goes on',
    );
    for (const record of (await servedProjects(api.index)).values()) assert.equal(record.supersededIn, undefined);
  });

  it('is left for the one that sync still shows, without anything to stamp', async () => {
    await serveAlone();
    const before = new Map(copy.records);
    const done = await activateGeneration(store(), 2, api.index.clock);
    assert.deepEqual([done.generation, done.replaced], [2, 1]);
    await assertShown(2, 2);
    assert.deepEqual(copy.records, before);
    assert.equal((await status()).loaded.find(({ rollbackTarget }) => rollbackTarget)?.generation, 1);
    await rollBackGeneration(store(), api.index.clock);
    await assertShown(1, 1);
  });

  it('is finished by whatever is loaded or switched next, before it does anything else', async () => {
    await serveAlone();
    await api.index.load([project(9)], { mode: 'increment', generation: 1 });
    ids[1].push(9);
    await assertShown(1, 1);
    await activateGeneration(store(), 2, api.index.clock);
    await copy.catchUp();
    await serveAlone();
    assert.equal((await activateGeneration(store(), 1, api.index.clock)).finished, true);
    await assertShown(1, 1);
  });

  it('goes on where the answer to a bulk request was lost and it was sent again, and is refused where something else changed a record', async () => {
    const { client: own, names, clock } = api.index;
    /** Rolls back with a client that sends each bulk request twice, and does something before it. */
    const rollBack = (copiedFrom: number, prepare: () => Promise<unknown> = async () => {}) => {
      const client: typeof own = Object.create(own);
      client.bulk = (async (...args: Parameters<typeof client.bulk>) => {
        await prepare();
        await own.bulk(...args);
        return own.bulk(...args);
      }) as typeof client.bulk;
      return rollBackGeneration(new GenerationStore(client, names), { ...clock, copiedFrom });
    };
    assert.equal((await rollBack(NEVER)).generation, 1);
    await assertShown(1, 1);
    assert.equal((await rollBack(0)).generation, 2);
    await assertShown(2, 2);
    const rewrite = async () => {
      const { hits } = await own.search({ index: names.readAlias('projects'), size: 50 });
      const operations = hits.hits.flatMap(({ _index, _id, _source }) => [{ index: { _index, _id } }, _source]);
      await own.bulk({ operations: operations as never, refresh: true });
    };
    await assert.rejects(rollBack(NEVER, rewrite), /changed while it was compared/);
    await assertShown(1, 2);
    assert.equal((await rollBackGeneration(store(), clock)).finished, true);
    await assertShown(1, 1);
  });

  it('that loses the whole index is rebuilt as it was, also by a command that is killed: sync continues from its cursors', async () => {
    await serveAlone();
    await assertBackedUp();
    await api.index.dropIndices();
    let asked = 0;
    const assertLocked = () => {
      if (++asked === 4) throw new Cut(); // before each of two sets is whole, before they are served, and before the commit of what is stamped
    };
    await assert.rejects(rebuildIndex({ store: store(), ...api.index.clock, assertLocked }, []), Cut);
    await assertShown(1, 2);
    assert.equal((await rollBackGeneration(store(), api.index.clock)).finished, true);
    await assertShown(1, 1);
    assert.equal((await rollBackGeneration(store(), api.index.clock)).generation, 2, 'what was served before is there, too');
    await assertShown(2, 2);
  });

  /** A backup at this moment contains the files of both sets, and reports a missing one. */
  async function assertBackedUp(): Promise<void> {
    const { kept: place, prefix } = api.index;
    const part = { file: '', sizeBytes: 0, sha256: '' };
    const names = (await readdir(await api.index.keptFolder())).filter((name) => name.endsWith('.state.zst'));
    const snapshot = await Snapshot.open(api.env.DATABASE_URL ?? '', api.env.DATABASE_SCHEMA ?? '');
    const warnings = (files: string[]) =>
      findIndexWarnings(snapshot, { place, prefix }, { files: files.map((name) => ({ kind: 'generation', name, part })), missing: [] });
    assert.deepEqual(await warnings(names), []);
    for (const generation of [1, 2]) {
      const others = names.filter((name) => !name.includes(`-g${generation}-`));
      assert.match((await warnings(others))[0] ?? '', /it lacks \d+ of the \d+ files/, `generation ${generation}`);
    }
    await snapshot.close();
  }

  async function withoutSyncAliases(): Promise<void> {
    const { synced } = await store().read();
    assert(synced);
    const actions = KINDS.map((kind) => ({
      remove: { index: api.index.names.indexName(kind, synced), alias: api.index.names.syncedAlias(kind) },
    }));
    await api.index.client.indices.updateAliases({ actions });
  }

  const withoutRow = () => api.database.query('update index_lineage set published = null, publishing = null where ended_at is null');

  it('whose aliases of sync are lost shows it again what it showed, from the row, with the next command', async () => {
    await serveAlone();
    await withoutSyncAliases();
    assert.equal((await copy.ask()).status, 503);
    await repairPublication(api.index.clock.lineage, store());
    await assertShown(1, 2);
    assert.equal((await rollBackGeneration(store(), api.index.clock)).finished, true);
    await assertShown(1, 1);
  });

  it('whose loader is killed at any step of a change is right, and the row says what is shown and what was about to be', async () => {
    const row = async () =>
      (await api.database.query<PublicationRow>('select published, publishing from index_lineage where ended_at is null'))[0];
    const shown = async () => derivePublication(await store().read());
    for (const [step, message, time] of [
      ['between the row and the aliases', 'must_exist', 1],
      ['between the aliases and the row', 'set served_at = ', 2],
      ['between the row and the aliases of what was stamped', 'must_exist', 2],
      ['between the aliases and the row of what was stamped', 'set served_at = ', 3],
    ] as const) {
      const { generation: from } = (await status()) as { generation: Generation };
      const to = from === 1 ? 2 : 1;
      await copy.catchUp();
      const before = await row();
      assert.deepEqual(before, { published: await shown(), publishing: null }, step);
      await killIngestAt(api.index, 'rollback', message, time);
      const [killed, now] = [await row(), await shown()];
      const isShown = step.startsWith('between the aliases');
      assert.deepEqual(isShown ? killed?.publishing : killed?.published, now, step);
      assert.notDeepEqual(isShown ? killed?.published : killed?.publishing, now, step);
      assert(killed?.published && killed.publishing, step);
      const { generation, syncShows } = await status();
      assert.equal(generation, now.served?.load === before?.published?.served?.load ? from : to, step);
      await assertShown(generation as Generation, (syncShows ?? generation) as Generation);
      await repairPublication(api.index.clock.lineage, store());
      assert.deepEqual(await row(), { published: now, publishing: null }, step);
      if (syncShows !== null || generation === from) await rollBackGeneration(store(), api.index.clock);
      await assertShown(to, to);
    }
  });

  it('of which nobody knows any more what sync showed is refused to sync; adopt accepts it, and copies are built again', async () => {
    await serveAlone();
    await withoutSyncAliases();
    await withoutRow();
    const ready = await api.get('/ready', {}, { key: '' });
    assert.match(ready.body.error.message, /Sync shows nothing while the commit of .* is served/);
    assert.equal((await copy.ask()).status, 503);
    await assert.rejects(rollBackGeneration(store(), api.index.clock), /the generation that sync showed is gone. .*-- adopt/);
    await adoptServed(api.index.clock.lineage, store());
    assert.equal((await status()).syncShows, null);
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    assert.equal((await copy.ask()).body.error.code, 'invalid_cursor');
    copy = copy.startAgain();
    await assertShown(1, 1);
  });

  it('by a loader that is cut off at any message is finished by the next: copies and books end right', async () => {
    const [whole] = [await cutAfter(NEVER)];
    const step = Math.max(1, Math.floor(whole / CUTS));
    let [cuts, unstamped] = [0, 0];
    for (let at = 1; at < whole; at += step) {
      const { generation: from } = (await status()) as { generation: Generation };
      const to = from === 1 ? 2 : 1;
      await copy.catchUp();
      await cutAfter(at);
      const { generation, syncShows } = await status();
      assert(generation === from || generation === to);
      await assertShown(generation as Generation, (syncShows ?? generation) as Generation);
      cuts += 1;
      if (syncShows !== null) unstamped += 1;
      if (syncShows !== null || generation === from) await rollBackGeneration(store(), api.index.clock);
      await assertShown(to, to);
    }
    assert(cuts >= Math.min(CUTS, whole - 1) && unstamped > cuts / 4, `${unstamped} of ${cuts} cuts fell between the two steps`);
  });

  /** Rolls back through proxies that let so many messages pass. @returns how many passed */
  async function cutAfter(messages: number): Promise<number> {
    const count = new MessageCount(messages);
    const [elastic, postgres] = [await stoppingProxy(api.index.url, count), await stoppingProxy(api.env.DATABASE_URL ?? '', count)];
    const client = makeElastic({ url: elastic.url, timeoutMs: 20_000, retries: 0 });
    const database = new Database({ url: postgres.url, schema: api.env.DATABASE_SCHEMA ?? '', connections: 1 });
    const lineage = async () => new LineageStore(database, api.index.prefix);
    const rolling = rollBackGeneration(new GenerationStore(client, api.index.names), { ...api.index.clock, lineage, copiedFrom: 0 }).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([rolling, count.stopped]);
    for (const proxy of [elastic, postgres]) proxy.close();
    await rolling;
    await Promise.all([client.close(), database.close().catch(() => undefined)]);
    return count.passed;
  }

  it('that somebody made past the loader is refused to sync, which says so, until the next command mends it', async () => {
    const { client, names, clock } = api.index;
    await api.index.load([...GENERATIONS[2], project(10)], { generation: 3, activate: false });
    const before = await store().read();
    const { served, sets } = before;
    const next = sets.find(({ generation }) => generation === 3);
    const { id = '' } = (await (await clock.lineage()).readCurrent()) ?? {};
    assert(served && next);
    const change = { way: 'serve', set: next, commit: next.committed } as const;
    await showPublication(store(), before, { publication: derivePublicationAfter(derivePublication(before), change), lineage: id, change });
    await api.database.query('update index_commit set served_at = now() where set_load = $1', [next.load]);
    const actions = KINDS.flatMap((kind) => [
      { remove: { index: names.indexName(kind, next), alias: names.syncedAlias(kind) } },
      { add: { index: names.indexName(kind, served), alias: names.syncedAlias(kind), filter: visibilityFilter(served) as object } },
    ]);
    await client.indices.updateAliases({ actions });
    const ready = await api.get('/ready', {}, { key: '' });
    assert.equal(ready.status, 503);
    assert.match(ready.body.error.message, /Sync shows the commit of .* while the commit of .* is served.*any load, activate or rollback/);
    const { status: code, body } = await copy.ask();
    assert.deepEqual([code, body.error.details], [503, { subsystem: 'index', fault: 'behind' }]);
    assert.deepEqual(idsOf(await search()), [...ids[2], 10], 'what is served is right');
    await api.index.load([project(11)], { mode: 'increment', generation: 3 });
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    await copy.assertEqualToIndex();
    assert.deepEqual(held(), [...ids[2], 10, 11]);
  });
});
