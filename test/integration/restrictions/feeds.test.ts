/** Feeds of restrictions: a calendar of what ends and an RSS feed, read without a key by a secret that is shown once. */
import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const restriction = (id: number, more: object = {}) =>
  restrictionLine(id, { title: `Moratorium & ban ${id}`, effectiveTo: '2026-12-10', ...more });

describe('feeds of restrictions', () => {
  const world = provideWorld({ today: '2026-11-20' });
  const make = (filters: unknown, key?: string) => world.send('POST', '/restrictions/feeds', { filters }, key);
  const read = async (url: string) => {
    const answer = await fetch(url.replace('http://landuse.test', world.api.url));
    return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
  };
  const codeOf = async (url: string) => {
    const { status, text } = await read(url);
    return [status, status < 300 ? null : JSON.parse(text).error.code];
  };
  const daysOf = (text: string) => [...text.matchAll(/^DTSTART[^:]*:(\d+)/gm)].map(([, day]) => day).sort();
  const titlesOf = (text: string) =>
    [...text.matchAll(/<item>\s*<title>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?<\/title>/g)].map(([, title]) => title);

  before(() =>
    world.api.index.load(
      [
        projectLine(1),
        restriction(901),
        restriction(902, { effectiveTo: '2026-11-10', uses: [{ type: 'infrastructure', subtype: 'solar_energy' }] }),
        restriction(903, { effectiveTo: '2026-09-01' }),
        restriction(904, { effectiveTo: null, endEvent: 'until rules are adopted' }),
        restriction(905, { state: 'WY', county: 'Laramie County', jurisdiction: 'Laramie County', effectiveTo: '2027-03-01' }),
        restriction(906, { status: 'proposed' }),
      ],
      SOURCES,
    ),
  );

  it('show their addresses once, as a calendar of what ends and a feed of what happened', async () => {
    const { data: feed, meta } = bodyOf(await make({ states: ['CO'] }), 201);
    assert.match(feed.icsUrl, /^http:\/\/landuse\.test\/feeds\/restrictions\/ics\/rfs_[0-9A-Za-z]{22}$/);
    assert.deepEqual([feed.filters, meta.creditsUsed, meta.warnings], [{ states: ['CO'] }, 0, []]);
    const calendar = await read(feed.icsUrl);
    assert.deepEqual(
      [calendar.status, calendar.type, daysOf(calendar.text)],
      [200, 'text/calendar; charset=utf-8', ['20261110', '20261210']],
    );
    const rss = await read(feed.rssUrl);
    assert.deepEqual([rss.status, rss.type], [200, 'application/rss+xml; charset=utf-8']);
    const titles = titlesOf(rss.text);
    assert.deepEqual(titles.slice(0, 2), ['Expired: Moratorium & ban 902', 'Ends on 2026-12-10: Moratorium & ban 901']);
    assert(!titles.some((title) => /90[56]/.test(title ?? '')));
    const shown = { ...feed, icsUrl: null, rssUrl: null };
    assert.deepEqual(bodyOf(await world.send('GET', `/restrictions/feeds/${feed.id}`)).data, shown);
    assert.deepEqual(
      bodyOf(await world.send('GET', '/restrictions/feeds')).data.find(({ id }: Json) => id === feed.id),
      shown,
    );
  });

  it('follow an extension on the same entry, and have no restriction of other uses or places', async () => {
    const { icsUrl } = bodyOf(await make({ propertySubtypes: ['data_center'], counties: ['Boulder County, CO'] }), 201).data;
    const uidOf = (text: string) => /^UID:(.*)$/m.exec(text)?.[1];
    const before = (await read(icsUrl)).text;
    assert.deepEqual(daysOf(before), ['20261210']);
    const longer = restriction(901, { extensions: [{ on: '2026-11-18', to: '2027-02-10' }] });
    await world.api.index.load([longer, restriction(905)], { ...SOURCES, mode: 'increment' });
    const after = (await read(icsUrl)).text;
    assert.deepEqual([daysOf(after).includes('20270210'), uidOf(after)], [true, uidOf(before)]);
  });

  it('are gone when they are deleted; to other users they are not there', async () => {
    const { owner, mate } = await world.team();
    const { id, icsUrl, rssUrl } = bodyOf(await make({}, owner), 201).data;
    for (const method of ['GET', 'DELETE'] as const)
      assertRefused(await world.send(method, `/restrictions/feeds/${id}`, undefined, mate), 'resource_not_found', 'id');
    assert.deepEqual(
      [await codeOf(icsUrl), await codeOf(rssUrl)],
      [
        [200, null],
        [200, null],
      ],
    );
    assert.deepEqual(bodyOf(await world.send('DELETE', `/restrictions/feeds/${id}`, undefined, owner)).data, { id, deleted: true });
    assert.deepEqual(await codeOf(icsUrl), [404, 'resource_not_found']);
    assert.deepEqual(await codeOf('http://landuse.test/feeds/restrictions/rss/no-secret'), [404, 'resource_not_found']);
  });

  it('refuse what is no filter of places or uses by its name, and places outside the licence', async () => {
    const county = await world.api.key('county', { stateIds: [], countyIds: [8013] });
    assertRefused(await make({ acreageMin: 2 }), 'invalid_filter', 'filters.acreageMin');
    assertRefused(await make({ counties: 'No Such County' }), 'invalid_filter', 'filters.counties');
    assertRefused(await make({ states: ['WY'] }, county), 'geographic_access_denied');
    assertRefused(await make('CO'), 'invalid_request', 'filters');
    const { icsUrl } = bodyOf(await make({}, county), 201).data;
    assert(!(await read(icsUrl)).text.includes('Laramie'));
  });

  it('are read as their team may read now', async () => {
    const { owner, ownerId } = await world.team();
    const { id, icsUrl } = bodyOf(await make({}, owner), 201).data;
    const { database } = world.api;
    await database.query(`update restriction_feed set filters = '{"acreageMin": 2}' where id = $1`, [id]);
    assert.deepEqual(await codeOf(icsUrl), [410, 'feed_gone']);
    await database.query(`update restriction_feed set filters = '{}' where id = $1`, [id]);
    await database.query(`update team set status = 'lapsed' where id = (select team_id from app_user where id = $1)`, [ownerId]);
    assert.deepEqual(await codeOf(icsUrl), [402, 'subscription_required']);
  });
});
