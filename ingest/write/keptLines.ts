/** Lines of a file that the base holds as they are: nothing is read or written of them. */
import type { estypes } from '@elastic/elasticsearch';
import type { Kind } from '../../src/store/elastic/indices.ts';
import type { Load } from './loadContext.ts';
import type { StatedKind } from './statedKeys.ts';

const KIND_OF = { project: 'projects', document: 'documents', contact: 'contacts' } as const satisfies Record<StatedKind, Kind>;

/** A record that a line of that name states. */
export interface KnownLine {
  kind: StatedKind;
  key: string;
  /** ids of the documents that it quotes */
  quotes: readonly number[];
}

interface Fields {
  lineHash: [string];
  key: [string];
  'derived.quotedIds'?: number[];
}

/** The records of the base that lines of these names state. */
export async function knownLines(
  { client, names, baseSet, keepsRestated }: Load,
  hashes: readonly string[],
): Promise<Map<string, KnownLine>> {
  if (!baseSet || !keepsRestated || !hashes.length) return new Map();
  const kinds = (Object.keys(KIND_OF) as StatedKind[]).map((kind) => [names.index(KIND_OF[kind], baseSet), kind] as const);
  const kindOf = new Map(kinds);
  const { hits } = await client.search({
    index: Object.values(KIND_OF).map((kind) => names.whole(kind, baseSet)),
    size: hashes.length,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { bool: { filter: [{ terms: { lineHash: [...hashes] } }] } } satisfies estypes.QueryDslQueryContainer,
    sort: ['_doc'],
    stored_fields: '_none_',
    docvalue_fields: ['lineHash', 'key', 'derived.quotedIds'],
    filter_path: ['hits.hits._index', 'hits.hits.fields', 'timed_out'],
  });
  // An answer reduced to what is asked for has no hits when it is empty.
  const known = (hits?.hits ?? []).map(({ _index, fields }): [string, KnownLine] => {
    const kind = kindOf.get(_index);
    if (!kind) throw new Error(`A line was found in ${_index}, which is of no kind`);
    const { lineHash, key, 'derived.quotedIds': quotes = [] } = fields as Fields;
    return [lineHash[0], { kind, key: key[0], quotes }];
  });
  return new Map(known);
}
