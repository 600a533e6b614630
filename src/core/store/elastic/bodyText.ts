/** Request bodies with long lists. Elasticsearch reads 500,000 bare numbers six times as fast as quoted ones. */
import { randomUUID } from 'node:crypto';
import type { Client, estypes, TransportRequestOptions } from '@elastic/elasticsearch';
import { Longs } from '../../query/longs.ts';

/** Placeholder of a list while the rest is serialised; random, so that no client's text can contain it. */
const MARK = randomUUID();
const MARKED = new RegExp(`"${MARK} (\\d+)"`, 'g');

/** Serialises a request body to JSON, with its long lists as bare numbers. */
export function toBodyText(body: object): string {
  const lists: Longs[] = [];
  const text = JSON.stringify(body, (_, value) => (value instanceof Longs ? `${MARK} ${lists.push(value) - 1}` : value));
  return lists.length ? text.replace(MARKED, (_, i) => lists[Number(i)]?.json ?? '[]') : text;
}

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' };

/** Sends a search whose body has long lists, which the client's own serialiser cannot write. */
export function searchByText<T>(
  client: Client,
  index: string,
  body: object,
  options: TransportRequestOptions,
): Promise<estypes.SearchResponse<T>> {
  const path = `/${encodeURIComponent(index)}/_search`;
  const querystring = { allow_partial_search_results: false };
  return client.transport.request(
    { method: 'POST', path, querystring, body: toBodyText(body), meta: { name: 'search' } },
    { ...options, headers: JSON_BODY },
  );
}
