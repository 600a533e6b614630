/** A deleted alert comes back as it was, with its list, its feeds and what it has seen. */

import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const BOULDER = { filters: { counties: ['Boulder County, CO'] } };

describe('deleted alerts', () => {
  const world = provideWorld(
    FOR_ALERTS,
    [1, 2, 3].map((id) => projectLine(id)),
  );

  const send = (method: string, path: string, body?: unknown, key?: string) => world.send(method, path, body, key);
  const listed = async (key: string): Promise<Json[]> => (await send('GET', '/alerts', undefined, key)).body.data;

  it('come back with their list, as they were, within 30 days', async () => {
    const key = await world.api.key('national');
    const made = await world.alerts.create(BOULDER, key);
    assert.equal((await world.alerts.run(made.id, key)).body.data.newRecords, 3);
    const feed = (await send('POST', `/alerts/${made.id}/feeds`, undefined, key)).body.data;
    const feedStatus = async () => (await fetch(feed.jsonUrl.replace(/^https?:\/\/[^/]+/, world.api.url))).status;
    assert.equal(await feedStatus(), 200);
    const before = (await send('GET', `/alerts/${made.id}`, undefined, key)).body.data;

    await send('DELETE', `/alerts/${made.id}`, undefined, key);
    assert.deepEqual([await listed(key), await feedStatus()], [[], 410]);
    assert.equal((await send('GET', `/lists/${made.listId}`, undefined, key)).status, 404);
    const restorable = async (asking: string): Promise<Json[]> => (await send('GET', '/alerts?deleted=true', undefined, asking)).body.data;
    const [deleted] = await restorable(key);
    assert.deepEqual([deleted.id, deleted.status, await restorable(await world.api.key('national'))], [made.id, 'archived', []]);
    assert.equal(new Date(deleted.restorableUntil).getTime() - new Date(deleted.updatedAt).getTime(), 30 * 86_400_000);
    assert.deepEqual((await send('GET', '/lists?deleted=true', undefined, key)).body.data, [], 'its list is restored with it');
    const ofList = await send('POST', `/lists/${made.listId}/restore`, undefined, key);
    assert.equal(ofList.status, 404, 'the list comes back with its alert alone');
    const other = await send('POST', `/alerts/${made.id}/restore`, undefined, await world.api.key('national'));
    assert.equal(other.status, 404, 'to members alone');

    const body = bodyOf(await send('POST', `/alerts/${made.id}/restore`, undefined, key));
    assert.deepEqual(body.data, before);
    assert.deepEqual(await restorable(key), []);
    assert.deepEqual([(await listed(key)).map(({ id }) => id), await feedStatus()], [[made.id], 200]);
    assert.equal((await send('GET', `/lists/${made.listId}`, undefined, key)).body.data.projectCount, 3);
    assert.equal((await world.alerts.run(made.id, key)).body.data.records, 0, 'it knows what it has delivered');
    assert.equal(
      (await send('POST', `/alerts/${made.id}/restore`, undefined, key)).body.data.status,
      'active',
      'once more changes nothing',
    );
  });

  it('that were paused come back paused', async () => {
    const key = await world.api.key('national');
    const { id } = await world.alerts.create({ ...BOULDER, status: 'paused' }, key);
    await send('DELETE', `/alerts/${id}`, undefined, key);
    const { data } = (await send('POST', `/alerts/${id}/restore`, undefined, key)).body;
    assert.deepEqual([data.status, data.nextRunAt], ['paused', null]);
  });

  it('are not counted among the 25, and stay deleted where there is no room', async () => {
    const key = await world.api.key('national');
    const { id } = await world.alerts.create(BOULDER, key);
    await send('DELETE', `/alerts/${id}`, undefined, key);
    const made = await Promise.all(Array.from({ length: 25 }, (_, i) => send('POST', '/alerts', { name: `${i}` }, key)));
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    assertRefused(await send('POST', `/alerts/${id}/restore`, undefined, key), 'alert_limit_reached');
    assert.equal((await send('GET', `/alerts/${id}`, undefined, key)).body.data.status, 'archived');
    await send('PATCH', `/alerts/${made[0]?.body.data.id}`, { status: 'paused' }, key);
    assert.equal((await send('POST', `/alerts/${id}/restore`, undefined, key)).status, 200);
  });

  it('can no longer be restored after 30 days, when upkeep has removed their list and others that were deleted', async () => {
    const key = await world.api.key('national');
    const kept = (await send('POST', '/lists', { name: 'Kept' }, key)).body.data;
    const gone = (await send('POST', '/lists', { name: 'Gone', projectIds: [1] }, key)).body.data;
    const alert = await world.alerts.create(BOULDER, key);
    await send('DELETE', `/lists/${gone.id}`, undefined, key);
    await send('DELETE', `/alerts/${alert.id}`, undefined, key);
    const now = (await world.api.database.query<{ now: Date }>('select service_now() as now'))[0]?.now as Date;
    await world.moveTo(new Date(now.getTime() + 30 * 86_400_000).toISOString());
    assert.deepEqual((await send('GET', '/alerts?deleted=true', undefined, key)).body.data, []);
    for (const path of [`/lists/${gone.id}`, `/alerts/${alert.id}`])
      assert.equal((await send('POST', `${path}/restore`, undefined, key)).status, 404, path);
    const worker = await world.work();
    const stored = async () =>
      (
        await world.api.database.query<{ id: string }>('select id from project_list where id = any ($1)', [
          [kept.id, gone.id, alert.listId],
        ])
      ).map(({ id }) => id);
    const patience = Date.now() + 20_000;
    while ((await stored()).length > 1 && Date.now() < patience) await new Promise((resolve) => setTimeout(resolve, 200));
    await worker.stop(0);
    assert.deepEqual(await stored(), [kept.id]);
    assert.equal(
      (await send('GET', `/alerts/${alert.id}`, undefined, key)).body.data.status,
      'archived',
      'what it delivered stays readable',
    );
  });
});
