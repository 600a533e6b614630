/** The index built again from what loads kept: copies go on as if nothing had happened, and nobody pays for anything twice. */
import assert from 'node:assert/strict';
import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { adoptServed } from '../../../ingest/publish/repair.ts';
import { type Pruned, pruneFiles } from '../../../ingest/recover/prune.ts';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { LineageStore } from '../../../src/core/store/postgres/lineageStore.ts';
import { withLoadLock } from '../../../src/core/store/postgres/loadLock.ts';
import { Copy } from '../../support/copies.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { places, TestIndex } from '../../support/index.ts';
import { copyIndices } from '../../support/indexCopy.ts';
import { assertSameState, killIngestAt, runIngest, servedState } from '../../support/ingest.ts';
import { provideService } from '../../support/service.ts';

const increment = (generation: number) => ({ mode: 'increment', generation }) as const;
const deleted = (id: number) => ({ kind: 'project', id, deleted: true });
const lines = (generation: 1 | 2) =>
  [...sampleLines({ seed: 9, projects: 60, today: TODAY, texts: 'short', places, generation })].slice(1) as { kind: string; id: number }[];
const ids = lines(1)
  .filter(({ kind }) => kind === 'project')
  .map(({ id }) => id);

describe('Building the index again', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    key = await api.key('api_only', undefined, { monthlyCredits: 100_000 });
    await api.index.keep();
    api.index.copiedFrom = 0; // a generation in a copy is built again from the files of both
  });

  const build = (given: string[] = []) => rebuildIndex({ store: api.index.store, ...api.index.clock }, given);
  const ledger = () => api.database.query('select * from ledger_entry order by id');

  it('brings back what was lost, and a copy from before goes on and ends equal, for nothing', async () => {
    const { index } = api;
    await index.load(lines(1));
    const [a = 0, b = 0, c = 0, d = 0] = ids;
    const copy = new Copy(api, key);
    await copy.catchUp();
    await index.load([deleted(a), project(b, { projectName: 'Other' }), project(901, { mergedFrom: [901, c] })], increment(1));
    const others = lines(2).filter((line) => line.kind !== 'project' || line.id !== d);
    await index.load([...others, deleted(d)], { generation: 2 });
    await index.load([project(902), { ...project(b), acreage: 7 }], increment(2));
    const before = await servedState(index);
    const charged = await ledger();

    await index.dropIndices();
    await assert.rejects(index.load(lines(2), { generation: 2 }), /serves nothing.*npm run ingest -- rebuild/);
    const { stdout } = await runIngest(index, ['status']);
    assert.match(stdout, /^Elasticsearch serves nothing, .*npm run ingest -- rebuild\n$/);
    const done = await build();
    assert.deepEqual([done.rebuilt, done.generation, done.files], [true, 2, 4]);
    assertSameState(await servedState(index), before, 'after it was built again');
    assert.deepEqual(await ledger(), charged);

    await copy.assertEqualToIndex();
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    assert.equal((await build()).rebuilt, false, 'a second run finds nothing to do');

    await index.load([project(903)], increment(2));
    await copy.catchUp();
    assert(copy.records.has(903));
  });

  it('brings back what an older copy of Elasticsearch lacks, also after a rollback', async () => {
    const { index } = api;
    const copy = new Copy(api, key);
    const older = await copyIndices(index);
    await index.load([project(904), deleted(903)], increment(2));
    await index.load(lines(1), { generation: 3 });
    await rollBackGeneration(index.store, index.clock);
    await index.load([project(905)], increment(2));
    await copy.catchUp();
    const before = await servedState(index);
    await older.restore();
    await build();
    assertSameState(await servedState(index), before, 'after the older copy');
    await copy.assertEqualToIndex();
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
  });

  it('serves nothing of it when it is killed, and can be run again', async () => {
    const { index } = api;
    const before = await servedState(index);
    await index.dropIndices();
    const killAt = (message: string, time: number) => killIngestAt(index, 'rebuild', message, time);
    for (const [message, time] of [
      ['_bulk', 1],
      ['POST /_aliases', 1],
      ['POST /_aliases', 2],
    ] as const) {
      await killAt(message, time);
      assert.equal((await index.store.read()).served, undefined);
    }
    await killAt('set served_at = ', 1);
    assertSameState(await servedState(index), before, 'killed after the switch');
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    await index.dropIndices();
    const { code, stdout, stderr } = await runIngest(index, ['rebuild', '--json']);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).rebuilt, true);
    assertSameState(await servedState(index), before, 'after three kills');
    await index.load([project(906)], increment(2));
    assert.equal((await index.store.read()).sets.length, 1, 'nothing of the killed runs is left');
  });

  it('refuses files that are missing or altered before anything is served, and takes them from elsewhere', async () => {
    const { index } = api;
    const before = await servedState(index);
    await index.dropIndices();
    const folder = await index.keptFolder();
    const names = (await readdir(folder)).filter((name) => name.endsWith('.state.zst')).sort();
    const name = names.at(-1) ?? '';
    const elsewhere = path.join(folder, '..', name);
    await rename(path.join(folder, name), elsewhere);
    await assert.rejects(build(), (error: Error & { problems: string[] }) => error.problems[0]?.startsWith(`missing: ${name}, kept in `));
    await writeFile(path.join(folder, name), 'nothing of the kind');
    await assert.rejects(build(), new RegExp(`${name.replaceAll('.', '\\.')} (cannot be read|is not the file that was kept)`));
    assert.equal((await index.store.read()).sets.length, 0);
    await build([elsewhere]);
    assertSameState(await servedState(index), before, 'with a file from elsewhere');
  });

  it('needs none of the files that are pruned: old ones of an ended lineage, and those that no load names', async () => {
    const { index } = api;
    const folder = await index.keptFolder();
    const pruned = (dryRun: boolean) => pruneFiles({ store: index.store, ...index.clock }, { olderThanDays: 30, dryRun });
    const names = ({ files }: Pruned) => files.map(({ name, why }) => `${why} ${name}`);
    const old = new Date(Date.now() - 31 * 86_400_000);
    const ended = (await readdir(folder)).sort();
    const [unnamed, foreign] = [`${index.prefix}-g1-c5.state.zst`, `${index.prefix}-other-g1-c5.state.zst`];
    for (const name of [unnamed, foreign]) await writeFile(path.join(folder, name), 'x');
    await adoptServed(index.clock.lineage, index.store);
    await index.load([project(908)], increment(2));
    for (const name of await readdir(folder)) await utimes(path.join(folder, name), old, old);
    assert.deepEqual(names(await pruned(true)), [`unnamed ${unnamed}`], 'the lineage has just ended');
    await api.database.query(`update index_lineage set ended_at = now() - interval '31 days' where ended_at is not null`);
    const planned = await pruned(true);
    const needless = [[unnamed, 'unnamed'], ...ended.map((name) => [name, 'ended'])].sort();
    assert.deepEqual(
      names(planned),
      needless.map(([name, why]) => `${why} ${name}`),
    );
    assert.equal((await readdir(folder)).length, ended.length + 2 + planned.needed, 'a dry run deletes nothing');

    const held = await withLoadLock(api.env.DATABASE_URL ?? '', index.prefix, () => runIngest(index, ['prune']));
    assert.deepEqual([held.code, held.stdout], [1, '']);
    assert.deepEqual(await pruned(false), { ...planned, dryRun: false });
    assert.deepEqual((await readdir(folder)).length, planned.needed + 1, 'and what is of other indices stays');

    const before = await servedState(index);
    await index.dropIndices();
    await assert.rejects(pruned(false), /serves nothing.*npm run ingest -- rebuild\. Nothing was deleted/);
    await build();
    assertSameState(await servedState(index), before, 'after what is needless was deleted');
    const lineage = async () => new LineageStore(api.database, 'nobody');
    const nobody = { ...index.clock, store: new GenerationStore(index.client, new IndexNames('nobody')), lineage };
    await assert.rejects(pruneFiles(nobody, { olderThanDays: 30, dryRun: false }), /has recorded no load of the indices nobody-/);
  });

  it('keeps all that is served where loads before had kept nothing', async () => {
    await using index = new TestIndex(TODAY);
    await index.load(lines(1));
    await index.load([deleted(ids[0] ?? 0), project(907)], increment(1));
    await assert.rejects(
      index.dropIndices().then(() => rebuildIndex({ store: index.store, ...index.clock }, [])),
      /is not kept \(GENERATIONS_DIR was off/,
    );
    await index.startOver();
    await index.load(lines(1));
    await index.keep();
    await index.load([deleted(ids[0] ?? 0), project(907)], increment(1));
    const before = await servedState(index);
    await index.dropIndices();
    await rebuildIndex({ store: index.store, ...index.clock }, []);
    assertSameState(await servedState(index), before);
  });
});
