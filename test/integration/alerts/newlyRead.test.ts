/** Why each match came, and old cases that are newly read: apart from the news, or not delivered. */
import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

/** The service day is 2026-11-18: 180 days before it is 2026-05-22. */
const [OLD, LAST_NEWS] = ['2026-05-21', '2026-05-22'];

describe('an alert and old cases that are newly read', () => {
  const world = provideWorld(FOR_ALERTS, [projectLine(1, { county: 'Adams County' })]);
  const increment = (...lines: object[]) => world.api.index.load(lines, { mode: 'increment' });

  async function alertOver(county: string, more: object = {}) {
    const key = await world.api.key('api_only');
    const alert = await world.alerts.create(
      { name: `Watch ${county}`, filters: { counties: [`${county}, CO`], dateRange: 'all' }, ...more },
      key,
    );
    const run = async (): Promise<Json> => {
      const delivery = await world.alerts.completed(alert.id, key);
      const path = `/alerts/${alert.id}/matches?deliveryId=${delivery.deliveryId}`;
      const matches = (await world.send('GET', path, undefined, key)).body.data as Json[];
      return { ...delivery, why: Object.fromEntries(matches.map(({ id, newBecause }) => [id, newBecause])) };
    };
    const change = (body: object) => world.send('PATCH', `/alerts/${alert.id}`, body, key);
    const preview = async (): Promise<Json> => (await world.send('GET', `/alerts/${alert.id}/preview`, undefined, key)).body.data;
    return { alert, key, run, change, preview };
  }
  const counts = ({ records, newRecords, changedRecords, newlyReadRecords, creditsCharged }: Json) => [
    ...[records, newRecords, changedRecords, newlyReadRecords],
    creditsCharged,
  ];

  it('says of each match why it came, and counts old cases apart from the news', async () => {
    const county = 'Larimer County';
    const of = (id: number, meetingDate: string | null, more: object = {}) => projectLine(id, { county, meetingDate, ...more });
    await increment(
      ...[of(10, '2026-11-01'), of(11, LAST_NEWS), of(12, OLD), of(13, null), of(14, OLD, { nextMeetingDate: '2026-12-01' })],
      of(15, '2020-02-01', { decisions: [{ meetingDate: '2026-11-03', decisionBody: 'City Council' }] }),
      ...[of(16, '2020-02-01', { mergedFrom: [16, 17] }), of(18, '2019-02-01')],
    );
    const { alert, run } = await alertOver(county);
    assert.equal(alert.includeNewlyRead, true);
    const first = await run();
    const news = { 10: 'new_case', 11: 'new_case', 13: 'new_case', 14: 'new_case', 15: 'new_case' };
    assert.deepEqual(first.why, { ...news, 12: 'newly_read', 16: 'newly_read', 18: 'newly_read' });
    assert.deepEqual(counts(first), [8, 5, 0, 3, 8]);
    await increment(of(10, '2026-11-01', { acreage: 3 }), of(12, OLD, { acreage: 4 }), of(19, '2018-01-01'), of(20, '2026-11-02'));
    const second = await run();
    assert.deepEqual(second.why, { 10: 'changed', 12: 'changed', 19: 'newly_read', 20: 'new_case' });
    assert.deepEqual(counts(second), [4, 1, 2, 1, 4]);
    assert.deepEqual(counts(await run()), [0, 0, 0, 0, 0]);
  });

  it('says of a record that was read before that it entered, however long ago it was heard', async () => {
    const county = 'Weld County';
    const of = (meetingDate: string) => projectLine(30, { county, meetingDate });
    await increment(of('2020-03-01'));
    const { run } = await alertOver(county, { filters: { counties: [`${county}, CO`], meetingDateFrom: '2021' } });
    assert.deepEqual(counts(await run()), [0, 0, 0, 0, 0]);
    // The date alone moves no time of change.
    await increment(of('2021-03-01'));
    const second = await run();
    assert.deepEqual([second.why, counts(second)], [{ 30: 'entered_window' }, [1, 1, 0, 0, 1]]);
  });

  it('delivers, counts and charges none where it does not want them, and all of them once it does', async () => {
    const county = 'Pueblo County';
    const of = (id: number, meetingDate: string, more: object = {}) => projectLine(id, { county, meetingDate, ...more });
    await increment(of(40, OLD), of(41, '2026-10-01'), of(42, '2019-01-01'));
    const { alert, run, change, preview } = await alertOver(county, { includeNewlyRead: false });
    assert.equal(alert.includeNewlyRead, false);
    const before = await preview();
    assert.deepEqual([before.matchCount, before.wouldDeliver, before.creditsRequired], [1, 1, 1]);
    const first = await run();
    assert.deepEqual([first.why, counts(first), first.moreMatched], [{ 41: 'new_case' }, [1, 1, 0, 0, 1], 0]);
    // What it delivered is followed, also when it has grown old; what it did not want stays away, changed or not.
    await increment(of(40, OLD, { acreage: 1 }), of(41, '2019-10-01', { acreage: 2 }), of(43, '2018-05-01'));
    const second = await run();
    assert.deepEqual([second.why, counts(second)], [{ 41: 'changed' }, [1, 0, 1, 0, 1]]);
    // A new hearing makes an old case news.
    await increment(of(42, '2026-11-10', { acreage: 5 }));
    assert.deepEqual((await run()).why, { 42: 'new_case' });
    assert.equal((await change({ includeNewlyRead: true })).body.data.includeNewlyRead, true);
    const price = await preview();
    assert.deepEqual([price.matchCount, price.creditsRequired], [2, 2]);
    await world.moveTo('2026-11-19T19:00:00Z');
    const { why, ...fourth } = await run();
    assert.deepEqual([why, counts(fourth)], [{ 40: 'newly_read', 43: 'newly_read' }, [2, 0, 0, 2, 2]]);
  });

  it('mails them in a section of their own, and names them so in its feed', async () => {
    const county = 'Mesa County';
    await increment(projectLine(50, { county }), projectLine(51, { county, meetingDate: OLD, projectName: 'Long ago' }));
    const { alert, key, run } = await alertOver(county);
    const { deliveryId } = await run();
    const mail = (await world.mails()).find(({ text }) => text.includes(deliveryId));
    const text = mail?.text ?? '';
    assert.match(text, /1 record, 1 old case newly read/);
    assert.match(text, /1 new record, 0 changed; 1 old case newly read/);
    assert.match(text, /Project 50[\s\S]*Old cases, newly read[\s\S]*Long ago/);
    const { jsonUrl } = (await world.send('POST', `/alerts/${alert.id}/feeds`, undefined, key)).body.data as Json;
    const feed = (await (await fetch(jsonUrl.replace('http://landuse.test', world.api.url))).json()) as Json;
    const told = feed.items.map((item: Json) => [item.title, item.content_html.includes('Old case, newly read')]);
    assert.deepEqual(told, [
      ['Project 50', false],
      ['Long ago', true],
    ]);
  });

  it('takes yes or no alone', async () => {
    for (const includeNewlyRead of ['yes', null, 1]) {
      const { status, body } = await world.send('POST', '/alerts', { name: 'Watch', filters: {}, includeNewlyRead });
      assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', 'includeNewlyRead']);
    }
  });
});
