/** A period of lastUpdated is the same in filters and in groups. */

import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { bodyOf, provideService } from '../../support/service.ts';

const NOVEMBER = '2026-11-01';

describe('Periods of lastUpdated', () => {
  const api = provideService({ today: TODAY });
  before(async () => {
    // In the Mountain Time of the service it is still October.
    const clock = { ...api.index.clock, now: () => new Date('2026-11-01T02:00:00.000Z') };
    Object.defineProperty(api.index, 'clock', { value: clock });
    await api.index.load(Array.from({ length: 8 }, (_, i) => project(i + 1, { status: 'approved' })));
  });

  const post = async (path: string, body: object) => {
    return bodyOf(await api.post(path, body)).data;
  };
  const counted = async (bounds: object) => (await api.get('/projects/count', { dateRange: 'all', ...bounds })).body.data.matchCount;

  it('are of UTC in filters, groups, odds and rankings alike', async () => {
    assert.deepEqual([await counted({ lastUpdatedFrom: '2026-11' }), await counted({ lastUpdatedTo: '2026-10' })], [8, 0]);
    const filters = { dateRange: 'all' };
    for (const interval of ['month', 'quarter', 'year'] as const) {
      const { groups } = await post('/analytics/aggregate', { filters, groupBy: ['lastUpdated'], interval });
      const start = { month: NOVEMBER, quarter: '2026-10-01', year: '2026-01-01' }[interval];
      assert.deepEqual(pluck(groups, 'keys', 'count'), [[{ lastUpdated: start }, 8]]);
    }
    const { groups } = await post('/analytics/odds', { filters, by: ['lastUpdated'], interval: 'month' });
    assert.deepEqual(groups[0]?.keys, { lastUpdated: NOVEMBER });
    const ranked = await post('/analytics/rankings', { filters, dimension: 'lastUpdated', interval: 'month', metric: { op: 'count' } });
    assert.deepEqual([ranked[0]?.key, ranked[0]?.count], [NOVEMBER, 8]);
  });
});
