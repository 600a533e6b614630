/** What is served made again beside loads: the same to every client, in indices of another form. */
import assert from 'node:assert/strict';
import { loadFile } from '../../../ingest/load.ts';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { readGenerationStatus } from '../../../ingest/publish/status.ts';
import { compareVersions } from '../../../ingest/read/versionDifferences.ts';
import { rebuildIndex } from '../../../ingest/recover/rebuild.ts';
import { type RenewContext, renewServedSet } from '../../../ingest/recover/renew.ts';
import { GenerationStore } from '../../../ingest/write/generationSets.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { KINDS } from '../../../src/core/store/elastic/indices.ts';
import { withLoadLock } from '../../../src/core/store/postgres/loadLock.ts';
import { RelevanceStore } from '../../../src/features/aiSearch/relevanceStore.ts';
import { Copy } from '../../support/copies.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { assertSameState, indexNames, killIngestAt, runIngest, servedProjects, servedState } from '../../support/ingest.ts';
import { lengthOf } from '../../support/lengths.ts';
import { provideService } from '../../support/service.ts';

const increment = (generation: number) => ({ mode: 'increment', generation }) as const;
const deleted = (id: number) => ({ kind: 'project', id, deleted: true });
const lines = (generation: 1 | 2) => [
  ...[...sampleLines({ seed: 9, projects: 60, today: TODAY, texts: 'short', places, generation })].slice(1),
  { kind: 'contact', projectId: 1_000_001, name: 'Zoë Müller', role: 'engineer', company: 'Spoon LLC', title: 'PE' },
];

