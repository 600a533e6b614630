/** Matches of an alert: what is shown of them after merges, removals, narrower licences and changes, and in which order. */

import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { bodyOf } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const OTERO = 8089;

describe('matches of an alert', () => {
  const world = provideWorld(FOR_ALERTS, [projectLine(1, { county: 'Adams County' })]);

  const increment = (...lines: object[]) => world.api.index.load(lines, { mode: 'increment' });

  /** An alert over one county, of a team of its own, that has run. */
  async function ran(county: string, { plan = 'api_only', ...settings }: Json = {}) {
    const key = await world.api.key(plan, plan === 'national' ? { stateIds: [], countyIds: [] } : undefined);
    const { id } = await world.alerts.create({ filters: { counties: [`${county}, CO`], dateRange: 'all' }, ...settings }, key);
    const run = () => world.alerts.completed(id, key);
    const read = async (parameters: object = {}) => {
      const body = bodyOf(await world.api.get(`/alerts/${id}/matches`, { ...parameters }, { key }));
      const { data, meta } = body as Json;
      return { data, ids: data.map((one: Json) => one.id), totals: [meta.total, meta.pageCount, meta.hasMore] };
    };
    const feed = async (): Promise<number[]> => {
      const { body } = await world.send('POST', `/alerts/${id}/feeds`, undefined, key);
      const answer = await fetch(body.data.jsonUrl.replace('http://landuse.test', world.api.url));
      return ((await answer.json()) as Json).items.map(({ url }: Json) => Number(/project=(\d+)/.exec(url)?.[1]));
    };
    const { deliveryId } = await run();
    return { id, key, run, read, feed, deliveryId };
  }

  it('come by meeting date, lastUpdated and id, all descending, within a run and a feed', async () => {
    const county = 'Larimer County';
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
    // The higher the id, the older the meeting.
    const line = (n: number) => projectLine(1_000 + n, { county, meetingDate: day(150 - n) });
    await increment(...Array.from({ length: 120 }, (_, n) => line(n)));
    const { run, read, feed } = await ran(county, { maxRecordsPerRun: 110 });
    const newest = Array.from({ length: 100 }, (_, n) => 1_000 + n);
    assert.deepEqual((await read()).ids, newest);
    assert.deepEqual(await feed(), newest);
    await world.moveTo('2026-11-18T20:00:00.000Z');
    await increment(projectLine(2_000, { county, meetingDate: day(149) }), projectLine(2_001, { county, meetingDate: day(149) }));
    await run();
    assert.deepEqual((await read({ limit: 3 })).ids, [2_001, 2_000, 1_110], 'the newest delivery first');
    assert.deepEqual((await feed()).slice(0, 4), [1_000, 2_001, 2_000, 1_001], 'the newest meeting first');
  });

  it('whose record was merged show the survivor, once, also where it is a match itself', async () => {
    const county = 'Weld County';
    const line = (id: number, more: object = {}) => projectLine(id, { county, meetingDate: `2026-10-0${id % 10}`, ...more });
    await increment(line(11), line(12), line(13), line(15), projectLine(14, { county: 'Adams County' }));
    const { id, key, read, deliveryId, feed } = await ran(county);
    assert.deepEqual((await read()).ids, [15, 13, 12, 11]);
    await increment(line(12, { mergedFrom: [12, 13] }), projectLine(14, { county: 'Adams County', mergedFrom: [14, 15] }));
    for (const parameters of [{}, { deliveryId }]) {
      const { ids, totals } = await read(parameters);
      assert.deepEqual(
        [ids, totals],
        [
          [14, 12, 11],
          [3, 3, false],
        ],
      );
    }
    assert.deepEqual((await read({ limit: 1, offset: 1 })).totals, [3, 1, true]);
    assert.deepEqual((await read({ limit: 2, offset: 1 })).ids, [12, 11]);
    assert.deepEqual((await feed()).sort(), [11, 12, 14]);
    assert.equal((await world.send('POST', `/alerts/${id}/dismissals/14`, undefined, key)).status, 200, 'by the id that is shown');
    assert.equal((await world.send('POST', `/alerts/${id}/dismissals/12`, undefined, key)).status, 200);
    assert.deepEqual((await read()).ids, [11]);
    const { body: alert } = await world.send('GET', `/alerts/${id}`, undefined, key);
    const listed = async () =>
      (await world.api.get(`/lists/${alert.data.listId}/results`, {}, { key })).body.data.map((one: Json) => one.id).sort();
    assert.deepEqual(await listed(), [11], 'the list of the alert, and what is exported of it, too');
    assert.equal((await world.send('DELETE', `/alerts/${id}/dismissals/12`, undefined, key)).status, 200);
    assert.deepEqual(
      [(await read()).ids, await listed()],
      [
        [12, 11],
        [11, 12],
      ],
    );
    const unknown = await world.send('POST', `/alerts/${id}/dismissals/1`, undefined, key);
    assert.deepEqual([unknown.status, unknown.body.error.param], [404, 'projectId']);
  });

  it('that are gone or outside the licence are not counted', async () => {
    const county = 'Pueblo County';
    await increment(...[21, 22, 23].map((id) => projectLine(id, { county })), projectLine(24, { county: 'Otero County' }));
    const { id, read } = await ran(county, { filters: { counties: [`${county}, CO`, 'Otero County, CO'], dateRange: 'all' } });
    assert.deepEqual((await read()).totals, [4, 4, false]);
    await increment({ kind: 'project', id: 22, deleted: true });
    assert.deepEqual((await read({ limit: 2 })).totals, [3, 2, true]);
    const [team] = await world.api.database.query<{ teamId: number }>('select team_id as "teamId" from alert where id = $1', [id]);
    await world.api.accounts.setPlan(team?.teamId ?? 0, 'county', { stateIds: [], countyIds: [OTERO] });
    await world.moveTo('2026-11-18T21:00:00.000Z'); // a process takes a key for what it was for a moment
    const narrow = await read();
    assert.deepEqual([narrow.ids, narrow.totals], [[24], [1, 1, false]]);
    assert.deepEqual((await read({ offset: 1 })).totals, [1, 0, false]);
  });

  it('that changed show on a metered plan what the pool holds, until a run or a read pays for more', async () => {
    const county = 'Mesa County';
    const line = (summary: string, more: object = {}) => projectLine(31, { county, summary, projectName: `Called ${summary}`, ...more });
    await increment(line('A', { acreage: 1 }));
    const { key, read, run } = await ran(county);
    const before = await world.balance(key);
    const shown = async (representation = 'standard') => {
      const [record] = (await read({ representation })).data;
      return [record.projectName, 'summary' in record, record.delivery.updatedSinceExport];
    };
    assert.deepEqual(await shown(), ['Called A', true, false]);
    await increment(line('B', { acreage: 2 }));
    assert.deepEqual(await shown(), ['Called A', false, true], 'its compact fields alone');
    assert.deepEqual(await shown('full'), ['Called A', false, true]);
    assert.equal(await world.balance(key), before, 'free');
    assert.equal((await world.api.get('/projects/31', {}, { key })).body.meta.creditsUsed, 1);
    assert.deepEqual(await shown(), ['Called B', true, false]);
    await increment(line('C', { acreage: 3 }));
    assert.deepEqual(await shown(), ['Called B', false, true], 'of the last delivery, not of that of the alert');
    const { creditsCharged, changedRecords } = await run();
    assert.deepEqual([creditsCharged, changedRecords], [1, 1]);
    assert.deepEqual(await shown(), ['Called C', true, false]);
    await increment(line('B', { acreage: 2 }));
    assert.deepEqual(await shown(), ['Called B', true, true], 'paid for before');
  });

  it('whose record was merged show on a metered plan what the pool holds, under the id of the survivor', async () => {
    const county = 'Garfield County';
    await increment(projectLine(41, { county, projectName: 'Held' }), projectLine(42, { county: 'Adams County', projectName: 'Unpaid' }));
    const { read } = await ran(county);
    await increment(projectLine(42, { county: 'Adams County', projectName: 'Unpaid', mergedFrom: [41, 42] }));
    const [record] = (await read()).data;
    assert.deepEqual([record.id, record.projectName, record.serviceLink], [42, 'Held', 'http://landuse.test/map?project=42']);
    assert.deepEqual([record.delivery.alreadyExported, record.delivery.updatedSinceExport], [true, true]);
  });

  it('are in the digest with their status, also one that is not known', async () => {
    const county = 'Gunnison County';
    await increment(
      projectLine(61, { county, status: 'approved' }),
      projectLine(62, { county }),
      projectLine(63, { county, status: 'unknown' }),
    );
    const { deliveryId } = await ran(county);
    const mail = (await world.mails()).find(({ event }) => event.includes(deliveryId));
    for (const [id, status] of [
      [61, 'Approved'],
      [62, 'Unknown'],
      [63, 'Unknown'],
    ])
      assert(mail?.text.includes(`Project ${id} · Gunnison County, CO · 2026-10-01 · ${status}`), mail?.text);
  });

  it('that changed show on a plan with free records what they are today', async () => {
    const county = 'Eagle County';
    await increment(projectLine(51, { county, projectName: 'Before' }));
    const { read } = await ran(county, { plan: 'national' });
    await increment(projectLine(51, { county, projectName: 'After' }));
    const [record] = (await read({ representation: 'full' })).data;
    assert.deepEqual([record.projectName, record.delivery.updatedSinceExport], ['After', true]);
  });
});
