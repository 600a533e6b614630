/** Measures walks over a whole corpus: through the API by its cursor, and directly in Elasticsearch. */
import type { Representation } from '../../../src/core/domain/record/schemas.ts';
import { SOURCE_OF } from '../../../src/core/store/elastic/projects.ts';
import { ApiClient } from '../../lib/apiClient.ts';
import { withTimedStep } from '../../lib/progress.ts';
import { sum, timeWork } from '../../lib/report.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import type { Bench } from './suite.ts';

const PAGE = 100;
const WARM_UP_PAGES = 300;

export interface BenchWalk {
  representation: Representation;
  how: 'api' | 'search_after';
  records: number;
  recordsPerSecond: number;
  /** milliseconds of a page among the first tenth and among the last */
  firstMs: number;
  lastMs: number;
}

const mean = (some: readonly number[]) => sum(some) / some.length;

type NextPage = () => Promise<{ count: number; more: boolean }>;

function elasticPages(client: Elastic, index: string, representation: Representation): NextPage {
  let after: (string | number)[] | undefined;
  return async () => {
    const { hits } = await client.search({
      index,
      size: PAGE,
      track_total_hits: false,
      sort: [{ lastUpdated: 'asc' }, { id: 'asc' }],
      _source: [...SOURCE_OF[representation]],
      ...(after ? { search_after: after } : {}),
    });
    after = hits.hits.at(-1)?.sort as (string | number)[] | undefined;
    return { count: hits.hits.length, more: hits.hits.length === PAGE };
  };
}

function apiPages(client: ApiClient, representation: Representation): NextPage {
  const query = new URLSearchParams({ dateRange: 'all', includeGovernmentDecisions: 'true', representation, limit: String(PAGE) });
  return async () => {
    const { data, meta } = (await client.send({ path: `/projects/sync?${query}` })).body;
    query.set('cursor', meta.sync.cursor);
    return { count: data.length, more: meta.sync.hasMore };
  };
}

/** Measures pages until the last one, or so many. */
async function timePages(next: NextPage, signal: AbortSignal, most = Number.POSITIVE_INFINITY) {
  const times: number[] = [];
  let records = 0;
  for (let more = true; more && times.length < most; ) {
    signal.throwIfAborted();
    const ms = await timeWork(async () => {
      const page = await next();
      records += page.count;
      more = page.more;
    });
    times.push(ms);
  }
  const tenth = Math.max(1, Math.floor(times.length / 10));
  const recordsPerSecond = (records * 1000) / sum(times);
  return { records, recordsPerSecond, firstMs: mean(times.slice(0, tenth)), lastMs: mean(times.slice(-tenth)) };
}

/** Walks in each representation, after pages that are read and dropped. @param url of an API process */
export async function measureWalks(
  { client, sandbox, signal }: Bench,
  { url, key }: { url: string; key: string },
  representations: readonly Representation[],
): Promise<BenchWalk[]> {
  const api = new ApiClient(url, key);
  const ways: Record<BenchWalk['how'], (representation: Representation) => NextPage> = {
    search_after: (representation) => elasticPages(client, `${sandbox.indexPrefix}-projects`, representation),
    api: (representation) => apiPages(api, representation),
  };
  for (const pagesOf of Object.values(ways)) await timePages(pagesOf('compact'), signal, WARM_UP_PAGES);
  const walked: BenchWalk[] = [];
  for (const representation of representations)
    for (const [how, pagesOf] of Object.entries(ways) as [BenchWalk['how'], (typeof ways)['api']][]) {
      const times = await withTimedStep(`Walked ${representation}, ${how}`, () => timePages(pagesOf(representation), signal));
      walked.push({ representation, how, ...times });
    }
  return walked;
}