describe('Making what is served again beside loads', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    key = await api.key('api_only', undefined, { monthlyCredits: 100_000 });
    await api.index.keep();
    await api.index.load(lines(1));
    await api.index.load(lines(2), { generation: 2 });
  });

  const locked: RenewContext['locked'] = (work) => work(() => undefined);
  const make = (more: Partial<RenewContext> = {}) => renewServedSet({ ...api.index.clock, store: api.index.store, locked, ...more });
  const ledger = () => api.database.query('select * from ledger_entry order by id');
  /** Does something between the first pass and the last one, for which loads wait. */
  const meanwhile = (work: () => Promise<unknown>): RenewContext['locked'] => {
    let times = 0;
    return async (last) => {
      times += 1;
      if (times === 2) await work();
      return last(() => undefined);
    };
  };

  it('changes nothing that a client sees, though loads went on: a copy goes on and ends equal, for nothing', async () => {
    const { index } = api;
    await index.load([project(801), project(802), project(803), project(804)], increment(2));
    const copy = new Copy(api, key);
    await copy.catchUp();
    const charged = await ledger();
    let before = await servedState(index);
    const { served } = await index.store.read();
    const work = async () => {
      await index.load([deleted(801), project(802, { projectName: 'Other' }), project(805)], increment(2));
      await index.load([project(803, { mergedFrom: [803, 804] }), project(802, { projectName: 'Another' })], increment(2));
      before = await servedState(index);
    };
    const done = await make({ locked: meanwhile(work) });
    assert.deepEqual([done.generation, done.records], [2, before.projects.length]);
    assertSameState(await servedState(index), before, 'made again');
    const { served: now, renewals } = await index.store.read();
    assert.deepEqual([now?.load === served?.load, renewals], [false, []]);
    assert.deepEqual(await ledger(), charged);
    await copy.assertEqualToIndex();
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);

    await index.load([project(806), deleted(805)], increment(2));
    await copy.assertEqualToIndex();
    const left = await index.store.read();
    assert.deepEqual([left.sets.length, left.unfinished], [2, []], 'the set before is gone, what can be returned to is there');
  });

  it('can be rolled back from, and be built again from kept files', async () => {
    const { index } = api;
    const copy = new Copy(api, key);
    await copy.catchUp();
    await make();
    const revisions = async () => [...(await servedProjects(index)).values()].map(({ id, contentRevision }) => `${id} ${contentRevision}`);
    const before = await revisions();
    await rollBackGeneration(index.store, index.clock);
    await copy.assertEqualToIndex();
    assert.notDeepEqual(await revisions(), before);
    await rollBackGeneration(index.store, index.clock);
    await copy.assertEqualToIndex();
    assert.deepEqual(await revisions(), before, 'there and back');
    await make();
    const last = await servedState(index);
    await index.dropIndices();
    await rebuildIndex({ store: index.store, ...index.clock }, []);
    assertSameState(await servedState(index), last, 'built again');
    await copy.assertEqualToIndex();
  });

  it('takes the shards and copies that are asked for, and answers the same over several', async () => {
    const { index } = api;
    await index.load([project(807)], increment(2));
    const before = await servedState(index);
    const store = new GenerationStore(index.client, index.names, { shards: 3, replicas: 0 });
    await make({ store });
    const found = await index.client.indices.getSettings({ index: index.names.readAlias('projects'), flat_settings: true });
    const [{ settings } = {}] = Object.values(found) as { settings?: Record<string, string> }[];
    assert.deepEqual([settings?.['index.number_of_shards'], settings?.['index.number_of_replicas']], ['3', '0']);
    assertSameState(await servedState(index), before, 'over three shards');
    const copy = new Copy(api, key);
    await copy.catchUp();
    await index.load([project(807, { projectName: 'Over three' }), deleted(806)], increment(2));
    await copy.assertEqualToIndex();
    const { code, stdout, stderr } = await runIngest(index, ['renew', '--json'], { INDEX_SHARDS: '2', INDEX_REPLICAS: '0' });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).records, (await servedState(index)).projects.length);
    const shards = await index.client.cat.shards({ index: index.names.readAlias('projects'), format: 'json' });
    assert.equal(shards.length, 2);
    await copy.assertEqualToIndex();
  });

  it('ranks records alike over one shard and over several', async () => {
    const { client, names } = api.index;
    const sayings = ['parking', 'site plan', 'building', 'street', 'rezoning'];
    const rankings = async (shards: number) => {
      await make({ store: new GenerationStore(client, names, { shards, replicas: 0 }) });
      const relevance = new RelevanceStore(client, names, 10_000);
      const rank = (phrase: string) =>
        relevance.ranked({ filters: [], sayings: [{ phrases: [phrase] }], tieBreak: [{ id: 'asc' }] }, 100, new AbortController().signal);
      return Promise.all(sayings.map(rank));
    };
    const [one, several] = [await rankings(1), await rankings(3)];
    assert.ok(
      one.every(({ total }) => total > 5),
      `${one.map(({ total }) => total)} matches`,
    );
    assert.deepEqual(several, one);
  });

  it('gives records the fields and types of this version', async () => {
    const { index } = api;
    const [name] = Object.keys(await index.client.indices.getAlias({ name: index.names.readAlias('projects') }));
    assert(name);
    const { [name]: made } = await index.client.indices.get({ index: name });
    const mappings = structuredClone(made?.mappings) as { properties: Record<string, { properties: Record<string, { type?: string }> }> };
    mappings.properties.derived!.properties.acreage = { type: 'keyword' };
    const all = await index.client.search<object>({ index: name, size: 1000 });
    await index.client.indices.delete({ index: name });
    await index.client.indices.create({ index: name, mappings: mappings as never, aliases: made?.aliases ?? {} });
    for (const { _id, _source } of all.hits.hits) await index.client.index({ index: name, id: _id as string, document: _source as object });
    await index.client.indices.refresh({ index: name });
    await assert.rejects(index.load([project(808)], increment(2)), /acreage is of type keyword .*npm run ingest -- renew/);
    await make();
    await index.load([project(808, { acreage: 4 })], increment(2));
    assert.deepEqual((await readGenerationStatus(index.store)).unfilledFields, []);
    const copy = new Copy(api, key);
    await copy.assertEqualToIndex();
  });

  it('ends without a trace where another generation comes to be served meanwhile, or one waits', async () => {
    const { index } = api;
    await assert.rejects(make({ locked: meanwhile(() => index.load(lines(1), { generation: 3 })) }), /Another set has come to be served/);
    assert.equal((await index.store.read()).served?.generation, 3);
    await index.load(lines(2), { generation: 4, activate: false });
    await assert.rejects(make(), /Generation 4 is loaded and waits to be served.*activate 4/);
    await index.load(lines(2), { generation: 5 });
    await assert.rejects(make({ locked: meanwhile(() => index.load(lines(1), { generation: 6, activate: false })) }), /waits to be served/);
    await index.load(lines(1), { generation: 7 });
    const { renewals, unfinished } = await index.store.read();
    assert.deepEqual([renewals, unfinished], [[], []]);
  });

  it('leaves what is served as it was when it is killed, and can be run again', async () => {
    const { index } = api;
    const before = await servedState(index);
    const { served } = await index.store.read();
    const killAt = (message: string, time: number) => killIngestAt(index, 'renew', message, time);
    const moments = [
      ['insert into index_commit', 1],
      ['POST /_aliases', 1], // which clears away what the one before left
      ['_bulk', 1],
      ['PUT /', 2],
      ['POST /_aliases', 2],
    ] as const;
    for (const [message, time] of moments.slice(0, lengthOf('RENEWAL_KILLS'))) {
      await killAt(message, time);
      assert.equal((await index.store.read()).served?.load, served?.load, message);
      assertSameState(await servedState(index), before, `killed at ${message}`);
    }
    await index.load([project(809)], increment(7));
    assert.equal((await index.store.read()).renewals.length, 1, 'a load leaves alone what may be under way');
    assert.match((await runIngest(index, ['status'])).stdout, /is being made again; .*npm run ingest -- renew/);
    await killAt('set served_at = ', 3); // twice before, of what is served already
    assert.notEqual((await index.store.read()).served?.load, served?.load, 'it was served');
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    const { code, stderr } = await runIngest(index, ['renew']);
    assert.equal(code, 0, stderr);
    await index.load([project(810)], increment(7));
    const { renewals, sets } = await index.store.read();
    assert.deepEqual([renewals, sets.length], [[], 2]);
    assert.equal((await indexNames(index)).length, 2 * KINDS.length, 'nothing of the killed runs is left');
  });

  it('cannot be served any more once another command runs, however late its last step arrives', async () => {
    const { index } = api;
    let late: () => Promise<void> = async () => assert.fail('it was not sent');
    await new Promise<void>((sent) => {
      class Late extends GenerationStore {
        override changeAliases(...given: Parameters<GenerationStore['changeAliases']>): Promise<void> {
          if (!given[0].some((action) => action && 'add' in action && action.add?.alias === index.names.readAlias('projects')))
            return super.changeAliases(...given);
          late = () => super.changeAliases(...given);
          sent();
          return new Promise(() => undefined); // its process is gone
        }
      }
      void make({ store: new Late(index.client, index.names) });
    });
    const lineages = await index.clock.lineage();
    const record = lineages.record.bind(lineages);
    lineages.record = async (...given) => {
      await assert.rejects(late(), /index_not_found|aliases.*missing|no such index/);
      return record(...given);
    };
    const context = { client: index.client, names: index.names, ...index.clock, lineage: async () => lineages };
    await loadFile(context, await index.file([project(811)], increment(7)), false);
    assert.equal((await index.client.count({ index: index.names.readAlias('projects'), q: 'id:811' })).count, 1);
    assert.equal((await api.get('/ready', {}, { key: '' })).status, 200);
    await index.load([project(812)], increment(7));
  });

  it('leaves no set that stands in the way after a rollback, and none is gone back to that this version cannot write to', async () => {
    const { index } = api;
    await make();
    await rollBackGeneration(index.store, index.clock);
    await make();
    const { served } = await index.store.read();
    await index.load([project(814)], increment(served?.generation ?? 0));
    assert.equal((await index.store.read()).sets.length, 2);
    const properties = { acreage: { type: 'keyword' } };
    const { previous } = await index.store.read();
    assert(previous && served);
    const name = index.names.indexName('projects', previous);
    const { [name]: made } = await index.client.indices.get({ index: name });
    const mappings = structuredClone(made?.mappings) as { properties: Record<string, { properties: object }> };
    Object.assign((mappings.properties.derived as { properties: object }).properties, properties);
    await index.client.indices.delete({ index: name });
    await index.client.indices.create({ index: name, mappings: mappings as never, aliases: made?.aliases ?? {} });
    const before = await servedState(index);
    await assert.rejects(
      rollBackGeneration(index.store, index.clock),
      /cannot go back to generation .*acreage is of type keyword .*load FILE --activate/,
    );
    assertSameState(await servedState(index), before, 'refused');
    await index.load([project(813)], increment(served.generation));
    await make();
  });

  it('runs once at a time, and waits for a load', async () => {
    const { index } = api;
    const both = await withLoadLock((await index.records()).url, index.prefix, async () => {
      const running = [runIngest(index, ['renew', '--json']), runIngest(index, ['renew'])];
      assert.match((await Promise.race(running)).stderr, /Another run of this command is under way/);
      return { running };
    });
    const codes = (await Promise.all(both.running)).map(({ code }) => code);
    assert.deepEqual(codes.sort(), [0, 1]);
  });
});

