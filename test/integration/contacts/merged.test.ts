/** Contacts that were unlocked under the id of a record which another one absorbed later: every route that looks contacts up knows them. */

import assert from 'node:assert/strict';
import { engineer, project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const POND = 'The applicant proposed a retention pond behind the warehouse.';
const QUESTION = 'warehouses with a retention pond';
const CREDITS = 1_500;

const warehouse = (id: number, more: Record<string, unknown> = {}) =>
  project(id, { acreage: id, rawText: `Warehouse ${id}. ${POND}`, ...more });

describe('Contacts unlocked before a merge', () => {
  const world = provideWorld({ today: TODAY });
  /** of teams that unlocked 1001, which 1002 absorbed then; each is used once */
  const keys: string[] = [];
  /** of a team that unlocked 1003 */
  let early: string;
  before(async () => {
    const ids = [1001, 1002, 1003, 1004];
    await world.api.index.load([...ids.map((id) => warehouse(id)), ...ids.map(engineer)]);
    const worker = await world.work();
    for (let i = 0; i < 5; i++) keys.push(await unlocked(1001));
    early = await unlocked(1003);
    await worker.stop();
    await absorb(1002, 1001);
  });

  const absorb = (id: number, absorbed: number) =>
    world.api.index.load([warehouse(id, { mergedFrom: [absorbed, id] })], { mode: 'increment' });
  const unlocked = async (id: number) => {
    const key = await world.api.key('national');
    assert.equal((await world.enrichments.completed({ projectIds: [id] }, key)).creditsCharged, 1);
    return key;
  };
  const aKey = () => keys.pop() ?? assert.fail('every key was used');
  const exportOf = (id: number) => ({ projectIds: [id], include: 'contacts' });
  const pricedBy = async (key: string) => {
    const body = bodyOf(await world.read('/projects/count', { projectIds: 1002, include: 'contacts' }, key));
    const { lookUps, creditsRequired } = (body as Json).data.contacts;
    return [lookUps, creditsRequired];
  };
  const searched = async (key: string) => {
    const filters = { states: ['CO'], acreageMin: 1002, acreageMax: 1002 };
    return world.aiSearch.completed({ query: QUESTION, filters, limit: 1, include: 'contacts' }, key);
  };
  const lookUpsOf1002 = () => world.api.database.query('select from contact_unlock where project_id = 1002');
  const paidOnce = async (key: string) => {
    assert.equal(await world.balance(key), CREDITS - 1);
    await world.api.checkLedger();
  };

  it('are not paid for again by an export that was accepted before the merge', async () => {
    const { body } = await world.exports.submit(exportOf(1004), early);
    assert.equal(body.data.contactCreditsReserved, 1);
    await absorb(1004, 1003);
    await world.work();
    const done = await world.exports.settled(body.data.id, early);
    assert.deepEqual([done.status, done.contactCreditsCharged], ['ready', 0]);
    await paidOnce(early);
  });

  it('are neither looked up nor paid for again by an export, and a count prices none', async () => {
    const key = aKey();
    assert.deepEqual(await pricedBy(key), [0, 0]);
    const built = await world.exports.completed({ ...exportOf(1002), maxContactCredits: 0 }, key);
    assert.deepEqual([built.contactCreditsReserved, built.contactCreditsCharged], [0, 0]);
    assert.match((await world.download(String(built.id), key)).text, /p1001@spoon\.example/);
    assert.equal((await lookUpsOf1002()).length, 0);
    await paidOnce(key);
  });

  it('are neither looked up nor paid for again by an AI search', async () => {
    const key = aKey();
    const done = await searched(key);
    assert.deepEqual([done.results.map(({ id }: Json) => id), done.contactCreditsCharged], [[1002], 0]);
    assert.equal(done.results[0].contactSummary.unlocked, true);
    assert.equal((await lookUpsOf1002()).length, 0);
    await paidOnce(key);
  });

  it('are looked up again after 90 days free of charge, by every route', async () => {
    await world.api.database.query("update contact_unlock set last_at = last_at - interval '91 days'");
    const routes: Record<string, (key: string) => Promise<number>> = {
      'POST /enrichments': async (key) => (await world.enrichments.completed({ projectIds: [1002] }, key)).creditsCharged,
      'POST /exports': async (key) => {
        assert.deepEqual(await pricedBy(key), [1, 0]);
        const built = await world.exports.completed({ ...exportOf(1002), maxContactCredits: 0 }, key);
        return Number(built.contactCreditsCharged);
      },
      'AI search': async (key) => (await searched(key)).contactCreditsCharged,
    };
    for (const [i, [route, charged]] of Object.entries(routes).entries()) {
      const key = aKey();
      assert.equal(await charged(key), 0, route);
      assert.equal((await lookUpsOf1002()).length, i + 1, route);
      await paidOnce(key);
    }
  });
});
