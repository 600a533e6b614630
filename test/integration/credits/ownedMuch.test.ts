/** A pool that owns more than a count sends: its counts stay exact whatever is delivered, loaded, rolled back and given back. */
import assert from 'node:assert/strict';
import { revisionHash } from '../../../src/core/domain/record/revisionHash.ts';
import { HeldNumbers } from '../../../src/core/ledger/heldNumbers.ts';
import type { Clause } from '../../../src/core/query/clauses.ts';
import { countHeld, SENT_WHOLE_MAX } from '../../../src/core/search/countHeld.ts';
import { ProjectStore } from '../../../src/core/store/elastic/projects.ts';
import { deliverUnserved } from '../../support/deliveries.ts';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provide } from '../../support/provide.ts';
import { bodyOf, type TestService, testService } from '../../support/service.ts';

const TODAY = '2026-11-20';
const RECORDS = 80;
const EVERYTHING = { dateRange: 'all', includeGovernmentDecisions: 'true' };
const WHOLE: Clause = { match_all: {} };
const SEARCH_TIMEOUT_MS = 30_000;

describe('The price for a pool that owns much', () => {
  const api = provide(() => testService({ today: TODAY }));
  let key: string;
  let other: Awaited<ReturnType<TestService['another']>>;

  const load = (ids: number[], summary: string, mode: 'full' | 'increment') =>
    api.index.load(
      ids.map((id) => ({ ...projectLine(id), summary })),
      { mode },
    );
  const all = Array.from({ length: RECORDS }, (_, i) => i + 1);
  const priceIn = async (one: Pick<TestService, 'get'>, more: object = {}) => {
    const body = bodyOf(await one.get('/projects/count', { ...EVERYTHING, ...more }, { key }));
    return [body.data.matchCount, body.data.billableRecordCount];
  };
  /** In both processes, each of them asked twice: the second time it counts on from the first. */
  async function priced(matchCount: number, billable: number, about: string): Promise<void> {
    for (const one of [api, other, api, other]) assert.deepEqual(await priceIn(one), [matchCount, billable], about);
  }
  const buy = async (projectIds: number[]) => {
    const body = bodyOf(await api.get('/projects/search', { ...EVERYTHING, projectIds }, { key }));
    return body.meta.creditsUsed as number;
  };

  /** What an answer says, but for the balance of who asked. */
  const meaning = ({ status, body }: Json) => {
    assert.equal(status, 200, JSON.stringify(body));
    const { requestId: _, creditsRemaining: __, ...meta } = body.meta;
    const data = Array.isArray(body.data) ? body.data : [body.data.matchCount, body.data.billableRecordCount];
    return { status, data, meta };
  };

  before(async () => {
    await load(all, 'as it was', 'full');
    other = await api.another();
    key = await api.key('api_only', undefined, { monthlyCredits: 1_000 });
    await deliverUnserved(api.database, (await api.accounts.teams()).at(-1)?.id ?? 0, SENT_WHOLE_MAX + 1);
  });
  after(() => other.stop());

  it('follows deliveries, changes, changes back and records that go', async () => {
    await priced(RECORDS, RECORDS, 'nothing of it is held');
    assert.equal(await buy(all.slice(0, 30)), 30);
    await priced(RECORDS, 50, 'thirty are held');
    assert.deepEqual(await priceIn(api, { states: 'TX' }), await priceIn(other, { states: 'TX' }));
    await load(all.slice(20, 40), 'changed', 'increment');
    await priced(RECORDS, 60, 'ten of them have changed');
    assert.equal(await buy(all.slice(20, 25)), 5);
    await priced(RECORDS, 55, 'five were paid again');
    await load(all.slice(20, 40), 'as it was', 'increment');
    await priced(RECORDS, 50, 'what was paid before they changed is served again');
    await api.index.load(
      all.slice(0, 10).map((id) => ({ kind: 'project', id, deleted: true })),
      { mode: 'increment' },
    );
    await priced(RECORDS - 10, 50, 'ten that were held are gone');
    assert.equal(await buy(all.slice(10, 60)), 30);
    await priced(RECORDS - 10, 20, 'the last twenty are left');
  });

  it('counts the same by reading the matches, by sending what is held, and on from an earlier count', async () => {
    const store = new ProjectStore(api.index.client, api.index.names, SEARCH_TIMEOUT_MS);
    const revisions: string[] = [];
    for await (const page of store.listNumbers('derived.revisionHash', WHOLE, RECORDS)) revisions.push(...page);
    assert.equal(new Set(revisions).size, RECORDS - 10);
    const unserved = Array.from({ length: 700 }, (_, i) => revisionHash(-i, 'r'));
    const count = async (queries: Clause[]) => ({ counts: await store.counts(queries) });
    const unchanged = async (held: HeldNumbers) =>
      (await countHeld(store, held.makeView(), { query: WHOLE, field: 'derived.revisionHash' }, count)).heldCount;
    for (const others of [0, unserved.length]) {
      const held = new HeldNumbers();
      held.add([...revisions.slice(0, 12), ...unserved.slice(0, others)]);
      assert.equal(await unchanged(held), 12);
      held.add([...revisions.slice(10, 33), ...unserved]);
      assert.equal(await unchanged(held), 33);
      assert.equal(await unchanged(held), 33);
    }
  });

  it('withholds under deliveryMode=new what was ever delivered, page by page, in a count and in a file, as for a pool that owns little', async () => {
    const [much, little] = [key, await api.key('api_only', undefined, { monthlyCredits: 1_000 })];
    const asked = { ...EVERYTHING, deliveryMode: 'new', representation: 'compact' };
    const everything = (await api.get('/projects/search', { ...EVERYTHING, limit: 100 }, { key: much })).body.data as { id: number }[];
    assert.equal(everything.length, RECORDS - 10);
    assert.equal((await api.get('/projects/search', { ...EVERYTHING, limit: 100 }, { key: little })).status, 200);
    await api.index.load(
      [...Array.from({ length: 40 }, (_, i) => projectLine(201 + i)), { ...projectLine(everything[0]?.id ?? 0), summary: 'changed again' }],
      {
        mode: 'increment',
      },
    );
    for (const more of [{}, { sort: 'acreage', order: 'asc' }, { states: 'TX' }, { status: 'approved', sort: 'lastUpdated' }]) {
      const [first, second] = await Promise.all(
        [much, little].map((one) => api.get('/projects/count', { ...asked, ...more }, { key: one })),
      );
      assert.deepEqual(meaning(first), meaning(second), JSON.stringify(more));
      const pages = await Promise.all(
        [much, little].map((one) => api.get('/projects/search', { ...asked, ...more, limit: 7 }, { key: one })),
      );
      assert.deepEqual(meaning(pages[0]), meaning(pages[1]), JSON.stringify(more));
    }
    const seen = new Set<number>();
    for (let hasMore = true; hasMore; ) {
      const body = bodyOf(await api.get('/projects/search', { ...asked, limit: 9 }, { key: much }));
      for (const { id } of body.data) seen.add(id);
      hasMore = body.meta.hasMore;
    }
    const [left] = [(await api.get('/projects/count', { ...EVERYTHING, deliveryMode: 'new' }, { key: much })).body];
    assert.deepEqual([left.data.matchCount, left.data.creditsRequired], [0, 0]);
    assert(seen.size > 10, String(seen.size));
    const none = await api.get('/projects/search', { ...EVERYTHING, deliveryMode: 'new', format: 'csv' }, { key: much });
    assert.deepEqual([none.status, none.body.data?.status], [200, 'no_matching_rows'], JSON.stringify(none.body));
  });
});
