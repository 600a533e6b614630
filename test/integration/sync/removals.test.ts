/** What a copy kept by sync has to drop: removed records, and records that its filters or its licence no longer find. */
import assert from 'node:assert/strict';
import { writeCursor } from '../../../src/features/sync/cursor.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const SECRET = 'a secret of these tests, of more than 32 characters';
const TEXAS = { state: 'TX', county: 'Travis County', city: 'Austin' };
const COLORADO_ID = 8;
const MANY = 1100;

describe('GET /projects/sync and what goes', () => {
  const api = provideService(
    { today: TODAY, env: { CURSOR_SECRET: SECRET } },
    Array.from({ length: 8 }, (_, i) => project(i + 1)),
  );

  async function page(parameters: Record<string, unknown>, key?: string) {
    const body = bodyOf(await api.get('/projects/sync', { dateRange: 'all', ...parameters }, key ? { key } : {}));
    const { cursor, hasMore, removed } = body.meta.sync;
    return {
      cursor,
      hasMore,
      ids: body.data.map(({ id }: { id: number }) => id).sort(),
      removed: removed.map(({ id }: { id: number }) => id).sort(),
      told: removed,
    };
  }

  const incrementOf = (lines: object[], generation: number) => api.index.load(lines, { mode: 'increment', generation });
  const increment = (lines: object[]) => api.index.load(lines, { mode: 'increment' });

  it('tells of a record that the filters no longer find, and of its return', async () => {
    const first = await page({ states: 'CO' });
    assert.deepEqual([first.ids.length, first.removed], [8, []]);
    await increment([project(1, TEXAS), project(2, { propertyType: 'govt_decisions' }), project(50, TEXAS)]);
    const second = await page({ states: 'CO', cursor: first.cursor });
    assert.deepEqual([second.ids, second.removed], [[], [1, 2]]);
    assert.equal(second.told[0].mergedInto, null);
    assert.match(second.told[0].at, /^\d{4}-.*Z$/);
    await increment([project(1), project(2, { propertyType: 'residential' })]);
    const third = await page({ states: 'CO', cursor: second.cursor });
    assert.deepEqual([third.ids, third.removed], [[1, 2], []]);
  });

  it('tells of a record that moved out of the licence, also when it is removed there', async () => {
    const key = await api.key('state', { stateIds: [COLORADO_ID], countyIds: [] });
    const first = await page({}, key);
    await increment([project(3, TEXAS), project(4, TEXAS), project(51, TEXAS)]);
    await increment([
      { kind: 'project', id: 4, deleted: true },
      { kind: 'project', id: 51, deleted: true },
    ]);
    const second = await page({ cursor: first.cursor }, key);
    assert.deepEqual(second.removed, [3, 4]);
    assert.deepEqual((await page({ cursor: second.cursor }, key)).removed, []);
  });

  it('tells of removals only what the filters found, and what they lost between two pages', async () => {
    const homes = { states: 'CO', propertyTypes: 'residential', q: 'solar' };
    const solar = { summary: 'Homes with solar roofs.' };
    await increment([
      project(60, solar),
      project(61, { ...solar, propertyType: 'commercial' }),
      project(62, TEXAS),
      project(63, solar),
      project(64),
      project(65, solar),
      project(66, { ...solar, propertyType: 'commercial' }),
    ]);
    // The pool holds all of them, by another walk.
    let all = await page({});
    while (all.hasMore) all = await page({ cursor: all.cursor });
    let walk = await page(homes);
    assert.deepEqual(walk.ids, [60, 63, 65]);
    await increment([project(63, { summary: 'Homes.' }), project(65, { summary: 'Homes.' })]);
    await increment([60, 61, 62, 63, 64].map((id) => ({ kind: 'project', id, deleted: true })));
    walk = await page({ ...homes, cursor: walk.cursor });
    assert.deepEqual([walk.ids, walk.removed], [[], [60, 63, 65]]);
    await increment([
      { kind: 'project', id: 65, deleted: true },
      { kind: 'project', id: 66, deleted: true },
    ]);
    walk = await page({ ...homes, cursor: walk.cursor });
    assert.deepEqual(walk.removed, [], 'the walk was told of 65, and never had 66');
    assert.deepEqual((await page({ cursor: all.cursor })).removed, [60, 61, 62, 63, 64, 65, 66]);
  });

  it('tells all that went since lastUpdatedFrom to a copy made elsewhere', async () => {
    const from = new Date().toISOString();
    await increment([{ kind: 'project', id: 5, deleted: true }, project(6, { acreage: 3 })]);
    const { ids, removed, cursor } = await page({ lastUpdatedFrom: from });
    assert.deepEqual([ids, removed], [[6], [5]]);
    assert.deepEqual((await page({ cursor })).ids, []);
  });

  it('has more as long as removals are left to tell', async () => {
    await increment(Array.from({ length: MANY }, (_, i) => project(1000 + i)));
    let at = await page({});
    while (at.hasMore) at = await page({ cursor: at.cursor });
    await increment(Array.from({ length: MANY }, (_, i) => ({ kind: 'project', id: 1000 + i, deleted: true })));
    const first = await page({ cursor: at.cursor });
    assert.deepEqual([first.ids, first.hasMore], [[], true]);
    const second = await page({ cursor: first.cursor });
    assert.deepEqual([first.removed.length + second.removed.length, second.hasMore], [MANY, false]);
  });

  it('goes on over a rollback to a set that holds the same content from before', async () => {
    const covered = [project(7, { acreage: 1 }), project(8), project(60)];
    await api.index.load(covered, { generation: 2 });
    const rest = covered.slice(0, 2);
    await api.index.load([project(61), ...rest.map((line) => ({ ...line, acreage: 9 }))], { generation: 3 });
    let at = await page({});
    while (at.hasMore) at = await page({ cursor: at.cursor });
    // 7 is again what generation 2 says, 61 is gone, and generation 2 never had it; neither is told before the switch
    await api.index.load([covered[0] as object, { kind: 'project', id: 61, deleted: true }], { generation: 3, mode: 'increment' });
    const { rollBackGeneration: rollback } = await import('../../../ingest/publish/activate.ts');
    await rollback(api.index.store, api.index.clock);
    const next = await page({ cursor: at.cursor });
    assert.ok(next.ids.includes(7), 'the record is told though its content is the same in both sets');
    assert.ok(next.removed.includes(61), 'the removal is told though the set that is served now never had the record');
  });

  it('tells again what went, after a rollback to a set that had lost the record earlier', async () => {
    const { rollBackGeneration: rollback } = await import('../../../ingest/publish/activate.ts');
    const gone = (id: number) => ({ kind: 'project', id, deleted: true });
    await api.index.load([project(71), project(72)], { generation: 4 });
    await incrementOf([gone(72)], 4);
    await api.index.load([project(71)], { generation: 5 });
    await incrementOf([project(72)], 5);
    let holding = await page({});
    while (holding.hasMore) holding = await page({ cursor: holding.cursor });
    await incrementOf([gone(72)], 5);
    let told = await page({ cursor: holding.cursor });
    while (told.hasMore) told = await page({ cursor: told.cursor });
    await rollback(api.index.store, api.index.clock);
    const { removed } = await page({ cursor: holding.cursor });
    assert.ok(removed.includes(72), 'a copy that holds it is told');
    await page({ cursor: told.cursor }); // and one that was told goes on
  });

  it('names the survivor that a merged record has in the generation that is served again', async () => {
    const { rollBackGeneration: rollback } = await import('../../../ingest/publish/activate.ts');
    const catchUp = async (from?: string) => {
      const told = new Map<number, number | null>();
      for (let cursor = from, more = true; more; ) {
        const next = await page(cursor === undefined ? {} : { cursor });
        for (const { id, mergedInto } of next.told) told.set(id, mergedInto);
        [cursor, more, from] = [next.cursor, next.hasMore, next.cursor];
      }
      return { survivors: [83, 84, 85, 86].map((id) => told.get(id)), cursor: from };
    };
    await api.index.load([project(81, { mergedFrom: [81, 83, 86] }), ...[82, 83, 84, 86].map((id) => project(id))], { generation: 6 });
    const before = await catchUp();
    await incrementOf([{ kind: 'project', id: 84, deleted: true }], 6);
    const next = [
      project(81, { mergedFrom: [81], unmerge: [86] }),
      project(82, { mergedFrom: [82, 83, 84, 85] }),
      ...[83, 84, 85].map((id) => project(id)),
      { kind: 'project', id: 86, deleted: true },
    ];
    await api.index.load(next, { generation: 7 });
    const later = await catchUp(before.cursor);
    assert.deepEqual(later.survivors, [82, 82, 82, null]);
    await rollback(api.index.store, api.index.clock);
    const expected = [81, null, null, 81];
    assert.deepEqual((await catchUp(later.cursor)).survivors, expected, 'a copy that was told of another survivor');
    assert.deepEqual((await catchUp(before.cursor)).survivors, expected, 'a copy that was not');
  });

  it('does not answer from a node that is behind what the walk has seen', async () => {
    const { body } = await api.get('/projects/sync', { dateRange: 'all' });
    const { bound } = JSON.parse(Buffer.from(body.meta.sync.cursor.split('.')[0], 'base64url').toString());
    const seen = Date.parse('2199-01-01');
    const position = {
      after: null,
      removed: [0, 0] as const,
      departed: null,
      seen,
      highWater: null,
      unlisted: false,
      pageSpanMs: null,
      day: TODAY,
      rollover: null,
    };
    const lineage = await (await api.index.clock.lineage()).readCurrent();
    const mark = { lineage: lineage?.id ?? '', commit: lineage?.commits.at(-1)?.commit ?? 0 };
    const cursor = writeCursor(position, bound, SECRET, mark);
    const answer = await api.get('/projects/sync', { dateRange: 'all', cursor });
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'search_unavailable']);
  });
});
