/** Reading versions of records in an index set. A version's `_id` is `<key>:<load>`. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { Kind } from '../../src/core/store/elastic/indices.ts';

export interface StoredVersion {
  key: string;
  loadedIn: number;
  supersededIn?: number;
  lineHash?: string;
}

/** The sequence number of a stored version. A write that names it is refused once the version has changed. */
export interface VersionPlace {
  seqNo: number;
  primaryTerm: number;
}

/** A version that was read, with its place. */
export interface Found<T extends StoredVersion> {
  version: T;
  place: VersionPlace;
}

export const makeVersionId = (version: StoredVersion) => `${version.key}:${version.loadedIn}`;

const PAGE_RECORDS = 250;
const PAGE_KEYS = 10_000;
/** keys in one request */
const KEYS_PER_REQUEST = 1000;

/** Whole versions read at a time; fewer documents, since each holds the text of whole minutes. */
export const READ_TOGETHER: Readonly<Record<Kind, number>> = { projects: 500, documents: 50, contacts: 500, removals: 500 };

/** Unique sort field of a kind. */
export const UNIQUE_FIELD = { projects: 'id', removals: 'id', documents: 'key', contacts: 'key' } as const satisfies Record<Kind, string>;
export type UniqueField = (typeof UNIQUE_FIELD)[Kind];

export interface Scan {
  index: string;
  query?: object | undefined;
  by: UniqueField;
  /** parts of the records to fetch; whole records unless given */
  fields?: string[];
}

async function* readHitPages<T>(
  client: Client,
  walk: Scan,
  size: number,
  request: estypes.SearchRequest,
): AsyncGenerator<estypes.SearchHit<T>[]> {
  let after: estypes.SortResults | undefined;
  for (;;) {
    const result = await client.search<T>({
      index: walk.index,
      size,
      track_total_hits: false,
      allow_partial_search_results: false,
      query: walk.query ?? { match_all: {} },
      sort: [{ [walk.by]: 'asc' }],
      ...request,
      ...(after ? { search_after: after } : {}),
    });
    const hits = result.hits?.hits ?? []; // an answer reduced to its sort values has no hits when it is empty
    if (hits.length) yield hits;
    if (hits.length < size) return;
    after = hits.at(-1)?.sort;
  }
}

/** Reads every record that the query selects, page by page, ordered by its unique field. Pages already read may be rewritten meanwhile. */
export async function* recordPages<T extends StoredVersion>(client: Client, walk: Scan): AsyncGenerator<Found<T>[]> {
  for await (const hits of readHitPages<T>(client, walk, PAGE_RECORDS, {
    seq_no_primary_term: true,
    ...(walk.fields ? { _source: walk.fields } : {}),
  }))
    yield hits.map(toFound);
}

/** Reads only the keys of the selected records, ascending: numbers by `id`, texts by `key`. */
export async function* readKeyPages<K extends string | number>(client: Client, walk: Scan): AsyncGenerator<K[]> {
  // The sort value is the key, so that nothing is fetched.
  const bare = { stored_fields: '_none_', filter_path: ['hits.hits.sort', 'timed_out'] };
  for await (const hits of readHitPages(client, walk, PAGE_KEYS, bare)) yield hits.map((hit) => hit.sort?.[0] as K);
}

/** Reads only the sort values of the selected records, ordered by the first of them, which is unique. */
export async function* sortValuePages(
  client: Client,
  index: string,
  sort: estypes.SortCombinations[],
  query?: object,
): AsyncGenerator<estypes.SortResults[]> {
  const bare = { stored_fields: '_none_', filter_path: ['hits.hits.sort', 'timed_out'], sort };
  for await (const hits of readHitPages(client, { index, query, by: 'key' }, PAGE_KEYS, bare)) yield hits.map((hit) => hit.sort ?? []);
}

/** A scan of ascending keys that tells whether it contains a key; keys must be asked for in ascending order. */
class KeyCursor<K extends string | number> {
  readonly #pages: AsyncGenerator<K[]>;
  #page: K[] = [];
  #at = 0;

  constructor(keys: AsyncGenerator<K[]>) {
    this.#pages = keys;
  }

