/** Recognises by their hash the lines whose records the base holds unchanged: they are neither parsed nor written. */
import type { estypes } from '@elastic/elasticsearch';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import { findByKey } from '../read/versions.ts';
import type { Load } from './loadContext.ts';
import type { StatedKind } from './statedKeys.ts';

const KIND_OF = { project: 'projects', document: 'documents', contact: 'contacts' } as const satisfies Record<StatedKind, Kind>;

/** A record that a line with this hash states. */
export interface KnownLine {
  kind: StatedKind;
  key: string;
  /** ids of the documents that the line quotes */
  quotes: readonly number[];
}

interface Fields {
  lineHash: [string];
  key: [string];
  'derived.quotedIds'?: number[];
  quotedIn?: [number];
}

/** Finds the base records stated by lines with these hashes, except those whose quoted documents have changed since. */
export async function findKnownLines(load: Load, hashes: readonly string[]): Promise<Map<string, KnownLine>> {
  const { client, names, base } = load;
  const baseSet = base.set;
  if (!baseSet || !base.keepsRestated || !hashes.length) return new Map();
  const kinds = (Object.keys(KIND_OF) as StatedKind[]).map((kind) => [names.indexName(KIND_OF[kind], baseSet), kind] as const);
  const kindOf = new Map(kinds);
  const { hits } = await client.search({
    index: Object.values(KIND_OF).map((kind) => names.completeAlias(kind, baseSet)),
    size: hashes.length,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { bool: { filter: [{ terms: { lineHash: [...hashes] } }] } } satisfies estypes.QueryDslQueryContainer,
    sort: ['_doc'],
    stored_fields: '_none_',
    docvalue_fields: ['lineHash', 'key', 'derived.quotedIds', 'quotedIn'],
    filter_path: ['hits.hits._index', 'hits.hits.fields', 'timed_out'],
  });
  // With `filter_path`, an answer without matches has no `hits`.
  const found = (hits?.hits ?? []).map(({ _index, fields }) => ({ kind: kindOf.get(_index), ...(fields as Fields) }));
  const newest = await readLoads(
    load,
    found.flatMap(({ 'derived.quotedIds': ids = [] }) => ids),
  );
  const known = found.flatMap(({ kind, lineHash, key, 'derived.quotedIds': quotes = [], quotedIn = [0] }): [string, KnownLine][] => {
    if (!kind) throw new Error('A line was found in an index that is of no kind');
    const isHeld = quotes.every((id) => (newest.get(id) ?? 0) <= quotedIn[0]);
    return isHeld ? [[lineHash[0], { kind, key: key[0], quotes }]] : [];
  });
  return new Map(known);
}

/** For each of these documents of the base, the load that wrote it. */
async function readLoads({ client, names, base }: Load, ids: readonly number[]): Promise<Map<number, number>> {
  if (!ids.length || !base.set) return new Map();
  const keys = [...new Set(ids)].map(String);
  const found = await findByKey(client, names.completeAlias('documents', base.set), keys, [], ['key', 'loadedIn']);
  return new Map([...found].map(([key, { version }]) => [Number(key), version.loadedIn]));
}