describe('The difference of two walks', () => {
  type Identified = [unique: string | number, loadedIn: number];
  const walk = async function* (all: Identified[], pageSize: number) {
    for (let start = 0; start < all.length; start += pageSize) yield all.slice(start, start + pageSize);
  };
  const textsOf = async (a: Identified[], b: Identified[], pageSize: number) => {
    const texts: string[] = [];
    for await (const { version, isIn } of compareVersions(walk(a, pageSize), walk(b, 2)))
      texts.push(`${isIn} ${version.key}:${version.loadedIn}`);
    return texts;
  };
  const found = async (a: Identified[], b: Identified[]) => {
    const texts = await textsOf(a, b, 1);
    assert.deepEqual(await textsOf(a, b, 3), texts, 'wherever a page ends');
    return texts;
  };

  it('is what either has alone, by the order of bytes', async () => {
    assert.deepEqual(await found([], []), []);
    const some: Identified[] = [
      [2, 1],
      [10, 1],
    ];
    assert.deepEqual(await found(some, some), []);
    assert.deepEqual(await found(some, []), ['first 2:1', 'first 10:1']);
    assert.deepEqual(await found([[2, 3]], some), ['second 2:1', 'first 2:3', 'second 10:1']);
    // U+FF5E comes before U+1F600 in UTF-8, and after it in UTF-16.
    assert.deepEqual(
      await found(
        [
          ['\uFF5E', 1],
          ['\u{1F600}', 1],
        ],
        [['\u{1F600}', 1]],
      ),
      ['first \uFF5E:1'],
    );
  });
});
