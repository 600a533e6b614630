import assert from 'node:assert/strict';
import { rollBackGeneration } from '../../../ingest/publish/activate.ts';
import { projectLine as project } from '../../support/projectLine.ts';
import { provideService, type TestAnswer, type TestService } from '../../support/service.ts';

const SECRET = 'the secret of these tests, of more than 32 characters';

const TODAY = '2026-11-20';

const many = (from: number, count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, i) => project(from + i, more));

/** A client's copy: records by id, kept by following cursors. */
class Copy {
  readonly records = new Map<number, Record<string, unknown>>();
  cursor: string | undefined;
  pages = 0;
  readonly #api: TestService;
  readonly #parameters: Record<string, unknown>;

  constructor(api: TestService, parameters: Record<string, unknown>) {
    this.#api = api;
    this.#parameters = parameters;
  }

  async page(): Promise<TestAnswer> {
    const answer = await this.#api.get('/projects/sync', { ...this.#parameters, ...(this.cursor ? { cursor: this.cursor } : {}) });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    for (const { id } of answer.body.meta.sync.removed) this.records.delete(id);
    for (const record of answer.body.data) this.records.set(record.id, record);
    this.cursor = answer.body.meta.sync.cursor;
    this.pages += 1;
    return answer;
  }

  async catchUp(): Promise<void> {
    while ((await this.page()).body.meta.sync.hasMore);
  }

  acreages() {
    return Object.fromEntries([...this.records].sort(([a], [b]) => a - b).map(([id, record]) => [id, record.acreage]));
  }
}

describe('GET /projects/sync', () => {
  const api = provideService({ today: TODAY, env: { CURSOR_SECRET: SECRET } }, many(1, 250, { acreage: 1 }));

  it('walks everything once, in order, and then only what changed', async () => {
    const copy = new Copy(api, { limit: 40 });
    const seen: [string, number][] = [];
    let answer = await copy.page();
    for (;;) {
      seen.push(...answer.body.data.map((record: { lastUpdated: string; id: number }) => [record.lastUpdated, record.id]));
      if (!answer.body.meta.sync.hasMore) break;
      answer = await copy.page();
    }
    assert.equal(seen.length, 250);
    const inOrder = seen.toSorted(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j));
    assert.deepEqual(seen, inOrder);
    const { sync } = answer.body.meta;
    assert.deepEqual([sync.emitted, sync.pageSize, sync.watermark, copy.pages], [10, 40, sync.highWater, 7]);
    const idle = await copy.page();
    assert.deepEqual([idle.body.data, idle.body.meta.sync.hasMore, idle.body.meta.sync.watermark], [[], false, null]);
    await api.index.load([project(7, { acreage: 2 }), project(900, { acreage: 3 })], { mode: 'increment' });
    const next = await copy.page();
    assert.deepEqual(next.body.data.map((record: { id: number }) => record.id).sort(), [7, 900]);
    await api.index.load([{ kind: 'project', id: 900, deleted: true }, project(7, { acreage: 1 })], { mode: 'increment' });
    await copy.catchUp();
    assert.ok(!copy.records.has(900));
  });

  /** Caught up, a copy has what one has that begins now. */
  async function assertWhole(copy: Copy): Promise<void> {
    await copy.catchUp();
    const truth = new Copy(api, {});
    await truth.catchUp();
    assert.deepEqual(copy.acreages(), truth.acreages());
  }

  it('loses nothing while loads are committed between its pages', async () => {
    const copy = new Copy(api, { limit: 25 });
    for (let round = 0; round < 12; round++) {
      await copy.page();
      const ids = [1 + round, 250 - round, 1000 + round];
      const changed = ids.map((id, i) => project(id, { acreage: 100 * (i + 1) + round }));
      await api.index.load(changed, { mode: 'increment' });
      if (round % 4 === 3) await api.index.load([{ kind: 'project', id: 100 + round, deleted: true }], { mode: 'increment' });
    }
    await assertWhole(copy);
  });

  it('follows generations, merges and a rollback', async () => {
    const copy = new Copy(api, { limit: 60 });
    await copy.catchUp();
    await api.index.load([...many(1, 200, { acreage: 5 }), project(300, { mergedFrom: [200, 300], acreage: 6 })], { generation: 2 });
    await assertWhole(copy);
    assert.ok(!copy.records.has(200) && copy.records.has(300));
    assert.equal(copy.records.get(230)?.acreage, null);
    await rollBackGeneration(api.index.store, api.index.clock);
    await assertWhole(copy);
    assert.ok(copy.records.has(200) && !copy.records.has(300));
  });

  it('binds a cursor to filters and licence, and signs it', async () => {
    const { body } = await api.get('/projects/sync', { states: 'CO', limit: 5 });
    const { cursor } = body.meta.sync;
    assert.equal((await api.get('/projects/sync', { state: 'Colorado', limit: 9, cursor })).status, 200);
    const key = await api.key('state', { stateIds: [8], countyIds: [] });
    const refused = [
      await api.get('/projects/sync', { states: 'TX', cursor }),
      await api.get('/projects/sync', { states: 'CO', cursor }, { key }),
      await api.get('/projects/sync', { states: 'CO', cursor: `${cursor.slice(0, -2)}xx` }),
      await api.get('/projects/sync', { states: 'CO', cursor: 'nonsense' }),
    ];
    for (const { status, body: answer } of refused) {
      assert.deepEqual([status, answer.error.code], [400, 'invalid_cursor']);
      assert.match(answer.error.details.recovery, /without cursor/);
    }
  });

  it('binds a cursor to what the filters mean, not to how they are written', async () => {
    const { body } = await api.get('/projects/sync', { states: 'CO,TX', type: 'residential', limit: 5 });
    const { cursor } = body.meta.sync;
    const same = [
      { states: 'TX,CO', propertyTypes: 'Residential' },
      { stateIds: [48, 8], type: 'residential', dateRange: 'last_1_year', taxonomyMatchMode: 'primary_or_secondary' },
      { states: 'CO,TX', type: 'residential', includeCivic: false, subtype: 'multifamily', representation: 'compact' },
    ];
    for (const parameters of same) assert.equal((await api.get('/projects/sync', { ...parameters, cursor })).status, 200);
    for (const other of [{ dateRange: 'all' }, { taxonomyMatchMode: 'any' }, { includeGovernmentDecisions: true }]) {
      const { status, body: answer } = await api.get('/projects/sync', { states: 'CO,TX', type: 'residential', ...other, cursor });
      assert.deepEqual([status, answer.error?.code], [400, 'invalid_cursor']);
    }
  });

  it('seeds the first page with lastUpdatedFrom and refuses what has no meaning here', async () => {
    const { body } = await api.get('/projects/sync', { lastUpdatedFrom: '2031' });
    assert.deepEqual([body.data, body.meta.sync.hasMore], [[], false]);
    for (const parameters of [{ sort: 'acreage' }, { order: 'asc' }, { offset: 0 }, { page: 1 }, { deliveryMode: 'new' }, { limit: 0 }]) {
      const { status, body: answer } = await api.get('/projects/sync', parameters);
      assert.deepEqual([status, answer.error.code, answer.error.param], [400, 'invalid_request', Object.keys(parameters)[0]]);
    }
  });

  it('meters as search does, and a re-walk of unchanged records is free', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 60 });
    const first = await api.get('/projects/sync', { limit: 50 }, { key });
    assert.deepEqual([first.body.meta.creditsUsed, first.body.meta.creditsRemaining], [50, 10]);
    const refused = await api.get('/projects/sync', { limit: 50, cursor: first.body.meta.sync.cursor }, { key });
    assert.deepEqual([refused.status, refused.body.error.details.quote.affordableRecordCount], [402, 10]);
    assert.equal((await api.get('/projects/sync', { limit: 50 }, { key })).body.meta.creditsUsed, 0);
  });
});

