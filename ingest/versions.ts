/** Reading and writing versions of records in an index set. A version's `_id` is `<key>:<load>`. */
import type { Client, estypes } from '@elastic/elasticsearch';

export interface StoredVersion {
  key: string;
  loadedIn: number;
  supersededIn?: number;
}

export interface Write {
  operation: 'create' | 'index' | 'delete';
  index: string;
  version: StoredVersion;
  document?: Record<string, unknown>;
}

export const versionId = (version: StoredVersion) => `${version.key}:${version.loadedIn}`;

const FLUSH_BYTES = 4 * 1024 * 1024;
const PAGE_RECORDS = 1000;

/**
 * Sends writes with the client's bulk helper; memory is bounded by `FLUSH_BYTES` a request, however many there are.
 * @returns ids of the versions that existed already (`create` only)
 * @throws on any other refusal of Elasticsearch
 */
export async function bulkWrite(client: Client, writes: AsyncIterable<Write>): Promise<string[]> {
  const conflicts: string[] = [];
  let refusal: string | undefined;
  await client.helpers.bulk<Write>({
    datasource: iterate(writes, () => refusal !== undefined),
    flushBytes: FLUSH_BYTES,
    concurrency: 2,
    retries: 8,
    wait: 1000,
    onDocument: ({ operation, index, version, document }) => {
      const target = { _index: index, _id: versionId(version) };
      if (operation === 'delete') return { delete: target };
      // The helper sends the second entry as the document, in place of the write that carries it.
      return [{ [operation]: target }, document] as never;
    },
    onDrop: ({ status, error, operation }) => {
      const [action, target] = Object.entries(operation as unknown as Record<string, { _id: string }>)[0] ?? [];
      if (status === 409 && action === 'create') conflicts.push(target?._id ?? '');
      else if (!(status === 404 && action === 'delete'))
        refusal ??= `Elasticsearch refused version ${target?._id}: ${error?.reason ?? `status ${status}`}`;
    },
  });
  if (refusal) throw new Error(refusal);
  return conflicts;
}

async function* iterate(writes: AsyncIterable<Write>, stop: () => boolean): AsyncGenerator<Write> {
  for await (const write of writes) {
    if (stop()) return;
    yield write;
  }
}

export interface Walk {
  index: string;
  query?: estypes.QueryDslQueryContainer | undefined;
  /** unique sort field of the kind: `id` for projects, `key` otherwise */
  by: 'id' | 'key';
}

/** Every record that the query selects, a page at a time, in the order of its unique field. Safe while pages already read are rewritten. */
export async function* pages<T>(client: Client, walk: Walk): AsyncGenerator<T[]> {
  let after: estypes.SortResults | undefined;
  for (;;) {
    const result = await client.search<T>({
      index: walk.index,
      size: PAGE_RECORDS,
      track_total_hits: false,
      query: walk.query ?? { match_all: {} },
      sort: [{ [walk.by]: 'asc' }],
      ...(after ? { search_after: after } : {}),
    });
    const hits = result.hits.hits;
    if (hits.length) yield hits.map((hit) => hit._source as T);
    if (hits.length < PAGE_RECORDS) return;
    after = hits.at(-1)?.sort;
  }
}

/** The records of an index (or filtered alias) with these keys; a key that is not there is absent from the map. */
export async function findByKey<T extends StoredVersion>(
  client: Client,
  index: string,
  keys: readonly string[],
  filter: estypes.QueryDslQueryContainer[] = [],
): Promise<Map<string, T>> {
  if (!keys.length) return new Map();
  const result = await client.search<T>({
    index,
    size: 10_000,
    track_total_hits: false,
    query: { bool: { filter: [{ terms: { key: [...keys] } }, ...filter] } },
    sort: ['_doc'],
  });
  return new Map(result.hits.hits.map((hit) => [(hit._source as T).key, hit._source as T]));
}
