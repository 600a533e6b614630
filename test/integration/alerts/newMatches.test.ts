/** What a run follows: everything that was indexed since the last one, whether its time of change moved or not. */
import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { projectLine } from '../../support/projectLine.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

describe('a run of an alert', () => {
  const world = provideWorld(FOR_ALERTS, [projectLine(1, { county: 'Adams County' })]);

  const increment = (...lines: object[]) => world.api.index.load(lines, { mode: 'increment' });
  const lastUpdated = async (id: number) => (await world.api.get(`/projects/${id}`, {})).body.data.lastUpdated;

  /** An alert over one county that has run. */
  async function alertOver(county: string, filters: object = {}) {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: { counties: [`${county}, CO`], ...filters } }, key);
    const run = async () => {
      const delivery = await world.alerts.completed(id, key);
      return { ...delivery, ids: await world.alerts.matches(id, { deliveryId: delivery.deliveryId }, key) };
    };
    const first = await run();
    return { id, key, run, first };
  }

  it('delivers what newly matches by its meeting date alone, and nothing again whose date moved', async () => {
    const county = 'Larimer County';
    const of = (id: number, meetingDate: string) => projectLine(id, { county, meetingDate });
    await increment(of(10, '2020-03-01'), of(11, '2026-10-01'));
    const { id, key, run, first } = await alertOver(county);
    assert.deepEqual(first.ids, [11]);
    const before = await lastUpdated(10);
    await increment(of(10, '2026-10-02'), of(11, '2026-10-03'));
    assert.equal(await lastUpdated(10), before, 'no revision, no time of change');
    const preview = (await world.send('GET', `/alerts/${id}/preview`, undefined, key)).body.data;
    assert.deepEqual([preview.matchCount, preview.creditsRequired], [1, 1]);
    const second = await run();
    assert.deepEqual([second.ids, second.newRecords, second.creditsCharged], [[10], 1, 1]);
    assert.deepEqual((await run()).ids, []);
  });

  it("delivers what newly matches by a land use's role alone", async () => {
    const county = 'Weld County';
    const of = (role: string) =>
      projectLine(20, {
        county,
        landUses: [
          { type: 'residential', role: 'primary' },
          { type: 'commercial', subtype: 'retail', role: 'secondary' },
          { type: 'commercial', subtype: 'office', role },
        ],
      });
    await increment(of('other'));
    const { run, first } = await alertOver(county, { propertySubtypes: ['office'] });
    assert.deepEqual(first.ids, []);
    const before = await lastUpdated(20);
    await increment(of('secondary'));
    assert.equal(await lastUpdated(20), before);
    assert.deepEqual((await run()).ids, [20]);
    assert.deepEqual((await run()).ids, []);
  });

  it('delivers a survivor whose family newly matches', async () => {
    const county = 'Pueblo County';
    const of = (id: number, more: object = {}) => projectLine(id, { county, ...more });
    await increment(of(30, { meetingDate: '2019-01-01' }), of(31));
    const { run, first } = await alertOver(county);
    assert.deepEqual(first.ids, [31]);
    await increment(of(30, { meetingDate: '2019-01-01', mergedFrom: [30, 31] }));
    assert.deepEqual((await run()).ids, [30]);
  });

  it('delivers nothing again that is back as it was delivered: after a merge that was undone, a deletion, or a change and its correction', async () => {
    const county = 'Otero County';
    const of = (id: number, more: object = {}) => projectLine(id, { county, ...more });
    await increment(of(50), of(51), of(52), of(53, { acreage: 1 }));
    const { run, first } = await alertOver(county);
    assert.deepEqual(first.ids, [53, 52, 51, 50]);
    await increment(of(50, { mergedFrom: [50, 51] }), { kind: 'project', id: 52, deleted: true }, of(53, { acreage: 2 }));
    await increment(of(50, { unmerge: [51] }), of(52), of(53, { acreage: 1 }));
    assert.deepEqual((await run()).ids, []);
    await increment(of(50, { mergedFrom: [50, 51] }));
    assert.deepEqual((await run()).ids, [50]);
    await increment(of(50, { unmerge: [51] }));
    await world.moveTo('2026-11-19T19:00:00.000Z'); // a day has so many runs by hand
    const { ids, creditsCharged } = await run();
    assert.deepEqual([ids, creditsCharged], [[50], 0], 'which was delivered last as it was merged');
  });

  it('says which fields changed: in matches, the delivery, the digest and feeds', async () => {
    const county = 'Grand County';
    const of = (id: number, more: object = {}) => projectLine(id, { county, ...more });
    await increment(of(60, { acreage: 1, status: 'pending' }), of(61));
    const { id, key, run, first } = await alertOver(county);
    assert.deepEqual([first.newRecords, first.changedFields], [2, []]);
    const feed = (await world.send('POST', `/alerts/${id}/feeds`, {}, key)).body.data;
    await increment(of(60, { acreage: 2, status: 'pending' }), of(62));
    await increment(of(60, { acreage: 2, status: 'approved', totalUnitCount: 9 }));
    const second = await run();
    const changed = ['acreage', 'status', 'totalUnitCount'];
    assert.deepEqual([second.newRecords, second.changedRecords, second.changedFields], [1, 1, changed]);
    const { data } = (await world.send('GET', `/alerts/${id}/matches?representation=compact`, undefined, key)).body;
    const fieldsOf = new Map(data.map((match: { id: number; changedFields: unknown }) => [match.id, match.changedFields]));
    assert.deepEqual(
      fieldsOf,
      new Map<number, unknown>([
        [60, changed],
        [61, null],
        [62, null],
      ]),
    );
    const { body: read } = await world.send('GET', `/alerts/${id}/deliveries/${second.deliveryId}`, undefined, key);
    assert.deepEqual(read.data.changedFields, changed);
    const said = 'Changed: acreage, status, total unit count';
    const mail = (await world.mails()).findLast(({ topic }) => topic.includes(id));
    assert.equal(mail?.text.split(said).length, 2, mail?.text);
    for (const [url, folded] of [
      [feed.rssUrl, false],
      [feed.jsonUrl, false],
      [feed.icsUrl, true],
    ] as const) {
      const text = await (await fetch(url.replace('http://landuse.test', world.api.url))).text();
      assert.ok((folded ? text.replaceAll(/\r\n[ \t]/g, '').replaceAll('\\,', ',') : text).includes(said), text);
    }
  });

  it('delivers what a return to the generation before brings back, though its content is the same', async () => {
    const county = 'Mesa County';
    const of = (meetingDate: string) => [projectLine(1, { county: 'Adams County' }), projectLine(40, { county, meetingDate })];
    await world.api.index.load(of('2026-10-01'), { generation: 2 });
    await world.api.index.load(of('2019-10-01'), { generation: 3 });
    const { run, first } = await alertOver(county);
    assert.deepEqual(first.ids, []);
    await rollBackGeneration(world.api.index.store, world.api.index.clock);
    assert.deepEqual((await run()).ids, [40]);
    await world.api.index.load(of('2026-10-01'), { generation: 4 });
    assert.deepEqual((await run()).ids, [], 'delivered as it is');
  });
});
