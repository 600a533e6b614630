/** Events of restrictions: once for each change, for teams whose licence covers the place. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine as restriction, SOURCES } from '../../support/restrictionLine.ts';
import { FOR_WEBHOOKS, provideWorld } from '../../support/world.ts';

const increment = { ...SOURCES, mode: 'increment' as const };
const ENDS_SOON = restriction(902, { effectiveTo: '2027-01-01' });

describe('events of restrictions', () => {
  const world = provideWorld({ ...FOR_WEBHOOKS, today: '2026-11-20' });
  const keys = { national: '', county: '', texas: '' };
  const eventsOf = async (key: string): Promise<Json[]> => {
    const types = ['adopted', 'extended', 'ending', 'ended'].map((change) => `restriction.${change}`);
    return (await world.send('GET', `/events?types=${types}`, undefined, key)).body.data;
  };
  const changesOf = async (key: string) => (await eventsOf(key)).map(({ type, data }) => `${type.slice(12)} ${data.restrictionId}`).sort();
  const settle = (expected: string[]) =>
    eventually(`the events ${expected}`, async () => {
      const found = await changesOf(keys.national);
      return expected.every((one) => found.includes(one)) ? found : undefined;
    });
  /** A check of this moment has ended. */
  const checked = () =>
    eventually('the check', async () => {
      const jobs = await world.api.database.query<{ open: number }>(
        `select count(*)::integer as open from job where kind = 'check_restrictions' and status not in ('ready', 'failed')`,
      );
      const [row] = await world.api.database.query('select from restriction_check where announced::text like $1', ['%inventory%']);
      return row && jobs[0]?.open === 0 ? true : undefined;
    });

  before(async () => {
    keys.national = await world.api.key('api_only');
    keys.county = await world.api.key('county', { stateIds: [], countyIds: [8013] });
    keys.texas = await world.api.key('state', { stateIds: [48], countyIds: [] });
    await world.api.index.load([projectLine(1), restriction(901), ENDS_SOON], SOURCES);
    await world.work();
  });

  it('are none for what an inventory states when it is first loaded', async () => {
    await checked();
    assert.deepEqual(await changesOf(keys.national), []);
  });

  it('say that one was adopted, to teams whose licence covers the place, with its place and end', async () => {
    await world.api.index.load(
      [restriction(901), ENDS_SOON, restriction(903, { title: 'New', county: null, jurisdictionType: 'state' })],
      increment,
    );
    assert.deepEqual(await settle(['adopted 903']), ['adopted 903']);
    assert.deepEqual(await changesOf(keys.county), ['adopted 903']);
    assert.deepEqual(await changesOf(keys.texas), []);
    const [{ data }] = (await eventsOf(keys.national)) as [Json];
    const { restrictionId, title, place, status, end, pollUrl } = data;
    assert.deepEqual([restrictionId, title, place.stateId, status, end], [903, 'New', 8, 'in_force', '2027-06-01']);
    assert.equal((await world.send('GET', new URL(pollUrl).pathname.slice(3), undefined, keys.county)).body.data.id, 903);
  });

  it('say once that one ends within thirty days, that one was extended, and that one ended', async () => {
    await world.moveTo('2026-12-02T19:00:00.000Z');
    assert.deepEqual(await settle(['ending 902']), ['adopted 903', 'ending 902']);
    const longer = { ...ENDS_SOON, extensions: [{ on: '2026-12-01', to: '2027-03-01' }] };
    await world.api.index.load([restriction(901, { status: 'rescinded', statedOn: '2026-12-01' }), longer, restriction(903)], increment);
    assert.deepEqual(await settle(['extended 902', 'ended 901']), ['adopted 903', 'ended 901', 'ending 902', 'extended 902']);
    const ended = (await eventsOf(keys.national)).find(({ type }) => type === 'restriction.ended') as Json;
    assert.equal(ended.data.status, 'rescinded');
  });

  it('are not repeated by a rollback and the loads that follow it', async () => {
    const before = await changesOf(keys.national);
    await world.api.index.load([projectLine(2), restriction(904, { status: 'proposed' })], SOURCES);
    await rollBackGeneration(world.api.index.store, world.api.index.clock);
    await world.moveTo('2026-12-03T19:00:00.000Z');
    await checked();
    assert.deepEqual(await changesOf(keys.national), before);
  });
});
