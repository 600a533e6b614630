/** A full record has the fields of the contract wherever it is served; what this service reads from it comes only where it is asked for. */

import assert from 'node:assert/strict';
import { BARE_PROJECT, FULL, FULL_PROJECT, STANDARD } from '../../support/fullRecord.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { bodyOf } from '../../support/service.ts';
import { takeSnapshot } from '../../support/snapshots.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const WITH_DERIVED = [...FULL, 'derived'];

describe('Full records', () => {
  const world = provideWorld(FOR_ALERTS);
  let key: string;
  let listId: string;
  let alertId: string;
  before(async () => {
    await world.api.index.load([FULL_PROJECT, BARE_PROJECT, projectLine(80, { city: 'Boulder', latitude: 40, longitude: -105.2 })]);
    await world.work();
    key = await world.api.key('api_only');
    listId = (await world.send('POST', '/lists', { name: 'All', projectIds: [76, 77, 80] }, key)).body.data.id;
    alertId = (await world.alerts.create({ filters: { states: ['CO'], dateRange: 'all' } }, key)).id;
    assert.equal((await world.alerts.run(alertId, key)).status, 200);
  });

  /** The records of every route that serves them, by route. */
  async function recordsOf(include: object): Promise<Record<string, Json[]>> {
    const read = async (path: string, parameters: object = {}) => {
      const body = bodyOf(await world.read(path, { representation: 'full', ...include, ...parameters }, key));
      return [body.data].flat();
    };
    const features = async (path: string) => {
      const query = new URLSearchParams({ representation: 'full', ...include, dateRange: 'all' });
      const answer = await fetch(`${world.api.url}/ogc/collections/projects/items${path}?${query}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const body: Json = await answer.json();
      assert.equal(answer.status, 200, JSON.stringify(body));
      return (body.features ?? [body]).map(({ properties }: Json) => properties);
    };
    return {
      read: [...(await read('/projects/77')), ...(await read('/projects/76'))],
      search: await read('/projects/search', { dateRange: 'all' }),
      sync: await read('/projects/sync', { dateRange: 'all' }),
      'results of a list': await read(`/lists/${listId}/results`),
      'OGC items': await features(''),
      'an OGC item': await features('/80'),
      'a snapshot': (await takeSnapshot(world, { filters: { dateRange: 'all' }, representation: 'full', ...include }, key)).records,
    };
  }

  it('have exactly the 85 fields of the contract on every route that serves them', async () => {
    assert.equal(FULL.length, 85);
    for (const [route, records] of Object.entries(await recordsOf({}))) {
      assert(records.length > 0, route);
      for (const record of records) assert.deepEqual(Object.keys(record).sort(), FULL.toSorted(), route);
    }
    const { body } = await world.read(`/alerts/${alertId}/matches`, { representation: 'full' }, key);
    const ofMatch = ['deliveryId', 'dismissed', 'changedFields', 'newBecause', 'whyThisMatched', 'matchEvidence'];
    assert.deepEqual(Object.keys(body.data[0]), [...FULL, ...ofMatch]);
  });

  it('have derived with include=derived on each of them, at no price', async () => {
    const before = await world.balance(key);
    for (const [route, records] of Object.entries(await recordsOf({ include: 'derived' }))) {
      assert(records.length > 0, route);
      for (const record of records) assert.deepEqual(Object.keys(record).sort(), WITH_DERIVED.toSorted(), route);
      const one = records.find(({ id }) => id === 77);
      if (one) assert.equal(one.derived.voteResult, 'split', route);
    }
    assert.equal(await world.balance(key), before);
    await world.api.checkLedger();
  });

  it('have it beside contacts, and the snapshot and its walk say that they were asked for it', async () => {
    const parameters = { representation: 'full', include: 'contacts,derived', contactOptions: '{"cachedOnly":true}' };
    const { status, body } = await world.read('/projects/77', parameters, key);
    assert.deepEqual([status, Object.keys(body.data)], [200, WITH_DERIVED], JSON.stringify(body));
    const { status: counted } = await world.read('/projects/count', { states: 'CO', ...parameters, dateRange: 'all' }, key);
    assert.equal(counted, 200);
    const snapshot = { filters: { dateRange: 'all' }, representation: 'full', include: ['derived'] };
    const { snapshot: made, manifest } = await takeSnapshot(world, snapshot, key);
    assert.deepEqual([made.include, manifest.include], [['derived'], ['derived']]);
    assert.equal(new URL(manifest.sync.url).searchParams.get('include'), 'derived');
  });

  it('give a CSV the column that was asked for', async () => {
    for (const [include, columns] of [
      [undefined, STANDARD],
      ['derived', [...STANDARD, 'derived']],
    ] as const) {
      const { id } = await world.exports.completed({ projectIds: [77], ...(include ? { include } : {}) }, key);
      const [header, row] = (await world.download(id, key)).text.split('\r\n');
      assert.deepEqual(header?.split(','), columns);
      assert.equal(row?.includes('voteResult: split'), include === 'derived', row);
    }
    const { body } = await world.read('/projects/search', { projectIds: 77, format: 'csv', include: 'derived' }, key);
    const { id } = await world.exports.settled(body.data.id, key);
    assert.match((await world.download(id, key)).text, /^[^\r]*,derived\r\n/);
  });

  it('are what derived needs, and a refusal says so', async () => {
    for (const path of ['/projects/77', '/projects/search', '/projects/sync', `/lists/${listId}/results`]) {
      const { status, body } = await world.read(path, { include: 'derived' }, key);
      assert.equal(status, 400, path);
      const [{ param, message }] = body.error.details.problems;
      assert.deepEqual([param, message], ['include', 'include=derived needs representation=full with it'], path);
    }
    const queued = await world.send('POST', '/snapshots', { filters: { dateRange: 'all' }, include: 'derived' }, key);
    assert.equal(queued.status, 400, JSON.stringify(queued.body));
    const unknown = await world.send('POST', '/exports', { projectIds: [77], include: 'everything' }, key);
    assert.equal(unknown.body.error.details.problems[0].message, 'include takes contacts and derived');
  });
});
