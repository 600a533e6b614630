/** Feeds of hearings: calendars of a selection, read without a key by a secret that is shown once. */

import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const BOULDER = { state: 'CO', county: 'Boulder County', city: 'Boulder' };
const AUSTIN = { state: 'TX', county: 'Travis County', city: 'Austin' };

describe('feeds of hearings', () => {
  const world = provideWorld({ today: TODAY }, [
    project(1, { ...BOULDER, decisionBody: 'city_council', nextMeetingDate: '2026-12-08' }),
    project(2, { ...BOULDER, decisionBody: 'planning_board', nextMeetingDate: '2027-06-01' }),
    project(3, { ...AUSTIN, decisionBody: 'city_council', nextMeetingDate: '2026-12-09' }),
  ]);
  const make = (filters: unknown, key?: string) => world.send('POST', '/hearings/feeds', { filters }, key);
  const read = async (url: string) => {
    const answer = await fetch(url.replace('http://landuse.test', world.api.url));
    const text = await answer.text();
    return { status: answer.status, text, type: answer.headers.get('content-type'), cached: answer.headers.get('cache-control') };
  };
  const codeOf = async (url: string) => {
    const { status, text } = await read(url);
    return [status, status < 300 ? null : JSON.parse(text).error.code];
  };
  const daysOf = (text: string) => [...text.matchAll(/^DTSTART[^:]*:(\d+)/gm)].map(([, day]) => day).sort();

  it('show their address once, keep a keyed hash of it, and list the hearings of a year', async () => {
    const { data: feed, meta } = bodyOf(await make({ states: ['CO'] }), 201);
    const [, secret = ''] = /^http:\/\/landuse\.test\/feeds\/hearings\/(hfs_[0-9A-Za-z]{22})$/.exec(feed.icsUrl) ?? [];
    assert(secret);
    assert.deepEqual(
      [feed.filters, feed.createdAt, meta.creditsUsed, meta.warnings],
      [{ states: ['CO'] }, world.now().toISOString(), 0, []],
    );
    const [row] = await world.api.database.query<{ row: string }>('select f::text as row from hearing_feed f where id = $1', [feed.id]);
    assert(row && !row.row.includes(secret));
    const { status, text, type, cached } = await read(feed.icsUrl);
    assert.deepEqual([status, type, cached], [200, 'text/calendar; charset=utf-8', 'private, max-age=0']);
    assert.deepEqual(daysOf(text), ['20261208', '20270601']);
    const shown = { ...feed, icsUrl: null };
    assert.deepEqual(bodyOf(await world.send('GET', `/hearings/feeds/${feed.id}`)).data, shown);
    assert.deepEqual(
      bodyOf(await world.send('GET', '/hearings/feeds')).data.find(({ id }: Json) => id === feed.id),
      shown,
    );
  });

  it('keep a hearing that every project left as cancelled', async () => {
    const at = { state: 'CO', county: 'Weld County', decisionBody: 'city_council' };
    await world.api.index.load([project(10, { ...at, nextMeetingDate: '2026-12-20' })], { mode: 'increment' });
    const { icsUrl } = bodyOf(await make({ projectIds: [10] }), 201).data;
    assert.doesNotMatch((await read(icsUrl)).text, /CANCELLED/);
    await world.api.index.load([project(10, { ...at, nextMeetingDate: '2027-01-10' })], { mode: 'increment' });
    const { text } = await read(icsUrl);
    assert.deepEqual([daysOf(text), text.match(/STATUS:CANCELLED/g)?.length], [['20261220', '20270110'], 1]);
  });

  it('are gone when they are deleted; to other users and teams they are not there', async () => {
    const { owner, mate } = await world.team();
    const { id, icsUrl } = bodyOf(await make({}, owner), 201).data;
    const stranger = await world.api.key('api_only');
    for (const key of [mate, stranger]) {
      for (const method of ['GET', 'DELETE'] as const)
        assertRefused(await world.send(method, `/hearings/feeds/${id}`, undefined, key), 'resource_not_found', 'id');
      assert.deepEqual(bodyOf(await world.send('GET', '/hearings/feeds', undefined, key)).data, []);
    }
    assert.deepEqual(await codeOf(icsUrl), [200, null]);
    assert.deepEqual(bodyOf(await world.send('DELETE', `/hearings/feeds/${id}`, undefined, owner)).data, { id, deleted: true });
    assert.deepEqual(await codeOf(icsUrl), [404, 'resource_not_found']);
    assert.deepEqual(await codeOf('http://landuse.test/feeds/hearings/no-secret'), [404, 'resource_not_found']);
  });

  it('are read as their team may read now: 402 without a plan, 404 with a closed account, 410 with filters that are refused', async () => {
    const { owner, ownerId } = await world.team();
    const { id, icsUrl } = bodyOf(await make({ states: ['TX'] }, owner), 201).data;
    const { database } = world.api;
    await database.query(`update hearing_feed set filters = '{"acreageMin": "many"}' where id = $1`, [id]);
    assert.deepEqual(await codeOf(icsUrl), [410, 'feed_gone']);
    await database.query(`update hearing_feed set filters = '{"states": ["TX"]}' where id = $1`, [id]);
    const licensed = (status: string) =>
      database.query('update team set status = $2 where id = (select team_id from app_user where id = $1)', [ownerId, status]);
    await licensed('lapsed');
    assert.deepEqual(await codeOf(icsUrl), [402, 'subscription_required']);
    await licensed('active');
    await database.query('update app_user set closed_at = service_now() where id = $1', [ownerId]);
    assert.deepEqual(await codeOf(icsUrl), [404, 'resource_not_found']);
  });

  it('refuse unusable filters by their place, more than twenty feeds, and repeat no secret', async () => {
    const key = await world.api.key('api_only');
    assertRefused(await make({ acreageMin: 'many' }, key), 'invalid_filter', 'filters.acreageMin');
    assertRefused(await make({ nonsense: 1 }, key), 'invalid_filter', 'filters.nonsense');
    assertRefused(await world.send('POST', '/hearings/feeds', {}, key), 'invalid_request', 'filters');
    const send = () =>
      fetch(`${world.api.url}/v1/hearings/feeds`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
        body: '{"filters":{"states":["CO"]}}',
      }).then((answer) => answer.json() as Promise<Json>);
    const [first, again] = [await send(), await send()];
    assert.deepEqual(again.data, { ...first.data, icsUrl: null });
    assert.equal(again.meta.warnings[0].code, 'secret_not_repeated');
    const made = await Promise.all(Array.from({ length: 22 }, () => make({}, key)));
    assert.equal(made.filter(({ status }) => status === 201).length, 19);
    const refused = made.find(({ status }) => status !== 201);
    assert(refused);
    assert.equal(refused.body.error.details.maxFeeds, 20);
  });
});
