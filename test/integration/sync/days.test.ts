/** A copy kept by sync while days pass: date windows end today, so that records come and go without having changed. */
import assert from 'node:assert/strict';
import { project } from '../../support/fixtures.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const noon = (day: string) => new Date(`${day}T19:00:00Z`);
const FIRST = '2026-11-20';

interface Page {
  cursor: string;
  hasMore: boolean;
  ids: number[];
  removed: number[];
  /** when they left */
  left: string[];
  billed: number;
}

describe('GET /projects/sync from one day to the next', () => {
  let today = FIRST;
  const api = provideService({ now: () => noon(today) }, [
    ...Array.from({ length: 6 }, (_, i) => project(i + 1, { meetingDate: `2026-11-2${i}` })),
    project(11, { meetingDate: '2025-11-21' }),
    project(12, { meetingDate: '2025-11-22' }),
    project(13, { meetingDate: '2026-06-01' }),
    project(30, { meetingDate: '2026-05-26', status: 'pending' }),
    { ...project(20, { meetingDate: '2026-10-01', mergedFrom: [20, 21] }), decisions: [{ meetingDate: '2026-11-24' }] },
  ]);
  beforeEach(() => {
    today = FIRST;
  });

  async function page(parameters: Record<string, unknown>, key?: string): Promise<Page> {
    const body = bodyOf(await api.get('/projects/sync', parameters, key ? { key } : {}));
    const { cursor, hasMore, removed } = body.meta.sync;
    const left = removed.map(({ at }: { at: string }) => at);
    const idsOf = (records: { id: number }[]) => records.map(({ id }) => id).sort((a, b) => a - b);
    return { cursor, hasMore, ids: idsOf(body.data), removed: idsOf(removed), left, billed: body.meta.creditsUsed };
  }

  /** Applies pages to a copy until the walk has no more. */
  async function follow(copy: Set<number>, parameters: Record<string, unknown>, key?: string): Promise<string> {
    for (let cursor = parameters.cursor; ; ) {
      const { ids, removed, hasMore, cursor: next } = await page({ ...parameters, ...(cursor ? { cursor } : {}) }, key);
      for (const id of removed) copy.delete(id);
      for (const id of ids) copy.add(id);
      cursor = next;
      if (!hasMore) return next;
    }
  }

  async function searched(parameters: Record<string, unknown> = {}): Promise<number[]> {
    const { body } = await api.get('/projects/search', parameters);
    return body.data.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
  }
  const sorted = (copy: Set<number>) => [...copy].sort((a, b) => a - b);

  for (const [name, filters] of Object.entries({
    'the default window': {},
    'a window that was asked for': { dateRange: 'last_3_months' },
    'a page of one record': { limit: 1 },
    'all that is there': { dateRange: 'all' },
    'what awaits a decision': { outcomes: 'pending', dateRange: 'all' },
    'what has fallen silent': { outcomes: 'stalled', dateRange: 'all' },
  }))
    it(`holds what a search finds, day for day: ${name}`, async () => {
      const copy = new Set<number>();
      let cursor = await follow(copy, filters);
      const { limit: _, ...searches } = filters as { limit?: number };
      for (const day of [FIRST, '2026-11-21', '2026-11-23', '2026-11-24', '2026-11-30', '2027-02-01']) {
        today = day;
        cursor = await follow(copy, { ...filters, cursor });
        assert.deepEqual(sorted(copy), await searched(searches), day);
      }
    });

  it('knows the outcome of the day', async () => {
    const ids = async (outcome: string) => (await page({ outcomes: outcome, dateRange: 'all' })).ids;
    today = '2026-11-21';
    assert.deepEqual([await ids('pending'), await ids('stalled')], [[30], []]);
    today = '2026-11-22';
    assert.deepEqual([await ids('pending'), await ids('stalled')], [[], [30]]);
  });

  it('says that records left as the day began that took them away, not when they had changed', async () => {
    const { cursor } = await page({});
    for (const [day, began] of [
      ['2026-11-23', '2026-11-23T07:00:00.000Z'],
      ['2027-06-02', '2027-06-02T06:00:00.000Z'],
    ] as const) {
      today = day;
      const { removed, left } = await page({ cursor });
      assert(removed.length);
      assert.deepEqual(new Set(left), new Set([began]));
    }
  });

  it('bills what a new day lets in once, and answers a quiet day with one page', async () => {
    const key = await api.key('api_only');
    const copy = new Set<number>();
    let cursor = await follow(copy, {}, key);
    today = '2026-11-22';
    const moved = await page({ cursor }, key);
    assert.deepEqual([moved.ids, moved.billed, moved.hasMore], [[2, 3], 2, true]);
    const rest = await page({ cursor: moved.cursor }, key);
    assert.deepEqual([rest.ids, rest.removed, rest.hasMore], [[], [], false]);
    cursor = await follow(new Set(), { dateRange: 'all', states: 'TX' }, key);
    today = '2026-11-26';
    const quiet = await page({ dateRange: 'all', states: 'TX', cursor }, key);
    assert.deepEqual([quiet.ids, quiet.hasMore], [[], false]);
  });

  it('goes on in the middle of a walk, and of telling a day, when the next day comes', async () => {
    const copy = new Set<number>();
    const filters = { limit: 2 };
    const take = async (cursor?: string) => {
      const { ids, removed, ...rest } = await page({ ...filters, ...(cursor ? { cursor } : {}) });
      for (const id of removed) copy.delete(id);
      for (const id of ids) copy.add(id);
      return rest;
    };
    let { cursor } = await take();
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25']) {
      today = day;
      ({ cursor } = await take(cursor));
    }
    await follow(copy, { ...filters, cursor });
    assert.deepEqual(sorted(copy), await searched());
  });

  it('is not turned back by a process whose clock is a day behind', async () => {
    today = '2026-11-25';
    const copy = new Set<number>();
    const { cursor, ids } = await page({ limit: 2 });
    for (const id of ids) copy.add(id);
    today = FIRST;
    const end = await follow(copy, { limit: 2, cursor });
    today = '2026-11-25';
    await follow(copy, { limit: 2, cursor: end });
    assert.deepEqual(sorted(copy), await searched());
  });

  it('holds a change that comes with the new day', async () => {
    const copy = new Set<number>();
    const cursor = await follow(copy, {});
    await api.index.load([project(3, { meetingDate: '2026-11-22', acreage: 9 }), project(13, { meetingDate: '2024-01-01', acreage: 7 })], {
      mode: 'increment',
    });
    today = '2026-11-22';
    await follow(copy, { cursor });
    assert.deepEqual(sorted(copy), await searched());
  });
});
