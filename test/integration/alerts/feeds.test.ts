/** Feeds of alerts: pointers to matches for readers and calendars, well-formed whatever a project is called, and gone at once when they have to be. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { xml2js } from 'xml-js';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const HOSTILE = [
  'Plain & simple <b>bold</b>',
  ']]> ends <![CDATA[ early',
  '<script>alert("1")</script>',
  'Line\nbreak\r\nBEGIN:VEVENT\r\nUID:smuggled',
  'Comma, semicolon; backslash \\ and \\n',
  'Control \u0001\u0008\u001b\u007f\u0085 characters',
  'Not a character \uffff\ufffe and a separator \u2028\u2029',
  `Long ${'ü'.repeat(500)}`,
  '日本語 🏗️ &#0; &amp; %00',
  '"quotes\' and --> <!-- ?>',
];
const FORBIDDEN_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const line = (id: number, more = {}) => projectLine(id, { city: 'Boulder', status: 'approved', ...more });
const contact = {
  ...{ kind: 'contact', projectId: 1, name: 'Contact Person', company: 'Acme Homes LLC', email: 'person@acme.example' },
  ...{ emailConfidence: 0.9, isGovernmentStaff: false },
};

describe('feeds of alerts', () => {
  const world = provideWorld(FOR_ALERTS, [
    ...HOSTILE.map((projectName, i) => line(100 + i, { projectName })),
    ...[line(1, { contacts: [{ name: 'Contact Person' }] }), line(2, { county: 'Weld County', city: null }), contact],
  ]);

  const read = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url.replace('http://landuse.test', world.api.url), { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  /** As readers ask; fetch itself would ask for no cached answer. */
  const ifNone = (etag: string) => ({ 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
  const codeOf = async (url: string) => {
    const { status, text } = await read(url);
    return [status, status < 300 ? null : JSON.parse(text).error.code];
  };
  const feedOf = async (alertId: string, key?: string): Promise<Json> => {
    return bodyOf(await world.send('POST', `/alerts/${alertId}/feeds`, undefined, key), 201).data;
  };
  /** An alert that has run, with a feed. */
  const ran = async (ids: readonly number[], key?: string, more = {}) => {
    const { id } = await world.alerts.create({ name: 'Watch', filters: { projectIds: ids }, ...more }, key);
    assert.equal((await world.alerts.run(id, key)).body.data.status, 'completed');
    return { id, feed: await feedOf(id, key) };
  };
  const itemsOf = (rss: string): Json[] => {
    const { rss: root } = xml2js(rss, { compact: true }) as Json;
    return [root.channel.item ?? []].flat();
  };
  const textOf = (node: Json): string => [node?._cdata ?? node?._text ?? ''].flat().join('');
  /** Content lines of a calendar, unfolded. */
  const linesOf = (calendar: string) => calendar.replaceAll('\r\n ', '').split('\r\n');
  const valuesOf = (calendar: string, name: string) =>
    linesOf(calendar).flatMap((one) => (new RegExp(`^${name}[;:]`).test(one) ? [one.replace(/^[^:]*:/, '')] : []));

  it('have addresses that are shown once and kept as a keyed hash, and are read without a key', async () => {
    const key = await world.api.key('api_only');
    const { id, feed } = await ran([1, 2], key);
    assert.match(feed.id, /^fed_[0-9A-Za-z]{22}$/);
    const [, secret = ''] = /^http:\/\/landuse\.test\/feeds\/rss\/(fds_[0-9A-Za-z]{22})$/.exec(feed.rssUrl) ?? [];
    assert.deepEqual(
      [feed.jsonUrl, feed.icsUrl],
      ['json', 'ics'].map((format) => `http://landuse.test/feeds/${format}/${secret}`),
    );
    const [kept] = await world.api.database.query<{ row: string }>('select f::text as row from alert_feed f where id = $1', [feed.id]);
    assert(kept && !kept.row.includes(secret) && !kept.row.includes(Buffer.from(secret).toString('hex')));
    const { data } = (await world.send('GET', `/alerts/${id}/feeds`, undefined, key)).body as Json;
    assert.deepEqual(data, [{ id: feed.id, createdBy: data[0].createdBy, createdAt: world.now().toISOString() }]);
    const before = (await world.send('GET', '/account/credits', undefined, key)).body.data.balance;
    const types = await Promise.all(
      [feed.rssUrl, feed.jsonUrl, feed.icsUrl].map(async (url) => (await read(url)).headers.get('content-type')),
    );
    assert.deepEqual(types, ['application/rss+xml; charset=utf-8', 'application/feed+json; charset=utf-8', 'text/calendar; charset=utf-8']);
    assert.equal((await world.send('GET', '/account/credits', undefined, key)).body.data.balance, before);
  });

  it('carry title, place, date, status and link of each match, and nothing else', async () => {
    const { feed } = await ran([1, 2]);
    const [rss, json, ics] = await Promise.all([feed.rssUrl, feed.jsonUrl, feed.icsUrl].map(async (url) => (await read(url)).text));
    const items = itemsOf(rss ?? '').map((item) => Object.fromEntries(Object.entries(item).map(([name, node]) => [name, textOf(node)])));
    const details = { 1: 'Boulder, CO · 2026-10-01 · Approved', 2: 'Weld County, CO · 2026-10-01 · Approved' };
    const expected = ([2, 1] as const).map((id) => {
      const url = `http://landuse.test/map?project=${id}`;
      return { title: `Project ${id}`, link: url, guid: url, description: details[id], 'content:encoded': details[id] };
    });
    assert.deepEqual(
      items.map(({ pubDate, ...item }) => ({ ...item, dated: Number.isFinite(Date.parse(pubDate ?? '')) })),
      expected.map((item) => ({ ...item, dated: true })),
    );
    const { version, items: entries, title, feed_url: self } = JSON.parse(json ?? '');
    assert.deepEqual([version, title, self], ['https://jsonfeed.org/version/1', 'Watch', feed.jsonUrl]);
    assert.deepEqual(
      entries.map(({ date_modified: _, ...entry }: Json) => entry),
      expected.map(({ title: name, link, description }) => ({
        id: link,
        url: link,
        title: name,
        summary: description,
        content_html: description,
      })),
    );
    const names = new Set(linesOf(ics ?? '').map((one) => one.split(/[;:]/)[0]));
    const ours = ['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'LOCATION', 'DESCRIPTION', 'URL'];
    const around = ['BEGIN', 'END', 'VERSION', 'PRODID', 'NAME', 'X-WR-CALNAME', ''];
    const allDay = ['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'];
    assert.deepEqual([...names].sort(), [...ours, ...around, ...allDay].sort());
    assert.deepEqual(valuesOf(ics ?? '', 'LOCATION'), ['Weld County\\, CO', 'Boulder\\, CO']);
    for (const text of [rss, json, ics]) assert(!/Contact|acme/i.test(text ?? ''));
  });

  it('are well-formed with hostile names, of projects and of alerts', async () => {
    const ids = HOSTILE.map((_, i) => 100 + i);
    const { id, feed } = await ran(ids);
    // a name of before names were one line
    await world.api.database.query('update alert set name = $2 where id = $1', [id, 'A ]]> <b>;,\\\n\u0001\r\nX-SMUGGLED:1']);
    const [rss, json, ics] = (await Promise.all([feed.rssUrl, feed.jsonUrl, feed.icsUrl].map(async (url) => (await read(url)).text))) as [
      string,
      string,
      string,
    ];
    assert.equal(FORBIDDEN_IN_XML.exec(rss), null);
    const titles = itemsOf(rss).map(({ title }) => textOf(title));
    const shown = HOSTILE.map((name) => name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]+/gu, ' ').trim()).reverse();
    assert.deepEqual(titles, shown);
    assert.deepEqual(pluck(JSON.parse(json).items, 'title'), shown);
    for (const { description, 'content:encoded': content } of itemsOf(rss)) assert(!/[<>]/.test(textOf(description) + textOf(content)));
    const events = ids.length;
    assert.deepEqual(
      ['BEGIN', 'UID', 'SUMMARY', 'X-SMUGGLED'].map((name) => valuesOf(ics, name).length),
      [events + 1, events, events, 0],
    );
    assert.equal(valuesOf(ics, 'NAME')[0], 'A ]]> <b>\\;\\,\\\\ X-SMUGGLED:1');
    assert.deepEqual(
      valuesOf(ics, 'SUMMARY').map((text) => text.replaceAll(/\\([\\;,])/g, '$1')),
      shown,
    );
    for (const physical of ics.split('\r\n')) {
      assert(Buffer.byteLength(physical) <= 75, `${Buffer.byteLength(physical)} bytes: ${physical}`);
      assert(!/[\p{Cc}]/u.test(physical), physical);
    }
  });

  it('give a hearing as an all-day event that keeps its UID when it is put off, with a higher SEQUENCE', async () => {
    const numbered = (id: number, more = {}) => line(id, { county: 'Routt County', ...more });
    await world.api.index.load([numbered(301, { nextMeetingDate: '2026-12-31' }), numbered(302)], { mode: 'increment' });
    const { id, feed } = await ran([301, 302]);
    const calendar = async () => {
      const { text } = await read(feed.icsUrl);
      const [uids, starts, ends, sequences] = ['UID', 'DTSTART', 'DTEND', 'SEQUENCE'].map((name) => valuesOf(text, name)) as [
        string[],
        string[],
        string[],
        string[],
      ];
      const events = uids.map((uid, i) => [uid, { start: starts[i], end: ends[i], sequence: Number(sequences[i]) }] as const);
      return { text, event: Object.fromEntries(events) };
    };
    const [before, again] = [await calendar(), await calendar()];
    assert.equal(again.text, before.text);
    const [moving, still] = ['project-301@landuse.test', 'project-302@landuse.test'] as const;
    assert.deepEqual([before.event[moving]?.start, before.event[moving]?.end], ['20261231', '20270101']);
    assert.deepEqual([before.event[still]?.start, before.event[still]?.end], ['20261001', '20261002']);
    assert.match(before.text, /DTSTART;VALUE=DATE:20261231/);
    await sleep(1_000); // SEQUENCE counts seconds
    await world.api.index.load([numbered(301, { nextMeetingDate: '2027-01-14' })], { mode: 'increment' });
    await world.alerts.run(id);
    const after = await calendar();
    assert.equal(after.event[moving]?.start, '20270114');
    assert((after.event[moving]?.sequence ?? 0) > (before.event[moving]?.sequence ?? 0));
    assert.deepEqual(after.event[still], before.event[still]);
  });

  it('give a hearing on the day of the last one once the next has passed and a later one is known', async () => {
    const numbered = (id: number, more = {}) => line(id, { county: 'Grand County', ...more });
    const passed = { nextMeetingDate: '2026-11-10' };
    await world.api.index.load(
      [numbered(311, { ...passed, meetingDate: '2026-11-12' }), numbered(312, passed), numbered(313, { ...passed, meetingDate: null })],
      { mode: 'increment' },
    );
    const { feed } = await ran([311, 312, 313]);
    const { text } = await read(feed.icsUrl);
    const starts = valuesOf(text, 'UID').map((uid, i) => [Number(/\d+/.exec(uid)?.[0]), valuesOf(text, 'DTSTART')[i]]);
    assert.deepEqual(Object.fromEntries(starts), { 311: '20261112', 312: '20261110', 313: '20261110' });
  });

  it('let a hearing that was dropped before its day stand cancelled under its UID until then', async () => {
    const numbered = (id: number, more = {}) => line(id, { county: 'Grand County', ...more });
    const [dropped, held, gone] = [321, 322, 323];
    const next = { nextMeetingDate: '2026-11-20' };
    const first = [numbered(dropped, next), numbered(held, next), numbered(gone, { nextMeetingDate: '2026-11-10' })];
    await world.api.index.load(first, { mode: 'increment' });
    const key = await world.api.key('api_only');
    const { id, feed } = await ran([dropped, held, gone], key);
    const events = async (): Promise<Record<string, Json>> => {
      const { text } = await read(feed.icsUrl);
      const parts = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
      const value = (part: string, name: string) => new RegExp(`^${name}[^:\r\n]*:(.*)$`, 'm').exec(part)?.[1]?.trim();
      return Object.fromEntries(
        parts.map((part) => [
          Number(/UID:project-(\d+)/.exec(part)?.[1]),
          { day: value(part, 'DTSTART'), status: value(part, 'STATUS'), sequence: Number(value(part, 'SEQUENCE')) },
        ]),
      );
    };
    const before = await events();
    assert.deepEqual([before[dropped].day, before[dropped].status], ['20261120', undefined]);
    await sleep(1_000); // SEQUENCE counts seconds
    const second = [numbered(dropped), numbered(held, { decisions: [{ meetingDate: '2026-11-20' }] }), numbered(gone)];
    await world.api.index.load(second, { mode: 'increment' });
    // Before any run paid for the new versions: days ahead are free for records that the pool holds.
    for (const _ of ['unpaid', 'paid']) {
      const after = await events();
      assert.deepEqual([after[dropped].day, after[dropped].status], ['20261120', 'CANCELLED']);
      assert(after[dropped].sequence > before[dropped].sequence);
      // A hearing that another part of the record names is on; one whose day had passed was never cancelled.
      assert.deepEqual([after[held].status, after[gone].status, after[gone].day], [undefined, undefined, '20261001']);
      await world.alerts.run(id, key);
    }
    await world.moveTo('2026-11-21T19:00:00Z');
    const passed = (await events())[dropped];
    assert.deepEqual([passed.day, passed.status], ['20261001', undefined]);
    await world.api.index.load([numbered(dropped, { nextMeetingDate: '2026-12-15' })], { mode: 'increment' });
    const again = (await events())[dropped];
    assert.deepEqual([again.day, again.status], ['20261215', undefined]);
  });

  it('leave out what was dismissed, and answer 304 to a reader that has them', async () => {
    const { id, feed } = await ran([1, 2]);
    const { headers } = await read(feed.rssUrl);
    const etag = headers.get('etag') ?? '';
    assert.deepEqual([headers.get('cache-control'), headers.has('x-ratelimit-limit')], ['private, max-age=0', true]);
    assert.equal((await read(feed.rssUrl, ifNone(etag))).status, 304);
    await world.send('POST', `/alerts/${id}/dismissals/2`);
    const { status, text } = await read(feed.rssUrl, ifNone(etag));
    assert.deepEqual([status, itemsOf(text).map(({ title }) => textOf(title))], [200, ['Project 1']]);
  });

  describe('are gone', () => {
    it('at once for a member who opts out, is removed, or whose account is closed; those of others go on', async () => {
      const { owner, mate, mateId } = await world.team();
      const { id, feed } = await ran([1, 2], owner, { share: { mode: 'team' } });
      const ofMate = await feedOf(id, mate);
      const states = async () => [await codeOf(feed.rssUrl), await codeOf(ofMate.rssUrl)];
      const [open, closed] = [
        [200, null],
        [404, 'resource_not_found'],
      ];
      const share = (body: object) => world.send('PATCH', `/alerts/${id}`, { share: body }, owner);
      assert.deepEqual(await states(), [open, open]);
      await share({ mode: 'team', optOutUserIds: [mateId] });
      assert.deepEqual(await states(), [open, closed]);
      await share({ mode: 'custom', userIds: [mateId] });
      assert.deepEqual(await states(), [open, open]);
      await share({ mode: 'private' });
      assert.deepEqual(await states(), [open, closed]);
      await share({ mode: 'team' });
      await world.api.accounts.closeUser(mateId);
      assert.deepEqual(await states(), [open, closed]);
    });

    it('when they are revoked, by any member of the alert', async () => {
      const { owner, mate } = await world.team();
      const { id, feed } = await ran([1], owner, { share: { mode: 'team' } });
      const other = await feedOf(id, owner);
      const gone = await world.send('DELETE', `/alerts/${id}/feeds/${feed.id}`, undefined, mate);
      assert.deepEqual(gone.body.data, { id: feed.id, deleted: true });
      for (const url of [feed.rssUrl, feed.jsonUrl, feed.icsUrl]) assert.deepEqual(await codeOf(url), [404, 'resource_not_found']);
      assert.deepEqual(await codeOf(other.icsUrl), [200, null]);
      assertRefused(await world.send('DELETE', `/alerts/${id}/feeds/${feed.id}`, undefined, mate), 'resource_not_found', 'feedId');
    });

    it('for good, 410, when the alert is deleted', async () => {
      const { id, feed } = await ran([1]);
      await world.send('DELETE', `/alerts/${id}`);
      for (const url of [feed.rssUrl, feed.jsonUrl, feed.icsUrl]) assert.deepEqual(await codeOf(url), [410, 'feed_gone']);
      assertRefused(await world.send('POST', `/alerts/${id}/feeds`), 'invalid_request', 'id');
    });

    it('while the plan has lapsed; and where nobody has made one', async () => {
      const { owner, teamId } = await world.team();
      const { feed } = await ran([1], owner);
      await world.api.database.query(`update team set status = 'lapsed' where id = $1`, [teamId]);
      assert.deepEqual(await codeOf(feed.jsonUrl), [402, 'subscription_required']);
      for (const secret of ['', 'x', `fds_${'0'.repeat(22)}`, `${feed.rssUrl.split('/').at(-1)}0`, `fds_${'0'.repeat(21)}%00`])
        assert.deepEqual(await codeOf(`http://landuse.test/feeds/rss/${secret}`), [404, 'resource_not_found'], secret);
    });
  });

  it('are ten of one member at most', async () => {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: { projectIds: [1] } }, key);
    for (let n = 0; n < 10; n++) await feedOf(id, key);
    const { status, body } = await world.send('POST', `/alerts/${id}/feeds`, undefined, key);
    assert.deepEqual([status, body.error.code, body.error.details], [403, 'forbidden', { maxFeeds: 10 }]);
  });
});
