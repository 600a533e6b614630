/** Exports of a list or of an alert: what it holds at acceptance, with filters inside it. */

import assert from 'node:assert/strict';
import { walkSearch } from '../../support/exports.ts';
import { ascending, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

describe('An export of a list', () => {
  const world = provideWorld({ today: TODAY });
  let key: string;
  before(async () => {
    await world.api.index.load([
      ...Array.from({ length: 12 }, (_, i) => projectLine(i + 1, { acreage: i + 1, ...(i < 3 ? { meetingDate: '2020-01-01' } : {}) })),
      projectLine(50, { propertyType: 'govt_decisions' }),
      projectLine(60, { state: 'TX', county: 'Travis County' }),
    ]);
    await world.work();
    key = await world.api.key('api_only');
  });

  async function listOf(body: object, owner = key): Promise<string> {
    const headers = { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${world.api.url}/v1/lists`, { method: 'POST', headers, body: JSON.stringify({ name: 'List', ...body }) });
    const { data }: Json = await answer.json();
    return data.id;
  }
  async function send(path: string, body: object, owner = key): Promise<Json> {
    const headers = { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json', 'Idempotency-Key': path.replaceAll('/', '.') };
    const answer = await fetch(`${world.api.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await answer.json()) as Json).data;
  }
  async function idsOf(body: object) {
    const made: Json = await world.exports.completed(body, key);
    const { text } = await world.download(made.id, key);
    const rows = text.split('\r\n').slice(1, -1);
    return { made, ids: rows.map((row) => Number(row.split(',')[0])) };
  }

  it('holds its projects, old ones and government items too, and with filters those of them that match', async () => {
    const listId = await listOf({ projectIds: [1, 2, 7, 8, 50] });
    const { made, ids } = await idsOf({ listId });
    assert.deepEqual(ascending(ids), [1, 2, 7, 8, 50]);
    assert.deepEqual([made.source.listId, made.source.projectIds, made.creditsCharged], [listId, null, 5]);
    assert.deepEqual((await idsOf({ listId, filters: { acreageMin: 2, sort: 'acreage', order: 'asc' } })).ids, [2, 7, 8]);
    const narrowed = await idsOf({ listId, filters: { projectIds: [7, 9] } });
    assert.deepEqual([narrowed.ids, narrowed.made.source.projectIds, narrowed.made.source.filters.projectIds], [[7], null, [7, 9]]);
    const nothing = await world.exports.submit({ listId: await listOf({ projectIds: [] }) }, key);
    assert.deepEqual([nothing.status, nothing.body.data.status], [200, 'no_matching_rows']);
  });

  it('holds what its criteria match, as their search gives it', async () => {
    const criteria = { states: ['CO'], acreageMax: 9, sort: 'acreage' };
    const listId = await listOf({ filters: criteria });
    const expected = (await walkSearch(world, criteria, key)).map(({ id }) => id);
    const { made, ids } = await idsOf({ listId });
    assert.deepEqual([ids, made.source.listId], [expected, listId]);
    assert.deepEqual((await idsOf({ listId, filters: { acreageMin: 8, order: 'asc' } })).ids, [8, 9]);
  });

  it('is narrowed by filters also where they name those of its criteria: nothing outside of it comes', async () => {
    const criteria = { states: ['CO'], acreageMin: 3, acreageMax: 9, dateRange: 'all', sort: 'acreage', order: 'asc' };
    const listId = await listOf({ filters: criteria });
    const narrowed = async (filters: object) => (await idsOf({ listId, filters })).ids;
    const nothing = async (filters: object, list = listId) => (await world.exports.submit({ listId: list, filters }, key)).body.data.status;
    assert.deepEqual(await narrowed({ acreageMin: 7 }), [7, 8, 9]);
    assert.deepEqual(await narrowed({ acreageMin: 1, acreageMax: 100 }), [3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(await narrowed({ dateRange: 'last_1_year', acreageMax: 5 }), [4, 5]);
    assert.deepEqual(await narrowed({ states: ['CO', 'TX'], acreageMax: 4 }), [3, 4]);
    assert.equal(await nothing({ states: ['TX'] }), 'no_matching_rows');
    const { made } = await idsOf({ listId, filters: { acreageMin: 7 } });
    assert.deepEqual(made.source, { alertId: null, listId, projectIds: null, filters: { acreageMin: 7, sort: 'acreage', order: 'asc' } });
    const { body } = await world.exports.submit({ listId, filters: { acreageMin: 7 } }, key);
    assert.deepEqual(body.meta.appliedFilters, { listId, acreageMin: 7 });
  });

  it('keeps what its criteria leave out by default, whatever filters ask for', async () => {
    const listId = await listOf({ filters: { acreageMax: 5, sort: 'acreage', order: 'asc' } });
    const { made, ids } = await idsOf({ listId, filters: { dateRange: 'all', includeGovernmentDecisions: true } });
    assert.deepEqual([ids, made.matchCount], [[4, 5], 2]);
    const { warnings } = (await world.exports.submit({ listId, filters: { acreageMin: 5 } }, key)).body.meta;
    assert.match(warnings.find(({ code }: Json) => code === 'default_date_window_applied').message, /Make the list with dateRange=all/);
    const byKind = await listOf({ filters: { propertyTypes: ['residential'], dateRange: 'all' } });
    const answer = await world.exports.submit({ listId: byKind, filters: { propertyTypes: ['infrastructure'] } }, key);
    assert.equal(answer.body.data.status, 'no_matching_rows');
  });

  it('names no count where the balance does not pay for a narrowed one, since none has its price', async () => {
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 1 });
    const listId = await listOf({ filters: { states: ['CO'], acreageMin: 3, dateRange: 'all' } }, poor);
    const { status, body } = await world.exports.submit({ listId, filters: { acreageMin: 7, acreageMax: 9 } }, poor);
    const { matchCount, creditsRequired, countUrl } = body.error.details.quote;
    assert.deepEqual([status, matchCount, creditsRequired], [402, 3, 3]);
    assert.equal(countUrl, null);
  });

  it('of an alert holds what it has matched and nobody dismissed, and is of no other member', async () => {
    const { id: alertId, listId } = await send('/alerts', { name: 'Alert', filters: { projectIds: [1, 7, 8, 9] } });
    const before = await world.exports.submit({ alertId }, key);
    assert.deepEqual([before.status, before.body.data.status], [200, 'no_matching_rows']);
    assert.equal((await send(`/alerts/${alertId}/run`, {})).records, 4);
    await send(`/alerts/${alertId}/dismissals/9`, {});
    const { made, ids } = await idsOf({ alertId });
    assert.deepEqual(ascending(ids), [1, 7, 8]);
    assert.deepEqual(
      [made.source, made.creditsCharged],
      [{ alertId, listId: null, projectIds: null, filters: { includeGovernmentDecisions: true } }, 0],
    );
    assert.deepEqual(ids, (await idsOf({ listId })).ids);
    assert.deepEqual((await idsOf({ alertId, filters: { acreageMin: 8 } })).ids, [8]);
    for (const unknown of [alertId, 'alr_0000000000000000000000']) {
      assertRefused(
        await world.exports.submit({ alertId: unknown }, unknown === alertId ? await world.api.key('api_only') : key),
        'resource_not_found',
        'alertId',
      );
    }
  });

  it('or of an alert is of its members and owners of the team alone, and once it is gone of its maker and owners', async () => {
    const owner = await world.api.key('api_only');
    const [latest] = (await world.api.accounts.teams()).slice(-1);
    const member = async (name: string) => {
      const email = `${name}-${latest?.id}@example.com`;
      const user = await world.api.accounts.createUser({ teamId: latest?.id ?? 0, name, email, role: 'member' });
      return { id: user.id, key: (await world.api.keys.mint(user.id)).secret };
    };
    const [ann, bob] = [await member('ann'), await member('bob')];
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${ann.key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${world.api.url}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      assert.ok(answer.ok, await answer.text());
    };
    const listId = await listOf({ projectIds: [1, 2] }, ann.key);
    const { id: alertId } = await send('/alerts', { name: 'Private', filters: { projectIds: [1, 7] } }, ann.key);
    await send(`/alerts/${alertId}/run`, {}, ann.key);
    const ofList: Json = await world.exports.completed({ listId }, ann.key);
    const ofAlert: Json = await world.exports.completed({ alertId }, ann.key);
    const open: Json = await world.exports.completed({ projectIds: [1] }, ann.key);
    const seen = async (key: string) => {
      const { body } = await world.api.get('/exports', {}, { key });
      assert.equal(body.meta.total, body.data.length);
      const all = [open.id, ofList.id, ofAlert.id];
      for (const id of all) {
        const expected = body.data.some((one: Json) => one.id === id) ? 200 : 404;
        assert.deepEqual([(await world.exports.poll(id, key)).status, (await world.download(id, key)).status], [expected, expected]);
      }
      return all.map((id) => body.data.some((one: Json) => one.id === id));
    };
    assert.deepEqual(await seen(ann.key), [true, true, true]);
    assert.deepEqual(await seen(owner), [true, true, true]);
    assert.deepEqual(await seen(bob.key), [true, false, false]);
    const share = { mode: 'custom', userIds: [bob.id] };
    await ask('PATCH', `/lists/${listId}`, { share });
    assert.deepEqual(await seen(bob.key), [true, true, false]);
    await ask('PATCH', `/alerts/${alertId}`, { share });
    assert.deepEqual(await seen(bob.key), [true, true, true]);
    await ask('PATCH', `/alerts/${alertId}`, { share: { mode: 'private' } });
    await ask('DELETE', `/lists/${listId}`);
    await ask('DELETE', `/alerts/${alertId}`);
    assert.deepEqual(await seen(bob.key), [true, false, false]);
    assert.deepEqual(await seen(ann.key), [true, true, true]);
    assert.deepEqual(await seen(owner), [true, true, true]);
  });

  it('of another team, or one that is not shared, is not found', async () => {
    const foreign = await listOf({ projectIds: [1] }, await world.api.key('api_only'));
    for (const listId of [foreign, 'lst_0000000000000000000000', 'nonsense']) {
      assertRefused(await world.exports.submit({ listId }, key), 'resource_not_found', 'listId');
    }
  });

  it('is refused with where it is priced, and reserves nothing, where the balance does not pay', async () => {
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 1 });
    const listId = await listOf({ projectIds: [3, 4] }, poor);
    const { status, body } = await world.exports.submit({ listId }, poor);
    assert.deepEqual([status, body.error.code], [402, 'insufficient_credits']);
    assert.equal(body.error.details.quote.countUrl, `http://landuse.test/v1/lists/${listId}`);
    assert.equal(await world.balance(poor), 1);
  });
});
