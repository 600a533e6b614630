/** Alerts and lists without members: they pass to the owners of the team, and nothing is charged for them meanwhile. */

import assert from 'node:assert/strict';
import { LISTS_MAX } from '../../../src/features/lists/store.ts';
import { adminRunner } from '../../support/admin.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const FILTERS = { projectIds: [1] };

describe('an alert or list that loses its last member', () => {
  const world = provideWorld(FOR_ALERTS);
  let admin: ReturnType<typeof adminRunner>;
  before(async () => {
    admin = adminRunner(world.api);
    const line = { kind: 'project', id: 1, projectName: 'One', state: 'CO', county: 'Boulder County', propertyType: 'residential' };
    await world.api.index.load([{ ...line, meetingDate: '2026-10-01' }]);
  });

  const get = async (path: string, key: string) => (await world.send('GET', path, undefined, key)).body.data;
  const status = async (path: string, key: string) => (await world.send('GET', path, undefined, key)).status;
  const list = async (key: string, more = {}): Promise<Json> => {
    const { status: got, body } = await world.send('POST', '/lists', { name: 'Of one', projectIds: [1], ...more }, key);
    assert.equal(got, 201, JSON.stringify(body));
    return body.data;
  };
  const done = async (...args: string[]): Promise<Json> => {
    const { code, json, err } = await admin(...args);
    assert.deepEqual([code, err], [0, '']);
    return json;
  };

  it('goes to the owners: the alert is paused, they are members and mailed, and others keep what they share', async () => {
    const { owner, ownerId, mate, mateId, teamId } = await world.team();
    const own = await world.alerts.create({ name: 'Alone', filters: FILTERS }, mate);
    const shared = await world.alerts.create({ name: 'Shared', filters: FILTERS, share: { mode: 'team' } }, mate);
    const [saved, kept] = [await list(mate, { name: 'Saved' }), await list(mate, { share: { mode: 'custom', userIds: [ownerId] } })];
    assert.equal(await status(`/alerts/${own.id}`, owner), 404);
    const closed = await done('user', 'close', String(mateId));
    assert.deepEqual([closed.alerts, closed.lists], [[{ id: own.id, name: 'Alone' }], [{ id: saved.id, name: 'Saved' }]]);

    const alert = await get(`/alerts/${own.id}`, owner);
    assert.deepEqual([alert.status, alert.nextRunAt, alert.share.members.map((one: Json) => one.userId)], ['paused', null, [ownerId]]);
    assert.equal((await get(`/alerts/${shared.id}`, owner)).status, 'active');
    assert.deepEqual((await get(`/lists/${saved.id}`, owner)).share.userIds, [ownerId]);
    assert.equal(await status(`/lists/${alert.listId}`, owner), 200);
    assert.equal((await get(`/lists/${kept.id}`, owner)).share.mode, 'custom');
    const mails = (await world.mails()).filter(({ topic }) => topic === 'handover');
    assert.deepEqual(pluck(mails, 'recipient'), [`owner-${teamId}@example.com`]);
    for (const name of [own.id, 'Alone', saved.id, 'Saved']) assert(mails[0]?.text.includes(name), name);
    assert(!mails[0]?.text.includes(shared.id));
    const resumed = await world.send('PATCH', `/alerts/${own.id}`, { status: 'active' }, owner);
    assert.equal(resumed.body.data.status, 'active');
    await done('user', 'close', String(mateId));
    assert.equal((await world.mails()).filter(({ topic }) => topic === 'handover').length, 1, 'once');
  });

  it('by leaving it goes to them too', async () => {
    const { owner, ownerId, mate, mateId } = await world.team();
    const third = await world.api.accounts.createUser({ teamId: (await world.api.accounts.readUser(ownerId)).teamId, name: 'Third' });
    const thirdKey = (await world.api.keys.mint(third.id)).secret;
    const share = { mode: 'team', optOutUserIds: [ownerId] };
    const [alert, saved] = [await world.alerts.create({ filters: FILTERS, share }, thirdKey), await list(thirdKey, { share })];
    await done('user', 'close', String(third.id));
    assert.equal((await get(`/alerts/${alert.id}`, mate)).status, 'active');
    for (const path of [`/alerts/${alert.id}`, `/lists/${saved.id}`])
      assert.equal((await world.send('PATCH', path, { share: { optOutUserIds: [ownerId, mateId] } }, mate)).status, 200);
    assert.equal((await get(`/alerts/${alert.id}`, owner)).status, 'paused');
    assert.equal(await status(`/lists/${saved.id}`, owner), 200);
    assert.equal(await status(`/alerts/${alert.id}`, mate), 404);
    assert.equal(
      (await world.mails()).filter(({ topic, recipient }) => topic === 'handover' && recipient.includes('owner')).length >= 2,
      true,
    );
  });

  it('of a team without an owner is paused; lists of closed accounts count no more', async () => {
    const { ownerId, mate, mateId } = await world.team();
    const { id } = await world.alerts.create({ filters: FILTERS }, mate);
    await world.api.database.query(
      `insert into project_list (id, team_id, kind, name, created_by) select 'lst_' || lpad(n::text, 22, '0'), team_id, 'membership', 'Old', id
       from app_user, generate_series(1, $2) n where id = $1`,
      [ownerId, LISTS_MAX - 1],
    );
    const full = await world.send('POST', '/lists', { name: 'x' }, mate);
    assert.equal(full.body.error?.details.maxLists, LISTS_MAX);
    await world.api.accounts.closeUser(ownerId);
    await list(mate);
    await world.api.accounts.closeUser(mateId);
    const [alert] = await world.api.database.query<Json>('select status, next_run_at from alert where id = $1', [id]);
    assert.deepEqual([alert.status, alert.next_run_at], ['paused', null]);
  });

  it('of a team without an owner goes to the owner that it gets later, who is mailed', async () => {
    const { ownerId, mate, mateId, teamId } = await world.team();
    await world.api.accounts.closeUser(ownerId);
    const alert = await world.alerts.create({ name: 'Left', filters: FILTERS }, mate);
    const saved = await list(mate, { name: 'Left too' });
    await done('user', 'close', String(mateId));
    const add = (name: string, role: string) =>
      done('user', 'add', '--team', String(teamId), '--name', name, '--role', role, '--email', `${name}-${teamId}@example.com`);
    const cy = await add('cy', 'member');
    assert.deepEqual([cy.alerts, cy.lists], [[], []]);
    const late = await add('late', 'owner');
    assert.deepEqual([late.alerts, late.lists], [[{ id: alert.id, name: 'Left' }], [{ id: saved.id, name: 'Left too' }]]);
    const key = (await world.api.keys.mint(late.id)).secret;
    assert.deepEqual((await get(`/alerts/${alert.id}`, key)).share.userIds, [late.id]);
    assert.equal((await get(`/alerts/${alert.id}`, key)).status, 'paused');
    assert.deepEqual(await Promise.all([`/lists/${saved.id}`, `/lists/${alert.listId}`].map((path) => status(path, key))), [200, 200]);
    const mails = (await world.mails()).filter(
      ({ topic, recipient }) => topic === 'handover' && recipient === `late-${teamId}@example.com`,
    );
    assert.equal(mails.length, 1);
    const another = await add('another', 'owner');
    assert.deepEqual([another.alerts, another.lists], [[], []], 'what has a member stays with them');
  });

  it('goes with its list where an operator archives it or closes its team; other lists stay', async () => {
    const { owner, teamId } = await world.team();
    const alerts = [await world.alerts.create({ filters: FILTERS }, owner), await world.alerts.create({ filters: FILTERS }, owner)];
    const saved = await list(owner);
    const lists = async () =>
      (await world.api.database.query<{ id: string }>('select id from project_list where team_id = $1 and deleted_at is null', [teamId]))
        .map(({ id }) => id)
        .sort();
    assert.deepEqual(await lists(), [saved.id, ...alerts.map(({ listId }) => listId)].sort());
    await done('alerts', 'archive', alerts[0].id);
    assert.deepEqual(await lists(), [saved.id, alerts[1].listId].sort());
    assert.equal((await done('team', 'close', String(teamId))).stopped.alerts, 1);
    assert.deepEqual(await lists(), [saved.id]);
    assert.equal((await done('team', 'close', String(teamId))).stopped.alerts, 0);
  });

  it('is seen, paused and archived by an operator', async () => {
    const { owner, teamId } = await world.team();
    const { id } = await world.alerts.create({ filters: FILTERS }, owner);
    const [listed, ...others] = await done('alerts', 'list', '--team', String(teamId));
    assert.deepEqual([listed.id, listed.teamId, listed.members, listed.status, others], [id, teamId, 1, 'active', []]);
    assert.equal((await done('alerts', 'pause', id)).status, 'paused');
    const paused = await get(`/alerts/${id}`, owner);
    assert.deepEqual([paused.status, paused.problems[0].code], ['paused', 'paused_by_operator']);
    assert.equal((await world.send('PATCH', `/alerts/${id}`, { status: 'active' }, owner)).body.data.problems, null);
    assert.equal((await done('alerts', 'archive', id)).status, 'archived');
    assert.equal((await done('alerts', 'pause', id)).status, 'archived');
    assert.deepEqual(
      [await done('alerts', 'list', '--team', String(teamId)), (await done('alerts', 'list', '--status', 'archived')).length >= 1],
      [[], true],
    );
    const missing = await admin('alerts', 'pause', 'alr_none');
    assert.deepEqual([missing.code, JSON.parse(missing.err).error.message], [1, 'There is no alert alr_none.']);
  });

  it('is not lost by whoever shares what another made: custom keeps the creator and whoever changes it', async () => {
    const { owner, ownerId, mate, mateId } = await world.team();
    const { teamId } = await world.api.accounts.readUser(ownerId);
    const cy = await world.api.accounts.createUser({ teamId, name: 'Cy' });
    const share = { mode: 'custom', userIds: [mateId] };
    const [alert, saved] = [await world.alerts.create({ filters: FILTERS, share }, owner), await list(owner, { share })];
    for (const path of [`/alerts/${alert.id}`, `/lists/${saved.id}`]) {
      const { body } = await world.send('PATCH', path, { share: { userIds: [cy.id] } }, mate);
      assert.deepEqual(body.data.share.members.map((one: Json) => one.userId).sort(), [ownerId, mateId, cy.id].sort(), path);
      assert.deepEqual(await Promise.all([owner, mate].map((key) => status(path, key))), [200, 200]);
    }
  });
});
