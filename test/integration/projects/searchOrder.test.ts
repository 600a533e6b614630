/** Order and pages of a search. */
import assert from 'node:assert/strict';
import { SORTS } from '../../../src/core/filter/controls.ts';
import { project, searcher, TODAY } from '../../support/fixtures.ts';
import { provideService } from '../../support/service.ts';

const CEILING = 10_000;

describe('order', () => {
  const api = provideService({ today: TODAY });
  const search = searcher(() => api);
  const order = async (parameters: Record<string, unknown>) => (await search(parameters)).ids;

  before(async () => {
    await api.index.load([
      project(1, { meetingDate: '2026-01-01', totalUnitCount: 10, acreage: 1.5, summary: 'rich', address: '1 Main', isRezone: true }),
      project(2, { meetingDate: '2026-03-01', totalUnitCount: 0 }),
      project(3, { meetingDate: '2026-02-01', acreage: 0, summary: 'less rich' }),
      project(4, { meetingDate: '2026-02-01' }),
    ]);
    await api.index.load([project(5, { meetingDate: '2026-02-01' })], { mode: 'increment' });
  });

  it('is newest meeting first unless asked otherwise; equals by newest change, then highest id', async () => {
    const page = await search({});
    assert.deepEqual(page.ids, [2, 5, 4, 3, 1]);
    assert.deepEqual([page.meta.appliedDefaults.sort, page.meta.appliedDefaults.order], ['meetingDate', 'desc']);
    assert.deepEqual(await order({ sort: 'meetingDate', order: 'asc' }), [1, 5, 4, 3, 2], 'ties keep their order');
    assert.deepEqual(await order({ sort: 'lastUpdated' }), [5, 4, 3, 2, 1]);
    assert.deepEqual(await order({ sort: 'lastUpdated', order: 'asc' }), [4, 3, 2, 1, 5]);
  });

  it('puts records without the value last, whichever the direction', async () => {
    assert.deepEqual(await order({ sort: 'totalUnitCount' }), [1, 2, 5, 4, 3]);
    assert.deepEqual(await order({ sort: 'totalUnitCount', order: 'asc' }), [2, 1, 5, 4, 3]);
    assert.deepEqual(await order({ sort: 'acreage', order: 'asc' }), [3, 1, 5, 4, 2]);
  });

  it('has a name for each field and direction', async () => {
    const plain = {
      meetingDate: 'meetingDate',
      lastUpdated: 'lastUpdated',
      dataRichness: 'dataRichness',
      totalUnitCount: 'totalUnitCount',
    };
    for (const [name, { field, direction }] of Object.entries(SORTS)) {
      const wanted = await order({ sort: plain[field as 'meetingDate'] ?? 'acreage', order: direction ?? 'desc' });
      assert.deepEqual(await order({ sort: name }), wanted, name);
      if (direction) assert.deepEqual(await order({ sort: name, order: direction }), wanted);
    }
    assert.deepEqual(await order({ sort: 'units_lowest' }), [2, 1, 5, 4, 3]);
    assert.deepEqual(await order({ sort: 'acres_highest' }), [1, 3, 5, 4, 2]);
    assert.deepEqual(await order({ sort: 'meeting_date_oldest' }), [1, 5, 4, 3, 2]);
    assert.deepEqual((await order({ sort: 'data_richness' })).slice(0, 1), [1]);
  });

  it('tells the position of a page', async () => {
    const { meta } = await search({ limit: 2, offset: 1 });
    const { limit, offset, pageCount, hasMore, total, matchCount, matchCountIsExact, matchCountBasis } = meta;
    assert.deepEqual(
      { limit, offset, pageCount, hasMore, total, matchCount, matchCountIsExact, matchCountBasis },
      {
        limit: 2,
        offset: 1,
        pageCount: 2,
        hasMore: true,
        total: 3,
        matchCount: 5,
        matchCountIsExact: true,
        matchCountBasis: 'candidate_scan',
      },
    );
    assert.equal((await search({ limit: 2, offset: 3 })).meta.hasMore, false);
  });

  it('stops there: no more pages and no exact count, though the free count knows', async () => {
    const many = Array.from({ length: CEILING + 20 }, (_, i) => ({ ...project(1000 + i), state: 'NV', county: null, city: null }));
    await api.index.load(many, { mode: 'increment' });
    const asked = { states: 'NV', representation: 'compact', sort: 'lastUpdated' };
    const first = await search({ ...asked, limit: 1 });
    assert.deepEqual([first.meta.matchCount, first.meta.matchCountIsExact, first.meta.hasMore], [CEILING, false, true]);
    const before = await search({ ...asked, limit: 100, offset: CEILING - 200 });
    assert.deepEqual([before.meta.pageCount, before.meta.hasMore], [100, true]);
    const last = await search({ ...asked, limit: 100, offset: CEILING - 100 });
    assert.deepEqual([last.meta.pageCount, last.meta.hasMore, last.meta.total], [100, false, CEILING]);
    const uneven = await search({ ...asked, limit: 30, offset: CEILING - 40 });
    assert.deepEqual([uneven.meta.pageCount, uneven.meta.hasMore], [30, false], 'the page after it would reach beyond the ceiling');
    const { body } = await api.get('/projects/count', { states: 'NV', dateRange: 'all' });
    assert.deepEqual([body.data.matchCount, body.data.matchCountIsExact], [CEILING + 20, true]);
  });
});
