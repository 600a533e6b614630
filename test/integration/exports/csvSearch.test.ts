/** `format=csv` on a search: accepted as an export of everything that the search matches. */

import assert from 'node:assert/strict';
import { walkSearch } from '../../support/exports.ts';
import { TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 150;
const OLD = { meetingDate: '2020-01-01' };

describe('A search as CSV', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    await world.api.index.load([
      ...Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1, { acreage: (i * 7) % 101, ...(i < 20 ? OLD : {}) })),
      projectLine(900, { propertyType: 'govt_decisions' }),
      projectLine(901, { state: 'TX', county: 'Travis County' }),
    ]);
    await world.work();
  });

  const search = (parameters: Record<string, unknown>, key: string, headers: Record<string, string> = {}) =>
    world.api.get('/projects/search', { format: 'csv', ...parameters }, { key, headers });
  const idsOf = (text: string) =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((row) => Number(row.split(',')[0]));
  async function exported(parameters: Record<string, unknown>, key: string) {
    const body = bodyOf(await search(parameters, key), 202);
    const made: Json = await world.exports.settled(body.data.id, key);
    return { accepted: body.data, meta: body.meta, made, ids: idsOf((await world.download(made.id, key)).text) };
  }

  it('is queued with its filters and order, and ignores what chooses a page', async () => {
    const key = await world.api.key('api_only');
    const set = { states: 'CO', sort: 'acreage', order: 'asc', dateRange: 'all' };
    const page = { limit: 'none', offset: 99_999, page: -1 };
    const { accepted, meta, made, ids } = await exported({ ...set, ...page, representation: 'standard' }, key);
    assert.equal(accepted.status, 'queued');
    assert.equal(accepted.downloadUrl, `http://landuse.test/v1/exports/${accepted.exportJobId}/download`);
    const { filters, ...source } = accepted.source;
    assert.deepEqual(source, { alertId: null, listId: null, projectIds: null });
    assert.deepEqual([filters.states, filters.sort, filters.order], [meta.appliedFilters.states, 'acreage', 'asc']);
    assert.deepEqual([accepted.matchCount, accepted.creditsReserved, meta.creditsUsed], [RECORDS, RECORDS, 0]);
    assert.deepEqual([made.rowCount, made.creditsCharged, made.creditsRefunded], [RECORDS, RECORDS, 0]);
    const records = await walkSearch(world, set, key);
    assert.deepEqual(ids, pluck(records, 'id'));
    await world.api.checkLedger();
  });

  it('says which defaults applied, and which named records are left out', async () => {
    const key = await world.api.key('api_only');
    const { meta, ids } = await exported({ states: 'CO' }, key);
    assert.equal(meta.appliedDefaults.dateRange, 'last_1_year');
    assert.deepEqual(pluck(meta.warnings, 'code'), ['default_date_window_applied']);
    assert.equal(ids.length, RECORDS - 20);
    const named = await exported({ projectIds: '1,2,900,901' }, key);
    assert.deepEqual(named.ids.toSorted(), [1, 2, 901]);
    assert.deepEqual(
      named.meta.warnings.map(({ code, params }: Json) => [code, params.ids]),
      [['government_decisions_excluded', [900]]],
    );
    assert.deepEqual(named.accepted.source.filters.projectIds, [1, 2, 900, 901], 'a filter of a search, not a source');
  });

  it('queues nothing where nothing matches, and leaves out under deliveryMode=new what the pool holds', async () => {
    const key = await world.api.key('api_only');
    const first = await exported({ projectIds: '31,32,33' }, key);
    assert.equal(first.made.creditsCharged, 3);
    const fresh = await exported({ projectIds: '31,32,33,34', deliveryMode: 'new' }, key);
    assert.deepEqual([fresh.ids, fresh.accepted.creditsReserved, fresh.accepted.source.filters.deliveryMode], [[34], 1, 'new']);
    const { status, body } = await search({ projectIds: '31,32,33,34', deliveryMode: 'new' }, key);
    assert.deepEqual([status, body.data], [200, { status: 'no_matching_rows', exportJobId: null, matchCount: 0 }]);
    assert.equal((await world.api.get('/exports', {}, { key })).body.meta.total, 2);
  });

  it('repeats under one Idempotency-Key what was accepted, which a page of the same search does not', async () => {
    const key = await world.api.key('api_only');
    const headers = { 'Idempotency-Key': 'csv' };
    const [first, again] = [await search({ projectIds: 41 }, key, headers), await search({ projectIds: 41 }, key, headers)];
    assert.deepEqual([first.status, again.status, again.body.data.id], [202, 202, first.body.data.id]);
    assertRefused(await world.api.get('/projects/search', { projectIds: 41 }, { key, headers }), 'idempotency_key_reuse');
  });

  it('is refused before anything is reserved: too dear, beyond the balance, outside the licence, without the ledger', async () => {
    const key = await world.api.key('api_only', undefined, { monthlyCredits: 10 });
    const dear = await search({ states: 'CO', maxCredits: 9 }, key);
    assertRefused(dear, 'invalid_request', 'maxCredits');
    const { creditsRequired, maxCredits } = dear.body.error.details;
    assert.deepEqual([creditsRequired, maxCredits], [RECORDS - 20, 9]);
    const short = await search({ states: 'CO' }, key);
    assertRefused(short, 'insufficient_credits');
    const counted = await fetch(short.body.error.details.quote.countUrl.replace('http://landuse.test', world.api.url), {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(((await counted.json()) as Json).data.creditsRequired, RECORDS - 20);
    const local = await world.api.key('state', { stateIds: [places.findState('TX')?.id ?? 0], countyIds: [] });
    assertRefused(await search({ states: 'CO' }, local), 'geographic_access_denied');
    assert.deepEqual((await exported({}, local)).ids, [901]);
    await world.api.database.query('alter table delivery rename to delivery_away');
    assertRefused(
      await search({ projectIds: 1 }, key).finally(() => world.api.database.query('alter table delivery_away rename to delivery')),
      'delivery_ledger_unavailable',
    );
    assert.equal(await world.balance(key), 10);
    assert.equal((await world.api.get('/exports', {}, { key })).body.meta.total, 0);
  });
});
