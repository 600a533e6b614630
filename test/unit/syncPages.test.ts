/** The pure parts of a walk: the form of cursors, the search for a page, the start of the next page, and the change of the day. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { ApiError } from '../../src/core/domain/errors.ts';
import type { FeedPage } from '../../src/core/store/elastic/changeFeed.ts';
import type { ProjectHit } from '../../src/core/store/elastic/projects.ts';
import { bindingOf, fromWritten, readCursor, toWritten, type WalkPosition, writeCursor } from '../../src/features/sync/cursor.ts';
import { finishRollover, startRollover } from '../../src/features/sync/dayRollover.ts';
import { fromKept, planSearch, positionAfter, type ShownPage, shownPage, toKept } from '../../src/features/sync/page.ts';
import { removalNotices } from '../../src/features/sync/removals.ts';
import { pluck } from '../support/lists.ts';

const SECRET = 'a secret of the tests';
const BINDING = bindingOf({ states: [8] }, null);

const position = (more: Partial<WalkPosition> = {}): WalkPosition => ({
  after: [2_000, 7],
  removed: [1_000, 3],
  departed: [2_000, 9],
  seen: 2_000,
  highWater: 2_500,
  unlisted: false,
  pageSpanMs: 40,
  day: '2026-11-20',
  rollover: null,
  ...more,
});
const ROLLOVER = { to: '2026-11-21', after: [500, 2] as const, departed: null };

/** Filters whose date window ends on the day. */
const windowed = (day: string) => ({ range: { meetingDate: { lte: day } } });
const timeless = () => ({ match_all: {} });

describe('Removals while the history of the pool cannot be read', () => {
  const removals = [{ id: 7, at: '2026-11-20T00:00:00.000Z', lastUpdated: '2026-11-20T00:00:00.000Z', matched: true }];
  const holdings = { heldAmong: () => Promise.reject(new ApiError('service_unavailable', 'The database is down.')) };
  const read = (isByIds: boolean) =>
    removalNotices(holdings, { teamId: 1, unlisted: false, departed: null, leftAt: null, isByIds }, { removals, departures: [[5, 9]] });

  it('are all named by filters, since a copy without these records ignores them', async () => {
    assert.deepEqual(pluck(await read(false), 'id'), [7, 9]);
  });

  it('are refused among ids that cost credits, of which nothing is told that was not paid for', async () => {
    await assert.rejects(read(true), { code: 'service_unavailable' });
  });
});