describe('GET /projects/sync under an Idempotency-Key', () => {
  const api = provideService({ today: TODAY }, many(1, 70, { acreage: 1 }));

  const ids = ({ body }: TestAnswer) => body.data.map(({ id }: { id: number }) => id);
  const metered = ({ status, body }: TestAnswer) => `${status}, ${body.meta?.creditsUsed}`;
  const page = (key: string, name: string, parameters: Record<string, unknown> = {}) =>
    api.get('/projects/sync', { limit: 20, ...parameters }, { key, headers: { 'Idempotency-Key': name } });

  it('repeats the page as it was committed, without charge, and the walk goes on from it', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 500 });
    const first = await page(key, 'a');
    const { cursor } = first.body.meta.sync;
    const second = await page(key, 'b', { cursor });
    const [one, gone] = [ids(second)[0], ids(second)[1]];
    await api.index.load([project(one, { acreage: 9 }), { kind: 'project', id: gone, deleted: true }], { mode: 'increment' });
    const again = await page(key, 'b', { cursor });
    assert.deepEqual([first, second, again].map(metered), ['200, 20', '200, 20', '200, 0']);
    const left = ids(second).filter((id: number) => id !== gone && id !== one);
    assert.deepEqual(ids(again), left);
    assert.deepEqual(again.body.meta.delivery.changedSince, [one]);
    const told = { ...again.body.meta.sync, emitted: 20 };
    assert.deepEqual(told, { ...second.body.meta.sync, emitted: 20 }, 'the same cursor, so that what changed since is told on the way');
    const rest = new Copy(api, { limit: 100 });
    rest.cursor = again.body.meta.sync.cursor;
    await rest.catchUp();
    assert.equal(rest.records.get(one)?.acreage, 9);
    assert.equal((await page(key, 'b')).body.error.code, 'idempotency_key_reuse');
  });

  it('repeats a truncated trial page, from which the walk goes on where it was cut', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    await page(key, 'x', { limit: 40 });
    const cut = await page(key, 'cut', { limit: 40, cursor: (await page(key, 'x', { limit: 40 })).body.meta.sync.cursor });
    const again = await page(key, 'cut', { limit: 40, cursor: (await page(key, 'x', { limit: 40 })).body.meta.sync.cursor });
    assert.deepEqual([cut, again].map(metered), ['200, 10', '200, 0']);
    assert.deepEqual(ids(again), ids(cut));
    for (const name of ['cursor', 'hasMore', 'watermark']) assert.equal(again.body.meta.sync[name], cut.body.meta.sync[name], name);
    assert.equal(cut.body.meta.sync.hasMore, true);
  });

  it('is free again if nothing was committed', async () => {
    const key = await api.key('api_only', undefined, { monthlyCredits: 5 });
    assert.equal((await page(key, 'n')).status, 402);
    assert.equal(metered(await page(key, 'n', { limit: 5 })), '200, 5');
  });
});

describe('GET /projects/sync at a tie', () => {
  const api = provideService({ today: TODAY, env: { SYNC_TIE_LIMIT: '50' } }, many(1, 90));

  it('is refused when more records than the limit share one timestamp', async () => {
    const { status, body } = await api.get('/projects/sync', { limit: 20 });
    assert.deepEqual([status, body.error.code], [503, 'sync_tie_unresolved']);
    assert.match(body.error.details.suggestion, /geography/);
  });
});
