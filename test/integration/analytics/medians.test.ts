/** Medians of many values, as Elasticsearch computes them over several shards. */
import assert from 'node:assert/strict';
import type { Aggregate } from '../../../src/core/query/facets.ts';
import { EXACT_MEDIAN_MAX, measurementPath, readStatistic, statisticsAggregations } from '../../../src/core/query/statistics.ts';
import { TestIndex } from '../../support/index.ts';
import { Random } from '../../support/random.ts';

const FIELD = 'acreage';
const SHARDS = 3;
const BATCH = 10_000;
const SEED = 7;

describe('A median', () => {
  const index = new TestIndex('2026-06-01');
  const random = new Random(SEED);
  /** Few large and many small, some of them equal, in no order. */
  const values = Array.from({ length: 4 * EXACT_MEDIAN_MAX }, () => Math.round(10_000 * random.next() ** 4) / 100);
  const name = `${index.prefix}-values`;

  before(async () => {
    await index.client.indices.create({
      index: name,
      settings: { number_of_shards: SHARDS, number_of_replicas: 0, refresh_interval: '-1' },
      mappings: { properties: { number: { type: 'integer' }, [measurementPath(FIELD)]: { type: 'double' } } },
    });
    for (let from = 0; from < values.length; from += BATCH) {
      const lines = values
        .slice(from, from + BATCH)
        .flatMap((value, i) => [{ index: {} }, { number: from + i, [measurementPath(FIELD)]: value }]);
      const { errors } = await index.client.bulk({ index: name, operations: lines });
      assert.equal(errors, false);
    }
    await index.client.indices.refresh({ index: name });
  });

  after(() => index.drop());

  async function medianOf(count: number): Promise<number> {
    const { aggregations } = await index.client.search({
      index: name,
      size: 0,
      query: { range: { number: { lt: count } } },
      aggregations: statisticsAggregations({ fields: [FIELD], summed: [], medians: [FIELD], today: '2026-06-01' }),
    });
    const answer = aggregations as unknown as Aggregate;
    assert.equal(readStatistic(answer, FIELD, 'count'), count);
    return readStatistic(answer, FIELD, 'median');
  }

  it(`is exact of ${EXACT_MEDIAN_MAX} values, odd or even`, async () => {
    for (const count of [EXACT_MEDIAN_MAX, EXACT_MEDIAN_MAX - 1]) {
      const sorted = values.slice(0, count).sort((a, b) => a - b);
      const [low, high] = [sorted[Math.floor((count - 1) / 2)], sorted[Math.ceil((count - 1) / 2)]] as [number, number];
      assert.ok(Math.abs((await medianOf(count)) - (low + high) / 2) < 1e-9, String(count));
    }
  });

  it('lies beyond that among the 1 % of values around the middle', async () => {
    for (const count of [2 * EXACT_MEDIAN_MAX, values.length]) {
      const sorted = values.slice(0, count).sort((a, b) => a - b);
      const [low, high] = [sorted[Math.floor(0.495 * count)], sorted[Math.ceil(0.505 * count)]] as [number, number];
      const median = await medianOf(count);
      assert.ok(low <= median && median <= high, `${median} is not from ${low} to ${high}`);
    }
  });
});