describe('A sync cursor', () => {
  it('reads back to the position that it was written from', () => {
    for (const written of [position(), position({ rollover: ROLLOVER }), position({ after: null, departed: null, pageSpanMs: null })])
      assert.deepEqual(readCursor(writeCursor(written, BINDING, SECRET), BINDING, SECRET), { position: written, mark: null });
  });

  it('that clients hold from before is still read, and written the same byte for byte', () => {
    const payload = {
      ...{ v: 4, bound: BINDING, after: [2_000, 7], removed: [1_000, 3], left: [2_000, 9], seen: 2_000, highWater: 2_500 },
      ...{ unlisted: false, pace: 40, day: '2026-11-20', turn: { to: '2026-11-21', after: [500, 2], left: null } },
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    const held = `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
    const { position: read } = readCursor(held, BINDING, SECRET);
    assert.deepEqual(read, position({ rollover: ROLLOVER }));
    assert.equal(writeCursor(read, BINDING, SECRET), held);
  });

  it('is refused when it was altered, or is of other filters, another licence or another secret', () => {
    const cursor = writeCursor(position(), BINDING, SECRET);
    const other = bindingOf({ states: [48] }, null);
    const narrower = bindingOf({ states: [8] }, { stateIds: [8], countyIds: [] });
    const refused = { code: 'invalid_cursor', status: 400 };
    assert.throws(() => readCursor(`x${cursor}`, BINDING, SECRET), refused);
    assert.throws(() => readCursor(`${cursor}.${cursor}`, BINDING, SECRET), refused);
    assert.throws(() => readCursor(cursor, BINDING, 'another'), refused);
    for (const binding of [other, narrower]) assert.throws(() => readCursor(cursor, binding, SECRET), refused);
  });

  it('is bound to a licence whatever the order of its places', () => {
    const of = (stateIds: number[]) => bindingOf({}, { stateIds, countyIds: [] });
    assert.equal(of([8, 48]), of([48, 8]));
    assert.notEqual(of([8, 48]), of([8]));
  });

  it('keeps the names of what is written apart from those of the code', () => {
    assert.deepEqual(Object.keys(toWritten(position())), [
      ...['after', 'removed', 'left', 'seen', 'highWater', 'unlisted', 'pace', 'day', 'turn'],
    ]);
    assert.deepEqual(fromWritten(toWritten(position({ rollover: ROLLOVER }))), position({ rollover: ROLLOVER }));
  });
});

describe('A new day of a walk', () => {
  it('begins a rollover if its date windows find other records', () => {
    const started = startRollover(position(), '2026-11-21', windowed);
    assert.deepEqual(started, position({ rollover: { to: '2026-11-21', after: null, departed: null } }));
  });

  it('is only noted if the windows do not move, or if nothing was served yet', () => {
    assert.deepEqual(startRollover(position(), '2026-11-21', timeless), position({ day: '2026-11-21' }));
    assert.deepEqual(startRollover(position({ after: null }), '2026-11-21', windowed), position({ after: null, day: '2026-11-21' }));
  });

  it('changes nothing on the same day, for a clock that is behind, and while another day is being served', () => {
    for (const today of ['2026-11-20', '2026-11-19']) assert.deepEqual(startRollover(position(), today, windowed), position());
    const under = position({ rollover: ROLLOVER });
    assert.equal(startRollover(under, '2026-11-22', windowed), under);
  });

  it('looks behind the walk for what it lets in, and for what it drops', () => {
    const sought = planSearch(position({ rollover: ROLLOVER }), windowed);
    const behind = { range: { lastUpdated: { lte: new Date(2_000).toISOString() } } };
    assert.deepEqual(sought, {
      query: { bool: { filter: [windowed('2026-11-21'), behind], must_not: [windowed('2026-11-20')] } },
      departedQuery: { bool: { filter: [windowed('2026-11-20'), behind], must_not: [windowed('2026-11-21')] } },
      after: [500, 2],
      departed: [0, 0],
    });
  });

  it('is the day of the walk once it was served', () => {
    assert.deepEqual(finishRollover(position({ rollover: ROLLOVER })), position({ day: '2026-11-21' }));
    assert.deepEqual(finishRollover(position()), position());
  });
});

describe('A page of a walk', () => {
  it('looks first through a few pages of changes beyond the last, and everywhere where that is not known', () => {
    assert.deepEqual(planSearch(position(), windowed), {
      ...{ query: windowed('2026-11-20'), after: [2_000, 7], departed: [2_000, 9], lookUntilMs: 2_000 + 4 * 40 + 10 },
    });
    assert.equal(planSearch(position({ pageSpanMs: null }), windowed).lookUntilMs, undefined);
    assert.equal(planSearch(position({ after: null }), windowed).lookUntilMs, undefined);
  });

  const iso = (ms: number) => new Date(ms).toISOString();
  const removal = (id: number, ms: number) => ({ id, at: iso(ms), lastUpdated: iso(1_000), matched: true });
  const hit = (id: number, ms?: number) =>
    ({ project: { id, ...(ms === undefined ? {} : { lastUpdated: iso(ms) }) }, matched: [], sort: [] }) as unknown as ProjectHit;
  const feedPage = (hits: ProjectHit[], more: Partial<FeedPage> = {}): FeedPage => ({
    ...{
      hits,
      total: 0,
      totalIsExact: false,
      highWater: iso(5_000),
      seen: 6_000,
      load: 0,
      removals: [],
      departures: [],
      moreToDrop: false,
    },
    ...more,
  });
  const shownOf = (page: FeedPage, hits: ProjectHit[], start = position()): ShownPage =>
    shownPage(page, hits, { start, bound: BINDING, removed: [], mark: null });

  it('knows its places, what lies beyond it, and what cannot be placed', () => {
    const hits = [hit(1, 3_000), hit(2, 3_100), hit(3, 3_100), hit(4)];
    const shown = shownOf(feedPage(hits, { removals: [removal(5, 4_000)], departures: [[4_100, 6]] }), hits.slice(0, 2));
    assert.deepEqual(shown.positions, [
      [3_000, 1],
      [3_100, 2],
    ]);
    assert.deepEqual([shown.further, shown.scanned, shown.unpositionable], [true, 4, 1]);
    assert.deepEqual(
      [shown.lastRemoval, shown.lastDeparture],
      [
        [4_000, 5],
        [4_100, 6],
      ],
    );
    assert.equal(shownOf(feedPage(hits.slice(0, 2)), hits.slice(0, 2)).further, false);
    assert.equal(shownOf(feedPage(hits.slice(0, 2), { moreToDrop: true }), hits.slice(0, 2)).further, true);
  });

  it('goes forward from what the walk showed before, or is refused before it is charged', () => {
    const show = (hits: ProjectHit[], start = position()) => shownOf(feedPage(hits), hits, start);
    assert.throws(() => show([hit(7, 2_000)]), /shows 2000,7 after 2000,7/);
    assert.throws(() => show([hit(9, 1_000)]), /after 2000,7/);
    assert.throws(() => show([hit(1, 3_100), hit(2, 3_000)]), /shows 3000,2 after 3100,1/);
    assert.equal(show([hit(8, 2_000)]).positions.length, 1);
    assert.equal(show([hit(3, 500)], position({ rollover: ROLLOVER })).positions.length, 1, 'a rollover has a place of its own');
    assert.equal(show([hit(1, 5)], position({ after: null })).positions.length, 1);
  });

  it('is followed by the one after its last delivered record', () => {
    const hits = [hit(1, 3_000), hit(2, 3_100), hit(3, 3_250)];
    const shown = shownOf(feedPage(hits, { removals: [removal(5, 7_000)] }), hits);
    const end = positionAfter(shown, 3);
    assert.deepEqual(end, position({ after: [3_250, 3], removed: [7_000, 5], seen: 7_000, highWater: 5_000, pageSpanMs: null }));
    const cut = positionAfter(shown, 2);
    assert.deepEqual([cut.after, cut.pageSpanMs], [[3_100, 2], 100], 'a page that was cut goes on from where it was');
  });

  it('without records stays in its place, and looks for departures from what the first page saw', () => {
    const end = positionAfter(shownOf(feedPage([]), [], position({ departed: null })), 0);
    assert.deepEqual([end.after, end.departed, end.seen], [[2_000, 7], [6_000, Number.MAX_SAFE_INTEGER], 6_000]);
  });

  it('of a rollover leaves the place in the walk, and ends the rollover when nothing is left of it', () => {
    const start = position({ rollover: ROLLOVER });
    const hits = [hit(1, 900), hit(2, 950)];
    const more = positionAfter(shownOf(feedPage([...hits, hit(3, 960)]), hits, start), 2);
    assert.deepEqual([more.after, more.day, more.rollover], [[2_000, 7], '2026-11-20', { ...ROLLOVER, after: [950, 2] }]);
    const end = positionAfter(shownOf(feedPage(hits), hits, start), 2);
    assert.deepEqual([end.after, end.day, end.rollover], [[2_000, 7], '2026-11-21', null]);
  });

  it('is kept under the names of before, and a page that was cut has more beyond it', () => {
    const hits = [hit(1, 3_000), hit(2, 3_100)];
    const shown = shownOf(feedPage(hits), hits, position({ rollover: ROLLOVER }));
    const kept = JSON.parse(JSON.stringify(toKept(shown)));
    assert.deepEqual(Object.keys(kept).sort(), [
      ...'bound further highWater lastLeft lastRemoved mark positions removed scanned seen start unpositionable'.split(' '),
    ]);
    assert.deepEqual(fromKept(kept, 2), shown);
    const cut = fromKept(kept, 1);
    assert.deepEqual([cut.positions, cut.further], [[[3_000, 1]], true]);
  });
});
