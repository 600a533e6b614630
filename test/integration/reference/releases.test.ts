/** Releases: what each change of what sync shows brought, as a list, an event and feeds. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { repairPublication } from '../../../ingest/publish/repair.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { bodyOf } from '../../support/service.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const IN_TEXAS = { state: 'TX', county: 'Travis County' };

describe('releases', () => {
  const world = provideWorld(FOR_WEBHOOKS);
  let key: string;
  before(async () => {
    key = await world.api.key('api_only');
    await world.api.index.load([projectLine(1), projectLine(2), projectLine(3, IN_TEXAS)]);
    await world.work();
  });

  const page = async (query = ''): Promise<Json> => {
    const body = bodyOf(await world.send('GET', `/releases${query}`, undefined, key));
    return body;
  };
  const newest = async (): Promise<Json> => (await page('?limit=1')).data[0];
  const figuresOf = ({ generation, rolledBack, recordCount, added, changed, removed }: Json) => ({
    ...{ generation, rolledBack, recordCount, added, changed, removed },
  });
  const events = async (ofKey: string): Promise<Json[]> =>
    (await world.send('GET', '/events?types=release.published', undefined, ofKey)).body.data as Json[];

  it('begin with the first generation, with its records by state', async () => {
    const release = await newest();
    assert.deepEqual(figuresOf(release), { generation: 1, rolledBack: false, recordCount: 3, added: 3, changed: 0, removed: 0 });
    assert.deepEqual(release.states, [
      { stateId: 8, recordCount: 2 },
      { stateId: 48, recordCount: 1 },
    ]);
    assert.equal(release.extractedAt, `${world.api.index.today}T00:00:00.000Z`);
    assert.match(release.digest, /^[0-9a-f]{64}$/);
    assert.equal(release.schemaVersion, '2026-08-27');
  });

  it('say what an increment and a generation added, changed and removed', async () => {
    await world.api.index.load([projectLine(1, { acreage: 5 }), projectLine(4), { kind: 'project', id: 3, deleted: true }], {
      mode: 'increment',
    });
    assert.deepEqual(figuresOf(await newest()), { generation: 1, rolledBack: false, recordCount: 3, added: 1, changed: 1, removed: 1 });
    await world.api.index.load(
      [projectLine(1, { acreage: 5 }), projectLine(2, { acreage: 7 }), projectLine(4), projectLine(5), projectLine(6)],
      { generation: 2 },
    );
    const second = await newest();
    assert.deepEqual(figuresOf(second), { generation: 2, rolledBack: false, recordCount: 5, added: 2, changed: 1, removed: 0 });
    const { data, meta } = await page('?limit=2&offset=1');
    assert.deepEqual(data.map(figuresOf).at(-1), { generation: 1, rolledBack: false, recordCount: 3, added: 3, changed: 0, removed: 0 });
    assert.deepEqual(
      { total: meta.total, hasMore: meta.hasMore, creditsUsed: meta.creditsUsed },
      { total: 3, hasMore: false, creditsUsed: 0 },
    );
  });

  it('count back what a rollback takes away, and are listed when sync shows it', async () => {
    const { index } = world.api;
    const [before] = (await page('?limit=1')).data;
    await rollBackGeneration(index.store, index.clock);
    const release = await newest();
    assert.deepEqual(figuresOf(release), { generation: 1, rolledBack: true, recordCount: 3, added: 0, changed: 1, removed: 2 });
    assert.notEqual(release.digest, before.digest);
    assert.equal(release.extractedAt, before.extractedAt);
    assert.equal((await page()).meta.total, 4);
  });

  it('are recorded by the next command where one was killed before it could, and only once', async () => {
    const { index, database } = world.api;
    await index.load([projectLine(7)], { mode: 'increment', generation: 1 });
    const lost = await newest();
    const removed = await database.query(
      'delete from release where (lineage_id, commit) in (select lineage_id, max(commit) from release group by lineage_id) returning commit',
    );
    assert.equal(removed.length, 1);
    assert.notDeepEqual(await newest(), lost);
    for (const _ of [1, 2]) await repairPublication(index.clock.lineage, index.store);
    assert.deepEqual(await newest(), lost);
    assert.equal((await page()).meta.total, 5);
  });

  it('are events of every team, each once', async () => {
    const { owner } = await world.team();
    const heardOf = async (ofKey: string, count: number) => ((await events(ofKey)).length >= count ? true : undefined);
    await eventually('the events so far', () => heardOf(key, 5));
    const before = (await events(owner)).length;
    await world.api.index.load([projectLine(8)], { mode: 'increment', generation: 1 });
    await eventually('the event of the other team', () => heardOf(owner, before + 1));
    const event = (await events(owner)).at(-1);
    assert.deepEqual([event.type, event.data.id], ['release.published', '1']);
    assert(event.data.pollUrl.endsWith('/v1/releases'));
  });

  it('are sent to endpoints that chose them', async () => {
    const receiver = await world.startReceiver();
    await world.webhooks.create(receiver, { types: ['release.published'] }, key);
    await world.api.index.load([projectLine(9)], { mode: 'increment', generation: 1 });
    const { body } = await world.got(receiver, 1);
    assert.equal(JSON.parse(body).data.id, '1');
  });

  it('are feeds without a key', async () => {
    const read = async (format: string) => {
      const answer = await fetch(new URL(format, world.api.url));
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const json = await read('/releases.json');
    assert.deepEqual([json.status, json.type], [200, 'application/feed+json; charset=utf-8']);
    const { items } = JSON.parse(json.text);
    const { total } = (await page()).meta;
    assert.equal(items.length, total);
    assert.equal(new Set(items.map(({ id }: Json) => id)).size, total);
    assert.equal(items.at(-1).title, 'Generation 1: 3 records, 3 added, 0 changed, 0 removed');
    assert(items.some(({ title }: Json) => title === 'Generation 1: Served again: 3 records, 0 added, 1 changed, 2 removed'));
    const rss = await read('/releases.rss');
    assert.match(rss.text, /^<\?xml[\s\S]*<title><!\[CDATA\[Generation 2: 5 records/);
    const catalog = await read('/data.json');
    assert.equal(catalog.type, 'application/json; charset=utf-8');
    const { conformsTo, dataset } = JSON.parse(catalog.text);
    assert.equal(conformsTo, 'https://project-open-data.cio.gov/v1.1/schema');
    assert.equal(dataset.length, total);
    const required = 'title description keyword modified publisher contactPoint identifier accessLevel'.split(' ');
    for (const one of dataset)
      assert.deepEqual(
        required.filter((name) => !one[name]),
        [],
      );
    assert.match(dataset.at(-1).description, /3 records, 3 added/);
  });

  it('refuse a page of none, naming the parameter', async () => {
    const { status, body } = await world.send('GET', '/releases?limit=0', undefined, key);
    assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', 'limit']);
  });
});
