/** What a run's receipt names, what a trial's preview says of its run, and what goes with a deleted alert. */
import assert from 'node:assert/strict';
import { stopAlert } from '../../../src/features/alerts/watchedStore.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const BOULDER = { filters: { counties: ['Boulder County, CO'] } };

describe('runs and deletions of an alert', () => {
  const world = provideWorld(
    FOR_ALERTS,
    [1, 2, 3, 4, 5].map((id) => projectLine(id)),
  );

  const receipts = async (key: string): Promise<Json[]> => (await world.send('GET', '/account/ledger', undefined, key)).body.data;
  const charges = async (key: string) => (await receipts(key)).filter(({ kind }) => kind === 'charge');

  it('have receipts that name alert and delivery, of which a route reads both', async () => {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create(BOULDER, key);
    assert.equal((await world.alerts.run(id, key)).body.data.creditsCharged, 5);
    await world.api.index.load([projectLine(1, { acreage: 3 })], { mode: 'increment' });
    await world.moveTo('2026-11-19T15:00:00.000Z');
    const worker = await world.work();
    const [scheduled, manual] = await eventually('the receipt of the due run', async () => {
      const found = await charges(key);
      return found.length === 2 ? found : undefined;
    });
    await worker.stop(0);
    for (const [{ cause, amount }, trigger] of [
      [scheduled, 'scheduled'],
      [manual, 'manual'],
    ]) {
      assert.deepEqual([cause.alertId, cause.jobId], [id, null]);
      const { status, body } = await world.send('GET', `/alerts/${cause.alertId}/deliveries/${cause.deliveryId}`, undefined, key);
      assert.deepEqual([status, body.data.trigger, body.data.creditsCharged], [200, trigger, -amount]);
    }
    assert.equal(manual.cause.route, `POST /alerts/${id}/run`);
  });

  it('of a trial are previewed as they truncate', async () => {
    const trial = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const { id } = await world.alerts.create(BOULDER, trial);
    const [team] = (await world.api.accounts.teams()).slice(-1);
    await world.api.database.query('select open_pool($1, $2, 50)', [team?.id, 'trial lifetime']);
    await world.api.database.query(`select enter_credits($1, 'adjustment', 'plan', -47, 0, '{}'::jsonb)`, [team?.id]);
    const { matchCount, wouldDeliver, billableRecordCount, creditsRequired, affordability } = (
      await world.send('GET', `/alerts/${id}/preview`, undefined, trial)
    ).body.data;
    assert.deepEqual([matchCount, wouldDeliver, billableRecordCount, creditsRequired, affordability.affordable], [5, 3, 3, 3, true]);
    const { records, moreMatched, creditsCharged } = (await world.alerts.run(id, trial)).body.data;
    assert.deepEqual([records, moreMatched, creditsCharged], [3, 2, 3]);
  });

  it('take the list of the alert with them; what it delivered can still be read and exported', async () => {
    const { id, listId } = await world.alerts.create(BOULDER);
    await world.alerts.run(id);
    assert.equal((await world.send('DELETE', `/lists/${listId}`)).status, 400, 'while the alert is there');
    assert.equal((await world.send('DELETE', `/alerts/${id}`)).status, 200);
    assert.equal((await world.send('GET', `/lists/${listId}`)).status, 404);
    assert(!(await world.send('GET', '/lists')).body.data.some((list: Json) => list.id === listId));
    assert.equal((await world.alerts.matches(id)).length, 5);
    const exported = await world.send('POST', '/exports', { alertId: id }, undefined, 'export-of-deleted');
    assert.equal(exported.body.data.matchCount ?? exported.body.data.recordCount, 5, JSON.stringify(exported.body));
  });

  it('by an operator take the list, too', async () => {
    const { id, listId } = await world.alerts.create(BOULDER);
    await stopAlert(world.api.database, id, 'archived');
    assert.equal((await world.send('GET', `/lists/${listId}`)).status, 404);
  });
});
