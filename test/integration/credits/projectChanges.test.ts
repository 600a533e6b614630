/** `GET /projects/{id}/changes`: why a record bills again. */
import assert from 'node:assert/strict';
import { rollback } from '../../../ingest/publish/activate.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { type TestService, testService } from '../../support/service.ts';

describe('GET /projects/{id}/changes', () => {
  let api: TestService;
  let key: string;
  before(async () => {
    api = await testService({ today: TODAY });
    await api.index.load([1, 2, 3, 4, 5, 6, 7].map((id) => project(id, { acreage: 10 })));
    key = await api.key('api_only');
  });
  after(() => api.stop());

  const changesOf = async (id: number, of = key) => (await api.get(`/projects/${id}/changes`, {}, { key: of })).body.data;
  const read = async (id: number) => (await api.get(`/projects/${id}`, {}, { key })).body;
  const increment = (...lines: object[]) => api.index.load(lines, { mode: 'increment' });

  it('has nothing to compare with before the first delivery, and says what that would bill', async () => {
    const before = await changesOf(1);
    assert.deepEqual([before.owned, before.changed, before.fields, before.changes], [null, null, null, []]);
    assert.deepEqual(before.nextRead, { billed: true, credits: 1 });
    assert.deepEqual((await changesOf(1, await api.key('national'))).nextRead, { billed: false, credits: 0 });
  });

  it('names the changed fields and their times, agrees with the charge, and charges nothing itself', async () => {
    const { data: owned } = await read(2);
    assert.deepEqual((({ changed, fields, nextRead }) => [changed, fields, nextRead])(await changesOf(2)), [
      false,
      [],
      { billed: false, credits: 0 },
    ]);
    await increment(project(2, { acreage: 11 }));
    await increment(project(2, { acreage: 11, status: 'denied', floorCount: 3 }));
    const { body, status } = await api.get('/projects/2/changes', {}, { key });
    const changes = body.data;
    assert.equal(status, 200);
    assert.equal(body.meta.creditsUsed, 0);
    assert.equal(changes.owned.contentRevision, owned.contentRevision);
    assert.deepEqual([changes.changed, changes.fields], [true, ['acreage', 'floorCount', 'status']]);
    assert.deepEqual(
      changes.changes.map(({ fields }: { fields: string[] }) => fields),
      [['acreage'], ['floorCount', 'status']],
    );
    assert.equal(changes.changes.at(-1).at, changes.current.lastUpdated);
    assert.doesNotMatch(JSON.stringify(changes), /denied/, 'what was not paid for is not told');
    assert.deepEqual(changes.nextRead, { billed: true, credits: 1 });
    const { data: now, meta } = await read(2);
    assert.deepEqual([now.contentRevision, meta.creditsUsed], [changes.current.contentRevision, 1]);
    assert.deepEqual((await changesOf(2)).fields, []);
  });

  it('knows a revision that was paid before: the way back bills nothing', async () => {
    await read(3);
    await increment(project(3, { acreage: 20 }));
    await read(3);
    await increment(project(3, { acreage: 10 }));
    const { changed, fields, nextRead } = await changesOf(3);
    assert.deepEqual([changed, fields, nextRead], [true, ['acreage'], { billed: false, credits: 0 }]);
    assert.equal((await read(3)).meta.creditsUsed, 0);
  });

  it('says that it no longer knows where more has changed than is remembered', async () => {
    await read(4);
    for (let acreage = 100; acreage < 121; acreage++) await increment(project(4, { acreage }));
    const { changed, fields, changes, nextRead } = await changesOf(4);
    assert.deepEqual([changed, fields, changes, nextRead], [true, null, [], { billed: true, credits: 1 }]);
  });

  it('tells what a new generation no longer covers, what a merger brings, and what a rollback takes back', async () => {
    await read(5);
    await read(6);
    await api.index.load([project(6, { acreage: 10, mergedFrom: [6, 7] })], { generation: 2 });
    assert.ok((await changesOf(5)).fields.includes('acreage'), 'not covered by the new generation');
    assert.deepEqual((await changesOf(7)).fields, ['mergedFrom'], 'asked by the id of the absorbed one');
    assert.equal((await changesOf(7)).id, 6);
    const { meta } = await read(6);
    assert.equal(meta.creditsUsed, 1);
    await rollback(api.index.store, api.index.clock);
    const back = await changesOf(6);
    assert.deepEqual([back.changed, back.fields, back.nextRead.billed], [true, ['mergedFrom'], false]);
  });

  it('refuses what it does not take, and answers a missing id as such', async () => {
    const refused = await api.get('/projects/1/changes', { representation: 'full' }, { key });
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_request']);
    const unknown = await api.get('/projects/1/changes', { colour: 'red' }, { key });
    assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'invalid_filter']);
    for (const id of ['999', 'x', '0']) assert.equal((await api.get(`/projects/${id}/changes`, {}, { key })).status, 404);
    assert.equal((await api.get('/projects/1/changes', {}, { key, method: 'POST' })).status, 405);
  });
});
