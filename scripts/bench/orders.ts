/** What the order of an index's documents on disk does to loading, walking and searching. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { compileFilters } from '../../src/filter/compile.ts';
import { ROLES_OF } from '../../src/filter/use.ts';
import { sortClauses } from '../../src/query/sort.ts';
import { SOURCE_OF } from '../../src/store/elastic/projects.ts';
import { bulkInto, linesOf, plainIndex } from './loading.ts';
import { quantile } from './quantile.ts';
import { settle } from './settle.ts';
import { throughElastic, warmUp } from './walks.ts';

/** `index.sort`: by nothing, by the order of a walk, by the default order of a search. */
export const ORDERS = {
  none: undefined,
  walk: { field: ['lastUpdated', 'id'], order: ['asc', 'asc'] },
  meeting: { field: ['derived.meetingDate', 'lastUpdated', 'id'], order: ['desc', 'desc', 'desc'] },
} as const;
export type Order = keyof typeof ORDERS;

export interface Ordered {
  order: Order;
  records: number;
  loadSeconds: number;
  walkPerSecond: number;
  /** milliseconds of a default search page, of compact records */
  searchP50Ms: number;
  diskBytes: number;
}

const PAGE = 100;
const SEARCHES = 300;
const SEARCH_PAGES = 20;
const WARM_UP_PAGES = 300;

/** The default search of a client: the last year, no government decisions, newest meeting first. */
async function searchP50(client: Client, index: string, today: string): Promise<number> {
  const query = compileFilters({ dateRange: 'last_1_year' }, null, { roles: ROLES_OF.primary_or_secondary, today });
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const began = performance.now();
    await client.search({
      index,
      query,
      size: PAGE,
      from: (i % SEARCH_PAGES) * PAGE,
      track_total_hits: 10_000,
      sort: sortClauses({ field: 'meetingDate', direction: 'desc' }, null) as estypes.SortCombinations[],
      _source: [...SOURCE_OF.compact],
    });
    times.push(performance.now() - began);
  }
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

/** @param file of final documents, one a line */
export async function measureOrder(
  client: Client,
  { order, index, file, today }: { order: Order; index: string; file: string; today: string },
  signal: AbortSignal,
): Promise<Ordered> {
  const sort = ORDERS[order];
  await plainIndex(client, index, sort ? { sort: { field: [...sort.field], order: [...sort.order] } } : {});
  try {
    const { records, seconds } = await bulkInto(client, index, linesOf(file));
    await settle(client, index);
    await warmUp(client, index, WARM_UP_PAGES, signal);
    const walk = await throughElastic(client, index, 'compact', signal);
    const stats = await client.indices.stats({ index, metric: 'store' });
    return {
      order,
      records,
      loadSeconds: seconds,
      walkPerSecond: walk.recordsPerSecond,
      searchP50Ms: await searchP50(client, index, today),
      diskBytes: stats._all.primaries?.store?.size_in_bytes ?? Number.NaN,
    };
  } finally {
    await client.indices.delete({ index });
  }
}