  async has(key: K): Promise<boolean> {
    for (;;) {
      while (this.#at < this.#page.length && (this.#page[this.#at] as K) < key) this.#at += 1;
      if (this.#at < this.#page.length) return this.#page[this.#at] === key;
      const next = await this.#pages.next();
      if (next.done) return false;
      this.#page = next.value;
      this.#at = 0;
    }
  }
}

/** Yields pages of keys that the scan has and none of the other ascending scans has. All are read once, in parallel, with one page of each in memory. */
export async function* findUnmatchedKeys<K extends string | number>(
  client: Client,
  walk: Scan,
  others: readonly AsyncGenerator<K[]>[],
): AsyncGenerator<string[]> {
  const cursors = others.map((other) => new KeyCursor(other));
  for await (const page of readKeyPages<K>(client, walk)) {
    const missing: string[] = [];
    for (const key of page) {
      const present = await anyHasKey(cursors, key);
      if (!present) missing.push(String(key));
    }
    yield* splitIntoSlices(missing, KEYS_PER_REQUEST);
  }
}

async function anyHasKey<K extends string | number>(cursors: readonly KeyCursor<K>[], key: K): Promise<boolean> {
  for (const cursor of cursors) if (await cursor.has(key)) return true;
  return false;
}

export function* splitIntoSlices<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function toFound<T extends StoredVersion>(hit: estypes.SearchHit<T>): Found<T> {
  return { version: hit._source as T, place: { seqNo: hit._seq_no as number, primaryTerm: hit._primary_term as number } };
}

/** The versions of an index with these `_id`s; one that is not there is left out. */
export async function findVersions<T extends StoredVersion>(client: Client, index: string, ids: readonly string[]): Promise<T[]> {
  if (!ids.length) return [];
  const result = await client.search<T>({
    index,
    size: ids.length,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { ids: { values: [...ids] } },
    sort: ['_doc'],
  });
  return result.hits.hits.map((hit) => hit._source as T);
}

const selectKeys = (keys: readonly string[], filter: readonly object[]): object => ({
  bool: { filter: [{ terms: { key: [...keys] } }, ...filter] },
});

/**
 * The records of an index (or filtered alias) with these keys; a key that is not there is absent from the map.
 * @param fields parts of the records to fetch, `key` among them; whole records unless given
 */
export async function findByKey<T extends StoredVersion>(
  client: Client,
  index: string,
  keys: readonly string[],
  filter: readonly object[] = [],
  fields?: string[],
): Promise<Map<string, Found<T>>> {
  const records = new Map<string, Found<T>>();
  for (const some of splitIntoSlices(keys, KEYS_PER_REQUEST)) {
    const result = await client.search<T>({
      index,
      size: 10_000,
      track_total_hits: false,
      allow_partial_search_results: false,
      seq_no_primary_term: true,
      query: selectKeys(some, filter),
      sort: ['_doc'],
      ...(fields ? { _source: fields } : {}),
    });
    for (const hit of result.hits.hits) records.set((hit._source as T).key, toFound(hit));
  }
  return records;
}

/** Finds which of these keys exist. */
export async function findPresentKeys(
  client: Client,
  index: string,
  keys: readonly string[],
  filter: readonly object[] = [],
): Promise<Set<string>> {
  const present = new Set<string>();
  for (const some of splitIntoSlices(keys, KEYS_PER_REQUEST)) {
    const walk: Scan = { index, query: selectKeys(some, filter), by: 'key' };
    for await (const page of readKeyPages<string>(client, walk)) for (const key of page) present.add(key);
  }
  return present;
}

/** The greatest value of a numeric or date field among the documents that a query selects; null where there is none. */
export async function readGreatestValue(
  client: Client,
  index: string | string[],
  field: string,
  query: object = { match_all: {} },
): Promise<number | null> {
  const result = await client.search({ index, size: 0, track_total_hits: false, query, aggs: { greatest: { max: { field } } } });
  const found = result.aggregations?.greatest as estypes.AggregationsMaxAggregate | undefined;
  return found?.value ?? null;
}

/** The newest time of change or removal among the selected projects and removals of a set, milliseconds since 1970; 0 if there is none. */
export async function newestStampOf(
  client: Client,
  indexOf: (kind: 'projects' | 'removals') => string,
  query: object = { match_all: {} },
): Promise<number> {
  const { aggregations } = await client.search<unknown, Record<'changed' | 'removed', estypes.AggregationsMaxAggregate>>({
    index: [indexOf('projects'), indexOf('removals')],
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query,
    // A removal also has the time of the change before it, which is earlier.
    aggs: { changed: { max: { field: 'lastUpdated' } }, removed: { max: { field: 'at' } } },
  });
  return Math.max(0, aggregations?.changed.value ?? 0, aggregations?.removed.value ?? 0);
}
