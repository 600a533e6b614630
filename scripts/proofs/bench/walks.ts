/** Measures walks over a whole corpus: through the API by its cursor, and directly in Elasticsearch. */
import type { Representation } from '../../../src/core/domain/record/schemas.ts';
import { SOURCE_OF } from '../../../src/core/store/elastic/projects.ts';
import type { Elastic } from '../../lib/sandbox.ts';
import { makeTarget, sendAndRead } from './loadGenerator.ts';

const PAGE = 100;
const SLICES = 2;
const PIT_KEPT = '2m';

export interface BenchWalk {
  representation: Representation;
  how: 'api' | 'search_after' | 'slices';
  records: number;
  recordsPerSecond: number;
  /** milliseconds of a page among the first tenth and among the last; null where pages run side by side */
  firstMs: number | null;
  lastMs: number | null;
}

const mean = (some: readonly number[]) => some.reduce((sum, ms) => sum + ms, 0) / some.length;

/** The next page of a walk. */
type NextPage = () => Promise<{ count: number; more: boolean }>;

/** Measures pages until the last one. */
async function timePages(
  { representation, how }: Pick<BenchWalk, 'representation' | 'how'>,
  signal: AbortSignal,
  page: NextPage,
): Promise<BenchWalk> {
  const times: number[] = [];
  let records = 0;
  for (let more = true; more; ) {
    signal.throwIfAborted();
    const began = performance.now();
    const answer = await page();
    times.push(performance.now() - began);
    records += answer.count;
    more = answer.more;
  }
  const tenth = Math.max(1, Math.floor(times.length / 10));
  return {
    representation,
    how,
    records,
    recordsPerSecond: (records * 1000) / (mean(times) * times.length),
    firstMs: mean(times.slice(0, tenth)),
    lastMs: mean(times.slice(-tenth)),
  };
}

interface SyncAnswer {
  data: unknown[];
  meta: { sync: { cursor: string; hasMore: boolean } };
}

/** @param url of an API process, without a path */
function apiPages(url: string, key: string, representation: Representation): { next: NextPage; close(): void } {
  const target = makeTarget(url, [], 1, true);
  const headers = { authorization: `Bearer ${key}` };
  let cursor = '';
  const next = async () => {
    const query = new URLSearchParams({ dateRange: 'all', includeGovernmentDecisions: 'true', representation, limit: String(PAGE) });
    if (cursor) query.set('cursor', cursor);
    const { status, body } = await sendAndRead(target, { method: 'GET', path: `/v1/projects/sync?${query}`, headers, body: '' });
    if (status !== 200) throw new Error(`The walk was answered with ${status}: ${JSON.stringify(body)}`);
    const { data, meta } = body as SyncAnswer;
    cursor = meta.sync.cursor;
    return { count: data.length, more: meta.sync.hasMore };
  };
  return { next, close: () => target.agent.destroy() };
}

/** @param url of an API process, without a path */
export async function walkApi(url: string, key: string, representation: Representation, signal: AbortSignal): Promise<BenchWalk> {
  const { next, close } = apiPages(url, key, representation);
  return timePages({ representation, how: 'api' }, signal, next).finally(close);
}

export async function walkElastic(client: Elastic, index: string, representation: Representation, signal: AbortSignal): Promise<BenchWalk> {
  let after: (string | number)[] | undefined;
  return timePages({ representation, how: 'search_after' }, signal, async () => {
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
  });
}

export async function walkSlices(client: Elastic, index: string, representation: Representation, signal: AbortSignal): Promise<BenchWalk> {
  const { id } = await client.openPointInTime({ index, keep_alive: PIT_KEPT });
  try {
    const began = performance.now();
    const slices = Array.from({ length: SLICES }, (_, slice) => walkSlice(client, id, slice, representation, signal));
    const records = (await Promise.all(slices)).reduce((sum, count) => sum + count, 0);
    const recordsPerSecond = (records * 1000) / (performance.now() - began);
    return { representation, how: 'slices', records, recordsPerSecond, firstMs: null, lastMs: null };
  } finally {
    await client.closePointInTime({ id });
  }
}

async function walkSlice(
  client: Elastic,
  pit: string,
  slice: number,
  representation: Representation,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  let after: (string | number)[] | undefined;
  for (;;) {
    signal.throwIfAborted();
    const { hits } = await client.search({
      pit: { id: pit, keep_alive: PIT_KEPT },
      slice: { id: String(slice), max: SLICES },
      size: PAGE,
      track_total_hits: false,
      sort: ['_shard_doc'],
      _source: [...SOURCE_OF[representation]],
      ...(after ? { search_after: after } : {}),
    });
    count += hits.hits.length;
    if (hits.hits.length < PAGE) return count;
    after = hits.hits.at(-1)?.sort as (string | number)[];
  }
}

/** Reads and drops pages, so that nothing is measured cold. */
export async function warmUp(client: Elastic, index: string, pages: number, signal: AbortSignal): Promise<void> {
  for (let page = 0; page < pages; page++) {
    signal.throwIfAborted();
    await client.search({ index, size: PAGE, from: (page % 50) * PAGE, track_total_hits: false, sort: [{ id: 'desc' }] });
  }
}

/** The same through the API, from the beginning of a walk. @param url of an API process, without a path */
export async function warmUpApi(url: string, key: string, pages: number, signal: AbortSignal): Promise<void> {
  const { next, close } = apiPages(url, key, 'compact');
  try {
    for (let page = 0, more = true; more && page < pages; page++) {
      signal.throwIfAborted();
      ({ more } = await next());
    }
  } finally {
    close();
  }
}
