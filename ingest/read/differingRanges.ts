/**
 * Finds ranges of ids in which two sets may show different versions. Elasticsearch computes checksums of what each set shows of a range; a range
 * with equal sums is not read.
 */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { Kind } from '../../src/core/store/elastic/indices.ts';

export interface IdRange {
  from: number;
  /** the first id after it */
  below: number;
  /** number of versions that the set with more of them shows of the range */
  versions: number;
}

/** Versions of a range that are compared by their sums: those of more times of change exceed 2^53, above which Elasticsearch rounds. */
const COMPARED_TOGETHER = 4_000;
const VERSIONS_WANTED = 2_000;
/** Ranges in one answer: enough to separate ids that are far apart soon; Elasticsearch allows 65,536. */
const RANGES = { min: 64, max: 16_384 };

/** A time field in a format that makes its sum a number, since Elasticsearch would otherwise format the sum as a date. */
function timesIn(field: string) {
  return { field, format: 'epoch_millis' };
}

/**
 * Sums that tell versions apart: the number of a version's load says which version of a record it is, the rest what a client is shown of it. For two
 * different sets to have equal sums, each would have to show the newer version of one of two records, both written by the same two loads.
 */
const SUMS = {
  projects: [{ field: 'id' }, { field: 'loadedIn' }, timesIn('lastUpdated'), { field: 'derived.revisionHash' }],
  removals: [{ field: 'id' }, { field: 'loadedIn' }, timesIn('at'), { field: 'mergedInto' }],
} as const satisfies Partial<Record<Kind, readonly object[]>>;
type Compared = keyof typeof SUMS;

type RangeBucket = { key: number; doc_count: number } & Record<`sum${number}`, { value: number }>;

/** Two indices or aliases of one kind. */
interface Sides {
  client: Client;
  kind: Compared;
  indices: readonly [string, string];
}

/** Ascending ranges, apart from each other, each of some thousand versions at most. */
export async function findDifferingRanges(sides: Sides): Promise<IdRange[]> {
  const known = (await Promise.all(sides.indices.map((index) => readIdRange(sides, index)))).filter((bounds) => bounds !== null);
  if (!known.length) return [];
  return compareRange(sides, {
    from: Math.min(...known.map(({ from }) => from)),
    below: Math.max(...known.map(({ below }) => below)),
    versions: Math.max(...known.map(({ versions }) => versions)),
  });
}

async function readIdRange({ client }: Sides, index: string): Promise<IdRange | null> {
  const { hits, aggregations } = await client.search<unknown, { ids: estypes.AggregationsStatsAggregate }>({
    index,
    size: 0,
    track_total_hits: true,
    allow_partial_search_results: false,
    aggs: { ids: { stats: { field: 'id' } } },
  });
  const { min, max } = aggregations?.ids ?? {};
  if (typeof min !== 'number' || typeof max !== 'number') return null;
  return { from: min, below: max + 1, versions: typeof hits.total === 'object' ? hits.total.value : 0 };
}

async function compareRange(sides: Sides, range: IdRange): Promise<IdRange[]> {
  const width = chooseWidth(range);
  const [first, second] = await Promise.all([readRangeSums(sides, 0, range, width), readRangeSums(sides, 1, range, width)]);
  const found: IdRange[] = [];
  let last: IdRange | undefined;
  for (const key of [...new Set([...first.keys(), ...second.keys()])].sort((x, y) => x - y)) {
    const [a, b] = [first.get(key), second.get(key)];
    const part = { from: key, below: key + width, versions: Math.max(a?.versions ?? 0, b?.versions ?? 0) };
    if (part.versions > COMPARED_TOGETHER && width > 1) {
      found.push(...(await compareRange(sides, part)));
      last = undefined;
    } else if (a?.sums === b?.sums) last = undefined;
    else if (last && last.versions + part.versions <= COMPARED_TOGETHER) {
      last.below = part.below;
      last.versions += part.versions;
    } else {
      found.push(part);
      last = part;
    }
  }
  return found;
}

/** A power of two, by which Elasticsearch divides without rounding; smaller than the range, unless that is one id. */
function chooseWidth({ from, below, versions }: IdRange): number {
  const ranges = Math.min(RANGES.max, Math.max(RANGES.min, Math.ceil(versions / VERSIONS_WANTED)));
  return 2 ** Math.max(0, Math.ceil(Math.log2((below - from) / ranges)));
}

interface RangeSums {
  versions: number;
  /** as text, with the number of versions */
  sums: string;
}

/** What one side shows of each part of a range, by the first id of the part. */
async function readRangeSums(
  { client, kind, indices }: Sides,
  side: 0 | 1,
  { from, below }: IdRange,
  width: number,
): Promise<Map<number, RangeSums>> {
  const aggs = Object.fromEntries(SUMS[kind].map((sum, at) => [`sum${at}`, { sum }]));
  const { aggregations } = await client.search<unknown, { parts: { buckets: RangeBucket[] } }>({
    index: indices[side],
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { range: { id: { gte: from, lt: below } } },
    aggs: { parts: { histogram: { field: 'id', interval: width, min_doc_count: 1 }, aggs } },
  });
  const buckets = aggregations?.parts.buckets ?? [];
  return new Map(
    buckets.map(({ key, doc_count: versions, ...sums }) => [
      key,
      { versions, sums: [versions, ...SUMS[kind].map((_, at) => sums[`sum${at}`]?.value)].join() },
    ]),
  );
}
